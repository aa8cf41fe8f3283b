"""Counts and the rule that marks likely false positives."""

from collections.abc import Sequence
from typing import Any

import pytest

from cometchat_desk.insight.collected import Records, records_of
from cometchat_desk.insight.stats import By, Group, stats, wilson_lower_bound


def record(number: int, status: str | None, **fields: Any) -> dict[str, Any]:
    message = {
        "id": str(number),
        "sender": f"user-{number % 3}",
        "data": {"moderation": {"status": status}},
    }
    return {
        "ruleId": "r",
        "ruleName": "Rule",
        "createdAt": 86_400 * (number % 2),
        "message": message,
        **fields,
    }


def opened(rules: dict[str, Sequence[str | None]]) -> Records:
    listed = [
        record(number, status, ruleId=name, ruleName=name, action=["a", "b"] if number % 2 else [])
        for number, (name, status) in enumerate(
            (name, each) for name, statuses in rules.items() for each in statuses
        )
    ]
    return records_of(listed)


def test_rules() -> None:
    """A rule whose messages are nearly always approved is marked with the reason; other rules
    are not."""
    wrong = ["approved"] * 18 + ["disapproved"] * 2 + ["pending"] * 5
    right = ["disapproved"] * 30 + ["approved"] * 3
    records = opened({"wrong": wrong, "right": right, "open": ["pending", None]})
    found = stats(records, By.RULE)
    assert found == (
        Group(value="right", records=33, approved=3, disapproved=30),
        Group(value="wrong", records=25, approved=18, disapproved=2),
        Group(value="open", records=2),
    )
    reason = "moderators approved 18 of 20 decided messages; the share is at least 69% with 95% confidence"
    assert [group.reason for group in found] == [None, reason, None]
    assert found[1].approved_share == 0.9


def test_renamed_rule_is_one_group() -> None:
    """A rule that got another name is one group with its latest name; two rules with one name
    are two groups."""
    listed = [
        record(1, None, ruleName="Old", createdAt=1),
        record(2, None, ruleName="New", createdAt=2),
    ]
    records = records_of([*listed, record(3, None, ruleId="other", ruleName="New")])
    found = stats(records, By.RULE)
    assert [(each.value, each.records) for each in found] == [("New", 2), ("New", 1)]


def test_other_values() -> None:
    """Messages can be grouped by action, sender, category and day; each action of a message
    counts."""
    records = opened({"a": ["approved"] * 6})
    groups = {
        by: [(e.value, e.records) for e in stats(records, by)] for by in By if by is not By.ENTRY
    }
    assert groups[By.ACTION] == [("a", 3), ("b", 3), (None, 3)]
    assert groups[By.SENDER] == [("user-0", 2), ("user-1", 2), ("user-2", 2)]
    assert groups[By.CATEGORY] == [(None, 6)]
    assert groups[By.DAY] == [("1970-01-02", 3), ("1970-01-01", 3)]


@pytest.mark.parametrize(
    ("successes", "trials", "expected"),
    [(0, 0, 0.0), (0, 10, 0.0), (10, 10, 0.7225), (18, 20, 0.6990), (5, 10, 0.2366)],
)
def test_wilson_lower_bound(successes: int, trials: int, expected: float) -> None:
    """The lower bound has the values of published tables."""
    assert wilson_lower_bound(successes, trials) == pytest.approx(expected, abs=0.0001)


def test_few_decisions_are_not_enough() -> None:
    """Nine approvals of nine are not enough, and ten of ten are."""
    assert Group(value="rule", records=9, approved=9).reason is None
    assert Group(value="rule", records=10, approved=10).reason
