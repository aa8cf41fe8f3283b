"""Connecting: host names, addresses, timeouts and deadlines before there is a connection."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import anyio
import httpx
import pytest

from cometchat_rest import AsyncClient, ConfigurationError, TransportError
from cometchat_rest.testing import Simulator

from ..support import KEY, LIST_ID, PUT, check_timeout, error_from

if TYPE_CHECKING:
    from ..support import AnyClient


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


def test_deadline_ends_a_slow_host_lookup(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call ends at its deadline, however long the system looks up the host."""
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


def test_deadline_covers_all_addresses_of_a_host(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call ends at its deadline, however many unresponsive addresses a host has."""
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


def test_unresponsive_address_delays_a_call_only_shortly(
    any_client: AnyClient, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the first address of a host does not respond, the call goes to the next address long before the timeout."""
    with unresponsive_port() as silent:
        port = int(simulator.base_url.removesuffix("/v3").rpartition(":")[2])

        def found(*_: object, **__: object) -> list[Any]:
            ports = (silent, port)
            return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", ("127.0.0.1", each)) for each in ports]

        monkeypatch.setattr(socket, "getaddrinfo", found)
        client = any_client.client(base_url=f"http://localhost:{port}/v3", timeout=20, max_retries=0)
        began = time.monotonic()
        assert any_client.call(PUT.act, client).id == LIST_ID
        assert time.monotonic() - began < 10


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


def resolve_localhost_by_name(monkeypatch: pytest.MonkeyPatch, port: int, *addresses: tuple[int, str]) -> None:
    """Make localhost resolve to these families and addresses, and every other text to nothing."""

    def found(*_: object, flags: int = 0, **__: object) -> list[Any]:
        if flags & socket.AI_NUMERICHOST:
            raise socket.gaierror(socket.EAI_NONAME, "no number")
        return [(family, socket.SOCK_STREAM, 0, "", (address, port)) for family, address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", found)


def test_host_name_of_more_than_253_characters_is_refused(any_client: AnyClient) -> None:
    """DNS names have at most 253 characters. A longer host is refused when the client is made."""
    longest = ".".join(["a" * 63, "b" * 63, "c" * 63, "d" * 61])
    assert len(longest) == 253
    assert any_client.client(base_url=f"https://{longest}/v3").base_url == f"https://{longest}/v3"
    with pytest.raises(ConfigurationError, match="host"):
        any_client.client(base_url=f"https://{longest}d/v3")


@pytest.mark.parametrize("refused", ["at once", "without a socket"])
def test_address_that_fails_at_once(
    any_client: AnyClient, simulator: Simulator, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    """If the system refuses an address at once, the call goes to the next address; without one, the error says why."""
    port = int(simulator.base_url.removesuffix("/v3").rpartition(":")[2])
    # Nobody may connect to the address of all machines; there is no family of this number.
    bad = (socket.AF_INET, "255.255.255.255") if refused == "at once" else (9999, "127.0.0.1")
    resolve_localhost_by_name(monkeypatch, port, bad, (socket.AF_INET, "127.0.0.1"))
    client = any_client.client(base_url=f"http://localhost:{port}/v3", max_retries=0)
    assert any_client.call(PUT.act, client).id == LIST_ID
    resolve_localhost_by_name(monkeypatch, port, bad)
    client = any_client.client(base_url=f"http://localhost:{port}/v3", max_retries=0)
    error = error_from(any_client, PUT.act, client)
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
    assert isinstance(error.__cause__, OSError)


def test_first_error_of_several_addresses(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no address accepts, the error gives the reason of the first address."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    resolve_localhost_by_name(monkeypatch, port, (socket.AF_INET, "127.0.0.1"), (9999, "127.0.0.2"))
    error = error_from(any_client, PUT.act, any_client.client(base_url=f"http://localhost:{port}/v3", max_retries=0))
    assert isinstance(error, TransportError)
    assert "refused" in str(error)
    assert isinstance(error.__cause__, ConnectionRefusedError)


def test_address_that_is_found_twice_is_tried_once(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system can find the same address twice; the client connects to it once."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    resolve_localhost_by_name(monkeypatch, port, *[(socket.AF_INET, "127.0.0.1")] * 3)
    tried: list[object] = []
    connect = socket.socket.connect

    def counting(sock: socket.socket, address: Any) -> None:
        tried.append(address)
        connect(sock, address)

    client = any_client.client(base_url=f"http://localhost:{port}/v3", max_retries=0)
    with monkeypatch.context() as patch:
        patch.setattr(socket.socket, "connect", counting)
        assert isinstance(error_from(any_client, PUT.act, client), TransportError)
    assert tried == [("127.0.0.1", port)]


def test_small_pieces_are_sent_at_once(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection does not wait to collect small pieces (TCP_NODELAY)."""
    options: list[int] = []
    send = socket.socket.send

    def noting(sock: socket.socket, data: bytes) -> int:
        if bytes(data).startswith(b"PUT"):
            options.append(sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        return send(sock, data)

    client = any_client.client()
    with monkeypatch.context() as patch:
        patch.setattr(socket.socket, "send", noting)
        any_client.call(PUT.act, client)
    assert len(options) == 1
    assert options[0]
