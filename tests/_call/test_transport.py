"""Transports of the caller, and exceptions that they raise."""

import gzip
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import anyio
import httpx
import httpx2
import httpx_aiohttp
import pyreqwest.compatibility.httpx as pyreqwest_httpx
import pytest

from cometchat_rest import AsyncClient, Client, RequestTimeoutError, ResponseTooLargeError, TransportError
from cometchat_rest.testing import Simulator

from ..support import (
    DELETE,
    GET,
    KEY,
    OPERATIONS,
    PATIENCE,
    PUT,
    TOKEN,
    AnyClient,
    Chunks,
    StubTransport,
    WireServer,
    always_respond,
    error_from,
    make_response,
    stub_client,
)

#: Transports of other libraries, for each kind of client.
TRANSPORTS: dict[str, dict[str, Callable[[], Any]]] = {
    "httpx": {
        "sync": lambda: httpx.HTTPTransport(verify=False, limits=httpx.Limits(max_connections=1)),
        "async": lambda: httpx.AsyncHTTPTransport(verify=False, limits=httpx.Limits(max_connections=1)),
    },
    "httpx2": {"sync": httpx2.HTTPTransport, "async": httpx2.AsyncHTTPTransport},
    "httpx-aiohttp": {"async": httpx_aiohttp.AiohttpTransport},
    "pyreqwest": {"sync": pyreqwest_httpx.SyncHttpxTransport, "async": pyreqwest_httpx.HttpxTransport},
}


@pytest.fixture(params=TRANSPORTS)
def make_transport(request: pytest.FixtureRequest, any_client: AnyClient) -> Callable[[], Any]:
    """Makes a transport of one library for the kind of client that the test uses."""
    kinds = TRANSPORTS[request.param]
    if any_client.kind not in kinds:
        pytest.skip(f"{request.param} has no blocking transport")
    return kinds[any_client.kind]


def test_transports_of_other_libraries_are_accepted(
    any_client: AnyClient, simulator: Simulator, make_transport: Callable[[], Any]
) -> None:
    """Transports of httpx, httpx2, httpx-aiohttp and pyreqwest send the same requests as the client itself."""
    own, other = any_client.client(), any_client.client(transport=make_transport())
    odd = "a b+ü%2F~:@&=;,$"
    calls = [operation.act for operation in OPERATIONS if operation is not DELETE]
    calls += [lambda chat: chat.auth_tokens.delete(odd, TOKEN), lambda chat: chat.auth_tokens.revoke("alice", TOKEN)]
    for act in calls:
        outcomes = [error_from(any_client, act, client) for client in (own, other)]
        assert str(outcomes[0]) == str(outcomes[1])
    found = [(each.method, each.path, each.header("apikey")) for each in simulator.requests]
    assert found[::2] == found[1::2]
    any_client.close(other)


def test_packed_response_of_a_transport_is_unpacked_once(
    any_client: AnyClient, make_transport: Callable[[], Any]
) -> None:
    """A gzip response arrives intact, whether the transport unpacks it or leaves that to the client."""
    packed = gzip.compress(GET.body)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    with WireServer(lambda _: [head + packed]) as server:
        client = any_client.client(base_url=server.base_url, transport=make_transport())
        assert any_client.call(GET.act, client).name == "Profanity"
        any_client.close(client)


def test_failures_of_other_libraries(any_client: AnyClient, make_transport: Callable[[], Any]) -> None:
    """With each library, the outcome of a change is unknown if its response is lost, cut off or too late."""
    release = threading.Event()
    lost = WireServer(lambda _: [])
    cut = WireServer(lambda _: [b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"])
    late = WireServer(lambda _: [b""] if release.wait(PATIENCE) else [])
    with lost, cut, late:
        for server in (lost, cut, late):
            settings = {"base_url": server.base_url, "deadline": 0.3 if server is late else 30.0}
            client = any_client.client(transport=make_transport(), **settings)
            error = error_from(any_client, PUT.act, client)
            any_client.close(client)
            assert isinstance(error, TransportError), error
            assert (error.request_sent, error.outcome_unknown, error.attempts) == (True, True, 1), error
            assert isinstance(error, RequestTimeoutError) is (server is late or "Timeout" in repr(error.__cause__))
            assert error.kind != "transport"
        release.set()


def test_refused_connection_of_a_transport(any_client: AnyClient, make_transport: Callable[[], Any]) -> None:
    """If a connection is refused, nothing was sent. Only pyreqwest cannot tell this from a lost response."""
    client = any_client.client(base_url="http://127.0.0.1:1/v3", transport=make_transport(), max_retries=0)
    error = error_from(any_client, PUT.act, client)
    assert isinstance(error, TransportError), error
    assert error.outcome_unknown is ("pyreqwest" in repr(make_transport())), error
    any_client.close(client)


@pytest.mark.parametrize("library", ["httpx", "httpx2", "httpx-aiohttp", "pyreqwest"])
def test_cancelled_call_of_a_transport(library: str) -> None:
    """A cancel scope of the caller ends an awaited call, with the transport of each library."""
    release = threading.Event()

    async def call(base_url: str) -> bool:
        transport = TRANSPORTS[library]["async"]()
        async with AsyncClient(base_url=base_url, api_key="a-key", transport=transport) as client:
            with anyio.move_on_after(0.2) as scope:
                await client.keywords.get("a-list")
        return scope.cancelled_caught

    with WireServer(lambda _: [b""] if release.wait(PATIENCE) else []) as server:
        assert anyio.run(call, server.base_url)
        release.set()


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


class SilentError(Exception):
    """An exception that has no text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


#: Exceptions of a transport that belong to no network library, and the end of the text of the error.
BUGS: list[tuple[Exception, str]] = [
    (ZeroDivisionError("division by zero"), "(ZeroDivisionError: division by zero)"),
    (KeyError("host"), "(KeyError: 'host')"),
    (AssertionError(), "(AssertionError)"),
    (ValueError(f"the key is {KEY}"), "(ValueError: the key is [redacted])"),
    (ExceptionGroup("several", [OSError()]), "(ExceptionGroup: several (1 sub-exception))"),
    (SilentError(), "(SilentError)"),
]


@pytest.mark.parametrize(("bug", "text"), BUGS, ids=[type(bug).__name__ for bug, _ in BUGS])
def test_exception_of_a_transport_ends_in_the_error_tree(any_client: AnyClient, bug: Exception, text: str) -> None:
    """Any exception of a transport is a TransportError of kind transport, which is not retried and shows no secret."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise bug

    for operation in (GET, PUT):
        stub = StubTransport(respond)
        error = error_from(any_client, operation.act, stub_client(any_client, stub, api_key=KEY, max_retries=2))
        assert isinstance(error, TransportError)
        assert str(error) == f"{operation.name}: the transport of this client failed {text}"
        assert (error.kind, error.attempts, len(stub.requests)) == ("transport", 1, 1)
        assert (error.request_sent, error.outcome_unknown) == (True, operation is PUT)
        assert error.__cause__ is not None
        assert error.__cause__.__traceback__ is None
        assert error.__context__ is error.__cause__ or error.__context__ is None


def test_interruption_in_a_transport_is_raised_unchanged() -> None:
    """Ctrl-C in a transport is not an error of the transport."""

    def interrupt(_: httpx.Request) -> httpx.Response:
        raise KeyboardInterrupt

    with (
        Client(base_url="http://127.0.0.1:1/v3", api_key=KEY, transport=StubTransport(interrupt)) as chat,
        pytest.raises(KeyboardInterrupt),
    ):
        chat.roles.list()


def response_with(**changes: Any) -> Any:
    """A response of httpx, except for some attributes."""

    async def aclose() -> None:
        pass

    parts = {"status_code": 200, "headers": httpx.Headers(), "stream": Chunks([GET.body]), "aclose": aclose}
    return SimpleNamespace(**{**parts, "close": lambda: None, **changes})


#: Results of a transport that are no valid response.
NONSENSE: dict[str, Any] = {
    "nothing": None,
    "a text": "HTTP/1.1 200 OK",
    "the status as a text": response_with(status_code="200"),
    "a status that cannot exist": response_with(status_code=20),
    "headers without their bytes": response_with(headers={}),
    "headers as texts": response_with(headers=SimpleNamespace(raw=[("a", "b")])),
    "a body of texts": response_with(stream=Chunks(["text"])),  # type: ignore[list-item]
    "a body of numbers": response_with(stream=Chunks([1])),  # type: ignore[list-item]
    "no body": response_with(stream=None),
    "no way to close it": response_with(close=None, aclose=None),
}


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE)
def test_invalid_response_of_a_transport_ends_in_the_error_tree(any_client: AnyClient, nonsense: Any) -> None:
    """If a transport returns no valid response, the error is a TransportError of kind transport."""
    assert any_client.call(GET.act, stub_client(any_client, StubTransport(lambda _: response_with()))).name
    error = error_from(any_client, PUT.act, stub_client(any_client, StubTransport(lambda _: nonsense)))
    assert isinstance(error, TransportError), error
    assert (error.kind, error.outcome_unknown) == ("transport", True)


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
