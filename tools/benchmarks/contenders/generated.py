"""The unchanged output of openapi-python-client for our description."""

from __future__ import annotations

from collections.abc import Sized
from io import BytesIO

import httpx
from stock_client import AuthenticatedClient
from stock_client.api.keywords import get_keyword_list, update_keyword_list
from stock_client.api.reviewed_messages import list_reviewed_messages
from stock_client.models import KeywordCategory, KeywordListForm
from stock_client.types import File

from . import API_KEY, CSV, LIST_ID, Work

IMPORTING = "from stock_client import AuthenticatedClient"
FIRST_RESPONSE = """
from stock_client import AuthenticatedClient
from stock_client.api.keywords import get_keyword_list

client = AuthenticatedClient(
    base_url="{base_url}", token="a-key-for-benchmarks", prefix="", auth_header_name="apikey"
)
with client:
    print(len(get_keyword_list.sync("profanity-list", client=client).data.search_terms))
"""


def work(base_url: str, ready: httpx.BaseTransport, records: int) -> Work:
    """Return the calls of the generated functions."""

    def opened(**options: object) -> AuthenticatedClient:
        return AuthenticatedClient(
            base_url=base_url,
            token=API_KEY,
            prefix="",
            auth_header_name="apikey",
            httpx_args=options,
        )

    client = opened()
    client_in_memory = opened(transport=ready)

    async def get_awaited() -> Sized:
        return (await get_keyword_list.asyncio(LIST_ID, client=client)).data.search_terms

    def put() -> Sized:
        file = File(payload=BytesIO(CSV), file_name="words.csv", mime_type="text/csv")
        form = KeywordListForm(category=KeywordCategory.WORD, search_terms="", file=file)
        return update_keyword_list.sync(LIST_ID, client=client, body=form).data.search_terms

    return Work(
        get=lambda: get_keyword_list.sync(LIST_ID, client=client).data.search_terms,
        get_ready=lambda: get_keyword_list.sync(LIST_ID, client=client_in_memory).data.search_terms,
        records=lambda: list_reviewed_messages.sync(client=client, limit=records).data,
        get_awaited=get_awaited,
        put=put,
    )
