"""Links in texts of the documentation: from sections of service.md and from public names to
their places."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from markdown.extensions.toc import slugify

import cometchat_openapi.models
import cometchat_rest
import cometchat_testing
from cometchat_rest import auth_tokens, keyword_input, keywords, reviewed_messages

_SERVICE = Path(__file__).resolve().parents[2] / "docs" / "service.md"
_HEADING = re.compile(
    r"""
    ^[#]{2,3}[ ]
    (?P<text>
        (?P<number>\d(?:\.\d)?)     # 3, or 3.1
        \.?[ ].*                    # ## 3. Keyword lists, or ### 3.1 Update a list
    )$
    """,
    re.MULTILINE | re.VERBOSE,
)
# What becomes a link, after all that stays as it is.
_LINKED = re.compile(
    r"""
    ^[ ]*(?P<fence>```+|~~~+).*?^[ ]*(?P=fence)[ ]*$     # ```python ... ```
    | ^\#.*?$                                            # ## A heading
    | ^:::.*?(?=^\S|\Z)                                  # ::: cometchat_rest.Client
    | ^(?:[ ]{4,}|[ ]*)>>>.*?$                           # >>> chat.roles.list()
    | <(?P<tag>svg|pre|a)\b.*?</(?P=tag)>                # <a href="...">...</a>
    | <!--.*?-->                                         # <!-- the models -->
    | \[(?:[^\[\]])*\][(\[][^)\]]*[)\]]                  # [a page](page.md), [a page][place]
    | (?P<ticks>``+).*?(?P=ticks)                        # ``a `quoted` text``
    | (?P<section>service\.md,[ ]sections?[ ](?P<number>\d(?:\.\d)?))     # service.md, section 3.1
    | `(?P<name>[\w.]+)(?:\(\))?`                        # `Client`, `Keywords.plan()`
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)


def with_links(text: str) -> str:
    """Return Markdown with a link at each mention of a section of service.md or of a public name.

    The link is an element of mkdocs-autorefs. It stays a plain text if the reference does not have
    the name.
    """
    return _LINKED.sub(_linked, text)


def _linked(match: re.Match[str]) -> str:
    place = None
    if match["section"]:
        place = _sections()[match["number"]]
    elif match["name"]:
        place = _places().get(match["name"])
    if place is None:
        return match[0]
    return f'<autoref identifier="{place}" optional>{match[0]}</autoref>'


@cache
def _sections() -> dict[str, str]:
    headings = _HEADING.finditer(_SERVICE.read_text("utf-8"))
    return {heading["number"]: slugify(heading["text"], "-") for heading in headings}


@cache
def _places() -> dict[str, str]:
    """Return the identifiers in the reference of all public names."""
    places = dict(_names(cometchat_rest, dir(cometchat_rest)))
    places.update(_names(cometchat_testing, cometchat_testing.__all__))
    places.update(_names(cometchat_openapi.models, cometchat_openapi.models.__all__))
    for name in vars(keyword_input):
        places[f"keyword_input.{name}"] = f"{keyword_input.__name__}.{name}"
    # The reference names these resources by their modules.
    places.update(_names(keywords, ["Keywords", "AsyncKeywords"]))
    places.update(_names(reviewed_messages, ["ReviewedMessages", "AsyncReviewedMessages"]))
    places.update(_names(auth_tokens, ["AuthTokens", "AsyncAuthTokens"]))
    return places


def _names(module: ModuleType, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the public names of a module and of its classes, with the identifiers of the
    reference."""
    for name in names:
        value = getattr(module, name)
        place = f"{_home(value) or module.__name__}.{name}"
        yield name, place
        if inspect.isclass(value):
            for member in dir(value):
                yield f"{name}.{member}", f"{place}.{member}"


def _home(value: object) -> str | None:
    """The package by which the reference names a generated class."""
    module = getattr(value, "__module__", "")
    if module.startswith("cometchat_openapi.models."):
        return "cometchat_openapi.models"
    if module.startswith("cometchat_openapi.api."):
        return str(module)
    return None
