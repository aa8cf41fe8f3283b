"""How the journal restores a list."""

import pytest

from cometchat_rest import InvalidRequestError, KeywordList, keyword_input
from cometchat_testing import Simulator

from .conftest import LIST, LISTS, TERMS, Desk, in_lower_case, lose_update, replace


@pytest.mark.parametrize("keyword_id", [each for each in LISTS if each != "imported-phrases"])
def test_undo_restores_the_list(desk: Desk, simulator: Simulator, keyword_id: str) -> None:
    """After an undo, the list is equal to the list before the update, except for its revision
    and its time."""
    before = simulator.keyword_lists[keyword_id]
    new = keyword_input.from_terms(
        "word", ["one", "two, three"], name="New name", description="New description"
    )
    desk.apply(desk.plan(new, keyword_id))
    assert simulator.keyword_lists[keyword_id]["name"] == "New name"
    plan = desk.plan_undo(keyword_id)
    assert plan.category == "word"
    desk.apply(plan)
    after = simulator.keyword_lists[keyword_id]
    # A description that was never set cannot be removed.
    kept = {"id", "category", "name", *(["description"] if before.get("description") else [])}
    assert {name: after.get(name) for name in kept} == {name: before.get(name) for name in kept}
    again = desk.plan_restore(0, keyword_id)
    assert (again.added, again.changed_fields) == (again.changed_quotes, ())
    # An update can send the commas of these patterns only in a file, which the list then shows.
    if keyword_id != "scam-patterns":
        assert after["isCSV"] == before["isCSV"]
    old, new_list = (KeywordList.from_dict(dict(record)) for record in (before, after))
    assert keyword_input.list_entries(new_list, quotes="csv") == keyword_input.list_entries(old)


def test_undo_to_a_number(desk: Desk, simulator: Simulator) -> None:
    """A number restores the list as it was after that update, and 0 the list before the first
    one; a list without such an update is an error."""
    original = desk.plan(TERMS).current
    for terms in (["a", "b"], ["c", "d"], ["e", "f"]):
        desk.change(*terms)
    assert desk.plan_restore(2).entries == ("c", "d")
    assert desk.plan_restore(0).entries == original
    assert desk.plan_undo().entries == ("c", "d")
    assert desk.plan_restore(3).has_changes is False
    simulator.fail("update_keyword_list", status=400)
    desk.change("g")
    assert desk.plan_undo().entries == ("c", "d")
    for number, text in (
        (4, "update 4 was not carried out; name another"),
        (99, "has no update 99 of profanity-list; see"),
        (-1, "has no update -1"),
    ):
        with pytest.raises(InvalidRequestError, match=text):
            desk.plan_restore(number)


def test_undo_keeps_what_others_did(desk: Desk, simulator: Simulator) -> None:
    """An undo takes back one update only: what others added or removed since stays as it is."""
    original = simulator.keyword_lists[LIST]["searchTerms"]
    desk.change(*original[1:], "mine", "mine too")
    replace(simulator, *original[2:], "mine", "theirs")
    plan = desk.plan_undo()
    assert (plan.added, plan.removed) == ((original[0],), ("mine",))
    assert plan.entries == (original[0], *original[2:], "theirs")


def test_undo_of_an_update_in_lower_case(desk: Desk, simulator: Simulator) -> None:
    """If the service stores entries in lower case, an undo finds those of the update, and adds
    what the update changed."""
    replace(simulator, "Spam", "scam", "hers")
    with in_lower_case(desk, simulator):
        desk.change("Spam", "hers", "Phishing")
    assert simulator.keyword_lists[LIST]["searchTerms"] == ["spam", "hers", "phishing"]
    replace(simulator, "spam", "hers", "phishing", "theirs")
    plan = desk.plan_undo()
    assert plan.entries == ("Spam", "scam", "hers", "theirs")


def test_undo_of_an_earlier_update(desk: Desk) -> None:
    """A number undoes this update alone, and keeps what came later; an unknown one is an error."""
    before = list(desk.plan(TERMS).current or ())
    desk.change(*before, "one")
    desk.change(*before, "one", "two")
    assert list(desk.plan_undo(number=1).entries) == [*before, "two"]
    assert list(desk.plan_undo(number=2).entries) == [*before, "one"]
    with pytest.raises(InvalidRequestError, match="no update 3 of profanity-list to undo"):
        desk.plan_undo(number=3)


def test_changes_of_others(desk: Desk, simulator: Simulator) -> None:
    """A restored content names the entries that somebody else has added or removed since."""
    before = simulator.keyword_lists[LIST]["searchTerms"]
    desk.change(*before, "mine")
    replace(simulator, *before[1:], "mine", "theirs")
    plan = desk.plan_restore(0)
    assert (plan.added, set(plan.removed)) == ((before[0],), {"mine", "theirs"})
    others = desk.journal.changes_of_others(plan, desk.chat.base_url, 0)
    assert others == {before[0], "theirs"}


def test_own_changes_in_lower_case(desk: Desk, simulator: Simulator) -> None:
    """If the service stores entries in lower case, a restored content names no own entry."""
    replace(simulator, "Ham", "scam")
    with in_lower_case(desk, simulator):
        desk.change("Ham", "scam", "Spam")
    replace(simulator, "ham", "scam", "spam", "theirs")
    plan = desk.plan_restore(0)
    assert (plan.added, set(plan.removed)) == (("Ham",), {"ham", "spam", "theirs"})
    assert desk.journal.changes_of_others(plan, desk.chat.base_url, 0) == {"theirs"}


def test_undo_of_an_unknown_update(desk: Desk, simulator: Simulator) -> None:
    """An undo undoes an update whose outcome is unknown, if the list shows it."""
    original = simulator.keyword_lists[LIST]["searchTerms"]
    lose_update(simulator)
    desk.change(*TERMS)
    replace(simulator, *TERMS)
    assert list(desk.plan_undo().entries) == original
    with pytest.raises(InvalidRequestError, match="nobody knows whether update 1 was carried out"):
        desk.plan_restore(1)


def test_undo_of_an_update_that_is_not_visible(desk: Desk, simulator: Simulator) -> None:
    """If the last update is not visible in the list, undoing it changes nothing, and no older
    update is undone."""
    desk.change(*TERMS)
    lose_update(simulator)
    desk.change("spam")
    assert desk.plan_undo().has_changes is False


def test_content_that_cannot_be_restored(desk: Desk, simulator: Simulator) -> None:
    """Hidden entries, an empty list, and a list without updates each give an error that says so."""
    with pytest.raises(
        InvalidRequestError, match="no update of the list profanity-list in this app"
    ):
        desk.plan_undo()
    simulator.keyword_lists[LIST] = {**simulator.keyword_lists[LIST], "searchTerms": []}
    desk.change(*TERMS)
    with pytest.raises(
        InvalidRequestError, match="before update 1 cannot be restored: the list was empty"
    ):
        desk.plan_undo()
    record = simulator.keyword_lists[LIST].copy()
    del record["searchTerms"]
    simulator.keyword_lists[LIST] = record
    desk.change("spam")
    with pytest.raises(
        InvalidRequestError, match="before update 2 cannot be restored: the service did not show"
    ):
        desk.plan_undo()
    assert (desk.last().added_entries, desk.last().removed_entries) == (None, None)
    replace(simulator, "spam", "theirs")
    desk.change("spam", "theirs", "mine")
    del simulator.keyword_lists[LIST]["searchTerms"]
    with pytest.raises(InvalidRequestError, match="undo --to restores the whole list"):
        desk.plan_undo()
