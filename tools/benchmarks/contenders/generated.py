"""The unchanged output of openapi-python-client for our description."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import httpx
from stock_client import AuthenticatedClient
from stock_client.api.keywords import get_keyword_list, update_keyword_list
from stock_client.api.reviewed_messages import list_reviewed_messages
from stock_client.models import KeywordCategory, KeywordListForm
from stock_client.types import File

from . import API_KEY, LIST_ID, Contender


class Generated(Contender):
    """`AuthenticatedClient` and the functions of its operations."""

    importing = "from stock_client import AuthenticatedClient"
    first_response = """
from stock_client import AuthenticatedClient
from stock_client.api.keywords import get_keyword_list

client = AuthenticatedClient(
    base_url="{base_url}", token="a-key-for-benchmarks", prefix="", auth_header_name="apikey"
)
with client:
    print(len(get_keyword_list.sync("profanity-list", client=client).data.search_terms))
"""

    def __init__(self, base_url: str, ready: httpx.BaseTransport) -> None:
        self._client = _open(base_url)
        self._ready = _open(base_url, transport=ready)

    def get(self) -> Any:
        return get_keyword_list.sync(LIST_ID, client=self._client)

    def get_ready(self) -> Any:
        return get_keyword_list.sync(LIST_ID, client=self._ready)

    def reviewed(self, limit: int) -> Any:
        return list_reviewed_messages.sync(client=self._client, limit=limit)

    async def aget(self) -> Any:
        return await get_keyword_list.asyncio(LIST_ID, client=self._client)

    def put(self, csv: bytes) -> Any:
        file = File(payload=BytesIO(csv), file_name="words.csv", mime_type="text/csv")
        form = KeywordListForm(category=KeywordCategory.WORD, search_terms="", file=file)
        return update_keyword_list.sync(LIST_ID, client=self._client, body=form)

    def terms(self, result: Any) -> list[str]:
        return list(result.data.search_terms)

    def records(self, result: Any) -> list[Any]:
        return list(result.data)

    def close(self) -> None:
        self._client.get_httpx_client().close()
        self._ready.get_httpx_client().close()

    async def aclose(self) -> None:
        await self._client.get_async_httpx_client().aclose()


def _open(base_url: str, **options: Any) -> AuthenticatedClient:
    return AuthenticatedClient(
        base_url=base_url,
        token=API_KEY,
        prefix="",
        auth_header_name="apikey",
        httpx_args=options,
    )


CONTENDER = Generated
