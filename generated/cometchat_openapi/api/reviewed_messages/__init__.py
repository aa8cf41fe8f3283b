"""Messages that moderation has reviewed."""

from cometchat_runtime.api import AsyncResource, Resource

from ...models.reviewed_message_list import ReviewedMessageList
from . import list_reviewed_messages as _list_reviewed_messages


class ReviewedMessages(Resource):
    """Messages that moderation has reviewed."""

    def list(self, *, limit: int | None = None) -> ReviewedMessageList:
        """List reviewed messages.

        Returns messages that moderation has reviewed, with the rule that matched. It is not
        documented which messages the list contains, and in which order. One call returns at
        most `limit` records, and no next page is documented. If there are as many records as
        `meta.current.limit`, the service may have more.

        Source: `GET /moderation/reviewed-messages` in openapi.yaml.

        Args:
            limit: The largest number of records to return. Default and maximum are not documented.
                (minimum 1)

        Returns:
            The response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        call = _list_reviewed_messages.prepare(limit=limit)
        response = self._api.send(call)
        return response.parsed


class AsyncReviewedMessages(AsyncResource):
    """Messages that moderation has reviewed."""

    async def list(self, *, limit: int | None = None) -> ReviewedMessageList:
        """List reviewed messages.

        Returns messages that moderation has reviewed, with the rule that matched. It is not
        documented which messages the list contains, and in which order. One call returns at
        most `limit` records, and no next page is documented. If there are as many records as
        `meta.current.limit`, the service may have more.

        Source: `GET /moderation/reviewed-messages` in openapi.yaml.

        Args:
            limit: The largest number of records to return. Default and maximum are not documented.
                (minimum 1)

        Returns:
            The response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        call = _list_reviewed_messages.prepare(limit=limit)
        response = await self._api.send(call)
        return response.parsed
