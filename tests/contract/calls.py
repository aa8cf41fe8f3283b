"""The call of each operation through its resource; the identifiers of its path are arguments."""

from collections.abc import Callable
from typing import Any

from cometchat_rest import WordListInput

from ..described_calls import described_calls

WORDS = WordListInput(search_terms=["spam"])

CALLS: dict[str, Callable[..., Any]] = {
    **{name: call.act for name, call in described_calls().items()},
    "get_keyword_list": lambda chat, keyword_id="profanity-list": chat.keywords.get(keyword_id),
    "update_keyword_list": lambda chat, keyword_id="profanity-list": chat.keywords.update(
        keyword_id, WORDS
    ),
    "list_reviewed_messages": lambda chat: chat.reviewed_messages.list(limit=3),
    "list_roles": lambda chat: chat.roles.list(page=2),
    "delete_auth_token": lambda chat, uid="alice", token="token": chat.auth_tokens.delete(
        uid, token
    ),
}
