"""Additions and removals that are planned again if the list changes in between."""

from collections.abc import Callable
from typing import Any

import pytest

from cometchat_desk.lists.changes import MAX_ATTEMPTS, AppliedChanges, apply_changes
from cometchat_desk.lists.plan_changes import Changes
from cometchat_rest import Client, InvalidRequestError, KeywordPlan, KeywordUpdate, RevisionConflictError
from cometchat_rest.testing import Simulator

LIST = "profanity-list"
BEFORE = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ"]


def applied(chat: Client, changes: Changes, plan: KeywordPlan) -> AppliedChanges:
    return apply_changes(chat, changes, plan, lambda plan: chat.keywords.apply(plan, max_removed=1.0))


def replace(simulator: Simulator, revision: str, *terms: str) -> None:
    """Change the list as somebody else would."""
    simulator.keyword_lists[LIST] = {
        **simulator.keyword_lists[LIST],
        "searchTerms": list(terms),
        "revisionId": revision,
    }


def on_each_reading(simulator: Simulator, monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    receive = simulator.receive

    def meddle(request: Any) -> Any:
        if request.method == "GET":
            act()
        return receive(request)

    monkeypatch.setattr(simulator, "receive", meddle)


def test_list_without_another_change(chat: Client, simulator: Simulator) -> None:
    """If nobody else changes the list, the plan is applied as it is."""
    changes = Changes(add=["new"], remove=["spam"])
    plan = changes.plan(chat, LIST)
    done = applied(chat, changes, plan)
    assert (done.plan is plan, done.planned_again) == (True, 0)
    assert done.update is not None
    assert done.update.matches is True
    assert simulator.keyword_lists[LIST]["searchTerms"] == [*BEFORE[1:], "new"]


def test_list_that_changed(chat: Client, simulator: Simulator) -> None:
    """If the list has changed, only the requested changes are planned again, and the other change stays."""
    changes = Changes(add=["new", "scam"], remove=["spam", "gone"])
    plan = changes.plan(chat, LIST)
    replace(simulator, "theirs", "spam", "theirs", "gone")
    done = applied(chat, changes, plan)
    assert done.planned_again == 1
    assert (done.plan.added, done.plan.removed) == (("new", "scam"), ("spam", "gone"))
    assert simulator.keyword_lists[LIST]["searchTerms"] == ["theirs", "new", "scam"]


def test_somebody_else_made_the_change(chat: Client, simulator: Simulator) -> None:
    """If the list already is as requested, no update is sent."""
    changes = Changes(add=["new"])
    plan = changes.plan(chat, LIST)
    replace(simulator, "theirs", "new", "theirs")
    done = applied(chat, changes, plan)
    assert (done.update, done.planned_again, done.plan.has_changes) == (None, 1, False)
    assert "PUT" not in [request.method for request in simulator.requests]
    unchanged = applied(chat, changes, changes.plan(chat, LIST))
    assert (unchanged.update, unchanged.planned_again) == (None, 0)


def test_list_that_always_changes(chat: Client, simulator: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a limited number of attempts, the conflict is raised with advice, and no update was sent."""
    changes = Changes(add=["new"])
    plan = changes.plan(chat, LIST)
    on_each_reading(simulator, monkeypatch, lambda: replace(simulator, f"r_{len(simulator.requests)}", *BEFORE))
    with pytest.raises(RevisionConflictError) as caught:
        applied(chat, changes, plan)
    assert caught.value.__notes__ == ["The list changed 5 times in a row. No update was sent. Try again later."]
    assert caught.value.outcome_unknown is False
    methods = [request.method for request in simulator.requests]
    # The first plan, and then two readings for each attempt except the last one, which needs one.
    assert methods == ["GET"] * 2 * MAX_ATTEMPTS


def test_list_that_hides_its_entries_later(chat: Client, simulator: Simulator) -> None:
    """If the entries are hidden when the changes are planned again, nothing is sent."""
    changes = Changes(add=["new"])
    plan = changes.plan(chat, LIST)
    del simulator.keyword_lists[LIST]["searchTerms"]
    simulator.keyword_lists[LIST]["revisionId"] = "theirs"
    with pytest.raises(InvalidRequestError, match="does not show the entries"):
        applied(chat, changes, plan)
    assert "PUT" not in [request.method for request in simulator.requests]


def test_each_plan_is_sent(chat: Client, simulator: Simulator) -> None:
    """`send` gets each plan, for example to write it into a journal."""
    changes, sent = Changes(add=["new"]), []
    plan = changes.plan(chat, LIST)
    replace(simulator, "theirs", *BEFORE, "theirs")

    def send(plan: KeywordPlan) -> KeywordUpdate:
        sent.append(plan.revision_id)
        return chat.keywords.apply(plan)

    assert apply_changes(chat, changes, plan, send).planned_again == 1
    assert sent == [plan.revision_id, "theirs"]
