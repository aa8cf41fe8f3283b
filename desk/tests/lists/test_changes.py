"""Additions and removals that are planned again if the list changes in between."""

import pytest

from cometchat_desk.lists.changes import AppliedChanges, apply_changes
from cometchat_desk.lists.plan_changes import Changes
from cometchat_rest import Client, InvalidRequestError, KeywordPlan, KeywordUpdate
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


def test_list_that_changed(chat: Client, simulator: Simulator) -> None:
    """If the list has changed, only the requested changes are planned again, and the other change stays."""
    changes = Changes(add=["new", "scam"], remove=["spam", "gone"])
    plan = changes.plan(chat, LIST)
    replace(simulator, "theirs", "spam", "theirs", "gone")
    done = applied(chat, changes, plan)
    assert done.planned_again == 1
    assert (done.plan.added, done.plan.removed) == (("new", "scam"), ("spam", "gone"))
    assert simulator.keyword_lists[LIST]["searchTerms"] == ["theirs", "new", "scam"]


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
