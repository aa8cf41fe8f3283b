"""The path of a request: from a template and its values to a path on the wire, and the check of
the result.

The text of an error never repeats a refused value: it may be an auth token.
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import cast
from urllib.parse import quote, unquote

from .errors import InvalidRequestError
from .secrets import Secret

#: The longest id or token in a path, in characters.
MAX_PATH_VALUE = 1024

# All patterns are for `fullmatch`, since `$` would let a trailing newline through.
_LITERAL = r"[A-Za-z0-9._~-]+"
_TEMPLATE = re.compile(rf"(?:/(?:{_LITERAL}|\{{\w+\}}))+")
_PARAMETER = re.compile(r"\{(\w+)\}")
# A segment as quote(value, safe="") writes it.
_WIRE_SEGMENT = r"((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)"
# Each group has a name in the table below.
_FORBIDDEN = re.compile(
    r"""
    (?P<slash>[/\\])                 # a/b
    | (?P<encoded>%[0-9A-Fa-f]{2})   # a%2Fb
    | (?P<control>[\x00-\x1f\x7f-\x9f])
    | (?P<surrogate>[\ud800-\udfff])
    """,
    re.VERBOSE,
)
_FORBIDDEN_WORDS = {
    "slash": "'/' or '\\'",
    "encoded": "percent-encoded text: give the plain text",
    "control": "a control character",
    "surrogate": "a lone surrogate",
}


def check_values(values: Mapping[str, object]) -> None:
    """Refuse a value that would not stay one segment of a path, even if a proxy decodes the
    path."""
    for name, value in values.items():
        fault = _fault(_written(value))
        if fault is not None:
            raise InvalidRequestError(fault, argument=name)


def expand(template: str, values: Mapping[str, object]) -> Secret:
    """The path of a request. Each value becomes exactly one segment; `check_values` has checked
    them."""
    segments = {}
    for name, value in values.items():
        segments[name] = quote(cast("str", _written(value)), safe="")
    return Secret(template.format_map(segments))


def matches(template: str, path: Secret) -> bool:
    """Whether a request with this path goes where the template says, segment by segment."""
    match = _pattern(template).fullmatch(path.reveal())
    if match is None:
        return False
    return not any(_fault(unquote(segment)) for segment in match.groups())


def is_template(path: object) -> bool:
    """Whether a text is a path template without a dot segment."""
    if not isinstance(path, str) or not _TEMPLATE.fullmatch(path):
        return False
    return {".", ".."}.isdisjoint(path.split("/"))


def names_in(template: str) -> set[str]:
    """The names in the braces of a path template."""
    return set(_PARAMETER.findall(template))


@lru_cache(maxsize=64)
def _pattern(template: str) -> re.Pattern[str]:
    """A pattern for the paths of a template as they are sent, with one group for each value."""
    if not _TEMPLATE.fullmatch(template):
        raise ValueError(f"not a path template: {template!r}")
    # Literal text, a name, literal text, a name, ...
    literals = _PARAMETER.split(template)[::2]
    return re.compile(_WIRE_SEGMENT.join(map(re.escape, literals)))


def _written(value: object) -> object:
    """A value as a path holds it: numbers and booleans as in JSON."""
    if isinstance(value, Secret):
        return value.reveal()
    return json.dumps(value) if isinstance(value, int | float) else value


def _fault(value: object) -> str | None:
    """The reason why a value cannot be one segment of a path, not even after a proxy has decoded
    it; `None` if it can."""
    if not isinstance(value, str):
        return f"must be a str, not {type(value).__name__}"
    if len(value) > MAX_PATH_VALUE:
        return f"must have at most {MAX_PATH_VALUE} characters"
    # Some servers remove `;...` and white space from a segment before they look for dots.
    name = value.partition(";")[0].strip()
    if not name:
        return "must not be empty or blank, and must not begin with ';'"
    if name in (".", ".."):
        return "must not be '.' or '..', alone or before a ';'"
    match = _FORBIDDEN.search(value)
    if match is not None:
        return f"must not contain {_FORBIDDEN_WORDS[match.lastgroup or '']}"
    return None
