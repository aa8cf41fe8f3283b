"""Where a request goes: from a path template and its values to a path on the wire, and back.

A value that is refused is never repeated in the error's text, and no frame that raises still holds it: a path can hold
an auth token.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import quote, unquote

from cometchat_rest.errors import InvalidRequestError

#: How long an id or a token in a path may be, in characters; the service's own stay under 200.
MAX_PATH_VALUE = 1024
# How often something on the way may decode a path before we stop following: no honest id nests so deep.
_MAX_DECODINGS = 8

# For `fullmatch`, since `$` would let a trailing newline through.
_LITERAL = r"[A-Za-z0-9._~-]+"
_TEMPLATE = re.compile(rf"(?:/(?:{_LITERAL}|\{{\w+\}}))+")
_PARAMETER = re.compile(r"\{(\w+)\}")
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
# What the resources call a parameter that has another name in its path; errors tell both.
_ALSO_CALLED = {"keyword_id": "list_id"}
# What quote(value, safe="") can put on the wire.
_WIRE_SEGMENT = r"((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def expand(template: str, values: Mapping[str, object]) -> str:
    """The path of one request: every `{name}` of the template replaced by its value, percent-encoded.

    Each value becomes exactly one segment, however often something between here and the service decodes it:
    `DELETE /users/alice/auth_tokens/..` would delete the user, and `%2e%2e` or `x/../..` would where a proxy
    decodes once more than it should. So a value is refused, not encoded, that is a dot segment or holds a
    slash or a backslash, be it plain or percent-encoded. Ids of this service hold none: nothing is lost.

    Args:
        template: a path of service.md, section 4, such as `/users/{uid}/auth_tokens/{authToken}`.
        values: for each name, a `str` of 1 to `MAX_PATH_VALUE` characters.

    Returns:
        The path as it goes on the wire; `matches(template, path)` holds.

    Raises:
        InvalidRequestError: a value is none of the above; the text names it and never shows it.
    """
    path = _expanded(template, values)
    del values
    if isinstance(path, InvalidRequestError):
        raise path
    return path


def matches(template: str, path: str) -> bool:
    """Whether a request with this path goes where the template says, segment by segment.

    Args:
        template: as for `expand()`; it may have the base URL's own path before it.
        path: a path as it goes on the wire, percent-encoded, without a query.
    """
    match = _pattern(template).fullmatch(path)
    return match is not None and not any(map(_fault_in_segment, match.groups()))


# These return the error rather than raise it, so that a traceback never passes through a frame that holds a token.


@lru_cache(maxsize=64)
def _pieces(template: str) -> tuple[str, ...]:
    """The template taken apart: literal text, a name, literal text, a name, ..."""
    if not _TEMPLATE.fullmatch(template):
        raise ValueError(f"not a path template: {template!r}")
    return tuple(_PARAMETER.split(template))


@lru_cache(maxsize=64)
def _pattern(template: str) -> re.Pattern[str]:
    """What a path on the wire looks like for this template, with one group for each value."""
    pieces = _pieces(template)
    return re.compile(_WIRE_SEGMENT.join(map(re.escape, pieces[::2])))


def _expanded(template: str, values: Mapping[str, object]) -> str | InvalidRequestError:
    pieces = list(_pieces(template))
    for place in range(1, len(pieces), 2):
        name = pieces[place]
        value = values.get(name)
        pieces[place] = _segment(value)
        if not pieces[place]:
            called = f"{_ALSO_CALLED[name]} ({name})" if name in _ALSO_CALLED else name
            return InvalidRequestError(f"{called} {_fault_in_value(value)}")
    return "".join(pieces)


def _segment(value: object) -> str:
    """The value as one segment on the wire; empty where it cannot be one."""
    if not isinstance(value, str) or len(value) > MAX_PATH_VALUE:
        return ""
    if _PLAIN.fullmatch(value):
        return value
    try:
        segment = quote(value, safe="")
    except UnicodeEncodeError:  # half of a surrogate pair
        return ""
    return "" if _fault_in_segment(segment) else segment


def _fault_in_value(value: object) -> str:
    if not isinstance(value, str):
        return f"must be a str, not {type(value).__name__}"
    if len(value) > MAX_PATH_VALUE:
        return f"must have at most {MAX_PATH_VALUE} characters"
    try:
        return _fault_in_segment(quote(value, safe="")) or ""
    except UnicodeEncodeError:
        return "must hold no lone surrogate"


def _fault_in_segment(segment: str) -> str | None:
    """Why a segment on the wire would not stay one, or become empty or a dot segment, however often it is decoded."""
    if _PLAIN.fullmatch(segment):
        return None
    for _ in range(_MAX_DECODINGS):
        decoded = unquote(segment)
        if decoded == segment:
            break
        segment = decoded
    else:
        return "must not be percent-encoded over and over"
    # Some servers drop `;...` from a segment, and white space around it, before they look for dots.
    name = decoded.partition(";")[0].strip()
    if not name:
        return "must not be empty or blank, nor begin with ';'"
    if name in (".", ".."):
        return "must not be '.' or '..', alone or before a ';', percent-encoded or not"
    if "/" in decoded or "\\" in decoded:
        return "must hold no '/' and no '\\', percent-encoded or not"
    return "must hold no control character, percent-encoded or not" if _CONTROL.search(decoded) else None
