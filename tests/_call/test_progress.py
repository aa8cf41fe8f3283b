"""Connecting: host names, addresses, timeouts and deadlines before there is a connection."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import anyio
import httpx
import pytest

from cometchat_rest import AsyncClient, ConfigurationError, TransportError
from cometchat_rest.testing import Simulator

from ..support import KEY, LIST_ID, PUT, AnyClient, check_timeout, error_from


@contextmanager
def unresponsive_port() -> Iterator[int]:
    """A port of this machine that neither accepts nor refuses connections, at all local addresses."""
    with ExitStack() as sockets:
        full = sockets.enter_context(socket.socket())
        full.bind(("", 0))
        full.listen(0)
        port: int = full.getsockname()[1]
        # When the queue is full, further connections get no response.
        for _ in range(3):
            each = sockets.enter_context(socket.socket())
            each.setblocking(False)  # noqa: FBT003 - a parameter of the standard library
            each.connect_ex(("127.0.0.1", port))
        yield port


def resolve_localhost_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Make localhost resolve to these addresses."""

    def found(host: str, port: int, *_: object, **__: object) -> list[Any]:
        known = addresses if host == "localhost" else [host]
        return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port)) for address in known]

    monkeypatch.setattr(socket, "getaddrinfo", found)


def test_connect_timeout(any_client: AnyClient) -> None:
    """A host that does not respond is an error of kind connect. The outcome is known, so even a change is retried."""
    with unresponsive_port() as port:
        client = any_client.client(
            base_url=f"http://127.0.0.1:{port}/v3", timeout=httpx.Timeout(30, connect=0.2), max_retries=1
        )
        began = time.monotonic()
        error = error_from(any_client, PUT.act, client)
    check_timeout(error, PUT, began, "connect")
    assert isinstance(error, TransportError)
    assert (error.attempts, error.request_sent, error.outcome_unknown) == (2, False, False)
    assert f"127.0.0.1:{port}" in str(error)


class Failover(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends a request that failed to a second host, which is down."""

    def __init__(self) -> None:
        self._inner, self._async_inner = httpx.HTTPTransport(), httpx.AsyncHTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with contextlib.suppress(httpx.TransportError):
            return self._inner.handle_request(request)
        return self._inner.handle_request(_to_a_closed_port(request))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        with contextlib.suppress(httpx.TransportError):
            return await self._async_inner.handle_async_request(request)
        return await self._async_inner.handle_async_request(_to_a_closed_port(request))

    def close(self) -> None:
        self._inner.close()

    async def aclose(self) -> None:
        await self._async_inner.aclose()


def _to_a_closed_port(request: httpx.Request) -> httpx.Request:
    request.url = request.url.copy_with(port=1)
    return request


def test_a_second_connection_does_not_hide_a_sent_request(simulator: Simulator, any_client: AnyClient) -> None:
    """If a transport sends a change, and then fails to connect for another try, the client sends it once."""
    simulator.fail("update_keyword_list", cut="after_processing", times=None)
    client = any_client.client(transport=Failover())
    error = error_from(any_client, PUT.act, client)
    any_client.close(client)
    assert isinstance(error, TransportError)
    assert (error.attempts, error.request_sent, error.outcome_unknown) == (1, True, True)
    assert len(simulator.requests) == 1


def test_connecting_does_not_block_the_event_loop() -> None:
    """While an awaited call connects to a host that does not respond, other tasks of the event loop continue."""

    async def turns_while_connecting(port: int) -> int:
        turns = 0

        async def work() -> None:
            nonlocal turns
            while True:
                await anyio.sleep(0.01)
                turns += 1

        async with (
            AsyncClient(base_url=f"http://127.0.0.1:{port}/v3", api_key=KEY, deadline=1.5, max_retries=0) as client,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(work)
            with pytest.raises(TransportError):
                await client.roles.list()
            tasks.cancel_scope.cancel()
        return turns

    with unresponsive_port() as port:
        # A client that blocks lets the other task run once or twice.
        assert anyio.run(turns_while_connecting, port) > 5


def test_deadline_while_connecting(any_client: AnyClient) -> None:
    """If the deadline passes before there is a connection, nothing was sent and the outcome is known."""
    with unresponsive_port() as port:
        client = any_client.client(base_url=f"http://127.0.0.1:{port}/v3", timeout=30, deadline=0.2)
        began = time.monotonic()
        error = error_from(any_client, PUT.act, client)
    check_timeout(error, PUT, began, "deadline")
    assert isinstance(error, TransportError)
    assert (error.request_sent, error.outcome_unknown) == (False, False)


@pytest.mark.parametrize("any_client", ["async"], indirect=True)
def test_deadline_ends_a_slow_host_lookup(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """An awaited call ends at its deadline, however long the system looks up the host."""
    over = threading.Event()

    def found(*_: object, flags: int = 0, **__: object) -> list[Any]:
        if not flags & socket.AI_NUMERICHOST:
            assert over.wait(60)
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", found)
    client = any_client.client(base_url="http://localhost:1/v3", timeout=30, deadline=0.2)
    began = time.monotonic()
    error = error_from(any_client, PUT.act, client)
    over.set()
    check_timeout(error, PUT, began, "deadline")
    assert isinstance(error, TransportError)
    assert (error.request_sent, error.outcome_unknown) == (False, False)


@pytest.mark.parametrize("any_client", ["async"], indirect=True)
def test_deadline_covers_all_addresses_of_a_host(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """An awaited call ends at its deadline, however many unresponsive addresses a host has."""
    resolve_localhost_to(monkeypatch, *(f"127.0.0.{number}" for number in range(1, 100)))
    with unresponsive_port() as port:
        client = any_client.client(base_url=f"http://localhost:{port}/v3", timeout=30, deadline=0.5)
        began = time.monotonic()
        check_timeout(error_from(any_client, PUT.act, client), PUT, began, "deadline")


def test_next_address_is_tried(any_client: AnyClient, simulator: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """If nothing listens at the first address of a host, the call goes to the next address."""
    resolve_localhost_to(monkeypatch, "127.0.0.2", "127.0.0.3", "127.0.0.1")
    port = simulator.base_url.removesuffix("/v3").rpartition(":")[2]
    assert (
        any_client.call(PUT.act, any_client.client(base_url=f"http://localhost:{port}/v3", max_retries=0)).id == LIST_ID
    )


def test_unknown_host(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown host is an error that names the host, and the outcome is known."""

    def found(*_: object, **__: object) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", found)
    error = error_from(any_client, PUT.act, any_client.client(base_url="http://localhost:1/v3", max_retries=0))
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
    assert "no connection to localhost:1 (" in str(error)
    assert "no such name" in str(error)


def test_host_name_of_more_than_253_characters_is_refused(any_client: AnyClient) -> None:
    """DNS names have at most 253 characters. A longer host is refused when the client is made."""
    longest = ".".join(["a" * 63, "b" * 63, "c" * 63, "d" * 61])
    assert len(longest) == 253
    assert any_client.client(base_url=f"https://{longest}/v3").base_url == f"https://{longest}/v3"
    with pytest.raises(ConfigurationError, match="host"):
        any_client.client(base_url=f"https://{longest}d/v3")


#: Resolvers that break their contract; each of them is a function in place of `socket.getaddrinfo`.
ODD_RESOLVERS: dict[str, Callable[..., Any]] = {
    "no address": lambda *_, **__: [],
    "an error of its own": lambda *_, **__: dict[str, Any]()["localhost"],
    "nothing": lambda *_, **__: None,
}


@pytest.mark.parametrize("resolve", ODD_RESOLVERS.values(), ids=ODD_RESOLVERS)
def test_odd_resolver(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, resolve: Callable[..., Any]) -> None:
    """If the resolver of a program returns no address, or raises an error of its own, the call fails at once, in an
    error that knows that nothing was sent."""
    client = any_client.client(base_url="http://localhost:1/v3", max_retries=0)
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    error = error_from(any_client, PUT.act, client)
    assert type(error) is TransportError
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
