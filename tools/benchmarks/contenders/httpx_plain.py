"""The base: httpx with default settings and `json.loads`."""

# ruff: noqa: D103 - the package describes the calls

from __future__ import annotations

import json
from collections.abc import Sized

import httpx

from tools.benchmarks.server import RECORDS

from . import API_KEY, BASE_URL, CSV, LIST_ID, ReadyTransport

IMPORTING = "import httpx"
FIRST_RESPONSE = f"""
import json

import httpx

headers = {{"apikey": "a-key-for-benchmarks"}}
with httpx.Client(base_url="{BASE_URL}", headers=headers) as client:
    response = client.get("/moderation/keywords/profanity-list")
    print(len(json.loads(response.content)["data"]["searchTerms"]))
"""
# The full URL in each call, because httpx joins URLs slowly.
ADDRESS = f"{BASE_URL}/moderation/keywords/{LIST_ID}"
ADDRESS_OF_RECORDS = f"{BASE_URL}/moderation/reviewed-messages?limit={RECORDS}"
HEADERS = {"apikey": API_KEY}
client = httpx.Client(headers=HEADERS)
client_in_memory = httpx.Client(headers=HEADERS, transport=ReadyTransport())
# Concurrent calls wait longer for a connection than the default of five seconds.
awaited = httpx.AsyncClient(headers=HEADERS, timeout=60)


def _terms(response: httpx.Response) -> Sized:
    return json.loads(response.content)["data"]["searchTerms"]


def get() -> Sized:
    return _terms(client.get(ADDRESS))


def get_ready() -> Sized:
    return _terms(client_in_memory.get(ADDRESS))


def records() -> Sized:
    return json.loads(client.get(ADDRESS_OF_RECORDS).content)["data"]


async def get_awaited() -> Sized:
    return _terms(await awaited.get(ADDRESS))


def put() -> Sized:
    files = {"file": ("words.csv", CSV, "text/csv")}
    form = {"category": "word", "searchTerms": ""}
    return _terms(client.put(ADDRESS, data=form, files=files))
