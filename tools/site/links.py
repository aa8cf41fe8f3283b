"""Links in texts of the documentation: from sections of service.md and from public names to
their places."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from markdown.extensions.toc import slugify

import cometchat_openapi.models
import cometchat_rest
import cometchat_testing
from cometchat_rest import auth_tokens, keyword_input, keywords, reviewed_messages

_SERVICE = Path(__file__).resolve().parents[2] / "docs" / "service.md"
_HEADING = re.compile(r"^#{2,3} ((\d(?:\.\d)?)\.? .*)$", re.MULTILINE)
# Blocks of code, headings, HTML, links and other marks stay as they are.
_LINKED = re.compile(
    r"""
    ^[ ]*(?P<fence>```+|~~~+).*?^[ ]*(?P=fence)[ ]*$ | ^\#.*?$ | ^:::.*?(?=^\S|\Z)
    | ^(?:[ ]{4,}|[ ]*)>>>.*?$
    | <(?P<tag>svg|pre|a)\b.*?</(?P=tag)> | <!--.*?--> | \[(?:[^\[\]])*\][(\[][^)\]]*[)\]]
    | (?P<ticks>``+).*?(?P=ticks)
    | (?P<section>service\.md,[ ]sections?[ ](?P<number>\d(?:\.\d)?)) | `(?P<name>[\w.]+)(?:\(\))?`
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)


def with_links(text: str) -> str:
    """Return Markdown with a link at each mention of a section of service.md or of a public name.

    The link is an element of mkdocs-autorefs. It stays a plain text if the reference does not have
    the name.
    """
    return _LINKED.sub(_linked, text)


def _linked(found: re.Match[str]) -> str:
    place = _sections()[found["number"]] if found["section"] else _places().get(found["name"] or "")
    return f'<autoref identifier="{place}" optional>{found[0]}</autoref>' if place else found[0]


@cache
def _sections() -> dict[str, str]:
    return {
        number: slugify(heading, "-")
        for heading, number in _HEADING.findall(_SERVICE.read_text("utf-8"))
    }


@cache
def _places() -> dict[str, str]:
    """Return the identifiers in the reference of all public names."""
    places = dict(_names(cometchat_rest, dir(cometchat_rest))) | dict(
        _names(cometchat_testing, cometchat_testing.__all__)
    )
    places |= {
        f"keyword_input.{name}": f"{keyword_input.__name__}.{name}" for name in vars(keyword_input)
    }
    places |= _names(cometchat_openapi.models, [*cometchat_openapi.models.__all__])
    for module in (keywords, reviewed_messages, auth_tokens):
        resource = module.__name__.rpartition(".")[2].title().replace("_", "")
        places |= _names(module, [resource, f"Async{resource}"])
    return places


def _names(module: ModuleType, names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the public names of a module and of its classes, with the identifiers of the
    reference."""
    for name in names:
        value = getattr(module, name)
        # The reference names generated classes by their packages.
        place = getattr(value, "__module__", "")
        home = module.__name__
        if place.startswith("cometchat_openapi."):
            home = "cometchat_openapi.models" if ".models." in place else place
        yield name, f"{home}.{name}"
        if inspect.isclass(value):
            for member in dir(value):
                yield f"{name}.{member}", f"{home}.{name}.{member}"
