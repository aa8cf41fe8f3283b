"""The openai SDK: its calls for undocumented endpoints, with classes like its own."""

from __future__ import annotations

from typing import Any

from openai import AsyncOpenAI, OpenAI

from . import API_KEY, PATH, Contender
from .openai_models import KeywordListResponse, ReviewedMessageList


class OpenAISDK(Contender):
    """`OpenAI` and `AsyncOpenAI`, with `get(cast_to=...)`."""

    package = "openai"
    importing = "from openai import OpenAI"
    first_response = (
        "from openai import BaseModel, OpenAI\n"
        "from pydantic import Field\n"
        "class List(BaseModel):\n"
        "    id: str\n"
        "    search_terms: list[str] = Field(alias='searchTerms')\n"
        "class Answer(BaseModel):\n"
        "    data: List\n"
        "with OpenAI(base_url='{base_url}', api_key='a-key-for-benchmarks') as client:\n"
        "    print(len(client.get('/moderation/keywords/profanity-list', cast_to=Answer).data.search_terms))\n"
    )

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._client = OpenAI(base_url=base_url, api_key=API_KEY)
        self._async = AsyncOpenAI(base_url=base_url, api_key=API_KEY)

    def get(self) -> Any:
        return self._client.get(PATH, cast_to=KeywordListResponse)

    def reviewed(self, limit: int) -> Any:
        return self._client.get(f"/moderation/reviewed-messages?limit={limit}", cast_to=ReviewedMessageList)

    async def aget(self) -> Any:
        return await self._async.get(PATH, cast_to=KeywordListResponse)

    def put(self, csv: bytes) -> Any:
        return self._client.put(
            PATH,
            cast_to=KeywordListResponse,
            body={"category": "word", "searchTerms": ""},
            files={"file": ("words.csv", csv, "text/csv")},
            options={"headers": {"Content-Type": "multipart/form-data"}},
        )

    def keyword_list(self, result: Any) -> Any:
        return result.data

    def records(self, result: Any) -> list[Any]:
        return list(result.data)

    def close(self) -> None:
        self._client.close()

    async def aclose(self) -> None:
        await self._async.close()


CONTENDER = OpenAISDK
