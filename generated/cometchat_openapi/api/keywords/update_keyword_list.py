from typing import Any

from ...client import Call, Operation, Parameter
from ...models.keyword_list_response import KeywordListResponse
from ...models.pattern_list_form import PatternListForm
from ...models.sentence_similarity_list_form import SentenceSimilarityListForm
from ...models.word_list_form import WordListForm
from ...types import instantiate


def _parse(document: Any, mismatches: list[type]) -> KeywordListResponse:
    if type(document) is not dict:
        mismatches.append(KeywordListResponse)
    return instantiate(KeywordListResponse)._read(document if type(document) is dict else {}, mismatches)


OPERATION: Operation[KeywordListResponse] = Operation(
    name="update_keyword_list",
    method="PUT",
    path="/moderation/keywords/{keyword_id}",
    success=((200, 200),),
    result=KeywordListResponse,
    parse=_parse,
    parameters=(Parameter("keywordId", "keyword_id", type="string"),),
    repeated=(("keyword_id", "/data/id"),),
)


def prepare(
    keyword_id: str,
    *,
    body: WordListForm | PatternListForm | SentenceSimilarityListForm,
) -> Call[KeywordListResponse]:
    """Update keyword list.

    Changes one moderation keyword list and returns the changed list. It is not documented whether
    omitted fields keep their values, and whether file or searchTerms is used if both are sent.

    Args:
        keyword_id: The keyword list's identifier.
        body: The new content of a keyword list. The category decides which fields are allowed:
            searchTerms for word and pattern, disallowedSentences for sentence-similarity.

    Returns:
        The call, to be sent by a client.
    """
    return Call(
        OPERATION,
        path_values={
            "keyword_id": keyword_id,
        },
        files=body.to_multipart(),
    )
