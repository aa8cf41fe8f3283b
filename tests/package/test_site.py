"""The documentation site: privacy, completeness, and the links of its sources.

`mkdocs build --strict` checks the links of the site, also their anchors and names in the reference.
"""

import re
from collections.abc import Iterator
from functools import cache, cached_property
from html import unescape
from html.parser import HTMLParser
from inspect import getattr_static
from pathlib import Path

import pytest
import yaml

import cometchat_rest
from cometchat_desk.app import program
from cometchat_desk.exit_codes import Code
from cometchat_rest import Client
from cometchat_testing import Simulator

README = Path(__file__).parents[2] / "README.md"
#: The Markdown files that a reader of a checkout follows.
CHECKED_OUT = [
    each
    for pattern in ("*.md", "docs/**/*.md", "desk/*.md")
    for each in README.parent.glob(pattern)
]
pytest.importorskip("mkdocs", reason="the packages of the pages are not installed: run make docs")
# What a browser loads by itself from another host: sources, style sheets, and addresses in styles.
FOREIGN = re.compile(
    r"""(?:<(?:link|image|use|base)\b[^>]*\bhref=|<[^>]*\b(?:src|srcset|poster|data|action)=|\burl\(|@import)\s*["']?(?:\w+:)?//"""
)


class Markup(HTMLParser):
    """The link targets and the policy of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.policy = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]


@cache
def markup(page: Path) -> Markup:
    return Markup(page.read_text("utf-8"))


def pages(site: Path) -> list[Path]:
    found = sorted(site.rglob("*.html"))
    assert len(found) > 20
    return found


def listed(site: Path) -> list[Path]:
    """The pages of the navigation: all pages, except the page for a wrong address."""
    return [page for page in pages(site) if page.name != "404.html"]


def test_pages_load_nothing_from_other_hosts(site: Path) -> None:
    """A reader contacts no other host: pages and style sheets load only files of the site."""
    files = [*pages(site), *site.rglob("*.css"), *site.rglob("*.svg")]
    assert [file for file in files if FOREIGN.search(file.read_text("utf-8"))] == []


def test_a_policy_forbids_other_hosts(site: Path) -> None:
    """The content security policy of each page forbids every other host, also for scripts."""
    policies = {markup(page).policy for page in pages(site)}
    directives = [dict(part.split(None, 1) for part in policy.split("; ")) for policy in policies]
    assert {each["default-src"] for each in directives} == {"'self'"}
    sources = {
        source for each in directives for allowed in each.values() for source in allowed.split()
    }
    assert sources <= {"'self'", "'unsafe-inline'", "data:"}


# A code host has other addresses than the site. The checkers on PyPI for such links hold back
# aiohttp and bring packages for Git, or do not know the headings of other files.


def links_of(page: Path) -> Iterator[tuple[Path, str]]:
    """The targets of the links of a Markdown file, and their places in the target."""
    text = re.sub(
        r"^```.*?^```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    for name, place in re.findall(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)", text):
        yield page.parent / name if name else page, place


@pytest.mark.parametrize("page", CHECKED_OUT, ids=lambda page: page.name)
def test_no_link_of_a_checkout_is_dead(page: Path) -> None:
    """A reader of the Markdown files, for example on a code host, follows no link to a missing
    file or heading."""
    found = list(links_of(page))
    assert [target for target, _ in found if not target.exists()] == []
    headings = {
        target: re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
        for target, place in found
        if place
    }
    slugs = {
        (target, re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
        for target, texts in headings.items()
        for heading in texts
    }
    assert {each for each in found if each[1]} - slugs == set()


def resources() -> dict[str, type]:
    """The classes of the resources by public path: cached properties of a client. Those of the
    overlays come from the module of the same name."""
    names = [
        name for name in dir(Client) if isinstance(getattr_static(Client, name), cached_property)
    ]
    classes = {}
    with Client(base_url="http://localhost/v3", api_key="k") as chat:
        for name in names:
            resource = type(getattr(chat, name))
            generated = resource.__module__.startswith("cometchat_openapi.")
            module = resource.__module__ if generated else f"cometchat_rest.{name}"
            classes[f"{module}.{resource.__name__}"] = resource
    return classes


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    """The reference has every public name, and every public method of the client, its resources and
    the simulator.

    An awaited class has the names of the blocking one.
    """
    places = set().union(*(markup(page).places for page in (site / "reference").rglob("*.html")))
    shown = {place.rpartition(".")[2] for place in places}
    missing = {name for name in dir(cometchat_rest) if name.removeprefix("Async") not in shown}
    assert missing == {"__version__"}, "add these names under docs/reference"
    names = {
        f"cometchat_testing.Simulator.{name}"
        for name in vars(Simulator)
        if not name.startswith("_")
    }
    names |= {f"cometchat_rest.Client.{name}" for name in dir(Client) if not name.startswith("_")}
    for path, resource in resources().items():
        names |= {f"{path}.{name}" for name in vars(resource) if not name.startswith("_")}
    assert names - places == set(), "add these names under docs/reference"


def test_each_page_leads_to_the_next_one(site: Path) -> None:
    """Links at the end of each page lead to the previous and the next page, in one order through
    the whole site."""
    page, order = site / "index.html", [site / "index.html"]
    while found := re.search(
        r'href="([^"]*)" class="[^"]*footer__link--next', page.read_text("utf-8")
    ):
        following = (page.parent / found[1] / "index.html").resolve()
        assert "footer__link--prev" in following.read_text("utf-8")
        page = following
        order.append(page)
    assert sorted(order) == listed(site)


def test_first_page_makes_the_promise_of_the_readme(site: Path) -> None:
    """The site and the README begin with the same promise, and lead to the same result."""
    readme, page = (
        re.sub(r"<[^>]*>|\s+", " ", path.read_text("utf-8"))
        for path in (README, site / "index.html")
    )
    found = re.search(r"An unofficial, typed Python client .* no part in this project\.", readme)
    assert found
    assert found[0] in unescape(page)
    assert "A first result" in readme
    assert "A first result" in page


def test_the_version_is_on_every_page(site: Path) -> None:
    """Every page shows the version."""
    version = f"cometchat-rest {cometchat_rest.__version__}<"
    assert [page for page in pages(site) if version not in page.read_text("utf-8")] == []


def shown_on(page: Path) -> str:
    return re.sub(r"<[^>]*>", "", page.read_text("utf-8"))


def test_requests_and_responses_are_shown(site: Path) -> None:
    """The page of the operations shows a request and a response of each, and no page shows a key
    or a token."""
    simulator = Simulator()
    secrets = [
        simulator.api_key,
        *(token for tokens in simulator.auth_tokens.values() for token in tokens),
    ]
    assert [
        page for page in pages(site) if any(secret in shown_on(page) for secret in secrets)
    ] == []
    text = shown_on(site / "operations" / "index.html")
    shown = {
        (method, len(path.split("/")))
        for method, path in re.findall(r"([A-Z]+) /v3(/[^ ?]*)\S* HTTP/1.1", text)
    }
    described = yaml.safe_load((README.parent / "openapi.yaml").read_text("utf-8"))["paths"]
    assert shown == {
        (method.upper(), len(path.split("/")))
        for path, operations in described.items()
        for method in operations.keys() & {"get", "put", "post", "patch", "delete"}
    }
    assert "HTTP/1.1 200 OK" in text
    assert "apikey: &lt;API_KEY&gt;" in text


def test_every_command_and_exit_code_is_shown(site: Path) -> None:
    """The page on the command line has the help of each command and the meaning of each exit
    code."""
    text = unescape(shown_on(site / "desk" / "commands" / "index.html"))
    commands = program().commands.items()
    names = [
        f"{group} {name}".strip()
        for group, each in commands
        for name in getattr(each, "commands", [""])
    ]
    assert [name for name in names if f"Usage: cometchat-desk {name} " not in text] == []
    assert [code for code in Code if code.meaning not in text] == []
