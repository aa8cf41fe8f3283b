"""What an update would do to a list, told without sending anything."""

from __future__ import annotations

import copy
import re
import re._parser as sre  # type: ignore[import-not-found]  # pyright: ignore[reportMissingImports]
import threading
import warnings
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import (
    CometChatError,
    InvalidRequestError,
    PlanRefusedError,
    RequestTimeoutError,
    RevisionConflictError,
    ServerError,
    TransportError,
)
from cometchat_rest.keyword_input import (
    KeywordListInput,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
    entries_of,
    from_keyword_list,
    from_terms,
    raw_list_entries,
)
from cometchat_rest.keywords.apply import check_revision, resolve_update
from cometchat_rest.keywords.patterns import invalid_patterns, is_unbounded
from cometchat_rest.keywords.plan import KeywordPlan, compare

derandomized = settings(derandomize=True, deadline=None, database=None)
texts = (st.text(st.characters(codec="utf-8")) | st.text("aA\"',{1}\r\n\x1b\u2028")).filter(str.strip)


def fetched(*terms: str, **fields: Any) -> KeywordList:
    record = {"id": "list", "name": "List", "category": "word", "isCSV": False, "revisionId": "r_1"}
    return KeywordList.from_dict({**record, "searchTerms": list(terms), **fields})


def planned(old: KeywordList, *terms: str) -> KeywordPlan:
    return compare("list", old, from_terms(old.category, terms))


class TestComparison:
    def test_tells_what_changes(self) -> None:
        """Each entry is added, removed or unchanged, in the order it has in its list."""
        plan = planned(fetched("a", "b", "c"), "d", "c", "b", "e")
        assert (plan.added, plan.removed, plan.unchanged) == (("d", "e"), ("a",), ("c", "b"))
        assert (plan.revision_id, plan.category, plan.current) == ("r_1", "word", ("a", "b", "c"))
        assert plan.share_removed == 1 / 3
        assert plan.has_changes

    @derandomized
    @given(old=st.lists(texts), new=st.lists(texts, min_size=1), from_file=st.booleans())
    def test_adds_up(self, old: list[str], new: list[str], *, from_file: bool) -> None:
        """What is unchanged and removed is all there was, what is unchanged and added all there will be, each once."""
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
    def test_of_what_was_fetched_changes_nothing(self, terms: list[str], *, from_file: bool) -> None:
        """A list that is fetched and sent back unchanged plans no change, wherever its quotes came from."""
        old = fetched(*terms, isCSV=from_file)
        plan = compare("list", old, from_keyword_list(old))
        assert (plan.added, plan.removed, plan.has_changes) == ((), (), False)

    def test_quotes_of_a_file_are_not_part_of_an_entry(self) -> None:
        """In a list made from CSV, an entry in quotes and the same without are one; elsewhere they are two."""
        shown = ('"a, b"', '"say ""hi"""', "c")
        plan = planned(fetched(*shown, isCSV=True), "a, b", 'say "hi"', "c")
        assert (plan.added, plan.removed) == ((), ())
        assert planned(fetched('"c"'), "c").removed == ('"c"',)

    def test_duplicates_and_variants(self) -> None:
        """What the new entries have twice, or in different case, is told once, and counts once."""
        plan = planned(fetched("a", "a"), "spam", "Spam", "a", "spam", "SPAM", "a", "straße", "STRASSE")
        assert plan.duplicates == ("spam", "a")
        assert plan.case_variants == (("spam", "Spam", "SPAM"), ("straße", "STRASSE"))
        assert (plan.added, plan.unchanged) == (("spam", "Spam", "SPAM", "straße", "STRASSE"), ("a",))

    def test_the_case_of_an_escape_counts(self) -> None:
        r"""Patterns that differ in the case of an escape, as \s and \S do, mean different things."""
        plan = planned(fetched(category="pattern"), r"\sA", r"\Sa", r"\sa")
        assert plan.case_variants == ((r"\sA", r"\sa"),)

    def test_lengths(self) -> None:
        """An entry of 100 characters may go, one of 101 is told; sentences may be longer."""
        words = ("é" * 100, "é" * 101)
        assert planned(fetched(), *words).too_long == words[1:]
        assert planned(fetched(category="sentence-similarity"), *words).too_long == ()

    def test_terms_that_cannot_be_joined_go_as_a_file(self) -> None:
        """Where a term holds a comma or a line break, all go as CSV, and the plan says which terms made it so."""
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

    def test_a_change_of_category(self) -> None:
        """Another category, and another name or description, is a change that the plan shows."""
        plan = compare("list", fetched("a"), PatternListInput(search_terms=["a"], id="list", description="New"))
        assert (plan.changed_fields, plan.has_changes) == (("category", "description"), True)
        assert "~ category: word -> pattern\n~ description: none -> New\n" in str(plan)
        assert "! the category changes from word to pattern" in str(plan)

    def test_an_input_for_another_list(self) -> None:
        """An input with the identifier of another list is warned of."""
        assert "another list" not in str(compare("list", fetched("a"), WordListInput(search_terms=["a"], id="list")))
        plan = compare("list", fetched("a"), WordListInput(search_terms=["a"], id="other"))
        assert plan.changed_fields == ("id",)
        assert "\n! the input is for another list, other" in str(plan)

    def test_a_list_that_does_not_show_its_entries(self) -> None:
        """Where the service does not show entries, nothing is said to come or go."""
        old = fetched(searchTerms=None)
        plan = planned(old, "a")
        assert (plan.current, plan.share_removed, plan.added, plan.has_changes) == (None, None, (), False)
        assert "the service does not show the entries; 1 entry would be sent" in str(plan)

    @pytest.mark.parametrize("new", [None, "spam", ["spam"], {"category": "word"}], ids=repr)
    def test_of_no_input(self, new: Any) -> None:
        """What is no keyword input is refused."""
        with pytest.raises(InvalidRequestError, match="must be given as one of"):
            compare("list", fetched("a"), new)

    def test_a_plan_is_a_value(self) -> None:
        """Plans of the same things are equal, and none shows all its entries in its repr."""
        terms = [str(number) for number in range(1000)]
        old = fetched("a")
        assert planned(old, *terms) == planned(old, *terms)
        assert repr(planned(old, *terms)) == "<KeywordPlan list: 1,000 added, 1 removed (100.0% of 1), 0 unchanged>"


class TestEntries:
    @pytest.mark.parametrize(
        ("new", "entries"),
        [
            (WordListInput(search_terms=["a", "b"]), ("a", "b")),
            (WordListInput(search_terms="a, b,,c\nd, "), ("a", " b", "c\nd")),
            (SentenceSimilarityListInput(disallowed_sentences=["a, b", "c"]), ("a, b", "c")),
            (SentenceSimilarityListInput(disallowed_sentences=["a"], file=b"b\n"), ("b",)),
            (WordListInput(file=b'\xef\xbb\xbfa\r\n\n"b, ""c"""\r\n"d\ne"\n  \nf'), ("a", 'b, "c"', "d\ne", "f")),
            # No row of one column: as it stands.
            (PatternListInput(file=b'a{1,3}\n"a",b\n"c\nd" e\n5" disk\n"open'), (
                "a{1,3}", '"a",b', '"c', 'd" e', '5" disk', '"open',
            )),
        ],
        ids=repr,
    )  # fmt: skip
    def test_of_an_input(self, new: KeywordListInput, entries: tuple[str, ...]) -> None:
        """A text is taken apart at commas, a file at rows, and blank entries count for nothing."""
        assert entries_of(new) == entries

    def test_of_a_file_that_is_no_text(self) -> None:
        """A file that is not UTF-8 has no entries to compare, and is refused."""
        with pytest.raises(InvalidRequestError, match="file is not UTF-8: byte 0xff"):
            entries_of(WordListInput(file=b"a\xff"))

    @pytest.mark.parametrize(
        ("fields", "entries"),
        [
            ({"searchTerms": ["a", " ", '"b"']}, ("a", '"b"')),
            ({"searchTerms": "a,b"}, ("a", "b")),
            ({"searchTerms": []}, ()),
            ({"searchTerms": None}, None),
            ({"searchTerms": ["a", 1]}, None),
            ({"searchTerms": {"a": 1}}, None),
            ({"searchTerms": ["a"], "disallowedSentences": ["b"]}, ("a",)),
            ({"searchTerms": ["a"], "disallowedSentences": ["b"], "category": "sentence-similarity"}, ("b",)),
            ({"searchTerms": ["a"], "disallowedSentences": [], "category": "sentence-similarity"}, ("a",)),
            ({"searchTerms": [], "disallowedSentences": None, "category": "sentence-similarity"}, ()),
        ],
        ids=repr,
    )
    def test_of_a_fetched_list(self, fields: dict[str, Any], entries: tuple[str, ...] | None) -> None:
        """Entries are taken from where the category has them, and `None` says that they were not shown."""
        assert raw_list_entries(fetched(**fields)) == entries


BOUNDED = [
    *(
        "a",
        r"\*",
        r"\+",
        r"a\{2,\}",
        "[*+]",
        "[]*]",
        "[^]*]",
        r"[\]*]",
        "a{2}",
        "a{2,3}",
        "a{,3}",
        "a?",
        "a??",
        "a{1,3}?",
    ),
    *("a?+", "a{2}+", "(?#*)a", "(?:a)?", "(?i)a", "{", "a{", "a{b,}", "a{ 1,}", r"\\\*", r"\[\*\]", "(?P<n>a)(?P=n)"),
]
UNBOUNDED = [
    *("a*", "a+", "a{2,}", "a{,}", "a*?", "a++", "a{2,}?", r"\\*", "[a]*", "(a)+", "[]]*", "[^]]+", r"\d+", "(?#a)b*"),
    *("a?b*", "(?:a+)?", ".*", r"[\]]+", "a{1,3}b+", r"\[*\]", "a{x}+", "[[]+"),
]


def parsed_as_unbounded(pattern: str) -> bool:
    """What Python's own parser finds."""

    def look(items: Any) -> bool:
        if isinstance(items, list | tuple | sre.SubPattern):
            for item in items:
                repeat = isinstance(item, tuple) and len(item) == 2 and item[0] in (
                    sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT,
                )  # fmt: skip
                if (repeat and item[1][1] is sre.MAXREPEAT) or look(item):
                    return True
        return False

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return look(list(sre.parse(pattern)))


class TestPatterns:
    @pytest.mark.parametrize("pattern", BOUNDED)
    def test_bounded(self, pattern: str) -> None:
        """A quantifier with an upper bound is none that the service refuses, nor is what only looks like one."""
        assert not is_unbounded(pattern)
        assert not parsed_as_unbounded(pattern)

    @pytest.mark.parametrize("pattern", UNBOUNDED)
    def test_unbounded(self, pattern: str) -> None:
        """A quantifier without an upper bound is found wherever it is, lazy and possessive ones too."""
        assert is_unbounded(pattern)
        assert parsed_as_unbounded(pattern)

    @settings(derandomized, max_examples=2000)
    @given(
        st.lists(
            st.sampled_from(
                [*"ab*+?{}[]()^|,12\\#-:", "{2,}", "{2,3}", "{,}", "(?:", "(?#", r"\d", r"\*", "[^", "(?P<n>"]
            ),
            max_size=12,
        ).map("".join)
    )
    def test_as_python_reads_them(self, pattern: str) -> None:
        """For every pattern that compiles, what is found is what Python's own parser finds."""
        try:
            expected = parsed_as_unbounded(pattern)
        except (re.error, OverflowError):
            return
        assert is_unbounded(pattern) is expected

    @settings(derandomized, max_examples=3000)
    @given(
        st.lists(
            st.sampled_from(
                [
                    *"ab*+?{}[]()^$|,09-&~:!=# é",
                    *("{2}", "{2,3}", "{3,2}", "{,5}", "(?:", "(?=", "(?i)", "(?i:", "(?<=", "(?P<n>"),
                    *("[^", "[a-z]", "[-", "-]", "z-a]", "0-9", "[[", r"\d", r"\b", r"\1", r"\*", r"\-"),
                ]
            ),
            max_size=9,
        ).map("".join)
    )
    @example("[a-z-9]")
    @example("a{10,9}")
    @example("^*")
    @example(r"\b+")
    @example("a**")
    @example("x(?i)")
    @example(r"[\w-a]")
    @example("[z-a]")
    def test_what_compiles_as_python_says(self, pattern: str) -> None:
        """No pattern is told not to compile that does, and none is let by that does not."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                re.compile(pattern)
        except re.error as error:
            expected = [(pattern, error.msg)]
        else:
            expected = []
        assert list(invalid_patterns([pattern])) == expected

    def test_what_does_not_compile(self) -> None:
        """A pattern that does not compile is told with the reason, and nothing of words is compiled."""
        odd = ("(", "[a", "a{2,1}", "*", "a{99999999999}", "(" * 900)
        plan = planned(fetched(category="pattern"), "fine", *odd)
        assert [pattern for pattern, _ in plan.invalid_patterns] == list(odd)
        assert all(reason for _, reason in plan.invalid_patterns)
        assert "!   (  missing ), unterminated subpattern" in str(plan)
        assert planned(fetched(), *odd).invalid_patterns == ()
        assert planned(fetched(), "a*").unbounded == ()

    def test_no_warning_is_given(self) -> None:
        """Looking at a pattern that Python would warn of is silent, and leaves the filters of warnings as they were."""
        before = list(warnings.filters)
        plan = planned(fetched(category="pattern"), "[[a]", "[a-z--b]", "[a&&b]", "[a||b]", "[a~~b]")
        assert plan.invalid_patterns == ()
        assert list(warnings.filters) == before

    def test_a_pattern_of_any_length_is_read_at_once(self) -> None:
        """A pattern made to take time takes none."""
        plan = planned(fetched(category="pattern"), "[" * 500_000, "a" * 500_000 + "*", "[(?#" * 250)
        assert len(plan.too_long) == 3


class TestText:
    def test_reads_like_a_diff(self) -> None:
        """What goes, what comes, a summary, and what is odd: each on a line of its own."""
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

    def test_is_bounded(self) -> None:
        """Of a long list the first entries are shown, and how many more there are; of a long entry its beginning."""
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
    def test_cannot_be_faked(self, terms: list[str], name: str) -> None:
        """No text of a list can begin a line, move the cursor or turn the direction of writing."""
        old = fetched(*terms, name=name, category="word", revisionId=name)
        for new in (WordListInput(search_terms=["z"], name="z"), from_terms("word", terms, name=name)):
            text = compare(name, old, new).describe(None)
            lines = text.split("\n")
            assert all(line.isprintable() for line in lines)
            assert all(
                line.startswith(("--- ", "+++ ", "- ", "+ ", "~ ", "! ")) or " added, " in line for line in lines
            )

    def test_two_entries_never_look_the_same(self) -> None:
        """An entry that holds what is escaped is shown as a literal, so that it is told from one that spells it out."""
        terms = ("a\nb", r"a\nb", "'a\\nb'", " a", "a ", "a", '"a"')
        lines = str(planned(fetched(), *terms)).splitlines()
        shown = [line[2:] for line in lines if line.startswith("+ ")]
        assert shown == ["'a\\nb'", r"a\nb", "\"'a\\\\nb'\"", "' a'", "'a '", "a", "'\"a\"'"]


class TestApplying:
    def test_refuses_to_remove_too_much(self) -> None:
        """A plan is refused where more than the allowed share would go, and the numbers are named."""
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

    def test_refuses_what_cannot_be_counted(self) -> None:
        """Where the service does not show the entries, only an allowance of all of them is enough."""
        plan = planned(fetched(searchTerms=None), "a")
        with pytest.raises(PlanRefusedError, match="number of removed entries is unknown"):
            plan.check_removed(0.99)
        plan.check_removed(1)

    @pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), float("inf"), True, None, "0.2", 20], ids=repr)
    def test_refuses_what_is_no_share(self, share: Any) -> None:
        """`max_removed` is a share from 0 to 1."""
        with pytest.raises(InvalidRequestError, match="max_removed must be a share"):
            planned(fetched("a"), "a").check_removed(share)

    @pytest.mark.parametrize(
        ("before", "after", "moved"),
        [
            ({}, {}, False),
            ({}, {"searchTerms": ["z"], "updatedAt": 9}, False),
            ({}, {"revisionId": "r_2"}, True),
            ({}, {"revisionId": None}, True),
            ({"revisionId": None}, {}, True),
            ({"revisionId": None}, {"revisionId": None}, False),
            ({"revisionId": None}, {"revisionId": None, "updatedAt": 9}, True),
            ({"revisionId": None}, {"revisionId": None, "searchTerms": ["z"]}, True),
        ],
        ids=repr,
    )
    def test_a_list_that_moved(self, before: dict[str, Any], after: dict[str, Any], *, moved: bool) -> None:
        """The revision tells whether a list moved; without one, its time and its entries do."""
        plan, found = planned(fetched("a", **before), "b"), fetched("a", **after)
        if not moved:
            check_revision(plan, found)
            return
        with pytest.raises(RevisionConflictError) as caught:
            check_revision(plan, found)
        assert caught.value.planned_revision == plan.revision_id
        assert caught.value.current_revision == found.revision_id

    def test_what_came_back_is_compared(self) -> None:
        """What was sent and is not there is missing, what is there and was not sent unexpected."""
        plan = compare("list", fetched("a"), WordListInput(search_terms=["a", "B"], name="New"))
        good = fetched("B", "a", "a", name="New", revisionId="r_2")
        update = resolve_update(plan, good, good)
        assert (update.matches, update.missing, update.unexpected, update.differing_fields) == (True, (), (), ())
        update = resolve_update(plan, good, fetched("a", "b", revisionId="r_2"))
        assert (update.matches, update.missing, update.unexpected) == (False, ("B",), ("b",))
        assert (update.differing_fields, update.recovered, update.error) == (("name",), False, None)
        update = resolve_update(plan, good, fetched(searchTerms=None, name="New"))
        assert (update.matches, update.missing) == (None, ())
        update = resolve_update(plan, good, fetched(searchTerms=None))
        assert (update.matches, update.differing_fields) == (False, ("name",))

    def test_quotes_that_come_back(self) -> None:
        """Entries of a file come back with quotes or without, and are what was sent either way."""
        plan = planned(fetched("a"), "b, c", 'say "hi"', '"d"')
        for shown in (('"b, c"', '"say ""hi"""', '"""d"""'), ("b, c", 'say "hi"', '"d"')):
            found = fetched(*shown, isCSV=True, revisionId="r_2")
            assert resolve_update(plan, found, found).matches is True

    def test_reading_back_that_fails(self) -> None:
        """An update that was confirmed is no failure when reading back fails: it is unknown whether it matches."""
        lost = TransportError("no")
        update = resolve_update(planned(fetched("a"), "b"), answer := fetched("b"), lost)
        assert (update.matches, update.error, update.keyword_list) == (None, lost, answer)

    @pytest.mark.parametrize(
        "error",
        [
            TransportError("cut"),
            RequestTimeoutError("slow"),
            ServerError("no", operation="x", status_code=500),
            ServerError("slow", operation="x", status_code=504),
        ],
        ids=repr,
    )
    @pytest.mark.parametrize(
        ("found", "note"),
        [
            (fetched("a"), "The list is still unchanged, but the service may carry out the update later. "),
            (fetched("z", revisionId="r_2"), "revision of the list was r_1 and is now r_2"),
            (fetched(searchTerms=None, revisionId="r_2"), "not known to be what was sent"),
            (TransportError("cut again"), "Reading the list failed as well: cut again. "),
        ],
        ids=["unchanged", "changed", "hidden", "unread"],
    )
    def test_unknown_outcome(self, error: CometChatError, found: KeywordList | CometChatError, note: str) -> None:
        """If the list does not show the update, its own error is raised with a note, and the outcome stays unknown."""
        error = copy.copy(error)
        error.outcome_unknown = True
        with pytest.raises(type(error)) as caught:
            resolve_update(planned(fetched("a"), "b"), error, found)
        assert caught.value is error
        assert error.outcome_unknown is True
        assert note in error.__notes__[0]
        assert error.__notes__[0].endswith("Read the list again before you send the update again.")

    def test_an_update_that_is_settled(self) -> None:
        """An update whose answer was lost succeeded where what was sent is there."""
        update = resolve_update(planned(fetched("a"), "b"), TransportError("cut"), fetched("b", revisionId="r_2"))
        assert (update.matches, update.recovered) == (True, True)
        assert evolve(update, recovered=False) == resolve_update(
            planned(fetched("a"), "b"), update.keyword_list, update.keyword_list
        )
        assert "recovered=True" in repr(update)


def test_plans_in_many_threads() -> None:
    """Plans made at the same time do not disturb each other, nor the filters of warnings."""
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
