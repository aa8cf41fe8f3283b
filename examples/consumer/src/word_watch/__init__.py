"""Updates the banned words of an app, and logs out users."""

from collections.abc import Iterable

from cometchat_rest import AsyncClient, Client, NotFoundError


def ban(chat: Client, keyword_id: str, words: Iterable[str]) -> frozenset[str]:
    """Add words to a list, and return the new words."""
    present = chat.keywords.get(keyword_id).search_terms or []
    new = [word for word in dict.fromkeys(words) if word not in present]
    if new:
        chat.keywords.apply(chat.keywords.plan(keyword_id, [*present, *new]))
    return frozenset(new)


async def log_out(chat: AsyncClient, uid: str, tokens: Iterable[str]) -> int:
    """Delete auth tokens of a user, and return the number of deleted tokens."""
    deleted = 0
    for token in tokens:
        try:
            await chat.auth_tokens.delete(uid, token)
        except NotFoundError:
            continue
        deleted += 1
    return deleted
