"""The path of a request: from a template and its values to a path on the wire, and the check of the result.

The text of an error never repeats a refused value, and no frame that raises still holds it: it may be an auth token.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import quote, unquote

from cometchat_rest._support.frames import without_frames
from cometchat_rest.errors import InvalidRequestError

#: The longest id or token in a path, in characters; those of the service have fewer than 200.
MAX_PATH_VALUE = 1024
# How many times a value is decoded before it is refused: no real id is encoded so often.
_MAX_DECODINGS = 8

# For `fullmatch`, since `$` would let a trailing newline through.
_LITERAL = r"[A-Za-z0-9._~-]+"
_TEMPLATE = re.compile(rf"(?:/(?:{_LITERAL}|\{{\w+\}}))+")
_PARAMETER = re.compile(r"\{(\w+)\}")
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
# The argument of a resource that has another name in the path; errors name both.
_ARGUMENTS = {"keyword_id": "list_id"}
# A segment as quote(value, safe="") writes it.
_WIRE_SEGMENT = r"((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@without_frames
def expand(template: str, values: Mapping[str, object]) -> str:
    """The path of a request. Each value becomes exactly one segment, even if a proxy decodes the path several times."""
    pieces = list(_pieces(template))
    for place in range(1, len(pieces), 2):
        name = pieces[place]
        pieces[place], fault = _segment(values.get(name))
        if fault is not None:
            argument = _ARGUMENTS.get(name, name)
            raise InvalidRequestError(fault, argument=argument, also_called=None if argument == name else name)
    return "".join(pieces)


def matches(template: str, path: str) -> bool:
    """Whether a request with this path goes where the template says, segment by segment."""
    match = _pattern(template).fullmatch(path)
    return match is not None and not any(map(_fault_in_segment, match.groups()))


def is_template(path: object) -> bool:
    """Whether a text is a path template without a dot segment."""
    if not isinstance(path, str) or not _TEMPLATE.fullmatch(path):
        return False
    return not {".", ".."} & set(path.split("/"))


@lru_cache(maxsize=64)
def _pieces(template: str) -> tuple[str, ...]:
    """The parts of a template: literal text, a name, literal text, a name, ..."""
    if not _TEMPLATE.fullmatch(template):
        raise ValueError(f"not a path template: {template!r}")
    return tuple(_PARAMETER.split(template))


@lru_cache(maxsize=64)
def _pattern(template: str) -> re.Pattern[str]:
    """A pattern for the paths of a template as they are sent, with one group for each value."""
    pieces = _pieces(template)
    return re.compile(_WIRE_SEGMENT.join(map(re.escape, pieces[::2])))


def _segment(value: object) -> tuple[str, str | None]:
    """The value as one segment of a path; and the reason why it cannot be one, or `None`."""
    if not isinstance(value, str):
        return "", f"must be a str, not {type(value).__name__}"
    if len(value) > MAX_PATH_VALUE:
        return "", f"must have at most {MAX_PATH_VALUE} characters"
    try:
        segment = quote(value, safe="")
    except UnicodeEncodeError:
        return "", "must not contain a lone surrogate"
    return segment, _fault_in_segment(segment)


def _fault_in_segment(segment: str) -> str | None:
    """Why a segment would not stay one segment, or would become empty or a dot segment, after repeated decoding."""
    if _PLAIN.fullmatch(segment):
        return None
    for _ in range(_MAX_DECODINGS):
        decoded = unquote(segment)
        if decoded == segment:
            break
        segment = decoded
    else:
        return "must not be percent-encoded several times"
    # Some servers remove `;...` and white space from a segment before they look for dots.
    name = decoded.partition(";")[0].strip()
    if not name:
        return "must not be empty or blank, and must not begin with ';'"
    if name in (".", ".."):
        return "must not be '.' or '..', alone or before a ';', percent-encoded or not"
    if "/" in decoded or "\\" in decoded:
        return "must not contain '/' or '\\', percent-encoded or not"
    return "must not contain a control character, percent-encoded or not" if _CONTROL.search(decoded) else None
