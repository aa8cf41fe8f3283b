from cometchat_runtime.operation import Call, Operation, Parameter

from ...models.keyword_list_response import KeywordListResponse

OPERATION: Operation[KeywordListResponse] = Operation(
    name="get_keyword_list",
    method="GET",
    path="/moderation/keywords/{keyword_id}",
    success=((200, 200),),
    result=KeywordListResponse,
    parameters=(Parameter("keywordId", "keyword_id", type="string"),),
    repeated=(("keyword_id", "/data/id"),),
)


def prepare(keyword_id: str) -> Call[KeywordListResponse]:
    """Get keyword list.

    Make the call, with the arguments of the method `get`.
    """
    return Call(
        OPERATION,
        path_values={"keyword_id": keyword_id},
    )
