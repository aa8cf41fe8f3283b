"""Regular expressions."""

# ruff: noqa: RUF001, E501 - the tables hold words of many scripts

import pytest

from cometchat_desk.lint import lint_entries

from .judged import rules_for

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
        ("spam|", "matches-everything"),
        ("|spam", "matches-everything"),
        (".", "matches-everything"),
        (r"\w{1,9}", "matches-everything"),
        ("s?[pa]{0,3}(am)?", "matches-everything"),
    ],
)
def test_patterns_that_do_not_work(entry: str, rule: str) -> None:
    """A pattern without an upper bound, with a fault in every dialect, or that matches everything is reported."""
    assert rule in rules_for(entry, "pattern")
    assert rule not in rules_for(entry)


def test_correct_patterns() -> None:
    """Bounded patterns, patterns with a part that must occur, and other dialects are correct."""
    for entry in ("[a-z]?x", r"x\?", r"\bx?\b", "sp[a4]m{1,3}", r"\p{L}x", r"x\|", r"\d{3}", "^.{1,3}$"):
        assert not rules_for(entry, "pattern") & {"unbounded-pattern", "invalid-pattern", "matches-everything"}, entry


def test_patterns_as_words() -> None:
    """A regular expression in a list of words or sentences is a warning; correct words with its signs are not."""
    for category in ("word", "sentence-similarity"):
        for entry in PATTERNS_AS_WORDS.split():
            assert "pattern-as-word" in rules_for(entry, category), entry
        (finding,) = lint_entries(["sp[a4]m"], category=category)
        assert f"but {'words' if category == 'word' else 'sentences'} are compared" in finding.message
        for entry in SIGNS_IN_WORDS.split():
            assert "pattern-as-word" not in rules_for(entry, category), entry
    assert "pattern-as-word" not in rules_for("sp[a4]m", "pattern")
