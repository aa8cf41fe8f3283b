from typing import Any

from ...client import Call, Operation, Parameter
from ...models.keyword_list_response import KeywordListResponse
from ...types import instantiate


def _parse(document: Any, mismatches: list[type]) -> KeywordListResponse:
    if type(document) is not dict:
        mismatches.append(KeywordListResponse)
    return instantiate(KeywordListResponse)._read(document if type(document) is dict else {}, mismatches)


OPERATION: Operation[KeywordListResponse] = Operation(
    name="get_keyword_list",
    method="GET",
    path="/moderation/keywords/{keyword_id}",
    success=((200, 200),),
    result=KeywordListResponse,
    parse=_parse,
    parameters=(Parameter("keywordId", "keyword_id", type="string"),),
    repeated=(("keyword_id", "/data/id"),),
)


def prepare(
    keyword_id: str,
) -> Call[KeywordListResponse]:
    """Get keyword list.

    Returns one moderation keyword list with its entries.

    Args:
        keyword_id: The keyword list's identifier.

    Returns:
        The call, to be sent by a client.
    """
    return Call(
        OPERATION,
        path_values={
            "keyword_id": keyword_id,
        },
    )
