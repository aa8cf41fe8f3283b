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
            exchanges = _exchanges(code)
    text = ""
    for request, response in exchanges:
        text += f'```http title="Request"\n{_request(request)}\n```\n\n'
        text += f'```http title="Response"\n{_response(response)}\n```\n\n'
    text = text.replace(host, "<APP_ID>.api-<REGION>.cometchat.io")
    text = text.replace(simulator.api_key, "<API_KEY>")
    return text.replace(token, "<AUTH_TOKEN>")


def _exchanges(code: str) -> list[tuple[httpx.Request, httpx.Response]]:
    """Run a program in this process, because a new process would first import the client."""
    exchanges = []

    def send(transport: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        response = _send(transport, request)
        response.read()
        exchanges.append((request, response))
        # The client reads the response again.
        return httpx.Response(
            response.status_code, headers=response.headers, content=response.content
        )

    with patch.object(httpx.HTTPTransport, "handle_request", send), redirect_stdout(StringIO()):
        exec(code, {"__name__": "__main__"})  # noqa: S102 - the pages are part of this repository
    return exchanges


def _request(request: httpx.Request) -> str:
    line = f"{request.method} {request.url.raw_path.decode()} HTTP/1.1"
    return _message(line, request.headers, request.read())


def _response(response: httpx.Response) -> str:
    line = f"HTTP/1.1 {response.status_code} {response.reason_phrase}"
    body = json.dumps(response.json(), indent=2, ensure_ascii=False)
    return _message(line, response.headers, body.encode())


def _message(line: str, headers: httpx.Headers, content: bytes) -> str:
    lines = [line]
    for name, value in headers.raw:
        lines.append(f"{name.decode()}: {value.decode()}")
    body = content.decode().replace("\r\n", "\n")
    return "\n".join([*lines, "", body]).rstrip()
