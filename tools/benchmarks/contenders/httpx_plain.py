"""The base: httpx with default settings and `json.loads`."""

from __future__ import annotations

import json
from typing import Any

import httpx

from . import API_KEY, PATH, Contender

#: The form of row E, without its file.
FORM = {"category": "word", "searchTerms": ""}
#: Seconds. Hundreds of concurrent calls wait longer for a connection than the default of five
#: seconds.
PATIENCE = 60


class Httpx(Contender):
    """`httpx.Client` and `httpx.AsyncClient`."""

    importing = "import httpx"
    first_response = """
import json

import httpx

headers = {{"apikey": "a-key-for-benchmarks"}}
with httpx.Client(base_url="{base_url}", headers=headers) as client:
    response = client.get("/moderation/keywords/profanity-list")
    print(len(json.loads(response.content)["data"]["searchTerms"]))
"""

    def __init__(self, base_url: str, ready: httpx.BaseTransport) -> None:
        headers = {"apikey": API_KEY}
        # The full URL in each call, because httpx joins URLs slowly.
        self._list = base_url + PATH
        self._reviewed = f"{base_url}/moderation/reviewed-messages"
        self._client = httpx.Client(headers=headers)
        self._ready = httpx.Client(headers=headers, transport=ready)
        self._async = httpx.AsyncClient(headers=headers)

    def get(self) -> Any:
        response = self._client.get(self._list)
        return json.loads(response.content)

    def get_ready(self) -> Any:
        response = self._ready.get(self._list)
        return json.loads(response.content)

    def reviewed(self, limit: int) -> Any:
        response = self._client.get(f"{self._reviewed}?limit={limit}", timeout=PATIENCE)
        return json.loads(response.content)

    async def aget(self) -> Any:
        response = await self._async.get(self._list, timeout=PATIENCE)
        return json.loads(response.content)

    def put(self, csv: bytes) -> Any:
        files = {"file": ("words.csv", csv, "text/csv")}
        response = self._client.put(self._list, data=FORM, files=files)
        return json.loads(response.content)

    def terms(self, result: Any) -> list[str]:
        return list(result["data"]["searchTerms"])

    def records(self, result: Any) -> list[Any]:
        return list(result["data"])

    def close(self) -> None:
        self._client.close()
        self._ready.close()

    async def aclose(self) -> None:
        await self._async.aclose()


CONTENDER = Httpx
