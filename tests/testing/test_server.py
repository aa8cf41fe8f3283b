"""The server of the simulator: start, stop, addresses, threads."""

import socket
import threading
from contextlib import ExitStack
from urllib.parse import urlsplit

import httpx
import pytest

from cometchat_testing import Simulator

from .service_calls import client_of, wait_for


def test_stop_closes_connections_and_leaves_no_thread() -> None:
    """The simulator stops with open connections and delayed responses, closes them, and leaves
    no thread."""
    before = set(threading.enumerate())
    with ExitStack() as running, ExitStack() as connections:
        simulator = running.enter_context(Simulator())
        address = urlsplit(simulator.base_url)
        idle = connections.enter_context(client_of(simulator))
        waiting = connections.enter_context(
            socket.create_connection((address.hostname, address.port), timeout=60)
        )
        idle.get("/roles")
        simulator.fail(delay=60)
        waiting.sendall(
            f"GET /v3/roles HTTP/1.1\r\nHost: x\r\napikey: {simulator.api_key}\r\n\r\n".encode()
        )
        wait_for(lambda: len(simulator.requests) == 2)
        running.close()
        assert waiting.recv(1) == b""
        with pytest.raises(httpx.TransportError):
            idle.get("/roles")
    # Other tests have threads of their own.
    assert [
        each
        for each in threading.enumerate()
        if each.name == "cometchat-simulator" and each not in before
    ] == []


@pytest.mark.parametrize(("host", "reached"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]")])  # noqa: S104
def test_all_addresses_include_loopback(host: str, reached: str) -> None:
    """The base URL of a simulator that listens on all addresses is loopback, where a client
    needs no TLS."""
    with ExitStack() as running:
        try:
            simulator = running.enter_context(Simulator(host=host))
        except OSError as error:
            pytest.skip(f"this machine has no such address: {error}")
        assert simulator.base_url.startswith(f"http://{reached}:")
        with client_of(simulator) as client:
            assert client.get("/roles").status_code == 200


def test_fault_of_the_simulator_is_logged_once(
    simulator: Simulator, http_client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    """An exception of the simulator itself is a status 500, and is logged once: on stderr
    without other settings."""
    simulator.roles = None  # type: ignore[assignment]  # to make it fail
    assert http_client.get("/roles").status_code == 500
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [TypeError]
