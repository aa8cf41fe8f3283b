"""Plans and results of updates as text."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cometchat_desk.lists.plan_changes import Changes
from cometchat_desk.lists.plan_text import describe_plan, describe_update
from cometchat_rest import (
    KeywordList,
    KeywordPlan,
    KeywordUpdate,
    PatternListInput,
    WordListInput,
)
from cometchat_rest.keyword_input import Quotes, from_terms

texts = (st.text(st.characters(codec="utf-8")) | st.text("aA\"',{1}\r\n\x1b\u2028")).filter(
    str.strip
)


def fetched(*terms: str, **fields: Any) -> KeywordList:
    record = {"id": "list", "name": "List", "category": "word", "isCSV": False, "revisionId": "r_1"}
    return KeywordList.from_dict({**record, "searchTerms": list(terms), **fields})


def planned(old: KeywordList, *terms: str) -> KeywordPlan:
    return KeywordPlan.compare("list", old, terms)


def test_plan_as_text() -> None:
    """Removed entries, added entries and a summary are on separate lines; the head says how the
    entries are sent."""
    assert describe_plan(
        planned(fetched("a", "b", "c", category="pattern"), "b", "B", "x{1,}")
    ) == [
        "list list (pattern): 3 entries now, 3 after this, sent as a CSV file: 1 with a comma or a line break",
        "- a",
        "- c",
        "+ B",
        "+ x{1,}",
        "2 added, 2 removed (66.7% of 3), 1 unchanged",
    ]


def test_entries_that_occur_twice() -> None:
    """The numbers of entries before and after count each entry once, as the changes do."""
    lines = describe_plan(planned(fetched("a", "a", "b"), "a", "a", "b", "b", "new"))
    assert lines == [
        "list list (word): 2 entries now, 3 after this",
        "+ new",
        "1 added, 0 removed, 2 unchanged",
    ]


def test_warnings() -> None:
    """Changed fields, another list and a list that is not active are shown."""
    new = PatternListInput(search_terms=["a"], id="other", description="New")
    old = fetched("a", active=False)
    lines = describe_plan(KeywordPlan.compare("list", old, new, change_category=True))
    assert lines[1:4] == [
        "~ category: word -> pattern",
        "~ id: list -> other",
        "~ description: none -> New",
    ]
    assert lines[-2:] == [
        "0 added, 0 removed, 1 unchanged; changed: category, id, description; not sent: name",
        "! the list is not active",
    ]


CHANGED = ["- '\"a\"'", "+ a", "~ a"]
ONLY_QUOTES = "1 added, 1 removed (50.0% of 2), 1 unchanged; 1 entry changed only in double quotes"
WITHOUT = "without the double quotes that the list shows"


@pytest.mark.parametrize(
    ("quotes", "text"),
    [
        (None, [*CHANGED, ONLY_QUOTES]),
        ("csv", [f'0 added, 0 removed, 2 unchanged; quotes="csv": 1 entry {WITHOUT}']),
        ("literal", [*CHANGED, ONLY_QUOTES]),
    ],
    ids=str,
)
def test_entries_that_differ_in_quotes(quotes: Quotes | None, text: list[str]) -> None:
    """A plan marks entries that differ only in double quotes with ~, and shows the answer about
    the quotes."""
    new = WordListInput(search_terms=["a", "b"], name="List")
    assert (
        describe_plan(KeywordPlan.compare("list", fetched('"a"', "b"), new, quotes=quotes))[1:]
        == text
    )


def test_hidden_entries() -> None:
    """If the service does not show the entries, the text says that the changes are unknown, and
    that nobody can undo them."""
    lines = describe_plan(planned(fetched(searchTerms=None), "a"))
    assert lines[0] == "list list (word): unknown entries now, 1 after this"
    assert lines[-2].endswith("the service does not show the entries; 1 entry would be sent")
    assert lines[-1] == "! keywords undo will not be able to undo this update"


def test_changes_without_effect() -> None:
    """Entries that are already there, or not there, are named."""
    old = fetched("spam", "free coins", "Caf\u00e9 ")
    changes = Changes(add=["spam", "new"], remove=["SPAM", "freecoins", "cafe\u0301", "gone"])
    plan = changes.compare("list", old)
    assert plan is not None
    assert describe_plan(plan, changes=changes)[-7:] == [
        "! 1 entry to add is already in the list:",
        "!   spam",
        "! 4 entries to remove are not in the list:",
        "!   SPAM",
        "!   freecoins",
        "!   cafe\u0301",
        "!   gone",
    ]


def test_length_of_the_text_is_limited() -> None:
    """Only the first entries are shown, with the number of the others, and only the beginning of
    a long entry."""
    plan = planned(
        fetched(*(f"old {number}" for number in range(2000))), *(f"new {n}" for n in range(1284))
    )
    lines = describe_plan(plan)
    assert (
        lines.count("- ... and 1,950 more"),
        lines.count("+ ... and 1,234 more"),
        len(lines),
    ) == (1, 1, 104)
    assert describe_plan(plan, limit=0)[1:3] == ["- ... and 2,000 more", "+ ... and 1,284 more"]
    assert len(describe_plan(plan, limit=None)) == 3286
    assert f"+ {'x' * 120}... (5,000 characters)" in describe_plan(
        planned(fetched("old"), "x" * 5000)
    )


@settings(derandomize=True, deadline=None, database=None)
@given(terms=st.lists(texts, min_size=1, max_size=5), name=texts)
@example(terms=["\x1b[2J", "a\n+ b", "\u202eabc", "\x9b31m", "\x00"], name="\n- x")
def test_entries_cannot_fake_lines(terms: list[str], name: str) -> None:
    """No text of a list can begin a line, move the cursor or change the direction of writing."""
    old = fetched(*terms, name=name, category="word", revisionId=name)
    inputs = (WordListInput(search_terms=["z"], name="z"), from_terms("word", terms, name=name))
    lines = [
        line
        for new in inputs
        for line in describe_plan(KeywordPlan.compare(name, old, new), limit=None)
    ]
    assert [line for line in lines if not line.isprintable()] == []
    others = [line for line in lines if not line.startswith(("list ", "- ", "+ ", "~ ", "! "))]
    assert [line for line in others if " added, " not in line] == []


def test_different_entries_look_different() -> None:
    """An entry with special characters is a literal, so that it differs from an entry that
    spells them out."""
    terms = ("a\nb", r"a\nb", "'a\\nb'", " a", "a ", "a", '"a"')
    shown = [
        line[2:] for line in describe_plan(planned(fetched("old"), *terms)) if line.startswith("+ ")
    ]
    assert shown == ["'a\\nb'", r"a\nb", "\"'a\\\\nb'\"", "' a'", "'a '", "a", "'\"a\"'"]


def test_differences_of_an_update() -> None:
    """The entries that differ after an update are lines of text, at most `limit` of each kind."""
    missing = (*(f"new {number}" for number in range(60)), "x\ny")
    update = KeywordUpdate(
        keyword_list=fetched("a"), matches=False, missing=missing, unexpected=("b", " c")
    )
    assert describe_update(update, limit=2) == [
        "- new 0",
        "- new 1",
        "- ... and 59 more",
        "+ b",
        "+ ' c'",
    ]
    assert len(describe_update(update)) == 53
    assert describe_update(update, limit=None)[60:] == [r"- 'x\ny'", "+ b", "+ ' c'"]
    assert describe_update(KeywordUpdate(keyword_list=fetched("a"), matches=True)) == []
