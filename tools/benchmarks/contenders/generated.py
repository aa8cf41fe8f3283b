"""The unchanged output of openapi-python-client for our description."""

# ruff: noqa: D103 - the package describes the calls

from __future__ import annotations

from collections.abc import Sized
from io import BytesIO

from server import RECORDS
from stock_client import AuthenticatedClient
from stock_client.api.keywords import get_keyword_list, update_keyword_list
from stock_client.api.reviewed_messages import list_reviewed_messages
from stock_client.models import KeywordCategory, KeywordListForm
from stock_client.types import File

from . import API_KEY, BASE_URL, CSV, LIST_ID, ReadyTransport

IMPORTING = "from stock_client import AuthenticatedClient"
FIRST_RESPONSE = f"""
from stock_client import AuthenticatedClient
from stock_client.api.keywords import get_keyword_list

client = AuthenticatedClient(
    base_url="{BASE_URL}", token="a-key-for-benchmarks", prefix="", auth_header_name="apikey"
)
with client:
    print(len(get_keyword_list.sync("profanity-list", client=client).data.search_terms))
"""
_SETTINGS = {"base_url": BASE_URL, "token": API_KEY, "prefix": "", "auth_header_name": "apikey"}
client = AuthenticatedClient(**_SETTINGS)
client_in_memory = AuthenticatedClient(**_SETTINGS, httpx_args={"transport": ReadyTransport()})


def get() -> Sized:
    return get_keyword_list.sync(LIST_ID, client=client).data.search_terms


def get_ready() -> Sized:
    return get_keyword_list.sync(LIST_ID, client=client_in_memory).data.search_terms


def records() -> Sized:
    return list_reviewed_messages.sync(client=client, limit=RECORDS).data


async def get_awaited() -> Sized:
    return (await get_keyword_list.asyncio(LIST_ID, client=client)).data.search_terms


def put() -> Sized:
    file = File(payload=BytesIO(CSV), file_name="words.csv", mime_type="text/csv")
    form = KeywordListForm(category=KeywordCategory.WORD, search_terms="", file=file)
    return update_keyword_list.sync(LIST_ID, client=client, body=form).data.search_terms
