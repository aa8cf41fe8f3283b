"""Moderation keyword lists."""

from cometchat_runtime.api import AsyncResource, Resource

from ...models.keyword_list import KeywordList
from ...models.keyword_list_form import KeywordListForm
from . import get_keyword_list as _get_keyword_list
from . import update_keyword_list as _update_keyword_list


class Keywords(Resource):
    """Moderation keyword lists."""

    def get(self, keyword_id: str) -> KeywordList:
        """Get keyword list.

        Returns one moderation keyword list with its entries.

        Source: `GET /moderation/keywords/{keywordId}` in openapi.yaml.

        Args:
            keyword_id: The keyword list's identifier. (minLength 1)

        Returns:
            The `data` of the response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        call = _get_keyword_list.prepare(keyword_id=keyword_id)
        response = self._api.send(call)
        return response.parsed.data

    def update(self, keyword_id: str, new: KeywordListForm) -> KeywordList:
        """Update keyword list.

        Changes one moderation keyword list and returns the changed list. It is not documented
        whether omitted fields keep their values, and whether file or searchTerms is used if
        both are sent.

        Source: `PUT /moderation/keywords/{keywordId}` in openapi.yaml.

        Args:
            keyword_id: The keyword list's identifier. (minLength 1)
            new: The new content of a keyword list. The category decides which fields are
                allowed: searchTerms for word and pattern, disallowedSentences for sentence-
                similarity. Both are required.

        Returns:
            The `data` of the response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        call = _update_keyword_list.prepare(keyword_id=keyword_id, new=new)
        response = self._api.send(call)
        return response.parsed.data


class AsyncKeywords(AsyncResource):
    """Moderation keyword lists."""

    async def get(self, keyword_id: str) -> KeywordList:
        """Get keyword list.

        Returns one moderation keyword list with its entries.

        Source: `GET /moderation/keywords/{keywordId}` in openapi.yaml.

        Args:
            keyword_id: The keyword list's identifier. (minLength 1)

        Returns:
            The `data` of the response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        call = _get_keyword_list.prepare(keyword_id=keyword_id)
        response = await self._api.send(call)
        return response.parsed.data

    async def update(self, keyword_id: str, new: KeywordListForm) -> KeywordList:
        """Update keyword list.

        Changes one moderation keyword list and returns the changed list. It is not documented
        whether omitted fields keep their values, and whether file or searchTerms is used if
        both are sent.

        Source: `PUT /moderation/keywords/{keywordId}` in openapi.yaml.

        Args:
            keyword_id: The keyword list's identifier. (minLength 1)
            new: The new content of a keyword list. The category decides which fields are
                allowed: searchTerms for word and pattern, disallowedSentences for sentence-
                similarity. Both are required.

        Returns:
            The `data` of the response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        call = _update_keyword_list.prepare(keyword_id=keyword_id, new=new)
        response = await self._api.send(call)
        return response.parsed.data
