"""Results, as the type checker of a caller sees them: through `py.typed` alone, where the
package is installed."""

from typing import assert_type

from cometchat_rest import (
    AsyncClient,
    Client,
    KeywordList,
    KeywordPlan,
    RateLimit,
    Revocation,
    Role,
    Secret,
)


def waited_for(chat: Client) -> None:
    """Results have their types."""
    assert_type(chat.keywords.get("profanity-list"), KeywordList)
    assert_type(chat.keywords.get("profanity-list").id, str)
    assert_type(chat.keywords.get("profanity-list").revision_id, str | None)
    assert_type(chat.roles.list().data, list[Role])
    assert_type(chat.roles.list().data[0].description, str | None)
    assert_type(list(chat.roles.list()), list[Role])
    assert_type(chat.auth_tokens.delete("alice", "token").success, bool)
    assert_type(chat.auth_tokens.revoke("alice", Secret("token")), Revocation)
    assert_type(chat.rate_limit, RateLimit)
    assert_type(chat.keywords.update("profanity-list", ["spam"]), KeywordList)
    assert_type(chat.keywords.plan("profanity-list", ["spam"]), KeywordPlan)


def records(chat: Client) -> None:
    """The sender of a message is a user; the receiver is a user or a group."""
    record = chat.reviewed_messages.list().data[0]
    entities = record.message.data.entities
    assert_type(entities.sender.entity.uid, str)
    assert_type(entities.receiver.entity.name, str)
    assert_type(entities.receiver.entity.uid, str | None)
    assert_type(entities.receiver.entity.guid, str | None)
    assert_type(record.condition.message, str | list[str] | None)


async def awaited(chat: AsyncClient) -> None:
    """And the same ones from the other client."""
    assert_type(await chat.keywords.get("profanity-list"), KeywordList)
    assert_type((await chat.roles.list()).data, list[Role])
    assert_type([role async for role in chat.roles.list()], list[Role])
    assert_type((await chat.auth_tokens.delete("alice", "token")).success, bool)
    assert_type(await chat.auth_tokens.revoke("alice", Secret("token")), Revocation)
    assert_type((await chat.request("GET", "/roles")).parsed, object)
    assert_type(await chat.keywords.plan("profanity-list", ["spam"]), KeywordPlan)
    assert_type(await chat.keywords.update("profanity-list", ["spam"]), KeywordList)
