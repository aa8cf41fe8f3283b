"""Keeps the banned words of an app up to date, and logs out who uses them."""

from collections.abc import Iterable

from cometchat_rest import AsyncClient, Client, NotFoundError


def ban(chat: Client, list_id: str, words: Iterable[str]) -> frozenset[str]:
    """Put words on a list, and return those that are new there."""
    present = chat.keywords.get(list_id).search_terms or []
    new = [word for word in dict.fromkeys(words) if word not in present]
    if new:
        chat.keywords.apply(chat.keywords.plan(list_id, [*present, *new]))
    return frozenset(new)


async def log_out(chat: AsyncClient, uid: str, tokens: Iterable[str]) -> int:
    """Delete tokens of a user, and return how many of them were still good."""
    deleted = 0
    for token in tokens:
        try:
            await chat.auth_tokens.delete(uid, token)
        except NotFoundError:
            continue
        deleted += 1
    return deleted
