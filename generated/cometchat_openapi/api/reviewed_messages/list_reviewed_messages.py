from typing import Any

from ...client import AsyncClient, Call, Client, Operation
from ...models.reviewed_message_list import ReviewedMessageList
from ...types import Response


def _parse(document: Any, odd: list[type] | None) -> ReviewedMessageList:
    if odd is not None and type(document) is not dict:
        odd.append(ReviewedMessageList)
    return ReviewedMessageList.from_dict(document if type(document) is dict else {}, odd)


OPERATION: Operation[ReviewedMessageList] = Operation(
    name="list_reviewed_messages",
    method="GET",
    path="/moderation/reviewed-messages",
    success=((200, 200),),
    result=ReviewedMessageList,
    parse=_parse,
)


def prepare(
    *,
    limit: int | None = None,
) -> Call[ReviewedMessageList]:
    """List reviewed messages.

    Returns messages that moderation has looked at, with the rule that fired (service.md, section 4.3).

    Args:
        limit: How many records to return at most. Default and maximum are not documented.

    Returns:
        A call that a client can send.
    """
    return Call(
        OPERATION,
        query={
            "limit": limit,
        },
    )


def sync_detailed(
    *,
    client: Client,
    limit: int | None = None,
) -> Response[ReviewedMessageList]:
    """As `sync`, with status, headers and body beside the result."""
    call = prepare(
        limit=limit,
    )

    return client.send(call)


def sync(
    *,
    client: Client,
    limit: int | None = None,
) -> ReviewedMessageList:
    """List reviewed messages.

    Returns messages that moderation has looked at, with the rule that fired (service.md, section 4.3).

    Args:
        limit: How many records to return at most. Default and maximum are not documented.

    Returns:
        What the service answered.
    """
    call = prepare(
        limit=limit,
    )

    return client.send(call).parsed


async def asyncio_detailed(
    *,
    client: AsyncClient,
    limit: int | None = None,
) -> Response[ReviewedMessageList]:
    """As `sync_detailed`, awaited."""
    call = prepare(
        limit=limit,
    )

    return await client.send(call)


async def asyncio(
    *,
    client: AsyncClient,
    limit: int | None = None,
) -> ReviewedMessageList:
    """As `sync`, awaited."""
    call = prepare(
        limit=limit,
    )

    return (await client.send(call)).parsed
