"""Moderation keyword lists: get and update one (service.md, sections 4.1 and 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.models import KeywordList

from .transport import Api, AsyncApi

if TYPE_CHECKING:
    from cometchat_openapi import Call
    from cometchat_openapi.models import KeywordListResponse

    from .keyword_input import KeywordListInput


def _update(list_id: str, new: KeywordListInput) -> Call[KeywordListResponse]:
    from .keyword_input import form  # noqa: PLC0415 - loaded wherever there is an input

    return update_keyword_list.prepare(list_id, body=form(new))


class Keywords:
    """The keyword lists of the app, each call waited for."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self, list_id: str) -> KeywordList:
        """One list with its entries (service.md, section 4.1).

        Args:
            list_id: the list's identifier.

        Raises:
            InvalidRequestError: `list_id` cannot be one segment of a path; nothing was sent.
            NotFoundError: there is no such list.
            CometChatError: whatever else can become of a call.
        """
        return self._api.send(get_keyword_list.prepare(list_id)).parsed.data

    def update(self, list_id: str, new: KeywordListInput) -> KeywordList:
        """Change one list and return it as it is afterwards (service.md, section 4.2).

        The service does not document whether fields that are left out keep their value.

        Args:
            list_id: the list's identifier.
            new: the new content, of the class that belongs to its category.

        Raises:
            InvalidRequestError: `list_id` cannot be one segment of a path, or `new` is no keyword input; nothing was
                sent.
            NotFoundError: there is no such list.
            CometChatError: whatever else can become of a call. Where its `outcome_unknown` is true, get the list to
                see.
        """
        return self._api.send(_update(list_id, new)).parsed.data


class AsyncKeywords:
    """The keyword lists of the app, each call awaited."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def get(self, list_id: str) -> KeywordList:
        """As `Keywords.get`, awaited."""
        return (await self._api.send(get_keyword_list.prepare(list_id))).parsed.data

    async def update(self, list_id: str, new: KeywordListInput) -> KeywordList:
        """As `Keywords.update`, awaited."""
        return (await self._api.send(_update(list_id, new))).parsed.data
