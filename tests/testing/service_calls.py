"""HTTP requests to the simulator, without the client of this project."""

import socket
import ssl
import threading
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx

from cometchat_testing import Simulator

LIST = "/moderation/keywords/profanity-list"
MESSAGES = "/moderation/reviewed-messages"
WORD = ("category", "word")
TERMS = ("searchTerms", "a,b")

# Created once: nothing here is encrypted, and creating a context takes longer than a test.
TLS = ssl.create_default_context()

Form = list[tuple[str, tuple[str | None, bytes]]]


def client_of(simulator: Simulator) -> httpx.Client:
    headers = {"apikey": simulator.api_key}
    return httpx.Client(
        base_url=simulator.base_url, headers=headers, trust_env=False, verify=TLS, timeout=10
    )


def form(*fields: tuple[str, str | bytes], file: bytes | None = None) -> Form:
    parts: Form = [
        (name, (None, value.encode() if isinstance(value, str) else value))
        for name, value in fields
    ]
    return parts if file is None else [*parts, ("file", ("terms.csv", file))]


def raw(client: httpx.Client, method: str, target: str) -> httpx.Response:
    """Send `target` unchanged; httpx would normalize it."""
    return client.request(method, "/", extensions={"target": target.encode()})


def received_bytes(simulator: Simulator, path: str) -> bytes:
    """All bytes that the simulator sends before it closes the connection."""
    address = urlsplit(simulator.base_url)
    with socket.create_connection((address.hostname, address.port), timeout=60) as connection:
        connection.sendall(
            f"GET /v3{path} HTTP/1.1\r\nHost: x\r\napikey: {simulator.api_key}\r\n\r\n".encode()
        )
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    return received


def code(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something that the simulator does becomes true."""
    deadline, pause = time.monotonic() + 60, threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "the condition did not become true within a minute"
        pause.wait(0.005)
