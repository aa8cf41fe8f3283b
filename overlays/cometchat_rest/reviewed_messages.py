"""Messages that moderation has looked at (service.md, section 4.3)."""

from __future__ import annotations

from cometchat_openapi import Call
from cometchat_openapi.api.reviewed_messages import list_reviewed_messages
from cometchat_openapi.models import ReviewedMessageList

from .errors import InvalidRequestError
from .settings import whole
from .transport import Api, AsyncApi


def _call(limit: int | None) -> Call[ReviewedMessageList]:
    if limit is not None:
        whole("limit", limit, least=1, refusal=InvalidRequestError)
    return list_reviewed_messages.prepare(limit=limit)


class ReviewedMessages:
    """The reviewed messages of the app, each call waited for."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self, *, limit: int | None = None) -> ReviewedMessageList:
        """The latest reviewed messages (service.md, section 4.3).

        Args:
            limit: how many records at most; by default as many as the service sees fit.

        Returns:
            The records in `data`; in `meta.current`, how many were asked for and came.

        Raises:
            InvalidRequestError: `limit` is no whole number from 1 up; nothing was sent.
            CometChatError: whatever else can become of a call.
        """
        return self._api.send(_call(limit)).parsed


class AsyncReviewedMessages:
    """The reviewed messages of the app, each call awaited."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def list(self, *, limit: int | None = None) -> ReviewedMessageList:
        """As `ReviewedMessages.list`, awaited."""
        return (await self._api.send(_call(limit))).parsed
