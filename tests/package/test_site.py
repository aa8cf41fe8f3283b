"""What a reader of the documentation site may rely on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property
from html import unescape
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import cometchat_rest
from cometchat_rest.cli.app import app
from cometchat_rest.cli.exit_codes import MEANINGS
from cometchat_rest.testing import Simulator

# What a browser fetches by itself for each of these; a link that is followed by hand is not among them.
LOADED = {"src", "srcset", "poster", "data", "background", "action", "formaction", "manifest"}
LOADED_BY_HREF = {"link", "image", "use", "base"}
STYLED = re.compile(r"""url\(\s*["']?([^"')]*)|@import\s+["']([^"']*)""")


class Markup(HTMLParser):
    """What a page loads, where it links to, and which places in it can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.policy = ""
        self._style = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._style = tag == "style"
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        for name, value in given.items():
            if name in LOADED or (name.endswith("href") and tag in LOADED_BY_HREF):
                self.loaded += [part.split()[0] for part in value.split(",")] if name == "srcset" else [value]
            elif name == "href":
                self.links.append(value)
            elif name == "style":
                self.loaded += styled(value)

    def handle_data(self, data: str) -> None:
        if self._style:
            self.loaded += styled(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "style":
            self._style = False


def styled(text: str) -> list[str]:
    return [address or imported for address, imported in STYLED.findall(text)]


@cache
def markup(page: Path) -> Markup:
    return Markup(page.read_text("utf-8"))


def pages(site: Path) -> list[Path]:
    found = sorted(site.rglob("*.html"))
    assert len(found) > 20
    return found


def is_external(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.netloc or parts.scheme not in ("", "data"))


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    """Whoever reads the site tells no other host: all that a page or a style sheet loads comes with it."""
    loaded = {(page, address) for page in pages(site) for address in markup(page).loaded}
    for sheet in (*site.rglob("*.css"), *site.rglob("*.svg")):
        loaded |= {(sheet, address) for address in styled(sheet.read_text("utf-8"))}
    assert len(loaded) > 100
    assert [each for each in loaded if is_external(each[1])] == []


def test_the_browser_is_told_so(site: Path) -> None:
    """On each page a policy forbids the browser every other host, whatever a script may ask for."""
    for page in pages(site):
        directives = dict(part.split(None, 1) for part in markup(page).policy.split("; "))
        assert directives["default-src"] == "'self'", page
        sources = {source for allowed in directives.values() for source in allowed.split()}
        assert sources <= {"'self'", "'unsafe-inline'", "data:"}, page


def targets(page: Path, site: Path) -> Iterator[tuple[str, Path, str]]:
    """Each address of another place of the site: as written, the file it means, and the place in it."""
    for link in (*markup(page).links, *markup(page).loaded):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        # The page for what is not there cannot know where it will be shown.
        start = site if parts.path.startswith("/") else page.parent
        target = (start / unquote(parts.path).lstrip("/")).resolve() if parts.path else page
        yield link, target / "index.html" if target.is_dir() else target, unquote(parts.fragment)


def test_no_link_is_dead(site: Path) -> None:
    """Each link within the site leads to a page and a place that are there, and what a page loads is there."""
    checked = 0
    for page in pages(site):
        for link, target, place in targets(page, site):
            checked += 1
            assert target.is_file(), f"{page.relative_to(site)}: {link}"
            if place and place != "__skip" and target.suffix == ".html":
                assert place in markup(target).places, f"{page.relative_to(site)}: {link}"
    assert checked > 1000


def resources(client: type) -> dict[str, type]:
    """The classes of a client's resources by public path: cached properties, each from the package of its name."""
    properties = {name: each for name, each in vars(client).items() if isinstance(each, cached_property)}
    assert properties
    kinds = {name: each.func.__annotations__["return"] for name, each in properties.items()}
    return {
        f"cometchat_rest.{name}.{kind}": getattr(import_module(f"cometchat_rest.{name}"), kind)
        for name, kind in kinds.items()
    }


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    """Each public name, and each public method of the clients, the resources and the simulator, has its place."""
    places = set().union(*(markup(page).places for page in (site / "reference").rglob("*.html")))
    names = {f"cometchat_rest.{name}" for name in cometchat_rest.__all__ if name != "__version__"}
    names |= {f"cometchat_rest.testing.Simulator.{name}" for name in vars(Simulator) if not name.startswith("_")}
    for client in (cometchat_rest.Client, cometchat_rest.AsyncClient):
        names |= {f"cometchat_rest.{client.__name__}.{name}" for name in dir(client) if not name.startswith("_")}
        for path, resource in resources(client).items():
            names |= {f"{path}.{name}" for name in vars(resource) if not name.startswith("_")}
    assert names - places == set(), "give each a place under docs/reference"


def test_the_version_is_on_every_page(site: Path) -> None:
    """A reader can tell which version a page is about."""
    for page in pages(site):
        assert f"cometchat-rest {cometchat_rest.__version__}<" in page.read_text("utf-8"), page


def test_requests_and_answers_are_shown(site: Path) -> None:
    """Each operation is shown as it looks on the wire, without a key or a token."""
    simulator = Simulator()
    secrets = [simulator.api_key, *(token for tokens in simulator.auth_tokens.values() for token in tokens)]
    for page in pages(site):
        text = re.sub(r"<[^>]*>", "", page.read_text("utf-8"))
        assert not [secret for secret in secrets if secret in text], page
        if page.parent.parent.name == "operations":
            assert " HTTP/1.1" in text, page
            assert "HTTP/1.1 200 OK" in text, page
            assert "apikey: &lt;API_KEY&gt;" in text, page


def test_every_command_and_exit_code_is_shown(site: Path) -> None:
    """The page on the command line has the help of each command, and what each exit code means."""
    page = site / "command-line" / "index.html"
    text = unescape(re.sub(r"<[^>]*>", "", page.read_text("utf-8")))
    for group in app.registered_groups:
        assert group.typer_instance is not None
        for command in group.typer_instance.registered_commands:
            assert command.callback is not None
            names = (group.typer_instance.info.name, command.name or command.callback.__name__)
            path = " ".join(name for name in names if isinstance(name, str))
            assert f"Usage: cometchat-rest {path} " in text
    for meaning in MEANINGS.values():
        assert meaning in text


def test_the_same_is_built_twice(sites: list[Path]) -> None:
    """Building again changes no page, so that a difference between two sites is a difference in what they say."""
    site, again = sites
    names = [page.relative_to(site) for page in pages(site)]
    assert [name for name in names if (site / name).read_bytes() != (again / name).read_bytes()] == []
