"""Records the requests of a program and the responses of the simulator, for the documentation."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from unittest.mock import patch

import httpx

from cometchat_testing import Simulator

# Texts that differ between runs or are secret, and their replacements.
_REPLACEMENTS = (
    (re.compile(r"(?m)^(Host: ).*"), r"\1<APP_ID>.api-<REGION>.cometchat.io"),
    (re.compile(r"(?mi)^(date: ).*"), r"\1<DATE>"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "<BOUNDARY>"),
    (re.compile(r'("updatedAt": ?)\d{10}'), r"\g<1>1757999999"),
)


_send = httpx.HTTPTransport.handle_request


def record(code: str) -> list[tuple[str, str]]:
    """Run a program against a new simulator.

    Args:
        code: Python code. It reads its settings from the environment; `ALICE_TOKEN` is an auth
            token of the user alice.

    Returns:
        Each request and each response, in order, with a title.
    """
    messages: list[tuple[str, str]] = []

    def send(transport: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        response = _send(transport, request)
        content = response.read()
        first = f"{request.method} {request.url.raw_path.decode()} HTTP/1.1"
        messages.append(("Request", _message(first, request.headers.raw, request.read())))
        first = f"HTTP/1.1 {response.status_code} {response.reason_phrase}"
        messages.append(("Response", _message(first, response.headers.raw, content)))
        # The client reads the response again.
        return httpx.Response(response.status_code, headers=response.headers, content=content)

    with Simulator() as simulator:
        token = simulator.auth_tokens["alice"][0]
        settings = {
            "COMETCHAT_BASE_URL": simulator.base_url,
            "COMETCHAT_API_KEY": simulator.api_key,
            "ALICE_TOKEN": token,
        }
        with (
            patch.dict(os.environ, settings),
            patch.object(httpx.HTTPTransport, "handle_request", send),
        ):
            _execute(code)
    secrets = {simulator.api_key: "<API_KEY>", token: "<AUTH_TOKEN>"}
    return [(title, _shown(text, secrets)) for title, text in messages]


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


def _message(first: str, headers: Sequence[tuple[bytes, bytes]], content: bytes) -> str:
    lines = [f"{name.decode()}: {value.decode()}" for name, value in headers]
    body = content.decode().replace("\r\n", "\n")
    if "content-type: application/json" in lines:
        body = json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    return "\n".join([first, *lines, "", body]).rstrip()


def _shown(text: str, secrets: dict[str, str]) -> str:
    for secret, name in secrets.items():
        text = text.replace(secret, name)
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return text
