"""One request and its response without values, and the differences between this response and the
description."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from attrs import frozen

from .client import OPERATIONS, SCALARS, body_type, deviations, escaped, place_of, types_of_fields

#: The error codes that the vendor publishes. An exchange has no other code.
KNOWN_CODES = frozenset(
    [
        "AUTH_ERR_APIKEY_NOT_FOUND",
        "AUTH_ERR_EMPTY_APIKEY",
        "AUTH_ERR_NO_ACCESS",
        "ERR_API_NOT_FOUND",
        "ERR_AUTHTOKEN_NOT_ACCESSIBLE",
        "ERR_AUTH_TOKEN_NOT_FOUND",
        "ERR_BAD_REQUEST",
        "ERR_KEYWORD_NOT_FOUND",
        "ERR_PERMISSION_DENIED",
        "ERR_TOO_MANY_REQUESTS",
        "ERR_UID_NOT_FOUND",
    ]
)
#: The headers of a response that an exchange names: those about rate limits, in any spelling.
RATE_HEADER = re.compile(
    r"""
    (?:x-)?rate-?limit(?:-[a-z]{1,20}){0,2}  # x-rate-limit-remaining, ratelimit
    | retry-after
    """,
    re.VERBOSE,
)
_DESCRIBED_HEADERS = ("x-rate-limit-remaining", "x-rate-limit-reset", "x-rate-limit", "retry-after")

#: Why an exchange has no body: it is not JSON, or the client keeps only its beginning.
Unread: TypeAlias = Literal["not JSON", "not complete"]
#: The place, kind, expected and found of a difference.
_Facts: TypeAlias = "tuple[str, Kind, str, str]"


class Kind(StrEnum):
    """The kind of a difference."""

    UNKNOWN_FIELD = "unknown field"
    MISSING_FIELD = "missing field"
    WRONG_TYPE = "wrong type"
    STATUS = "status"
    HEADER = "header spelling"
    CONTENT_TYPE = "content type"
    BODY = "body"
    PARAMETER = "ignored parameter"


@frozen
class Difference:
    """A place where the service differs from the description. It contains no value of a response.

    Attributes:
        operation: the operation, such as `list_roles`.
        place: a JSON pointer with `*` for each index and each hidden name, such as
            `/data/*/colour`; else `status`, `header NAME` or `query NAME`.
        kind: the kind of the difference.
        expected: the content of the description, in words.
        found: the type or the name that the service sent, or its status.
    """

    operation: str
    place: str
    kind: Kind
    expected: str
    found: str

    @property
    def allowed(self) -> bool:
        """Whether the description allows it: every object may have further fields."""
        return self.kind is Kind.UNKNOWN_FIELD


@frozen(kw_only=True)
class Exchange:
    """One request and its response, without values.

    Attributes:
        operation: the operation, such as `list_roles`.
        status: the HTTP status.
        code: the error code, if the vendor publishes it; else `None`.
        json_type: whether the content type of the response is `application/json`.
        headers: the names of the headers about rate limits, in lower case.
        parameters: for each query parameter that the response repeats, whether the service used it.
        body: the outline of the body; see `conformance.outline`.
        unread: why there is no body; `None` if there is one.
    """

    operation: str
    status: int
    code: str | None = None
    json_type: bool = True
    headers: tuple[str, ...] = ()
    parameters: Mapping[str, bool]
    body: object = None
    unread: Unread | None = None

    @property
    def succeeded(self) -> bool:
        """Whether the description has this status as a success."""
        ranges = OPERATIONS[self.operation].success
        return any(first <= self.status <= last for first, last in ranges)

    @property
    def refused(self) -> bool:
        """Whether the service refused the request, or failed."""
        return 400 <= self.status < 600

    @property
    def differences(self) -> list[Difference]:
        """Every difference from the description, once for each place."""
        distinct = dict.fromkeys(self._differences())
        return [Difference(self.operation, *facts) for facts in distinct]

    def _differences(self) -> Iterator[_Facts]:
        operation = OPERATIONS[self.operation]
        if not self.succeeded and not self.refused:
            success = operation.success[0][0]
            yield "status", Kind.STATUS, f"{success}, 4XX or 5XX", str(self.status)
        yield from self._differences_in_headers()
        # A response such as 204 has no body.
        if not self.succeeded or operation.result is not None:
            yield from self._differences_in_content()

    def _differences_in_headers(self) -> Iterator[_Facts]:
        for name in self.headers:
            if name not in _DESCRIBED_HEADERS:
                yield f"header {name}", Kind.HEADER, _described_header(name), name

    def _differences_in_content(self) -> Iterator[_Facts]:
        if not self.json_type:
            yield "header content-type", Kind.CONTENT_TYPE, "application/json", "another type"
        for name, used in self.parameters.items():
            if not used:
                yield f"query {name}", Kind.PARAMETER, "used", "ignored"
        if self.unread is None:
            yield from self._differences_in_body()
        elif self.unread == "not JSON" or self.status < 400:
            yield "", Kind.BODY, "JSON that the client can use", self.unread

    def _differences_in_body(self) -> Iterator[_Facts]:
        expected = body_type(self.operation, self.status)
        for pointer, words in deviations(expected, self.body):
            found = _type_at(pointer, self.body)
            kind = Kind.MISSING_FIELD if found == "nothing" else Kind.WRONG_TYPE
            yield place_of(pointer), kind, words, found
        for pointer in _unknown_fields(expected, self.body):
            found = _type_at(pointer, self.body)
            yield place_of(pointer), Kind.UNKNOWN_FIELD, "nothing", found


def _described_header(name: str) -> str:
    """The described header that ends with the same word, such as `reset`, as an undescribed one."""
    for described in _DESCRIBED_HEADERS:
        if described.rpartition("-")[2] in name:
            return described
    raise LookupError(name)


def _unknown_fields(expected: Any, value: object, pointer: str = "") -> Iterator[str]:
    """The JSON pointers of the fields that the description does not have."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            for item_type in getattr(expected, "__args__", ()):
                yield from _unknown_fields(item_type, item, f"{pointer}/{index}")
    elif isinstance(value, dict) and getattr(expected, "JSON_NAMES", None):
        fields = types_of_fields(expected).fields
        for name, field_value in value.items():
            place = f"{pointer}/{escaped(name)}"
            if name in fields:
                yield from _unknown_fields(fields[name].kind, field_value, place)
            else:
                yield place


_TYPES: Mapping[object, str] = {**SCALARS, dict: "an object", list: "an array"}


def _type_at(pointer: str, body: object) -> str:
    """The type of the value at a pointer, in words."""
    value: Any = body
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name not in value:
            return "nothing"
        value = value[int(name)] if isinstance(value, list) else value[name]
    return _TYPES[type(value)]
