"""Messages that moderation has reviewed."""

from typing import Generic, TypeVar

from ...client import AsyncClient, Client
from ...models.reviewed_message_list import ReviewedMessageList
from . import list_reviewed_messages

# An overlay puts its own client class here, which has more methods.
ClientT = TypeVar("ClientT", bound=Client)
AsyncClientT = TypeVar("AsyncClientT", bound=AsyncClient)


class GeneratedReviewedMessages(Generic[ClientT]):
    """Messages that moderation has reviewed."""

    def __init__(self, client: ClientT, /) -> None:
        self._client = client

    def list(
        self,
        *,
        limit: int | None = None,
    ) -> ReviewedMessageList:
        """List reviewed messages.

        Returns messages that moderation has reviewed, with the rule that matched. It is not documented
        which messages the list contains, and in which order. One call returns at most `limit` records, and
        no next page is documented. If there are as many records as `meta.current.limit`, the service may
        have more.

        Source: `GET /moderation/reviewed-messages` in openapi.yaml.

        Args:
            limit: The largest number of records to return. Default and maximum are not documented. At least 1.

        Returns:
            The response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """

        call = list_reviewed_messages.prepare(
            limit=limit,
        )
        del limit

        return self._client.send(call).parsed


class GeneratedAsyncReviewedMessages(Generic[AsyncClientT]):
    """Messages that moderation has reviewed."""

    def __init__(self, client: AsyncClientT, /) -> None:
        self._client = client

    async def list(
        self,
        *,
        limit: int | None = None,
    ) -> ReviewedMessageList:
        """List reviewed messages.

        Returns messages that moderation has reviewed, with the rule that matched. It is not documented
        which messages the list contains, and in which order. One call returns at most `limit` records, and
        no next page is documented. If there are as many records as `meta.current.limit`, the service may
        have more.

        Source: `GET /moderation/reviewed-messages` in openapi.yaml.

        Args:
            limit: The largest number of records to return. Default and maximum are not documented. At least 1.

        Returns:
            The response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """

        call = list_reviewed_messages.prepare(
            limit=limit,
        )
        del limit

        return (await self._client.send(call)).parsed
