"""One request and its response without values, and the differences between this response and the
description."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Literal, TypeAlias

from attrs import frozen

from cometchat_openapi import api
from cometchat_openapi.models import Error
from cometchat_runtime.drift import SCALARS, deviations, escaped, types_of_fields
from cometchat_runtime.hooks import Drift
from cometchat_runtime.operation import Call, Operation


def _described() -> Iterator[tuple[Operation[Any], Callable[..., Call[Any]]]]:
    """Yield each operation of the generated package, and the function that prepares a call."""
    for found in walk_packages(api.__path__, f"{api.__name__}."):
        module = import_module(found.name)
        if hasattr(module, "OPERATION"):
            yield module.OPERATION, module.prepare


#: The operations that the probe calls: those that read, and the deletion for `revoke`.
PREPARE: Mapping[str, Callable[..., Call[Any]]] = {
    operation.name: prepare
    for operation, prepare in _described()
    if operation.method == "GET" or operation.name == "delete_auth_token"
}
OPERATIONS: Mapping[str, Operation[Any]] = {
    each.name: each for each, _ in _described() if each.name in PREPARE
}
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
RATE_HEADER = re.compile(r"(?:x-)?rate-?limit(?:-[a-z]{1,20}){0,2}|retry-after")
_DESCRIBED_HEADERS = ("x-rate-limit-remaining", "x-rate-limit-reset", "x-rate-limit", "retry-after")

#: Why an exchange has no body: it is not JSON, or the client keeps only its beginning.
Unread: TypeAlias = Literal["not JSON", "not complete"]


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
        return any(
            first <= self.status <= last for first, last in OPERATIONS[self.operation].success
        )

    @property
    def refused(self) -> bool:
        """Whether the service refused the request, or failed."""
        return 400 <= self.status < 600

    @property
    def differences(self) -> list[Difference]:
        """Every difference from the description, once for each place."""
        return [Difference(self.operation, *each) for each in dict.fromkeys(self._differences())]

    def _differences(self) -> Iterator[tuple[str, Kind, str, str]]:
        operation = OPERATIONS[self.operation]
        if not self.succeeded and not self.refused:
            yield "status", Kind.STATUS, f"{operation.success[0][0]}, 4XX or 5XX", str(self.status)
        yield from self._differences_in_headers()
        if self.succeeded and operation.result is None:
            # A response such as 204 has no body.
            return
        if not self.json_type:
            yield "header content-type", Kind.CONTENT_TYPE, "application/json", "another type"
        for name in (name for name, used in self.parameters.items() if not used):
            yield f"query {name}", Kind.PARAMETER, "used", "ignored"
        if self.unread is None:
            yield from self._differences_in_body()
        elif self.unread == "not JSON" or self.status < 400:
            yield "", Kind.BODY, "JSON that the client can use", self.unread

    def _differences_in_headers(self) -> Iterator[tuple[str, Kind, str, str]]:
        for name in self.headers:
            if name not in _DESCRIBED_HEADERS:
                described = (
                    known for known in _DESCRIBED_HEADERS if known.rpartition("-")[2] in name
                )
                yield f"header {name}", Kind.HEADER, next(described), name

    def _differences_in_body(self) -> Iterator[tuple[str, Kind, str, str]]:
        expected = body_type(self.operation, self.status)
        for pointer, words in deviations(expected, self.body):
            found = _found(self.body, pointer)
            kind = Kind.MISSING_FIELD if found == "nothing" else Kind.WRONG_TYPE
            yield self._place(pointer), kind, words, found
        for pointer in _unknown_fields(expected, self.body):
            yield self._place(pointer), Kind.UNKNOWN_FIELD, "nothing", _found(self.body, pointer)

    def _place(self, pointer: str) -> str:
        return Drift(self.operation, pointer, "").place


def body_type(operation: str, status: int) -> object:
    """The class of the generated package that describes a body."""
    return Error if status >= 400 else OPERATIONS[operation].result


def _unknown_fields(expected: Any, value: object, pointer: str = "") -> Iterator[str]:
    """The JSON pointers of the fields that the description does not have."""
    if isinstance(value, list):
        for index, each in enumerate(value):
            for inner in getattr(expected, "__args__", ()):
                yield from _unknown_fields(inner, each, f"{pointer}/{index}")
    elif isinstance(value, dict) and getattr(expected, "JSON_NAMES", None):
        fields = types_of_fields(expected).fields
        for name, each in value.items():
            place = f"{pointer}/{escaped(name)}"
            if name in fields:
                yield from _unknown_fields(fields[name].kind, each, place)
            else:
                yield place


_TYPES: Mapping[object, str] = {**SCALARS, dict: "an object", list: "an array"}


def _found(body: object, pointer: str) -> str:
    """The type of the value at a pointer, in words."""
    value: Any = body
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name not in value:
            return "nothing"
        value = value[int(name)] if isinstance(value, list) else value[name]
    return _TYPES[type(value)]
