"""Transports of the caller, and exceptions that they raise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import anyio
import httpx
import pytest

from cometchat_rest import AsyncClient, ResponseTooLargeError, TransportError
from cometchat_rest.testing import Simulator

from ..support import (
    GET,
    OPERATIONS,
    PUT,
    Chunks,
    StubTransport,
    always_respond,
    error_from,
    make_response,
    stub_client,
)

if TYPE_CHECKING:
    from ..support import AnyClient


def test_transport_of_httpx_is_accepted(any_client: AnyClient, simulator: Simulator) -> None:
    """A transport of httpx itself, with any options, works like any other transport of the caller."""
    kind = httpx.AsyncHTTPTransport if any_client.kind == "async" else httpx.HTTPTransport
    client = any_client.client(transport=kind(verify=False, limits=httpx.Limits(max_connections=1)))
    for operation in OPERATIONS:
        assert any_client.call(operation.act, client) is not None
    assert len(simulator.requests) == len(OPERATIONS)


class TwoArgumentError(httpx.ReadError):
    """An exception whose constructor takes no text."""

    def __init__(self, response: httpx.Response, *, where: str) -> None:
        super().__init__(f"{where}: {response.status_code}")


class ResponseArgumentError(httpx.ReadError):
    """An exception whose constructor fails if it gets a text."""

    def __init__(self, response: Any) -> None:
        super().__init__(f"here: {response.status_code}")


@pytest.mark.parametrize(
    "make",
    [lambda: TwoArgumentError(make_response(500), where="here"), lambda: ResponseArgumentError(make_response(500))],
)
def test_exception_that_cannot_be_copied_is_described(
    any_client: AnyClient, make: Callable[[], httpx.ReadError]
) -> None:
    """If the class of an exception needs more than a text, the cause shows the name of the class and its text."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise make()

    error = error_from(any_client, PUT.act, stub_client(any_client, StubTransport(respond)))
    assert isinstance(error, TransportError)
    assert (error.kind, error.outcome_unknown) == ("read", True)
    cause = error.__cause__
    assert type(cause) is ConnectionError
    assert str(cause) == f"{type(make()).__name__}: here: 500"
    assert cause.__traceback__ is None


def test_bug_in_a_transport_is_raised_unchanged(any_client: AnyClient) -> None:
    """A bug in a transport of the caller is raised unchanged, and not reported as an error of the service."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise ZeroDivisionError

    assert isinstance(
        error_from(any_client, GET.act, stub_client(any_client, StubTransport(respond))), ZeroDivisionError
    )


def test_too_large_response_of_a_transport_is_not_read_to_its_end(any_client: AnyClient) -> None:
    """The client stops reading a response of a transport as soon as the response is too large."""
    read = 0

    def pieces() -> Iterator[bytes]:
        nonlocal read
        for _ in range(100):
            read += 1
            yield b"x" * 1000

    stub = StubTransport(lambda _: httpx.Response(200, stream=Chunks(pieces())))
    error = error_from(any_client, GET.act, stub_client(any_client, stub, max_response_bytes=2500))
    assert isinstance(error, ResponseTooLargeError)
    assert read < 10


def test_call_in_a_cancelled_scope_does_not_reach_the_transport() -> None:
    """A call that begins when its task is cancelled already does not reach a transport of the caller."""
    stub = StubTransport(always_respond(200, GET.success))

    async def call() -> None:
        async with AsyncClient(base_url="http://127.0.0.1:1/v3", api_key="a-key", transport=stub) as client:
            with anyio.CancelScope() as scope:
                scope.cancel()
                await client.keywords.get("a-list")
            assert scope.cancelled_caught

    anyio.run(call)
    assert stub.requests == []
