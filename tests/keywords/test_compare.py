"""Plans: the changes that an update would make, without sending anything."""

from __future__ import annotations

import threading
import warnings
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import InvalidRequestError, PlanRefusedError
from cometchat_rest.keyword_input import (
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
    entries_of,
    from_keyword_list,
    from_terms,
)
from cometchat_rest.keywords.plan import KeywordPlan, compare

derandomized = settings(derandomize=True, deadline=None, database=None)
texts = (st.text(st.characters(codec="utf-8")) | st.text("aA\"',{1}\r\n\x1b\u2028")).filter(str.strip)


def fetched(*terms: str, **fields: Any) -> KeywordList:
    record = {"id": "list", "name": "List", "category": "word", "isCSV": False, "revisionId": "r_1"}
    return KeywordList.from_dict({**record, "searchTerms": list(terms), **fields})


def planned(old: KeywordList, *terms: str) -> KeywordPlan:
    return compare("list", old, from_terms(old.category, terms))


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
        plan = compare("list", old, from_keyword_list(old))
        assert (plan.added, plan.removed, plan.has_changes) == ((), (), False)

    def test_quotes_of_a_file_are_not_part_of_an_entry(self) -> None:
        """In a list from CSV, an entry with and without quotes is the same; in other lists it is not."""
        shown = ('"a, b"', '"say ""hi"""', "c")
        plan = planned(fetched(*shown, isCSV=True), "a, b", 'say "hi"', "c")
        assert (plan.added, plan.removed) == ((), ())
        assert planned(fetched('"c"'), "c").removed == ('"c"',)

    def test_duplicates_and_variants(self) -> None:
        """Duplicates and case variants among the new entries are listed, and a duplicate counts once."""
        plan = planned(fetched("a", "a"), "spam", "Spam", "a", "spam", "SPAM", "a", "straße", "STRASSE")
        assert plan.duplicates == ("spam", "a")
        assert plan.case_variants == (("spam", "Spam", "SPAM"), ("straße", "STRASSE"))
        assert (plan.added, plan.unchanged) == (("spam", "Spam", "SPAM", "straße", "STRASSE"), ("a",))

    def test_case_of_an_escape_counts(self) -> None:
        r"""Patterns that differ in the case of an escape, as \s and \S do, mean different things."""
        plan = planned(fetched(category="pattern"), r"\sA", r"\Sa", r"\sa")
        assert plan.case_variants == ((r"\sA", r"\sa"),)

    def test_too_long_entries(self) -> None:
        """A word of 100 characters is valid, one of 101 is listed as too long; sentences may be longer."""
        words = ("é" * 100, "é" * 101)
        assert planned(fetched(), *words).too_long == words[1:]
        assert planned(fetched(category="sentence-similarity"), *words).too_long == ()

    def test_terms_with_separator(self) -> None:
        """If a term holds a comma or a line break, all are sent as CSV, and the plan lists these terms."""
        plan = planned(fetched(category="pattern"), "a{1,3}", "b", "c\u2028d")
        assert (plan.sent_as, plan.terms_with_separator) == ("file", ("a{1,3}", "c\u2028d"))
        assert "sent as a CSV file: 2 with a comma or a line break" in str(plan)
        assert plan.new.file is not None
        assert plan.entries == entries_of(plan.new) == ("a{1,3}", "b", "c\u2028d")
        plain = planned(fetched(), "a", "b")
        assert (plain.sent_as, plain.terms_with_separator, plain.new) == (
            "searchTerms",
            (),
            WordListInput(search_terms=["a", "b"]),
        )

    def test_changed_fields(self) -> None:
        """A new category, name or description is a change that the plan shows."""
        plan = compare("list", fetched("a"), PatternListInput(search_terms=["a"], id="list", description="New"))
        assert (plan.changed_fields, plan.has_changes) == (("category", "description"), True)
        assert "~ category: word -> pattern\n~ description: none -> New\n" in str(plan)
        assert "! the category changes from word to pattern" in str(plan)

    def test_input_for_another_list(self) -> None:
        """An input with the identifier of another list causes a warning."""
        assert "another list" not in str(compare("list", fetched("a"), WordListInput(search_terms=["a"], id="list")))
        plan = compare("list", fetched("a"), WordListInput(search_terms=["a"], id="other"))
        assert plan.changed_fields == ("id",)
        assert "\n! the input is for another list, other" in str(plan)

    def test_hidden_entries(self) -> None:
        """If the service does not show the entries, no entry is added or removed."""
        old = fetched(searchTerms=None)
        plan = planned(old, "a")
        assert (plan.current, plan.share_removed, plan.added, plan.has_changes) == (None, None, (), False)
        assert "the service does not show the entries; 1 entry would be sent" in str(plan)

    @pytest.mark.parametrize("new", [None, "spam", ["spam"], {"category": "word"}], ids=repr)
    def test_only_an_input_is_compared(self, new: Any) -> None:
        """A value that is not an input is refused."""
        with pytest.raises(InvalidRequestError, match="must be given as one of"):
            compare("list", fetched("a"), new)

    def test_plan_is_a_value(self) -> None:
        """Plans of the same inputs are equal, also in a set; a `repr` does not show all entries."""
        terms = [str(number) for number in range(1000)]
        old = fetched("a")
        assert planned(old, *terms) == planned(old, *terms)
        assert len({planned(old, *terms), planned(old, *terms)}) == 1
        assert repr(planned(old, *terms)) == "<KeywordPlan list: 1,000 added, 1 removed (100.0% of 1), 0 unchanged>"


class TestText:
    def test_plan_as_text(self) -> None:
        """Removed entries, added entries, a summary and the warnings are each on a separate line."""
        old = fetched("a", "b", "c", category="pattern")
        plan = planned(old, "b", "B", "B", "x{1,}", "(")
        assert str(plan).splitlines() == [
            "--- list: pattern, 3 entries, revision r_1",
            "+++ list: pattern, 5 entries, sent as a CSV file: 1 with a comma or a line break",
            "- a",
            "- c",
            "+ B",
            "+ x{1,}",
            "+ (",
            "3 added, 2 removed (66.7% of 3), 1 unchanged",
            "! 1 entry occurs more than once:",
            "!   B",
            "! 1 group of entries differs only in case:",
            "!   b  B",
            "! 1 pattern does not compile:",
            "!   (  missing ), unterminated subpattern",
            "! 1 pattern has an unbounded quantifier, which the service refuses:",
            "!   x{1,}",
            "! 1 entry holds a comma or a line break:",
            "!   x{1,}",
        ]

    def test_sentences_beside_a_file(self) -> None:
        """A plan that sends both sentences and a file says that their order of precedence is not documented."""
        new = SentenceSimilarityListInput(disallowed_sentences=["a"], file=b"b\n")
        plan = compare("list", fetched(category="sentence-similarity", disallowedSentences=["a"]), new)
        assert "! both sentences and a file are sent; which one the service uses is not documented" in str(plan)

    def test_length_of_the_text_is_limited(self) -> None:
        """Only the first entries are shown, with the number of the others, and only the beginning of a long entry."""
        plan = planned(fetched(*(f"old {number}" for number in range(2000))), *(f"new {n}" for n in range(1284)))
        lines = str(plan).splitlines()
        assert (lines.count("- ... and 1,950 more"), lines.count("+ ... and 1,234 more")) == (1, 1)
        assert len(lines) == 105
        assert plan.describe(limit=0).splitlines()[2:4] == ["- ... and 2,000 more", "+ ... and 1,284 more"]
        assert len(plan.describe(limit=None).splitlines()) == 3287
        long = planned(fetched(), "x" * 5000)
        assert f"+ {'x' * 120}... (5,000 characters)" in str(long)

    @derandomized
    @given(terms=st.lists(texts, min_size=1, max_size=5), name=texts)
    @example(terms=["\x1b[2J", "a\n+ b", "\u202eabc", "\x9b31m", "\x00"], name="\n- x")
    def test_entries_cannot_fake_lines(self, terms: list[str], name: str) -> None:
        """No text of a list can begin a line, move the cursor or change the direction of writing."""
        old = fetched(*terms, name=name, category="word", revisionId=name)
        for new in (WordListInput(search_terms=["z"], name="z"), from_terms("word", terms, name=name)):
            text = compare(name, old, new).describe(None)
            lines = text.split("\n")
            assert all(line.isprintable() for line in lines)
            assert all(
                line.startswith(("--- ", "+++ ", "- ", "+ ", "~ ", "! ")) or " added, " in line for line in lines
            )

    def test_different_entries_look_different(self) -> None:
        """An entry with special characters is a literal, so that it differs from an entry that spells them out."""
        terms = ("a\nb", r"a\nb", "'a\\nb'", " a", "a ", "a", '"a"')
        lines = str(planned(fetched(), *terms)).splitlines()
        shown = [line[2:] for line in lines if line.startswith("+ ")]
        assert shown == ["'a\\nb'", r"a\nb", "\"'a\\\\nb'\"", "' a'", "'a '", "a", "'\"a\"'"]


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

    def test_hidden_entries_need_full_permission(self) -> None:
        """If the service does not show the entries, only `max_removed=1` is enough."""
        plan = planned(fetched(searchTerms=None), "a")
        with pytest.raises(PlanRefusedError, match="number of removed entries is unknown"):
            plan.check_removed(0.99)
        plan.check_removed(1)

    @pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), float("inf"), True, None, "0.2", 20], ids=repr)
    def test_invalid_share_is_refused(self, share: Any) -> None:
        """`max_removed` is a number from 0 to 1."""
        with pytest.raises(InvalidRequestError, match="max_removed must be a share"):
            planned(fetched("a"), "a").check_removed(share)


def test_plans_in_many_threads() -> None:
    """Plans made at the same time do not disturb each other or the filters of warnings."""
    before = list(warnings.filters)
    found = []
    work = [
        threading.Thread(target=lambda: found.append(planned(fetched(category="pattern"), "[[a]", "a*", "(")))
        for _ in range(8)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert len(found) == 8
    assert all(len(plan.invalid_patterns) == len(plan.unbounded) == 1 for plan in found)
    assert list(warnings.filters) == before
