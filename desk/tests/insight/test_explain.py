"""`explain`: the record of a review, and the terms of the list that its rule names."""

from functools import partial
from typing import Any

import pytest

from cometchat_desk.insight.explain import Explanation, explain
from cometchat_desk.insight.reviewed import Reviewed
from cometchat_desk.journal import Journal
from cometchat_rest import Client
from cometchat_testing import Simulator


def explained(simulator: Simulator, number: int = 0) -> Explanation:
    with Client(base_url=simulator.base_url, api_key=simulator.api_key, max_retries=0) as chat:
        return explain(
            Reviewed.of(chat.reviewed_messages.list(limit=50).data[number].to_dict()),
            partial(Journal().read_list, chat),
        )


def of_rule(simulator: Simulator, rule: str) -> int:
    return next(
        number
        for number, each in enumerate(simulator.reviewed_messages)
        if each.get("ruleId") == f"rule-{rule}"
    )


def test_list_of_patterns(simulator: Simulator) -> None:
    """Patterns of the list are found as well."""
    record: Any = simulator.reviewed_messages[of_rule(simulator, "pattern")]
    record["message"]["data"]["text"] = "card 1234-1234-1234-1234"
    (listed,) = explained(simulator, of_rule(simulator, "pattern")).lists
    assert [(match.start, match.end) for match in listed.matches] == [(5, 24)]


@pytest.mark.parametrize(("later", "changed"), [(1, True), (0, False)])
def test_list_that_changed(simulator: Simulator, later: int, changed: bool) -> None:  # noqa: FBT001
    """A list that has changed since the review is marked."""
    number = of_rule(simulator, "word")
    shown: Any = simulator.keyword_lists["profanity-list"]
    record: Any = simulator.reviewed_messages[number]
    shown["updatedAt"] = record["createdAt"] + later
    assert explained(simulator, number).lists[0].changed_since is changed


def test_list_with_hidden_entries(simulator: Simulator) -> None:
    """A list whose entries the service does not show says so."""
    hidden: Any = simulator.keyword_lists["profanity-list"]
    del hidden["searchTerms"]
    (listed,) = explained(simulator, of_rule(simulator, "word")).lists
    assert listed.problem == "'profanity-list': the service does not show the entries of this list"


@pytest.mark.parametrize(
    "message", [Reviewed(), Reviewed(text="x", condition_message="The text contains words")]
)
def test_record_without_condition(message: Reviewed) -> None:
    """A record that does not show the condition of its rule says so."""
    found = explain(message, lambda _: pytest.fail("no list is named"))
    assert found.lists == ()
    assert found.problem == "the record does not show its condition"
