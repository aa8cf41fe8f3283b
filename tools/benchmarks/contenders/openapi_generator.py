"""The Python output of openapi-generator for our description: urllib3, and aiohttp for asynchronous calls."""

from __future__ import annotations

from typing import Any

import java_client
import java_client_async
from java_client.models import KeywordCategory

from . import API_KEY, LIST_ID, Contender


class OpenApiGenerator(Contender):
    """`KeywordsApi` and `ReviewedMessagesApi`; a transport is not supported."""

    package = "openapi-generator-cli"
    importing = "from java_client import ApiClient, Configuration, KeywordsApi"
    first_response = (
        "from java_client import ApiClient, Configuration, KeywordsApi\n"
        "settings = Configuration(host='{base_url}', api_key={{'apikey': 'a-key-for-benchmarks'}})\n"
        "with ApiClient(settings) as client:\n"
        "    print(len(KeywordsApi(client).get_keyword_list('profanity-list').data.search_terms))\n"
    )

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._client = java_client.ApiClient(self._settings(java_client))
        self._keywords = java_client.KeywordsApi(self._client)
        self._messages = java_client.ReviewedMessagesApi(self._client)
        self._async: Any = None

    def _settings(self, package: Any) -> Any:
        return package.Configuration(host=self._base_url, api_key={"apikey": API_KEY})

    def get(self) -> Any:
        return self._keywords.get_keyword_list(LIST_ID)

    def reviewed(self, limit: int) -> Any:
        return self._messages.list_reviewed_messages(limit=limit)

    async def aget(self) -> Any:
        if self._async is None:
            self._async = java_client_async.ApiClient(self._settings(java_client_async))
        return await java_client_async.KeywordsApi(self._async).get_keyword_list(LIST_ID)

    def put(self, csv: bytes) -> Any:
        file = ("words.csv", csv)
        return self._keywords.update_keyword_list(LIST_ID, KeywordCategory.WORD, search_terms="", file=file)

    def keyword_list(self, result: Any) -> Any:
        return result.data

    def records(self, result: Any) -> list[Any]:
        return list(result.data)

    def close(self) -> None:
        self._client.rest_client.pool_manager.clear()

    async def aclose(self) -> None:
        if self._async is not None:
            await self._async.close()


CONTENDER = OpenApiGenerator
