"""The path of a request: from a template and its values to a path on the wire, and the check of the
result.

The text of an error never repeats a refused value: it may be an auth token.
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import quote, unquote

from cometchat_runtime.errors import InvalidRequestError
from cometchat_runtime.secrets import Secret

#: The longest id or token in a path, in characters; those of the service have fewer than 200.
MAX_PATH_VALUE = 1024

# For `fullmatch`, since `$` would let a trailing newline through.
_LITERAL = r"[A-Za-z0-9._~-]+"
_TEMPLATE = re.compile(rf"(?:/(?:{_LITERAL}|\{{\w+\}}))+")
_PARAMETER = re.compile(r"\{(\w+)\}")
# A segment as quote(value, safe="") writes it.
_WIRE_SEGMENT = r"((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)"
# For each group of the pattern, the words for it.
_FORBIDDEN = re.compile(r"([/\\])|(%[0-9A-Fa-f]{2})|([\x00-\x1f\x7f-\x9f])|([\ud800-\udfff])")
_FAULTS = (
    "",
    "'/' or '\\'",
    "percent-encoded text: give the plain text",
    "a control character",
    "a lone surrogate",
)


def check_values(values: Mapping[str, object]) -> None:
    """Refuse a value that would not stay one segment of a path, even if a proxy decodes the
    path."""
    for name, value in values.items():
        if (fault := _fault(_written(value))) is not None:
            raise InvalidRequestError(fault, argument=name)


def expand(template: str, values: Mapping[str, object]) -> Secret:
    """The path of a request. Each value becomes exactly one segment; `check_values` has checked
    them."""
    pieces = list(_pieces(template))
    pieces[1::2] = [quote(str(_written(values[name])), safe="") for name in pieces[1::2]]
    return Secret("".join(pieces))


def matches(template: str, path: Secret) -> bool:
    """Whether a request with this path goes where the template says, segment by segment."""
    match = _pattern(template).fullmatch(path.reveal())
    return match is not None and not any(_fault(unquote(segment)) for segment in match.groups())


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


def _written(value: object) -> object:
    """A value as a path holds it: numbers and booleans as in JSON."""
    if isinstance(value, Secret):
        return value.reveal()
    return json.dumps(value) if isinstance(value, int | float) else value


def _fault(value: object) -> str | None:
    """The reason why a value cannot be one segment of a path, also after a proxy has decoded it;
    `None` if it can."""
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
    if match := _FORBIDDEN.search(value):
        return f"must not contain {_FAULTS[match.lastindex or 0]}"
    return None
