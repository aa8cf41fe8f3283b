"""Records the requests of a program and the responses of the simulator, for the documentation."""

from __future__ import annotations

import json
import os
from contextlib import redirect_stdout
from io import StringIO
from unittest.mock import patch

import httpx

from cometchat_testing import Simulator

_send = httpx.HTTPTransport.handle_request


def rendered(code: str) -> str:
    """Run a program against a new simulator, and return each request and response as Markdown.

    The program reads its settings from the environment; `ALICE_TOKEN` is an auth token of the user
    alice.
    """
    with Simulator() as simulator:
        host = httpx.URL(simulator.base_url).netloc.decode()
        token = simulator.auth_tokens["alice"][0]
        settings = {
            "COMETCHAT_BASE_URL": simulator.base_url,
            "COMETCHAT_API_KEY": simulator.api_key,
            "ALICE_TOKEN": token,
        }
        with patch.dict(os.environ, settings):
            text = "\n".join(_messages(code))
    text = text.replace(host, "<APP_ID>.api-<REGION>.cometchat.io")
    return text.replace(simulator.api_key, "<API_KEY>").replace(token, "<AUTH_TOKEN>")


def _messages(code: str) -> list[str]:
    """Run a program in this process, because a new process would first import the client."""
    messages = []

    def send(transport: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        response = _send(transport, request)
        content = response.read()
        line = f"{request.method} {request.url.raw_path.decode()} HTTP/1.1"
        messages.append(_block("Request", line, request.headers, request.read()))
        line = f"HTTP/1.1 {response.status_code} {response.reason_phrase}"
        messages.append(_block("Response", line, response.headers, content))
        # The client reads the response again.
        return httpx.Response(response.status_code, headers=response.headers, content=content)

    with patch.object(httpx.HTTPTransport, "handle_request", send), redirect_stdout(StringIO()):
        exec(code, {"__name__": "__main__"})  # noqa: S102 - the pages are part of this repository
    return messages


def _block(title: str, line: str, headers: httpx.Headers, content: bytes) -> str:
    fields = [f"{name.decode()}: {value.decode()}" for name, value in headers.raw]
    body = content.decode().replace("\r\n", "\n")
    if headers.get("content-type") == "application/json":
        body = json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    text = "\n".join([line, *fields, "", body]).rstrip()
    return f'```http title="{title}"\n{text}\n```\n'
