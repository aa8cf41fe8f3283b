"""Additions and removals through both clients, over real HTTP: the plan, the update, and several apps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cometchat_desk.fleet import AsyncFleet, Fleet
from cometchat_rest import InvalidRequestError, NotFoundError, PatternListInput, RevisionConflictError
from cometchat_rest.testing import Simulator

from ..support import LIST_ID, form_of

if TYPE_CHECKING:
    from ..conftest import AnyClient

BEFORE = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ"]


def planned(any_client: AnyClient, list_id: str = LIST_ID, client: Any = None, **changes: Any) -> Any:
    return any_client.call(lambda chat: chat.keywords.plan_changes(list_id, **changes), client)


def applied(any_client: AnyClient, plan: Any, client: Any = None, **options: Any) -> Any:
    return any_client.call(lambda chat: chat.keywords.apply(plan, **options), client)


def terms(simulator: Simulator, list_id: str = LIST_ID) -> object:
    return simulator.keyword_lists[list_id]["searchTerms"]


def test_add_and_remove(any_client: AnyClient, simulator: Simulator) -> None:
    """The other entries keep their order, new entries are appended in their order, and only one GET is sent to plan."""
    plan = planned(any_client, add=["phishing", "Abzocke"], remove=["free coins", "spam"])
    assert [request.method for request in simulator.requests] == ["GET"]
    assert (plan.added, plan.removed) == (("phishing", "Abzocke"), ("spam", "free coins"))
    assert (plan.already_present, plan.not_present, plan.from_changes) == ((), (), True)
    assert applied(any_client, plan).matches is True
    assert terms(simulator) == ["scam", "Schimpfwort", "malparido", "バカ", "phishing", "Abzocke"]


def test_only_the_content_is_sent(any_client: AnyClient, simulator: Simulator) -> None:
    """The update sends the category and the entries, and no other field."""
    applied(any_client, planned(any_client, add=iter(["phishing"])))
    update = next(request for request in simulator.requests if request.method == "PUT")
    assert {part.name: part.content.decode() for part in form_of(update)} == {
        "category": "word",
        "searchTerms": ",".join([*BEFORE, "phishing"]),
    }


def test_entries_that_need_no_change(any_client: AnyClient) -> None:
    """An entry that is already there, or not there, is no error: the plan records it and shows it as a warning."""
    plan = planned(any_client, add=["spam", "new", "new"], remove=["gone", "scam"])
    assert (plan.already_present, plan.not_present) == (("spam",), ("gone",))
    assert (plan.added, plan.removed) == (("new",), ("scam",))
    lines = str(plan).splitlines()
    assert lines[lines.index("! 1 entry to add is already in the list:") + 1] == "!   spam"
    assert lines[lines.index("! 1 entry to remove is not in the list:") + 1] == "!   gone"


def test_another_spelling_is_named(any_client: AnyClient) -> None:
    """If an entry to remove is in the list with other case, spaces or normal form, the plan shows that spelling."""
    plan = planned(any_client, add=["Caf\u00e9 "], remove=["SPAM", "freecoins", "gone"])
    assert str(plan).splitlines()[-4:] == [
        "! 3 entries to remove are not in the list:",
        "!   SPAM  (the list has spam)",
        "!   freecoins  (the list has free coins)",
        "!   gone",
    ]
    applied(any_client, plan)
    plan = planned(any_client, remove=["cafe\u0301"])
    assert str(plan).endswith("cafe\u0301  (the list has 'Caf\u00e9 ')")
    assert plan.has_changes is False


def test_nothing_to_change(any_client: AnyClient) -> None:
    """If the list already is as requested, the plan has no changes."""
    plan = planned(any_client, add=["spam"], remove=["gone"])
    assert plan.has_changes is False
    assert plan.entries == tuple(BEFORE)


def test_removing_named_entries_has_no_limit(any_client: AnyClient, simulator: Simulator) -> None:
    """`max_removed` does not apply, because the caller named each removed entry."""
    plan = planned(any_client, remove=BEFORE[1:])
    assert plan.share_removed == 5 / 6
    plan.check_removed(0)
    assert applied(any_client, plan, max_removed=0).matches is True
    assert terms(simulator) == ["spam"]


def test_quotes_of_a_list_from_csv(any_client: AnyClient, simulator: Simulator) -> None:
    """In a list from CSV, an entry can be named with the quotes that the list shows, or without them."""
    simulator.keyword_lists["imported-phrases"]["searchTerms"] = ['"a, b"', '"c"', '"d"', "e"]
    plan = planned(any_client, "imported-phrases", add=['"d"', '"new"'], remove=["a, b", '"c"'])
    assert (plan.removed, plan.added, plan.already_present) == (("a, b", "c"), ('"new"',), ("d",))
    assert plan.entries == ("d", "e", '"new"')


def test_existing_duplicates_stay(any_client: AnyClient, simulator: Simulator) -> None:
    """A duplicate in the list stays, unless its entry is removed: then all its occurrences go."""
    simulator.keyword_lists[LIST_ID]["searchTerms"] = ["a", "b", "a", "c", "c"]
    assert planned(any_client, add=["d"], remove=["c"]).entries == ("a", "b", "a", "d")


def test_entry_with_a_comma(any_client: AnyClient, simulator: Simulator) -> None:
    """If an entry holds a comma, all entries are sent as a file, and arrive complete."""
    plan = planned(any_client, "scam-patterns", add=["x{1,3}"])
    assert isinstance(plan.new, PatternListInput)
    assert plan.sent_as == "file"
    assert applied(any_client, plan).matches is True
    assert '"x{1,3}"' in str(terms(simulator, "scam-patterns"))


def test_sentences(any_client: AnyClient, simulator: Simulator) -> None:
    """Sentences are added and removed like terms."""
    before: Any = simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
    plan = planned(any_client, "threat-sentences", add=["Send money, now."], remove=before[:1])
    assert applied(any_client, plan).matches is True
    assert simulator.keyword_lists["threat-sentences"]["disallowedSentences"] == [*before[1:], "Send money, now."]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({}, "both empty"),
        ({"add": [], "remove": ()}, "both empty"),
        ({"add": "spam"}, "add must be an iterable of str, not one str: put it in a list"),
        ({"remove": "spam"}, "remove must be an iterable of str, not one str"),
        ({"add": ["new", " "]}, r"add\[1\] is blank"),
        ({"add": [1]}, "must be a string"),
        ({"add": ["a\ud800"]}, "lone surrogate"),
        ({"add": ["new"], "remove": ["new"]}, "new cannot be added and removed"),
    ],
    ids=str,
)
def test_invalid_changes(any_client: AnyClient, simulator: Simulator, changes: Any, fault: str) -> None:
    """Invalid additions and removals are refused before anything is sent."""
    with pytest.raises(InvalidRequestError, match=fault):
        planned(any_client, **changes)
    assert simulator.requests == []


def test_same_entry_with_and_without_quotes(any_client: AnyClient, simulator: Simulator) -> None:
    """An entry that is added without its CSV quotes and removed with them is refused."""
    simulator.keyword_lists["imported-phrases"]["searchTerms"] = ['"c"', "d"]
    with pytest.raises(InvalidRequestError, match="c cannot be added and removed"):
        planned(any_client, "imported-phrases", add=["c"], remove=['"c"'])


def test_no_entry_would_be_left(any_client: AnyClient, simulator: Simulator) -> None:
    """A removal of all entries is refused, because an empty list cannot be sent."""
    with pytest.raises(InvalidRequestError, match="no entry would be left of 6 entries"):
        planned(any_client, remove=BEFORE)
    simulator.keyword_lists[LIST_ID]["searchTerms"] = []
    with pytest.raises(InvalidRequestError, match="no entry would be left of 0 entries"):
        planned(any_client, remove=["spam"])
    assert planned(any_client, add=["first"]).entries == ("first",)


def test_hidden_entries(any_client: AnyClient, simulator: Simulator) -> None:
    """If the service does not show the entries, additions are refused: they would replace all entries."""
    del simulator.keyword_lists[LIST_ID]["searchTerms"]
    with pytest.raises(InvalidRequestError, match="the service does not show the entries"):
        planned(any_client, add=["new"])


def test_missing_list(any_client: AnyClient) -> None:
    """Changes of a list that does not exist are a NotFoundError."""
    with pytest.raises(NotFoundError):
        planned(any_client, "nope", add=["new"])


def test_list_that_changed_since_the_plan(any_client: AnyClient, simulator: Simulator) -> None:
    """A list that somebody changed since the plan is not updated; the same plan made again keeps that change."""
    plan = planned(any_client, add=["phishing"])
    applied(any_client, planned(any_client, add=["theirs"]))
    with pytest.raises(RevisionConflictError):
        applied(any_client, plan)
    assert applied(any_client, planned(any_client, add=["phishing"])).matches is True
    assert terms(simulator) == [*BEFORE, "theirs", "phishing"]


def test_plan_for_another_app(any_client: AnyClient, simulator: Simulator) -> None:
    """A plan has the address of its app, and a client of another app refuses it before anything is sent."""
    plan = planned(any_client, add=["phishing"])
    assert plan.base_url == simulator.base_url
    with Simulator() as other:
        with pytest.raises(InvalidRequestError, match="was made for http"):
            applied(any_client, plan, any_client.client(base_url=other.base_url))
        assert other.requests == []
    assert applied(any_client, plan).matches is True


def test_update_with_terms(any_client: AnyClient, simulator: Simulator) -> None:
    """An update with terms reads the list for its category, and then sends the terms like `plan` and `apply` do."""
    updated = any_client.call(lambda chat: chat.keywords.update("scam-patterns", iter(["a", "x{1,3}"])))
    assert [request.method for request in simulator.requests] == ["GET", "PUT"]
    assert (updated.category, updated.search_terms) == ("pattern", ["a", '"x{1,3}"'])
    any_client.call(lambda chat: chat.keywords.update("threat-sentences", ["Go, now."]))
    assert simulator.keyword_lists["threat-sentences"]["disallowedSentences"] == ["Go, now."]


def test_update_of_a_missing_list_with_terms(any_client: AnyClient, simulator: Simulator) -> None:
    """If the list cannot be read, no update is sent, and its outcome is known."""
    with pytest.raises(NotFoundError) as caught:
        any_client.call(lambda chat: chat.keywords.update("nope", ["spam"]))
    assert caught.value.outcome_unknown is False
    assert [request.method for request in simulator.requests] == ["GET"]


def test_fleet(any_client: AnyClient) -> None:
    """The same additions and removals keep the own entries of each app, and an app that fails stops no other."""
    with Simulator() as shop, Simulator() as forum, Simulator() as gone:
        shop.keyword_lists[LIST_ID]["searchTerms"] = ["spam", "own word", "scam"]
        del gone.keyword_lists[LIST_ID]
        apps = {
            name: any_client.client(base_url=each.base_url)
            for name, each in {"shop": shop, "forum": forum, "gone": gone}.items()
        }
        fleet: Any = (Fleet if any_client.kind == "sync" else AsyncFleet)(apps)

        def change(fleet: Any, **changes: Any) -> Any:
            return any_client.call(lambda fleet: fleet.plan_changes(LIST_ID, **changes), fleet)

        plans = change(fleet, add=iter(["phishing"]), remove=iter(["spam"]))
        assert [(name, each.error is None) for name, each in plans.items()] == [
            ("shop", True),
            ("forum", True),
            ("gone", False),
        ]
        updates = any_client.call(lambda fleet: fleet.apply(plans, max_removed=0), fleet)
        assert [bool(each.result and each.result.matches) for each in updates.values()] == [True, True, False]
        assert isinstance(updates["gone"].error, NotFoundError)
        assert terms(shop) == ["own word", "scam", "phishing"]
        assert terms(forum) == [*BEFORE[1:], "phishing"]
        with pytest.raises(InvalidRequestError, match="add must be"):
            change(fleet, add="spam")
