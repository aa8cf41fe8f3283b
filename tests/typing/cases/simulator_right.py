"""The state of the simulator, as a test assigns and indexes it."""

# No field of a record is required. In a test, a missing field is a failure.
# pyright: reportTypedDictNotRequiredAccess=false

from datetime import UTC, datetime
from typing import assert_type

from cometchat_testing import Simulator
from cometchat_testing.records import KeywordListRecord, ReviewedMessageRecord, RoleRecord


def records_are_assigned(simulator: Simulator) -> None:
    """A test sets whole attributes, records and fields."""
    simulator.keyword_lists = {
        "profanity-list": {"id": "profanity-list", "category": "word", "searchTerms": ["spam"]}
    }
    simulator.keyword_lists["profanity-list"]["active"] = False
    simulator.reviewed_messages = [
        {"ruleId": "rule", "message": {"id": "1", "data": {"text": "hello"}}}
    ]
    simulator.reviewed_messages[0]["blockedAt"] = "1757955951.000000000390079"
    simulator.roles = [{"role": "guest", "name": "Guest", "metadata": {"colour": "grey"}}]
    simulator.roles.append({"role": "editor"})
    del simulator.roles[1:]
    simulator.users["zoe"] = {"uid": "zoe", "name": "Zoe"}
    simulator.auth_tokens["zoe"] = ["zoe_1"]
    simulator.damage.clear()
    simulator.now = datetime(2026, 7, 1, tzinfo=UTC)
    simulator.advance(60)


def records_are_read(simulator: Simulator) -> None:
    """A test compares records and fields."""
    assert_type(simulator.keyword_lists["profanity-list"], KeywordListRecord)
    assert_type(simulator.keyword_lists["profanity-list"]["searchTerms"], list[str])
    assert_type(simulator.reviewed_messages[0], ReviewedMessageRecord)
    assert_type(simulator.reviewed_messages[0]["message"]["data"]["text"], str)
    assert_type(simulator.roles[0], RoleRecord)
    assert_type(simulator.roles[0].get("name"), str | None)
    assert_type(simulator.users["alice"]["name"], str)
    assert_type(simulator.auth_tokens["alice"], list[str])
    assert_type(simulator.damage, list[tuple[str, str]])
    assert_type(simulator.requests[0].operation, str | None)
