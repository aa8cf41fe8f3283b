"""The base: httpx with default settings and `json.loads`, without types, checks and retries."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import httpx

from . import API_KEY, PATH, Contender


class _Canned(httpx.BaseTransport):
    def __init__(self, body: bytes) -> None:
        self._body = body

    def handle_request(self, request: httpx.Request) -> httpx.Response:  # noqa: ARG002 - every request gets the same response
        return httpx.Response(200, headers={"Content-Type": "application/json"}, content=self._body)


def _namespace(fields: dict[str, Any]) -> SimpleNamespace:
    return SimpleNamespace(
        **{re.sub(r"(?<=[a-z])[A-Z]", lambda m: f"_{m[0].lower()}", k): v for k, v in fields.items()}
    )


def _attributes(document: Any) -> Any:
    return json.loads(json.dumps(document), object_hook=_namespace)


class Plain(Contender):
    """`httpx.Client` and `httpx.AsyncClient`."""

    package = "httpx"
    importing = "import httpx"
    importing_names = "import httpx"
    first_response = (
        "import httpx, json\n"
        "with httpx.Client(base_url='{base_url}', headers={{'apikey': 'a-key-for-benchmarks'}}) as client:\n"
        "    answer = client.get('/moderation/keywords/profanity-list')\n"
        "    print(len(json.loads(answer.content)['data']['searchTerms']))\n"
    )

    def __init__(self, base_url: str) -> None:
        # The full URL in each call, because httpx joins URLs slowly.
        self._url = base_url
        self._headers = {"apikey": API_KEY}
        self._client = httpx.Client(headers=self._headers)
        self._async = httpx.AsyncClient(headers=self._headers)

    def get(self) -> Any:
        return json.loads(self._client.get(self._url + PATH).content)

    def canned(self, body: bytes) -> Callable[[], Any]:
        client = httpx.Client(headers=self._headers, transport=_Canned(body))
        return lambda: json.loads(client.get(self._url + PATH).content)

    def reviewed(self, limit: int) -> Any:
        return json.loads(
            self._client.get(f"{self._url}/moderation/reviewed-messages?limit={limit}", timeout=60).content
        )

    async def aget(self) -> Any:
        # Hundreds of concurrent calls wait longer for a connection than the default of five seconds.
        return json.loads((await self._async.get(self._url + PATH, timeout=60)).content)

    def put(self, csv: bytes) -> Any:
        form = {"category": "word", "searchTerms": ""}
        files = {"file": ("words.csv", csv, "text/csv")}
        return json.loads(self._client.put(self._url + PATH, data=form, files=files).content)

    def keyword_list(self, result: Any) -> Any:
        return _attributes(result["data"])

    def records(self, result: Any) -> list[Any]:
        return list(_attributes(result["data"]))

    def close(self) -> None:
        self._client.close()

    async def aclose(self) -> None:
        await self._async.aclose()


CONTENDER = Plain
