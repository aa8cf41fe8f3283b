"""This package, from the wheel of this checkout."""

from __future__ import annotations

from collections.abc import Sized

import httpx

from cometchat_rest import AsyncClient, Client, WordListInput

from . import API_KEY, CSV, LIST_ID, Work

IMPORTING = "from cometchat_rest import Client"
FIRST_RESPONSE = """
from cometchat_rest import Client

with Client(base_url="{base_url}", api_key="a-key-for-benchmarks") as client:
    print(len(client.keywords.get("profanity-list").search_terms))
"""


def work(base_url: str, ready: httpx.BaseTransport, records: int) -> Work:
    """Return the calls of `Client` and `AsyncClient`."""
    client = Client(base_url=base_url, api_key=API_KEY)
    client_in_memory = Client(base_url=base_url, api_key=API_KEY, transport=ready)
    awaited = AsyncClient(base_url=base_url, api_key=API_KEY, timeout=60)

    async def get_awaited() -> Sized:
        return (await awaited.keywords.get(LIST_ID)).search_terms

    return Work(
        get=lambda: client.keywords.get(LIST_ID).search_terms,
        get_ready=lambda: client_in_memory.keywords.get(LIST_ID).search_terms,
        records=lambda: client.reviewed_messages.list(limit=records).data,
        get_awaited=get_awaited,
        put=lambda: client.keywords.update(LIST_ID, WordListInput(file=CSV)).search_terms,
    )
