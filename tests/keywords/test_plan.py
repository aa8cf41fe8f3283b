"""Plans: the changes that an update would make, without sending anything."""

import json
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import InvalidRequestError, NotFoundError, PlanRefusedError
from cometchat_rest.keyword_input import PatternListInput, WordListInput, entries_of, from_keyword_list, from_terms
from cometchat_rest.keywords.plan import KeywordPlan, KeywordUpdate

derandomized = settings(derandomize=True, deadline=None, database=None)
texts = (st.text(st.characters(codec="utf-8")) | st.text("aA\"',{1}\r\n\x1b\u2028")).filter(str.strip)


def fetched(*terms: str, **fields: Any) -> KeywordList:
    record = {"id": "list", "name": "List", "category": "word", "isCSV": False, "revisionId": "r_1"}
    return KeywordList.from_dict({**record, "searchTerms": list(terms), **fields})


def planned(old: KeywordList, *terms: str) -> KeywordPlan:
    return KeywordPlan.compare("list", old, from_terms(old.category, terms))


class TestComparison:
    def test_added_removed_and_unchanged(self) -> None:
        """Each entry is added, removed or unchanged, in the order of its list."""
        plan = planned(fetched("a", "b", "c"), "d", "c", "b", "e")
        assert (plan.added, plan.removed, plan.unchanged) == (("d", "e"), ("a",), ("c", "b"))
        assert (plan.revision_id, plan.category, plan.current) == ("r_1", "word", ("a", "b", "c"))
        assert plan.share_removed == 1 / 3
        assert plan.has_changes

    @derandomized
    @given(old=st.lists(texts), new=st.lists(texts, min_size=1), from_file=st.booleans())
    def test_no_entry_is_lost(self, old: list[str], new: list[str], *, from_file: bool) -> None:
        """The plan holds each current entry and each new entry exactly once."""
        plan = planned(fetched(*old, isCSV=from_file), *new)
        assert plan.current is not None
        if not from_file:
            assert plan.current == tuple(dict.fromkeys(old))
            assert {*plan.removed, *plan.unchanged} == set(old)
        assert {*plan.added, *plan.unchanged} == set(new)
        assert len(plan.removed) + len(plan.unchanged) == len(plan.current)
        assert not {*plan.added} & {*plan.removed}

    @derandomized
    @given(terms=st.lists(texts, min_size=1), from_file=st.booleans())
    @example(terms=['"a"', "b"], from_file=True)
    @example(terms=['"""a"""', "b"], from_file=True)
    def test_fetched_list_has_no_changes(self, terms: list[str], *, from_file: bool) -> None:
        """A plan to send a fetched list back has no changes, with or without quotes of a CSV file."""
        old = fetched(*terms, isCSV=from_file)
        plan = KeywordPlan.compare("list", old, from_keyword_list(old))
        assert (plan.added, plan.removed, plan.has_changes) == ((), (), False)

    def test_quotes_of_a_file_are_not_part_of_an_entry(self) -> None:
        """In a list from CSV, an entry with and without quotes is the same; in other lists it is not."""
        shown = ('"a, b"', '"say ""hi"""', "c")
        plan = planned(fetched(*shown, isCSV=True), "a, b", 'say "hi"', "c")
        assert (plan.added, plan.removed) == ((), ())
        assert planned(fetched('"c"'), "c").removed == ('"c"',)

    def test_terms_with_separator(self) -> None:
        """If a term holds a comma or a line break, all are sent as CSV."""
        plan = planned(fetched(category="pattern"), "a{1,3}", "b", "c\u2028d")
        assert plan.new.file is not None
        assert plan.entries == entries_of(plan.new) == ("a{1,3}", "b", "c\u2028d")
        plain = planned(fetched(), "a", "b")
        assert plain.new == WordListInput(search_terms=["a", "b"])

    def test_changed_fields(self) -> None:
        """A new category, name or description is a change that the plan shows."""
        plan = KeywordPlan.compare(
            "list", fetched("a"), PatternListInput(search_terms=["a"], id="list", description="New")
        )
        assert (plan.changed_fields, plan.has_changes) == (("category", "description"), True)
        assert str(plan) == "list: 0 added, 0 removed, 1 unchanged, changed: category, description"
        assert KeywordPlan.compare("list", fetched("a"), WordListInput(search_terms=["a"], id="b")).changed_fields == (
            "id",
        )

    def test_hidden_entries(self) -> None:
        """If the service does not show the entries, no entry is added or removed."""
        old = fetched(searchTerms=None)
        plan = planned(old, "a")
        assert (plan.current, plan.share_removed, plan.added, plan.has_changes) == (None, None, (), False)
        assert "the service does not show the entries; 1 entry would be sent" in str(plan)

    @pytest.mark.parametrize("new", [None, "spam", ["spam"], {"category": "word"}], ids=repr)
    def test_only_an_input_is_compared(self, new: Any) -> None:
        """A value that is not an input is refused."""
        with pytest.raises(InvalidRequestError, match="new must be an input"):
            KeywordPlan.compare("list", fetched("a"), new)

    def test_plan_is_a_value(self) -> None:
        """Plans of the same inputs are equal, also in a set; a `repr` does not show all entries."""
        terms = [str(number) for number in range(1000)]
        old = fetched("a")
        assert planned(old, *terms) == planned(old, *terms)
        assert len({planned(old, *terms), planned(old, *terms)}) == 1
        assert repr(planned(old, *terms)) == "<KeywordPlan list: 1,000 added, 1 removed (100.0% of 1), 0 unchanged>"


class TestText:
    def test_plan_as_text(self) -> None:
        """A plan as text is one line with the numbers, and the first entries that are removed and added."""
        plan = planned(fetched("a", "b", "c"), "b", "B", "x\ny")
        assert str(plan) == "list: 2 added, 2 removed (66.7% of 3), 1 unchanged\n- a\n- c\n+ B\n+ 'x\\ny'"
        many = str(planned(fetched(), *(f"new {number}" for number in range(1284)))).splitlines()
        assert (len(many), many[-2:]) == (7, ["+ new 4", "+ ... and 1,279 more"])

    @derandomized
    @given(terms=st.lists(texts, min_size=1, max_size=5), name=texts)
    @example(terms=["\x1b[2J", "a\n+ b", "\u202eabc", "\x9b31m", "\x00"], name="\n- x")
    def test_entries_cannot_fake_lines(self, terms: list[str], name: str) -> None:
        """No text of a list can begin a line, move the cursor or change the direction of writing."""
        old = fetched(*terms, name=name)
        for new in (WordListInput(search_terms=["z"], name="z"), from_terms("word", terms, name=name)):
            first, *others = str(KeywordPlan.compare(name, old, new)).split("\n")
            assert all(line.isprintable() for line in (first, *others))
            assert " added, " in first
            assert all(line.startswith(("- ", "+ ")) for line in others)


class TestCheckRemoved:
    def test_removing_too_much_is_refused(self) -> None:
        """A plan that would remove more than the allowed share is refused; the error has the numbers."""
        plan = planned(fetched(*"abcde"), *"abc")
        with pytest.raises(
            PlanRefusedError, match=r"list: 2 of 5 entries \(40.0%\) would be removed; max_removed allows 20"
        ) as caught:
            plan.check_removed(0.2)
        error = caught.value
        assert (error.removed, error.share_removed, error.max_removed) == (2, 0.4, 0.2)
        assert isinstance(error, InvalidRequestError)
        plan.check_removed(0.4)
        planned(fetched(*"abcde"), *"abcd").check_removed(0.2)
        planned(fetched(), "a").check_removed(0)

    @pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), float("inf"), True, None, "0.2", 20], ids=repr)
    def test_invalid_share_is_refused(self, share: Any) -> None:
        """`max_removed` is a number from 0 to 1."""
        with pytest.raises(InvalidRequestError, match="max_removed must be a share"):
            planned(fetched("a"), "a").check_removed(share)


def test_plan_for_one_app() -> None:
    """A plan with the address of its app is refused for another app; one without an address fits any app."""
    old, new = fetched("a"), from_terms("word", ["b"])
    plan = KeywordPlan.compare("list", old, new, base_url="https://a.example")
    plan.check_app("https://a.example")
    with pytest.raises(InvalidRequestError, match=r"list: the plan was made for https://a\.example, not for https://b"):
        plan.check_app("https://b.example")
    KeywordPlan.compare("list", old, new).check_app("https://b.example")


def test_result_as_json() -> None:
    """The result of an update becomes JSON values; its error becomes an object."""
    update = KeywordUpdate(keyword_list=fetched("a"), matches=False, missing=("b",), recovered=True)
    assert json.loads(json.dumps(update.to_dict())) == {
        "revision_id": "r_1",
        "matches": False,
        "missing": ["b"],
        "unexpected": [],
        "differing_fields": [],
        "recovered": True,
        "error": None,
        "keyword_list": fetched("a").to_dict(),
    }
    assert evolve(update, error=NotFoundError("gone")).to_dict()["error"] == NotFoundError("gone").to_dict()
