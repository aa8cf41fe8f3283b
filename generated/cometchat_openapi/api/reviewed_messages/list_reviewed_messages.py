from cometchat_runtime.operation import Call, Operation, Parameter

from ...models.reviewed_message_list import ReviewedMessageList

OPERATION: Operation[ReviewedMessageList] = Operation(
    name="list_reviewed_messages",
    method="GET",
    path="/moderation/reviewed-messages",
    success=((200, 200),),
    result=ReviewedMessageList,
    parameters=(Parameter("limit", "limit", type="integer", minimum=1),),
)


def prepare(*, limit: int | None = None) -> Call[ReviewedMessageList]:
    """List reviewed messages.

    Make the call, with the arguments of the method `list`.
    """
    return Call(
        OPERATION,
        query={"limit": limit},
    )
