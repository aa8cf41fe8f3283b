"""Helpers for the tests of the clients: the operations, and transports without sockets."""

import copy
import json
import math
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import pytest
from attrs import frozen
from rich.pretty import pretty_repr

import cometchat_openapi
import cometchat_rest
import cometchat_runtime
from cometchat_rest import AsyncClient, Client, RequestTimeoutError, WordListInput
from cometchat_testing import Simulator
from cometchat_testing.faults import Operation as Name

from .conftest import AnyClient as AnyClient
from .described_calls import described_calls

#: A `Client` or an `AsyncClient`: both have the same attributes and methods.
EitherClient: TypeAlias = Any

#: A token that alice has in the simulator's first state.
TOKEN = Simulator().auth_tokens["alice"][0]
LIST_ID = "profanity-list"
KEY = "4d1f0b7a92c85e36d0a4f71b68e23c95ab07d418"
#: The status line of a success.
OK = b"HTTP/1.1 200 OK\r\n"
ON_PREMISE_URL = "https://chat.example/chat/v3"
#: Seconds that a wait takes only if something is wrong.
PATIENCE = 60.0
#: Seconds: more than any call with a deadline of at most one second takes, even on a busy machine.
SOON = 20.0
#: Values that are no valid number for any setting or argument.
INVALID_NUMBERS: list[Any] = [
    -1,
    True,
    False,
    "5",
    b"5",
    [5],
    math.nan,
    math.inf,
    -math.inf,
    10**5000,
]
UPDATE = WordListInput(search_terms=["spam", "scam"])


@frozen
class Operation:
    """One operation, called through its resource with arguments that the simulator accepts."""

    name: Name
    method: str
    act: Callable[[EitherClient], Any]
    # The path below the base URL, with the arguments of `act` in it.
    path: str
    # The body of a successful response; `None` if the response has no body.
    success: Any
    # The status of a successful response.
    status: int = 200

    def __str__(self) -> str:
        return self.name

    @property
    def changes(self) -> bool:
        """Whether the operation changes data, so that sending it twice could do harm."""
        return self.method != "GET"

    @property
    def body(self) -> bytes:
        """The bytes of a successful response."""
        return b"" if self.success is None else json.dumps(self.success).encode()

    def succeeds(self, status: int) -> bool:
        """Whether a response with this status is a success, whatever its body is."""
        return self.success is None and status == self.status


#: All operations that have a generated method, with the examples of the description.
OPERATIONS = tuple(
    Operation(
        name,
        call.operation.method.upper(),
        call.act,
        call.path,
        call.operation.example,
        call.operation.status,
    )
    for name, call in described_calls().items()
)
WITH_BODY = tuple(operation for operation in OPERATIONS if operation.success is not None)
CHANGES = tuple(operation for operation in OPERATIONS if operation.changes)
_BY_NAME = {operation.name: operation for operation in OPERATIONS}
GET, PUT, DELETE = (
    _BY_NAME[name] for name in ("get_keyword_list", "update_keyword_list", "delete_auth_token")
)


def records_of(simulator: Simulator) -> dict[str, Any]:
    """A copy of all records of a simulator that operations can change."""
    return {
        name: copy.copy(value)
        for name, value in vars(simulator).items()
        if isinstance(value, dict | list) and not name.startswith("_")
    }


def operation_name(operation: Operation) -> str:
    """The id of a parametrized test."""
    return operation.name


def error_from(
    any_client: AnyClient, action: Callable[[EitherClient], Any], client: EitherClient
) -> BaseException | None:
    """The exception that a call raises, of any class; `None` if it raises nothing."""
    try:
        any_client.call(action, client)
    except BaseException as error:  # noqa: BLE001 - the tests check its class
        return error
    return None


def own_locals(error: BaseException) -> str:
    """The local variables in the frames of our packages, as `repr` and as rich shows them."""
    packages = tuple(
        str(Path(str(each.__file__)).parent)
        for each in (cometchat_rest, cometchat_openapi, cometchat_runtime)
    )
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    own = [frame.f_locals for frame in frames if frame.f_code.co_filename.startswith(packages)]
    assert own
    return repr(own) + "".join(pretty_repr(value) for held in own for value in held.values())


@contextmanager
def isolated_client(any_client: AnyClient, **settings: Any) -> Iterator[EitherClient]:
    """A client with these settings only, which cannot send anything by default."""
    settings.setdefault("transport", unused_transport())
    client = (AsyncClient if any_client.kind == "async" else Client)(**settings)
    try:
        yield client
    finally:
        any_client.close(client)


def check_timeout(
    error: BaseException | None, operation: Operation, began: float, *kinds: str
) -> None:
    """Check that a call timed out in one of these ways, and in time."""
    assert isinstance(error, RequestTimeoutError), error
    assert error.kind in kinds
    assert error.operation == operation.name
    assert error.outcome_unknown is (operation.changes and error.request_sent)
    assert time.monotonic() - began < SOON


def run_concurrently(jobs: Iterable[Callable[[], object]]) -> None:
    """Run all jobs in parallel, and raise the first exception. The jobs mostly wait."""
    with ThreadPoolExecutor(32) as threads:
        for done in [threads.submit(job) for job in jobs]:
            done.result()


# Transports without sockets, for `transport=`.


class Chunks(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that arrives in these chunks. A chunk that is an exception is raised instead."""

    def __init__(self, pieces: Iterable[bytes | Exception]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


def make_response(
    status: int = 200, body: object = b"", headers: dict[str, str] | None = None
) -> httpx.Response:
    """A response with exactly these headers. A body that is not bytes is encoded as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    raw = [(name.encode(), value.encode("latin-1")) for name, value in (headers or {}).items()]
    return httpx.Response(status, headers=raw, stream=Chunks([content]))


def always_respond(
    status: int = 200, body: object = b"", headers: dict[str, str] | None = None
) -> Callable[[httpx.Request], httpx.Response]:
    """A function for `StubTransport` that gives the same response to every request."""
    return lambda _: make_response(status, body, headers)


class StubTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A transport for either client. It records every request, and a function makes the response
    or raises."""

    def __init__(self, respond: Callable[[httpx.Request], httpx.Response]) -> None:
        self.requests: list[httpx.Request] = []
        self.closed = 0
        self._respond = respond

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.requests.append(request)
        return self._respond(request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return self.handle_request(request)

    def close(self) -> None:
        self.closed += 1

    async def aclose(self) -> None:
        self.closed += 1


def unused_transport() -> StubTransport:
    """A transport that fails the test if a request reaches it."""

    def respond(request: httpx.Request) -> httpx.Response:
        pytest.fail(f"sent: {request.method} {request.url}")

    return StubTransport(respond)


def stub_client(any_client: AnyClient, stub: StubTransport, **settings: Any) -> EitherClient:
    """A client with a transport without sockets. By default it does not retry."""
    return any_client.client(
        **{"base_url": "http://127.0.0.1:1/v3", "transport": stub, "max_retries": 0, **settings}
    )
