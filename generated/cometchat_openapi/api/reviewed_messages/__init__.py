"""Messages that moderation has reviewed."""

from ...client import AsyncClientT_co, ClientT_co, Resource
from ...models.reviewed_message_list import ReviewedMessageList
from . import list_reviewed_messages as _list_reviewed_messages


class ReviewedMessages(Resource[ClientT_co]):
    """Messages that moderation has reviewed."""

    def list(self, *, limit: int | None = None) -> ReviewedMessageList:
        """List reviewed messages.

        Returns messages that moderation has reviewed, with the rule that matched. It is not documented
        which messages the list contains, and in which order. One call returns at most `limit` records, and
        no next page is documented. If there are as many records as `meta.current.limit`, the service may
        have more.

        Source: `GET /moderation/reviewed-messages` in openapi.yaml.

        Args:
            limit: The largest number of records to return. Default and maximum are not documented. (minimum
                1)

        Returns:
            The response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        return self._client.send(_list_reviewed_messages.prepare(limit=limit)).parsed


class AsyncReviewedMessages(Resource[AsyncClientT_co]):
    """Messages that moderation has reviewed."""

    async def list(self, *, limit: int | None = None) -> ReviewedMessageList:
        """List reviewed messages.

        Returns messages that moderation has reviewed, with the rule that matched. It is not documented
        which messages the list contains, and in which order. One call returns at most `limit` records, and
        no next page is documented. If there are as many records as `meta.current.limit`, the service may
        have more.

        Source: `GET /moderation/reviewed-messages` in openapi.yaml.

        Args:
            limit: The largest number of records to return. Default and maximum are not documented. (minimum
                1)

        Returns:
            The response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        return (await self._client.send(_list_reviewed_messages.prepare(limit=limit))).parsed
