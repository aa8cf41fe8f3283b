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
from unittest.mock import patch

from cometchat_testing import Simulator

# Texts that differ between runs or are secret, and their replacements.
_REPLACEMENTS = (
    (re.compile(r"(?m)^(Host: ).*?(?=\r?$)"), r"\1<APP_ID>.api-<REGION>.cometchat.io"),
    (re.compile(r"(?mi)^(date: ).*?(?=\r?$)"), r"\1<DATE>"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "<BOUNDARY>"),
    (re.compile(r'("updatedAt": ?)\d{10}'), r"\g<1>1757999999"),
)


def record(code: str) -> list[tuple[str, str]]:
    """Run a program against a new simulator.

    Args:
        code: Python code. It reads its settings from the environment; `ALICE_TOKEN` is an auth
            token of the user alice.

    Returns:
        Each request and each response, in order, with a title.
    """
    with Simulator() as simulator, _relay(simulator.base_url) as (base_url, exchanges):
        (token, *_) = simulator.auth_tokens["alice"]
        settings = {
            "COMETCHAT_BASE_URL": base_url,
            "COMETCHAT_API_KEY": simulator.api_key,
            "ALICE_TOKEN": token,
        }
        try:
            # In this process: a new one would first import the client.
            with patch.dict(os.environ, settings), redirect_stdout(StringIO()):
                exec(code, {"__name__": "__main__"})  # noqa: S102 - the pages are part of this repository
        except Exception as error:
            raise ValueError(f"this program failed: {error}\n{code}") from error
    secrets = {simulator.api_key: "<API_KEY>", token: "<AUTH_TOKEN>"}
    return [
        (title, _format(bytes(message), secrets))
        for exchange in exchanges
        for title, message in zip(("Request", "Response"), exchange, strict=True)
    ]


def rendered(code: str) -> str:
    """Render the requests and responses of a program as Markdown."""
    return "\n".join(f'```http title="{title}"\n{text}\n```\n' for title, text in record(code))


@contextmanager
def _relay(base_url: str) -> Iterator[tuple[str, list[tuple[bytearray, bytearray]]]]:
    """Forward connections to `base_url`; yield the address, and the bytes of each connection in
    both directions."""
    port = int(base_url.removesuffix("/v3").rpartition(":")[2])
    exchanges: list[tuple[bytearray, bytearray]] = []

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            sent, received = bytearray(), bytearray()
            exchanges.append((sent, received))
            with socket.create_connection(("127.0.0.1", port)) as service:
                targets = {self.request: (service, sent), service: (self.request, received)}
                while True:
                    for source in select.select(list(targets), [], [])[0]:
                        if not (piece := source.recv(65536)):
                            return
                        target, kept = targets[source]
                        kept += piece
                        target.sendall(piece)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(
            target=server.serve_forever, args=(0.01,)
        ).start()  # seconds until it notices shutdown()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v3", exchanges
        finally:
            server.shutdown()


def _format(message: bytes, secrets: dict[str, str]) -> str:
    head, _, body = message.decode().replace("\r\n", "\n").partition("\n\n")
    if "\ncontent-type: application/json" in head:
        body = json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    text = f"{head}\n\n{body}".rstrip()
    for secret, name in secrets.items():
        text = text.replace(secret, name)
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return text
