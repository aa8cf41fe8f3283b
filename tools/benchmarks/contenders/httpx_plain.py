"""The base: httpx with default settings and `json.loads`."""

from __future__ import annotations

import json
from typing import Any

import httpx

from . import API_KEY, PATH, Contender

#: The form of row D, without its file.
FORM = {"category": "word", "searchTerms": ""}


class Httpx(Contender):
    """`httpx.Client` and `httpx.AsyncClient`."""

    first_response = (
        "import httpx, json\nwith httpx.Client(base_url='{base_url}', headers={{'apikey':"
        " 'a-key-for-benchmarks'}}) as client:\n    response ="
        " client.get('/moderation/keywords/profanity-list')\n   "
        " print(len(json.loads(response.content)['data']['searchTerms']))\n"
    )

    def __init__(self, base_url: str) -> None:
        # The full URL in each call, because httpx joins URLs slowly.
        self._url = base_url
        self._headers = {"apikey": API_KEY}
        self._client = httpx.Client(headers=self._headers)
        self._async = httpx.AsyncClient(headers=self._headers)

    def get(self) -> Any:
        return json.loads(self._client.get(self._url + PATH).content)

    def reviewed(self, limit: int) -> Any:
        return json.loads(
            self._client.get(
                f"{self._url}/moderation/reviewed-messages?limit={limit}", timeout=60
            ).content
        )

    async def aget(self) -> Any:
        # Hundreds of concurrent calls wait longer for a connection than the default of five
        # seconds.
        return json.loads((await self._async.get(self._url + PATH, timeout=60)).content)

    def put(self, csv: bytes) -> Any:
        files = {"file": ("words.csv", csv, "text/csv")}
        return json.loads(self._client.put(self._url + PATH, data=FORM, files=files).content)

    def terms(self, result: Any) -> list[str]:
        return list(result["data"]["searchTerms"])

    def records(self, result: Any) -> list[Any]:
        return list(result["data"])

    def close(self) -> None:
        self._client.close()

    async def aclose(self) -> None:
        await self._async.aclose()


CONTENDER = Httpx
