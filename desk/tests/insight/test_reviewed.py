"""The values of a reviewed message as one flat, typed object."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cometchat_desk.insight.reviewed import Reviewed
from cometchat_rest import ReviewedMessage

MOMENT = datetime(2025, 9, 15, 17, 5, 51, tzinfo=UTC)

RECORD: dict[str, Any] = {
    "ruleId": "rule-word",
    "ruleName": "Block word",
    "revisionId": "7",
    "createdAt": 1_757_955_951,
    "updatedAt": 1_757_955_952,
    "blockedAt": "1757955951.000000000390079",
    "action": ["blockMessage", "flagMessage"],
    "appId": "app",
    "condition": {
        "category": "word",
        "message": "contains a word of the list",
        "operand": "text",
        "operator": "contains",
        "value": ["profanity-list", "other, list"],
        "isKeywordsReferencePresent": True,
    },
    "message": {
        "id": "390079",
        "sender": "alice",
        "receiver": "bob",
        "receiverType": "user",
        "conversationId": "alice_user_bob",
        "type": "text",
        "sentAt": 1_757_955_950,
        "data": {
            "text": "free coins",
            "entities": {
                "sender": {"entity": {"name": "Alice A."}},
                "receiver": {"entity": {"name": "Bob B."}},
            },
            "moderation": {"status": "disapproved"},
        },
    },
}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)


@pytest.mark.parametrize(
    "record", [RECORD, ReviewedMessage.from_dict(RECORD).to_dict()], ids=["JSON object", "model"]
)
def test_all_values(record: Any) -> None:
    """Each value of a record is one attribute; lists keep their items."""
    assert Reviewed.of(record) == Reviewed(
        message_id="390079",
        rule_id="rule-word",
        revision_id="7",
        rule_name="Block word",
        created_at=1_757_955_951,
        updated_at=1_757_955_952,
        sent_at=1_757_955_950,
        blocked_at="1757955951.000000000390079",
        action=("blockMessage", "flagMessage"),
        status="disapproved",
        condition_category="word",
        condition_message="contains a word of the list",
        condition_operand="text",
        condition_operator="contains",
        condition_value=("profanity-list", "other, list"),
        lists=("profanity-list", "other, list"),
        sender="alice",
        sender_name="Alice A.",
        receiver_type="user",
        receiver="bob",
        receiver_name="Bob B.",
        conversation_id="alice_user_bob",
        message_type="text",
        text="free coins",
        app_id="app",
    )


@pytest.mark.parametrize(
    ("flags", "lists"),
    [
        ({"isListReferencePresent": True}, ("profanity-list",)),
        ({"isListReferencePresent": False}, ()),
        ({}, ()),
    ],
)
def test_lists_under_both_names_of_the_flag(flags: dict[str, bool], lists: tuple[str, ...]) -> None:
    """A condition names keyword lists if one of the two flags of the service says so."""
    assert Reviewed.of({"condition": {"value": ["profanity-list"], **flags}}).lists == lists


def test_times() -> None:
    """Each time is a datetime in UTC as well, also the one in a block marker."""
    found = Reviewed.of(RECORD)
    assert (found.created_utc, found.blocked_utc) == (MOMENT, MOMENT)
    assert (found.updated_utc, found.sent_utc) == (
        MOMENT.replace(second=52),
        MOMENT.replace(second=50),
    )


@pytest.mark.parametrize(
    "marker",
    [
        "1757955951",
        "1757955951.",
        ".1",
        "1.1.1",
        "-1.1",
        "1.x",
        " 1.1",
        "\u0661.\u0661",
        f"{10**19}.1",
        "9" * 5000 + ".1",
        None,
        [],
    ],
    ids=lambda marker: repr(marker)[:20],
)
def test_invalid_block_marker(marker: Any) -> None:
    """A block marker that is not a time, a dot and digits has no time."""
    assert Reviewed.of({"blockedAt": marker, "message": {"id": "390079"}}).blocked_utc is None


def test_missing_values() -> None:
    """A record without any field gives None for each value, and no actions, values and lists."""
    assert Reviewed.of({}) == Reviewed()
    assert Reviewed.of({"message": {"data": None}, "condition": {"value": ["x"]}}).lists == ()


def test_unexpected_values() -> None:
    """A value that is not a text becomes JSON text; a time that is not a number is None."""
    found = Reviewed.of(
        {
            "ruleName": 7,
            "createdAt": "yesterday",
            "action": "blockMessage",
            "condition": {"message": ["a", "ä"]},
        }
    )
    assert (found.rule_name, found.created_utc, found.action, found.condition_message) == (
        "7",
        None,
        ("blockMessage",),
        "a, ä",
    )


@pytest.mark.parametrize(
    "path", ["message", "message.data", "message.data.text", "createdAt", "action", "condition"]
)
@given(value=json_values)
def test_no_value_raises(path: str, value: Any) -> None:
    """No value of a field raises an error."""
    *parents, name = path.split(".")
    raw: dict[str, Any] = {name: value}
    for parent in reversed(parents):
        raw = {parent: raw}
    Reviewed.of(raw)
    Reviewed.of(ReviewedMessage.from_dict(raw).to_dict())
