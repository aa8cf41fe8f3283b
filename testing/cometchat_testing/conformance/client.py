"""What the comparison knows of the client: its operations, the types of their responses, and how a
call is sent.

No other module of this package uses the inside of the client.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pkgutil import walk_packages
from typing import Any
from urllib.parse import urlsplit

from attrs import frozen

from cometchat_openapi import api
from cometchat_openapi.models import Error
from cometchat_rest import ApiError, Client, Drift, Secret, UnexpectedResponse
from cometchat_runtime.drift import deviations, escaped, types_of_fields
from cometchat_runtime.errors import BODY_SAMPLE
from cometchat_runtime.model import SCALARS
from cometchat_runtime.operation import Call, Operation

__all__ = [
    "OPERATIONS",
    "PREPARE",
    "SCALARS",
    "Reply",
    "body_type",
    "deviations",
    "escaped",
    "place_of",
    "send",
    "sent_texts",
    "types_of_fields",
]


def _modules() -> Iterator[Any]:
    """The modules of the operations that the probe calls: those that read, and the deletion for
    `revoke`."""
    for info in walk_packages(api.__path__, f"{api.__name__}."):
        module = import_module(info.name)
        operation: Operation[Any] | None = getattr(module, "OPERATION", None)
        if operation is None:
            continue
        if operation.method == "GET" or operation.name == "delete_auth_token":
            yield module


_MODULES = {module.OPERATION.name: module for module in _modules()}
#: The operations that the probe calls, by name.
OPERATIONS: Mapping[str, Operation[Any]] = {
    name: module.OPERATION for name, module in _MODULES.items()
}
#: The functions that prepare calls of these operations.
PREPARE: Mapping[str, Callable[..., Call[Any]]] = {
    name: module.prepare for name, module in _MODULES.items()
}


def body_type(operation: str, status: int) -> object:
    """The class of the generated package that describes a body."""
    return Error if status >= 400 else OPERATIONS[operation].result


def place_of(pointer: str) -> str:
    """A JSON pointer with `*` in place of each index."""
    return Drift("", pointer, "").place


@frozen
class Reply:
    """A response.

    Attributes:
        status: the HTTP status.
        headers: the headers, with names in lower case.
        content: the body.
        is_complete: whether `content` is the whole body; an error keeps only the beginning of a
            long one.
        code: the error code of the service.
        parsed: the result, if the client can use the response.
    """

    status: int
    headers: Mapping[str, str]
    content: str | bytes
    is_complete: bool = True
    code: str | None = None
    parsed: Any = None


def send(chat: Client, call: Call[Any]) -> Reply:
    """Make a call; raises CometChatError if no response arrives."""
    try:
        response = chat.api.send(call)
    except (ApiError, UnexpectedResponse) as error:
        return Reply(
            status=error.status_code or 0,
            headers=error.headers,
            content=error.body,
            is_complete=len(error.body) < BODY_SAMPLE,
            code=error.code if isinstance(error, ApiError) else None,
        )
    return Reply(response.status_code, response.headers, response.content, parsed=response.parsed)


def sent_texts(chat: Client) -> Iterator[str]:
    """The texts that each request contains: the app's identifier, the key, the user, and your own
    headers."""
    options = chat.api.options
    # The app's identifier is a part of the address.
    yield from (urlsplit(chat.base_url).hostname or "").split(".")
    yield options.on_behalf_of or ""
    for secret in options.secrets:
        yield secret.reveal()
    for header in options.headers.values():
        yield header.reveal() if isinstance(header, Secret) else header
