"""Moderation keyword lists."""

from ...client import AsyncClientT, AsyncResource, ClientT, Resource
from ...models.keyword_list import KeywordList
from . import get_keyword_list


class GeneratedKeywords(Resource[ClientT]):
    """Moderation keyword lists."""

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
        return self._client.send(call).parsed.data


class GeneratedAsyncKeywords(AsyncResource[AsyncClientT]):
    """Moderation keyword lists."""

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
        return (await self._client.send(call)).parsed.data
