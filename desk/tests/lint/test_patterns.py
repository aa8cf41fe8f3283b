"""Regular expressions."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

import re
import re._parser as sre  # type: ignore[import-not-found]  # pyright: ignore[reportMissingImports]
import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cometchat_desk.lint import lint_entries
from cometchat_desk.lint.patterns import is_unbounded

from .judged import reported, reported_alone, rules_for

#: Ordinary ways to write a regular expression, separated by spaces.
PATTERNS_AS_WORDS = r"""
    sp[a4]m+ sp[a4]m [sz]pam s[^a]m с[оа]м [a-z] [0-9]+ [aeiou]{2} [ab]? spam[0-9]{2} (spam|scam) (?i)spam (?:spam) (?=x)
    \bspam\b sp\dm \w+ spam\.com c\+\+ spam.* .+spam s.?p.?m ^spam$ ^spam\s?coins$ x{2,} x{2} x{1,3} x{,3} sp(am)+ s(p)?am
"""
#: Correct words with the same signs, separated by spaces.
SIGNS_IN_WORDS = r"""
    :[ [x] :-( c++ a+ $100 50% f*ck f**k wtf?! (sic) :-[ >:[ [sic] (sic)? [e-mail] [10] [] {} {name} :{ {o_o} :{3 :3
    http://a.example/?q=1&x[]=2 $5.99 9.99+ LGBT+ 18+ ... ...* x... ...+ \o/ \m/ ¯\_(ツ)_/¯ \(^o^)/ ^_^ ^o^ ^^ ^this ^o^$ a$$ ke$ha
    $$$ [url]a.example[/url] [b]spam[/b] [公式] 名前[公式] [公式]名前 (o.o) (-_-) word(s) word(s)? :-* (*) :) :)* (a)+ T.T x+y 1+1 C# .NET
    colou?r a.b.c A* [x]y
"""


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        ("spam.*", "unbounded-pattern"),
        ("(spam", "invalid-pattern"),
        ("[spam", "invalid-pattern"),
        ("spam)", "invalid-pattern"),
        ("*spam", "invalid-pattern"),
        ("sp{2,1}am", "invalid-pattern"),
        ("(?i", "invalid-pattern"),
        ("(?>spam)", "invalid-pattern"),
        (r"spam\Z", "invalid-pattern"),
        ("spa?+m", "invalid-pattern"),
        ("(?!spam)x", "invalid-pattern"),
        (r"(s)\1", "invalid-pattern"),
        ("(?P<a>s)(?P=a)", "invalid-pattern"),
    ],
)
def test_patterns_that_do_not_work(entry: str, rule: str) -> None:
    """A pattern without an upper bound, or one that RE2 does not compile, is reported."""
    assert rule in rules_for(entry, "pattern")
    assert rule not in rules_for(entry)


def test_correct_patterns() -> None:
    """Bounded patterns that RE2 compiles and that have a part that must occur are correct."""
    correct = [
        "[a-z]?x",
        r"x\?",
        r"\bxy?\b",
        "sp[a4]m{1,3}",
        r"\p{L}x",
        r"x\|",
        r"\d{3}",
        "^.{1,3}$",
    ]
    found = {rule for entry in correct for rule in rules_for(entry, "pattern")}
    assert not found & {"unbounded-pattern", "invalid-pattern", "matches-everything"}


def test_patterns_that_match_everything() -> None:
    """A pattern that matches an empty text, or each of some harmless messages in one language, is
    reported; patterns with a part that must occur are not."""
    everything = [
        "spam|", "|spam", "a||b", "(spam|scam|)", "(|spam)", "(?:spam)?", "s{0,20}", r"\d{0,20}", "(spam|scam){0,2}",
        "(spam)?(scam)?", r"\b", r"\B|x", "^", "$", ".", "[^a]", r"\w{1,9}", "[a-z]", "(?i)[aeiou]", "е|о", "^.{1,80}$",
        r"\s", r"\S", r"^\w", "[一-龥]",
    ]  # fmt: skip
    useful = [
        "spam|scam", r"\bspam(?:mer)?\b", "s[p5]am{1,20}", "(?:free|cheap) coins", r"\d{4}[- ]\d{4}", "^buy now",
        r"(?i)spam\.example/\w{3,32}", "[s$]pam", "^.{1,3}$", r"\d{3}", "a(?!b)",
    ]  # fmt: skip
    assert reported_alone("matches-everything", [*everything, *useful], "pattern") == everything


@pytest.mark.parametrize("category", ["word", "sentence-similarity"])
def test_patterns_as_words(category: str) -> None:
    """A regular expression in a list of words or sentences is a warning; correct words with its
    signs are not."""
    patterns, words = PATTERNS_AS_WORDS.split(), SIGNS_IN_WORDS.split()
    assert reported_alone("pattern-as-word", patterns + words, category) == patterns
    assert "pattern-as-word" not in rules_for("sp[a4]m", "pattern")


BOUNDED = [
    "a", r"\*", r"\+", r"a\{2,\}", "[*+]", "[]*]", "[^]*]", r"[\]*]", "a{2}", "a{2,3}", "a{,3}", "a?", "a??", "a{1,3}?",
    "a?+", "a{2}+", "(?:a)?", "(?i)a", "{", "a{", "a{b,}", "a{ 1,}", r"\\\*", r"\[\*\]", "(?P<n>a)(?P=n)",
]  # fmt: skip
UNBOUNDED = [
    "a*",
    "a+",
    "a{2,}",
    "a{,}",
    "a*?",
    "a++",
    "a{2,}?",
    r"\\*",
    "[a]*",
    "(a)+",
    "[]]*",
    "[^]]+",
    r"\d+",
    "a?b*",
    "(?:a+)?",
    ".*",
    r"[\]]+",
    "a{1,3}b+",
    r"\[*\]",
    "a{x}+",
    "[[]+",
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


@pytest.mark.parametrize(
    ("patterns", "expected"), [(BOUNDED, False), (UNBOUNDED, True)], ids=["bounded", "unbounded"]
)
def test_unbounded(patterns: list[str], expected: bool) -> None:  # noqa: FBT001
    """A quantifier without an upper bound is found everywhere, and nothing that only looks like
    one."""
    assert [pattern for pattern in patterns if is_unbounded(pattern) is not expected] == []
    assert [pattern for pattern in patterns if parsed_as_unbounded(pattern) is not expected] == []


@settings(derandomize=True, deadline=None, database=None, max_examples=20 * settings().max_examples)
@given(
    st.lists(
        st.sampled_from(
            [
                *"ab*+?{}[]()^|,12\\#-:",
                "{2,}",
                "{2,3}",
                "{,}",
                "(?:",
                r"\d",
                r"\*",
                "[^",
                "(?P<n>",
            ]
        ),
        max_size=12,
    ).map("".join)
)
def test_unbounded_as_in_python(pattern: str) -> None:
    """For every pattern that compiles, the result is the same as that of Python's own parser."""
    try:
        expected = parsed_as_unbounded(pattern)
    except (re.error, OverflowError):
        return
    assert is_unbounded(pattern) is expected


def test_the_reason_why_a_pattern_is_invalid() -> None:
    """A pattern that RE2 does not compile comes with the part that is wrong."""
    findings = lint_entries(["[[a]", "(k", "k++", "[\x07-\x01]"], category="pattern")
    messages = [each.message for each in findings if each.rule == "invalid-pattern"]
    assert messages[:2] == [
        "'(k' is not a pattern that RE2 compiles: missing ): (k",
        "'k++' is not a pattern that RE2 compiles: bad repetition operator: ++",
    ]
    assert "invalid character class range" in messages[2]
    assert messages[2].isprintable()


def test_hostile_patterns() -> None:
    """Wide ranges without case, and very long patterns, are examined before the test times out."""
    wide = [
        f"(?i){f'[b-{end}]' * 7}{number}"
        for number in range(40)
        for end in ("\U0010fffe", r"\U0010fffe")
    ]
    assert (
        reported(
            "invalid-pattern", [*wide, "[" * 500_000, "(" * 500_000, "a" * 500_000 + "*"], "pattern"
        )
        == []
    )
