"""Results, as the type checker of a caller sees them: through `py.typed` alone, where the package is installed."""

from typing import assert_type

from cometchat_desk.fleet import Fleet, Outcome
from cometchat_desk.lists.changes import AppliedChanges, apply_changes, apply_changes_async
from cometchat_rest import AsyncClient, Client, KeywordList, KeywordPlan, RateLimit, Role


def waited_for(chat: Client) -> None:
    """Results have their types."""
    assert_type(chat.keywords.get("profanity-list"), KeywordList)
    assert_type(chat.keywords.get("profanity-list").search_terms, list[str] | None)
    assert_type(chat.roles.list().data, list[Role])
    assert_type([role.name for role in chat.roles.iter()], list[str])
    assert_type(chat.auth_tokens.delete("alice", "token").success, bool)
    assert_type(chat.rate_limit, RateLimit)
    assert_type(chat.keywords.update("profanity-list", ["spam"]), KeywordList)
    plan = chat.keywords.plan_changes("profanity-list", add=["spam"], remove=(term for term in "ab"))
    assert_type(plan, KeywordPlan)
    assert_type(plan.already_present, tuple[str, ...])
    assert_type(KeywordPlan.from_dict(plan.to_dict()), KeywordPlan)
    assert_type(apply_changes(chat, plan), AppliedChanges)


def of_several_apps(fleet: Fleet) -> None:
    """Each app has its plan or its error."""
    assert_type(fleet.plan_changes("profanity-list", remove={"spam"}), dict[str, Outcome[KeywordPlan]])


async def awaited(chat: AsyncClient) -> None:
    """And the same ones from the other client."""
    assert_type(await chat.keywords.get("profanity-list"), KeywordList)
    assert_type((await chat.roles.list()).data, list[Role])
    assert_type([role.name async for role in chat.roles.iter()], list[str])
    assert_type((await chat.auth_tokens.delete("alice", "token")).success, bool)
    plan = await chat.keywords.plan_changes("profanity-list", add=["spam"])
    assert_type(plan, KeywordPlan)
    assert_type(await apply_changes_async(chat, plan), AppliedChanges)
    assert_type(await chat.keywords.update("profanity-list", ["spam"]), KeywordList)
