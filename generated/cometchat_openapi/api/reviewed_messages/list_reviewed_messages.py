from typing import Any

from ...client import Call, Operation, Parameter
from ...models.reviewed_message_list import ReviewedMessageList
from ...types import instantiate


def _parse(document: Any, mismatches: list[type]) -> ReviewedMessageList:
    if type(document) is not dict:
        mismatches.append(ReviewedMessageList)
    return instantiate(ReviewedMessageList)._read(document if type(document) is dict else {}, mismatches)


OPERATION: Operation[ReviewedMessageList] = Operation(
    name="list_reviewed_messages",
    method="GET",
    path="/moderation/reviewed-messages",
    success=((200, 200),),
    result=ReviewedMessageList,
    parse=_parse,
    parameters=(Parameter("limit", "limit", type="integer", minimum=1),),
)


def prepare(
    *,
    limit: int | None = None,
) -> Call[ReviewedMessageList]:
    """List reviewed messages.

    Returns messages that moderation has reviewed, with the rule that matched. It is not documented
    which messages the list contains, and in which order. One call returns at most `limit` records, and
    no next page is documented. If there are as many records as `meta.current.limit`, the service may
    have more.

    Args:
        limit: The largest number of records to return. Default and maximum are not documented.

    Returns:
        The call, to be sent by a client.
    """
    return Call(
        OPERATION,
        query={
            "limit": limit,
        },
    )
