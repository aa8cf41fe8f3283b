"""Additions and removals that are planned again if the list changes in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from cometchat_desk.lists.changes import MAX_ATTEMPTS, AppliedChanges, apply_changes, apply_changes_async
from cometchat_rest import InvalidRequestError, KeywordPlan, RevisionConflictError
from cometchat_rest.testing import Simulator

if TYPE_CHECKING:
    from conftest import AnyClient

LIST = "profanity-list"
BEFORE = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ"]


def planned(any_client: AnyClient, **changes: Any) -> Any:
    return any_client.call(lambda chat: chat.keywords.plan_changes(LIST, **changes))


def applied(any_client: AnyClient, plan: Any, **options: Any) -> AppliedChanges:
    run: Any = apply_changes if any_client.kind == "sync" else apply_changes_async
    result: AppliedChanges = any_client.call(lambda chat: run(chat, plan, **options))
    return result


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


def test_list_without_another_change(any_client: AnyClient, simulator: Simulator) -> None:
    """If nobody else changes the list, the plan is applied as it is."""
    plan = planned(any_client, add=["new"], remove=["spam"])
    done = applied(any_client, plan)
    assert (done.plan is plan, done.planned_again) == (True, 0)
    assert done.update is not None
    assert done.update.matches is True
    assert simulator.keyword_lists[LIST]["searchTerms"] == [*BEFORE[1:], "new"]


def test_list_that_changed(any_client: AnyClient, simulator: Simulator) -> None:
    """If the list has changed, only the requested changes are planned again, and the other change stays."""
    plan = planned(any_client, add=["new", "scam"], remove=["spam", "gone"])
    replace(simulator, "theirs", "spam", "theirs", "gone")
    done = applied(any_client, plan)
    assert done.planned_again == 1
    assert (done.plan.added, done.plan.removed) == (("new", "scam"), ("spam", "gone"))
    assert simulator.keyword_lists[LIST]["searchTerms"] == ["theirs", "new", "scam"]


def test_somebody_else_made_the_change(any_client: AnyClient, simulator: Simulator) -> None:
    """If the list already is as requested, no update is sent."""
    plan = planned(any_client, add=["new"])
    replace(simulator, "theirs", "new", "theirs")
    done = applied(any_client, plan)
    assert (done.update, done.planned_again, done.plan.already_present) == (None, 1, ("new",))
    assert "PUT" not in [request.method for request in simulator.requests]
    unchanged = applied(any_client, planned(any_client, add=["new"]))
    assert (unchanged.update, unchanged.planned_again) == (None, 0)


def test_list_that_always_changes(any_client: AnyClient, simulator: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a limited number of attempts, the conflict is raised with advice, and no update was sent."""
    plan = planned(any_client, add=["new"])
    on_each_reading(simulator, monkeypatch, lambda: replace(simulator, f"r_{len(simulator.requests)}", *BEFORE))
    with pytest.raises(RevisionConflictError) as caught:
        applied(any_client, plan)
    assert caught.value.__notes__ == ["The list changed 5 times in a row. No update was sent. Try again later."]
    assert caught.value.outcome_unknown is False
    methods = [request.method for request in simulator.requests]
    # The first plan, and then two readings for each attempt except the last one, which needs one.
    assert methods == ["GET"] * 2 * MAX_ATTEMPTS


def test_list_that_hides_its_entries_later(any_client: AnyClient, simulator: Simulator) -> None:
    """If the entries are hidden when the changes are planned again, nothing is sent."""
    plan = planned(any_client, add=["new"])
    del simulator.keyword_lists[LIST]["searchTerms"]
    simulator.keyword_lists[LIST]["revisionId"] = "theirs"
    with pytest.raises(InvalidRequestError, match="does not show the entries"):
        applied(any_client, plan)
    assert "PUT" not in [request.method for request in simulator.requests]


def test_stored_plan(any_client: AnyClient, simulator: Simulator) -> None:
    """A stored plan can be planned again as well."""
    plan = KeywordPlan.from_dict(planned(any_client, add=["new"], remove=["spam"]).to_dict())
    replace(simulator, "theirs", *BEFORE, "theirs")
    assert applied(any_client, plan).planned_again == 1
    assert simulator.keyword_lists[LIST]["searchTerms"] == [*BEFORE[1:], "theirs", "new"]


def test_another_way_to_send(any_client: AnyClient, simulator: Simulator) -> None:
    """`send` gets each plan in place of `keywords.apply`."""
    seen = []
    plan = planned(any_client, add=["new"])
    replace(simulator, "theirs", *BEFORE, "theirs")

    def send(plan: KeywordPlan, chat: Any) -> Any:
        seen.append(plan.revision_id)
        return chat.keywords.apply(plan)

    run: Any = apply_changes if any_client.kind == "sync" else apply_changes_async
    done = any_client.call(lambda chat: run(chat, plan, send=lambda plan: send(plan, chat)))
    assert done.update.matches is True
    assert seen == [plan.revision_id, "theirs"]


def test_only_additions_and_removals(any_client: AnyClient, simulator: Simulator) -> None:
    """A plan of a complete list is refused: made again, it could remove the entries of others."""
    complete = any_client.call(lambda chat: chat.keywords.plan(LIST, [*BEFORE, "new"]))
    before = len(simulator.requests)
    for plan in (complete, None, "plan"):
        with pytest.raises(InvalidRequestError, match="only additions and removals are repeated"):
            applied(any_client, plan)
    assert len(simulator.requests) == before
