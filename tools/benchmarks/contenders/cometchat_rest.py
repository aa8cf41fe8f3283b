"""This package, from the wheel of this checkout."""

from __future__ import annotations

from typing import Any

import httpx

from cometchat_rest import AsyncClient, Client, WordListInput

from . import API_KEY, LIST_ID, Contender

# Only pages of more than 20,000 records need this limit; it makes nothing faster.
_LARGEST = 2**30


class Ours(Contender):
    """`Client` and `AsyncClient`."""

    importing = "from cometchat_rest import Client"
    first_response = """
from cometchat_rest import Client

with Client(base_url="{base_url}", api_key="a-key-for-benchmarks") as client:
    print(len(client.keywords.get("profanity-list").search_terms))
"""

    def __init__(self, base_url: str, ready: httpx.BaseTransport) -> None:
        self._client = Client(base_url=base_url, api_key=API_KEY, max_response_bytes=_LARGEST)
        self._ready = Client(base_url=base_url, api_key=API_KEY, transport=ready)
        self._async = AsyncClient(base_url=base_url, api_key=API_KEY, timeout=60)

    def get(self) -> Any:
        return self._client.keywords.get(LIST_ID)

    def get_ready(self) -> Any:
        return self._ready.keywords.get(LIST_ID)

    def reviewed(self, limit: int) -> Any:
        return self._client.reviewed_messages.list(limit=limit)

    async def aget(self) -> Any:
        return await self._async.keywords.get(LIST_ID)

    def put(self, csv: bytes) -> Any:
        return self._client.keywords.update(LIST_ID, WordListInput(file=csv))

    def terms(self, result: Any) -> list[str]:
        return list(result.search_terms)

    def records(self, result: Any) -> list[Any]:
        return list(result.data)

    def close(self) -> None:
        self._client.close()
        self._ready.close()

    async def aclose(self) -> None:
        await self._async.aclose()


CONTENDER = Ours
