"""The checks of regular expressions."""

import re
import re._parser as sre  # type: ignore[import-not-found]  # pyright: ignore[reportMissingImports]
import time
import warnings
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cometchat_desk.lists.expressions import folded, invalid_patterns, is_unbounded

derandomized = settings(derandomize=True, deadline=None, database=None)


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
    """Whether Python's own parser finds an unbounded quantifier."""

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
        """A quantifier with an upper bound, or text that only looks like a quantifier, is not unbounded."""
        assert not is_unbounded(pattern)
        assert not parsed_as_unbounded(pattern)

    @pytest.mark.parametrize("pattern", UNBOUNDED)
    def test_unbounded(self, pattern: str) -> None:
        """A quantifier without an upper bound is found everywhere, also if it is lazy or possessive."""
        assert is_unbounded(pattern)
        assert parsed_as_unbounded(pattern)

    @settings(derandomized, max_examples=20 * settings().max_examples)
    @given(
        st.lists(
            st.sampled_from(
                [*"ab*+?{}[]()^|,12\\#-:", "{2,}", "{2,3}", "{,}", "(?:", "(?#", r"\d", r"\*", "[^", "(?P<n>"]
            ),
            max_size=12,
        ).map("".join)
    )
    def test_unbounded_as_in_python(self, pattern: str) -> None:
        """For every pattern that compiles, the result is the same as that of Python's own parser."""
        try:
            expected = parsed_as_unbounded(pattern)
        except (re.error, OverflowError):
            return
        assert is_unbounded(pattern) is expected

    @settings(derandomized, max_examples=20 * settings().max_examples)
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
    def test_invalid_as_in_python(self, pattern: str) -> None:
        """A pattern is listed as invalid if and only if `re.compile` refuses it, with the same reason."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                re.compile(pattern)
        except re.error as error:
            expected = {pattern: error.msg}
        else:
            expected = {}
        assert invalid_patterns([pattern]) == expected

    def test_reasons(self) -> None:
        """A pattern that does not compile comes with the reason."""
        invalid = ("(", "[a", "a{2,1}", "*", "a{99999999999}", "(" * 900)
        faults = invalid_patterns(("fine", *invalid))
        assert tuple(faults) == invalid
        assert all(faults.values())
        assert faults["("] == "missing ), unterminated subpattern"

    def test_no_warnings(self) -> None:
        """Examining a pattern causes no warning, and does not change the filters of warnings."""
        before = list(warnings.filters)
        assert invalid_patterns(["[[a]", "[a-z--b]", "[a&&b]", "[a||b]", "[a~~b]"]) == {}
        assert list(warnings.filters) == before

    def test_wide_ranges(self) -> None:
        """A range of all characters without case takes not much longer than one of the first 65,536 characters."""

        def seconds(end: str) -> float:
            began = time.process_time()
            assert invalid_patterns(f"(?i){f'[b-{end}]' * 7}{number}" for number in range(40)) == {}
            return time.process_time() - began

        for end in ("\U0010fffe", r"\U0010fffe"):
            assert seconds(end) < 8 * max(seconds("\ufffe"), 0.01)

    def test_long_patterns_are_not_examined(self) -> None:
        """A very long or hostile pattern is not examined."""
        assert invalid_patterns(["[" * 500_000, "(" * 500_000]) == {}
        assert not is_unbounded("a" * 500_000 + "*")


def test_case_of_an_escape_counts() -> None:
    r"""Patterns that differ in the case of an escape, as \s and \S do, mean different things."""
    assert folded(r"\sA") == folded(r"\sa") != folded(r"\Sa")
