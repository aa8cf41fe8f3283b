"""Additions and removals: the plan that merges them with the entries of a list, over real HTTP."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cometchat_desk.lists.plan_changes import Changes, plan_content
from cometchat_desk.lists.reading import read_list
from cometchat_desk.lists.writing import write
from cometchat_rest import (
    Client,
    InvalidRequestError,
    KeywordPlan,
    PatternListInput,
    keyword_input,
)
from cometchat_rest.keyword_input import Quotes
from cometchat_testing import Simulator

KEYWORD_ID = "profanity-list"
BEFORE = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ"]


def planned(chat: Client, keyword_id: str = KEYWORD_ID, **changes: Any) -> KeywordPlan:
    plan = Changes(**changes).plan(chat, keyword_id)
    assert plan is not None
    return plan


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
    """With csv, each entry of the list loses the quotes of its file once, and an entry of the
    user is meant exactly."""
    simulator.keyword_lists[KEYWORD_ID]["searchTerms"] = ['"""a"""', '"b"', "d"]
    changes = Changes(add=['"a"', "b", '"c"'], remove=['"d"', "d"], quotes="csv")
    plan = changes.plan(chat, KEYWORD_ID)
    assert plan is not None
    assert plan.entries == ('"a"', "b", '"c"')
    assert (plan.added, plan.removed) == (('"c"',), ("d",))
    assert changes.already_present(plan) == ('"a"', "b")
    assert changes.not_present(plan) == ('"d"',)


@settings(
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    entries=st.lists(st.text('ab",{} ', min_size=1).filter(str.strip), min_size=1, unique=True),
    category=st.sampled_from(["word", "pattern"]),
    suffix=st.sampled_from([".txt", ".csv", ".json", ".xlsx"]),
)
@example(entries=['"quoted"', "a, b", '"', '""'], category="word", suffix=".txt")
def test_file_of_a_list(
    chat: Client, simulator: Simulator, entries: list[str], category: str, suffix: str
) -> None:
    """The file of a list, read again in any format, is a plan without changes, also if its
    entries have quotes of their own."""
    simulator.reset()
    sent = keyword_input.from_terms(category, entries)
    chat.keywords.update(KEYWORD_ID, sent)
    answer: Quotes = "literal" if sent.file is None else "csv"
    fetched = chat.keywords.get(KEYWORD_ID)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"list{suffix}")
        write(path, keyword_input.from_keyword_list(fetched, quotes=answer))
        content = read_list(path.read_bytes(), path).for_plan()
    plan = plan_content(chat, KEYWORD_ID, content, answer)
    assert (plan.added, plan.removed, plan.changed_fields) == ((), (), ())
    assert list(plan.entries) == entries


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
    """A removal of all entries is refused, because an empty list cannot be sent. Nothing is planned
    for an empty list without additions."""
    with pytest.raises(InvalidRequestError, match="no entry would be left"):
        planned(chat, remove=BEFORE)
    simulator.keyword_lists[KEYWORD_ID]["searchTerms"] = []
    assert Changes(remove=["spam"]).plan(chat, KEYWORD_ID) is None
    assert planned(chat, add=["first"]).entries == ("first",)
