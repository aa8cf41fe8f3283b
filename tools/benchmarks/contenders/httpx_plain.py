"""The base: httpx with default settings and `json.loads`."""

from __future__ import annotations

import json
from collections.abc import Sized

import httpx

from . import API_KEY, CSV, PATH, Work

IMPORTING = "import httpx"
FIRST_RESPONSE = """
import json

import httpx

headers = {{"apikey": "a-key-for-benchmarks"}}
with httpx.Client(base_url="{base_url}", headers=headers) as client:
    response = client.get("/moderation/keywords/profanity-list")
    print(len(json.loads(response.content)["data"]["searchTerms"]))
"""
#: Seconds. Concurrent calls wait longer for a connection than the default of five seconds.
PATIENCE = 60


def work(base_url: str, ready: httpx.BaseTransport, records: int) -> Work:
    """Return the calls of `httpx.Client` and `httpx.AsyncClient`."""
    headers = {"apikey": API_KEY}
    client = httpx.Client(headers=headers)
    client_in_memory = httpx.Client(headers=headers, transport=ready)
    awaited = httpx.AsyncClient(headers=headers)
    # The full URL in each call, because httpx joins URLs slowly.
    address = base_url + PATH
    address_of_records = f"{base_url}/moderation/reviewed-messages?limit={records}"

    def terms(response: httpx.Response) -> Sized:
        return json.loads(response.content)["data"]["searchTerms"]

    async def get_awaited() -> Sized:
        return terms(await awaited.get(address, timeout=PATIENCE))

    def put() -> Sized:
        form = {"category": "word", "searchTerms": ""}
        files = {"file": ("words.csv", CSV, "text/csv")}
        return terms(client.put(address, data=form, files=files))

    return Work(
        get=lambda: terms(client.get(address)),
        get_ready=lambda: terms(client_in_memory.get(address)),
        records=lambda: json.loads(client.get(address_of_records).content)["data"],
        get_awaited=get_awaited,
        put=put,
    )
