"""Records the requests of a program and the responses of the simulator, for the documentation."""

from __future__ import annotations

import json
import os
import re
import select
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import NamedTuple
from unittest.mock import patch

from cometchat_testing import Simulator

# Texts that differ between runs or are secret, and their replacements.
_REPLACEMENTS = (
    (re.compile(r"(?m)^(Host: ).*?(?=\r?$)"), r"\1<APP_ID>.api-<REGION>.cometchat.io"),
    (re.compile(r"(?mi)^(date: ).*?(?=\r?$)"), r"\1<DATE>"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "<BOUNDARY>"),
    (re.compile(r'("updatedAt": ?)\d{10}'), r"\g<1>1757999999"),
)
#: The bytes that are read from a socket at a time.
_PIECE = 65536


class Connection(NamedTuple):
    """The bytes of one connection, in both directions."""

    request: bytearray
    response: bytearray


def record(code: str) -> list[tuple[str, str]]:
    """Run a program against a new simulator.

    Args:
        code: Python code. It reads its settings from the environment; `ALICE_TOKEN` is an auth
            token of the user alice.

    Returns:
        Each request and each response, in order, with a title.
    """
    with Simulator() as simulator, _relay(simulator.base_url) as (base_url, connections):
        token = simulator.auth_tokens["alice"][0]
        settings = {
            "COMETCHAT_BASE_URL": base_url,
            "COMETCHAT_API_KEY": simulator.api_key,
            "ALICE_TOKEN": token,
        }
        with patch.dict(os.environ, settings):
            _execute(code)
    secrets = {simulator.api_key: "<API_KEY>", token: "<AUTH_TOKEN>"}
    messages = []
    for connection in connections:
        messages.append(("Request", _format(connection.request, secrets)))
        messages.append(("Response", _format(connection.response, secrets)))
    return messages


def rendered(code: str) -> str:
    """Render the requests and responses of a program as Markdown."""
    blocks = [f'```http title="{title}"\n{text}\n```\n' for title, text in record(code)]
    return "\n".join(blocks)


def _execute(code: str) -> None:
    """Run a program in this process: a new one would first import the client."""
    try:
        with redirect_stdout(StringIO()):
            exec(code, {"__name__": "__main__"})  # noqa: S102 - the pages are part of this repository
    except Exception as error:
        raise ValueError(f"this program failed: {error}\n{code}") from error


@contextmanager
def _relay(base_url: str) -> Iterator[tuple[str, list[Connection]]]:
    """Forward connections to `base_url`; yield the address of the relay, and its connections."""
    port = int(base_url.removesuffix("/v3").rpartition(":")[2])
    connections: list[Connection] = []

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            connection = Connection(bytearray(), bytearray())
            connections.append(connection)
            with socket.create_connection(("127.0.0.1", port)) as service:
                _forward(self.request, service, connection)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        poll_interval = 0.01  # seconds until it notices shutdown()
        threading.Thread(target=server.serve_forever, args=(poll_interval,)).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v3", connections
        finally:
            server.shutdown()


def _forward(client: socket.socket, service: socket.socket, connection: Connection) -> None:
    """Send the bytes of each side to the other one, until one of them closes."""
    while True:
        readable, _, _ = select.select([client, service], [], [])
        for source in readable:
            piece = source.recv(_PIECE)
            if not piece:
                return
            if source is client:
                connection.request.extend(piece)
                service.sendall(piece)
            else:
                connection.response.extend(piece)
                client.sendall(piece)


def _format(message: bytearray, secrets: dict[str, str]) -> str:
    head, _, body = message.decode().replace("\r\n", "\n").partition("\n\n")
    if "\ncontent-type: application/json" in head:
        body = json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    text = f"{head}\n\n{body}".rstrip()
    for secret, name in secrets.items():
        text = text.replace(secret, name)
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return text
