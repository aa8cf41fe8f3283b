"""Additions and removals: the plan that merges them with the entries of a list, over real HTTP."""

from typing import Any

import pytest

from cometchat_desk.lists.plan_changes import Changes
from cometchat_rest import Client, InvalidRequestError, KeywordPlan, PatternListInput
from cometchat_testing import Simulator

KEYWORD_ID = "profanity-list"
BEFORE = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ"]


def planned(chat: Client, keyword_id: str = KEYWORD_ID, **changes: Any) -> KeywordPlan:
    return Changes(**changes).plan(chat, keyword_id)


def applied(chat: Client, plan: KeywordPlan) -> bool | None:
    return chat.keywords.apply(plan, max_removed=1.0).matches


def terms(simulator: Simulator, keyword_id: str = KEYWORD_ID) -> object:
    return simulator.keyword_lists[keyword_id]["searchTerms"]


def test_add_and_remove(chat: Client, simulator: Simulator) -> None:
    """The other entries keep their order, new entries are appended in their order, and only one
    GET is sent to plan."""
    plan = planned(chat, add=["phishing", "Abzocke"], remove=["free coins", "spam"])
    assert [request.method for request in simulator.requests] == ["GET"]
    assert (plan.added, plan.removed) == (("phishing", "Abzocke"), ("spam", "free coins"))
    assert plan.base_url == simulator.base_url
    assert applied(chat, plan) is True
    assert terms(simulator) == ["scam", "Schimpfwort", "malparido", "バカ", "phishing", "Abzocke"]


def test_quotes_of_a_file(chat: Client, simulator: Simulator) -> None:
    """With csv, each entry loses the quotes of its file once, and the quotes of the entry itself
    stay."""
    simulator.keyword_lists[KEYWORD_ID]["searchTerms"] = ['"""a"""', '"b"']
    changes = Changes(add=['"b"', "c"], quotes="csv")
    plan = changes.plan(chat, KEYWORD_ID)
    assert (plan.entries, plan.removed, changes.already_present(plan)) == (
        ('"a"', "b", "c"),
        (),
        ('"b"',),
    )


def test_existing_duplicates_stay(chat: Client, simulator: Simulator) -> None:
    """A duplicate in the list stays, unless its entry is removed: then all its occurrences go."""
    simulator.keyword_lists[KEYWORD_ID]["searchTerms"] = ["a", "b", "a", "c", "c"]
    assert planned(chat, add=["d"], remove=["c"]).entries == ("a", "b", "a", "d")


def test_entry_with_a_comma(chat: Client, simulator: Simulator) -> None:
    """If an entry holds a comma, all entries are sent as a file, and arrive complete."""
    plan = planned(chat, "scam-patterns", add=["x{1,3}"])
    assert isinstance(plan.new, PatternListInput)
    assert plan.new.file is not None
    assert applied(chat, plan) is True
    assert '"x{1,3}"' in str(terms(simulator, "scam-patterns"))


def test_sentences(chat: Client, simulator: Simulator) -> None:
    """Sentences are added and removed like terms."""
    before: Any = simulator.keyword_lists["threat-sentences"]["disallowedSentences"]
    plan = planned(chat, "threat-sentences", add=["Send money, now."], remove=before[:1])
    assert applied(chat, plan) is True
    assert simulator.keyword_lists["threat-sentences"]["disallowedSentences"] == [
        *before[1:],
        "Send money, now.",
    ]


def test_no_entry_would_be_left(chat: Client, simulator: Simulator) -> None:
    """A removal of all entries is refused, because an empty list cannot be sent."""
    with pytest.raises(InvalidRequestError, match="no entry would be left"):
        planned(chat, remove=BEFORE)
    simulator.keyword_lists[KEYWORD_ID]["searchTerms"] = []
    with pytest.raises(InvalidRequestError, match="no entry would be left"):
        planned(chat, remove=["spam"])
    assert planned(chat, add=["first"]).entries == ("first",)
