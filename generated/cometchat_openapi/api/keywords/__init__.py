"""Moderation keyword lists."""

from typing import Generic, TypeVar

from ...client import AsyncClient, Client
from ...models.keyword_list import KeywordList
from . import get_keyword_list

# An overlay puts its own client class here, which has more methods.
ClientT = TypeVar("ClientT", bound=Client)
AsyncClientT = TypeVar("AsyncClientT", bound=AsyncClient)


class GeneratedKeywords(Generic[ClientT]):
    """Moderation keyword lists."""

    def __init__(self, client: ClientT, /) -> None:
        self._client = client

    def get(
        self,
        keyword_id: str,
    ) -> KeywordList:
        """Get keyword list.

        Returns one moderation keyword list with its entries.

        Source: `GET /moderation/keywords/{keywordId}` in openapi.yaml.

        Args:
            keyword_id: The keyword list's identifier.

        Returns:
            The `data` of the response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """

        call = get_keyword_list.prepare(
            keyword_id,
        )
        del keyword_id

        return self._client.send(call).parsed.data


class GeneratedAsyncKeywords(Generic[AsyncClientT]):
    """Moderation keyword lists."""

    def __init__(self, client: AsyncClientT, /) -> None:
        self._client = client

    async def get(
        self,
        keyword_id: str,
    ) -> KeywordList:
        """Get keyword list.

        Returns one moderation keyword list with its entries.

        Source: `GET /moderation/keywords/{keywordId}` in openapi.yaml.

        Args:
            keyword_id: The keyword list's identifier.

        Returns:
            The `data` of the response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """

        call = get_keyword_list.prepare(
            keyword_id,
        )
        del keyword_id

        return (await self._client.send(call)).parsed.data
