"""This package, from the wheel of this checkout."""

# ruff: noqa: D103 - the package describes the calls

from __future__ import annotations

from collections.abc import Sized

from cometchat_rest import AsyncClient, Client, WordListInput
from tools.benchmarks.server import RECORDS

from . import API_KEY, BASE_URL, CSV, LIST_ID, ReadyTransport

IMPORTING = "from cometchat_rest import Client"
FIRST_RESPONSE = f"""
from cometchat_rest import Client

with Client(base_url="{BASE_URL}", api_key="a-key-for-benchmarks") as client:
    print(len(client.keywords.get("profanity-list").search_terms))
"""
client = Client(base_url=BASE_URL, api_key=API_KEY)
client_in_memory = Client(base_url=BASE_URL, api_key=API_KEY, transport=ReadyTransport())
awaited = AsyncClient(base_url=BASE_URL, api_key=API_KEY, timeout=60)


def get() -> Sized:
    return client.keywords.get(LIST_ID).search_terms


def get_ready() -> Sized:
    return client_in_memory.keywords.get(LIST_ID).search_terms


def records() -> Sized:
    return client.reviewed_messages.list(limit=RECORDS).data


async def get_awaited() -> Sized:
    return (await awaited.keywords.get(LIST_ID)).search_terms


def put() -> Sized:
    return client.keywords.update(LIST_ID, WordListInput(file=CSV)).search_terms
