"""Matching of terms, compared with a naive search and with known examples."""

# ruff: noqa: RUF001 - the tests need letters that look alike

import random
import re
import sys
import unicodedata
from collections.abc import Iterator

import pytest
import re2  # pyright: ignore[reportMissingModuleSource]
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cometchat_desk.insight.matcher import ListTerms, Match, Matcher, _options

# Characters that change their length when case is ignored, several scripts, marks, joiners, emoji
# and punctuation.
ALPHABET = (
    *"aAsSkK1_²ßẞİiıſΣσςŉΐﬁǰ\u212aéع한글",
    *"'’-.,!+$ \n\0\u0301\u0308\u0345\u200c\u200d\ufe0f\u20e3",
    *"👍🏽🇩🇪漢字かがカｶ\u3099กา่๑ລကខၢ〆々",
)
# The first words of the names of characters in scripts without spaces.
UNSPACED_NAMES = (
    "THAI",
    "LAO",
    "MYANMAR",
    "KHMER",
    "CJK UNIFIED",
    "CJK COMPATIBILITY",
    "HIRAGANA",
    "KATAKANA",
    "BOPOMOFO",
    "HALFWIDTH KATAKANA",
    "IDEOGRAPHIC",
    "COMBINING KATAKANA-HIRAGANA",
)
TEXTS = st.text(st.sampled_from(ALPHABET), max_size=12)
TERMS = st.text(st.sampled_from(ALPHABET), min_size=1, max_size=4)


def words(*terms: str) -> ListTerms:
    return ListTerms(category="word", terms=terms)


def patterns(*terms: str) -> ListTerms:
    return ListTerms(category="pattern", terms=terms)


def found(matcher: Matcher, text: str) -> list[tuple[str, str]]:
    """The terms and the parts of the text that match them."""
    return [(match.term, text[match.start : match.end]) for match in matcher.find(text)]


def in_word(character: str) -> bool:
    """Whether a character can be a part of a word, from its name and its category."""
    name, category = unicodedata.name(character, ""), unicodedata.category(character)
    if name.startswith(UNSPACED_NAMES) or "VARIATION SELECTOR" in name:
        return False
    return (
        category in ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No") or character == "_"
    )


def naive(term: str, text: str) -> Iterator[tuple[int, int]]:
    """All occurrences of a word, found by comparing each part of the text."""
    wanted = term.strip().casefold()

    def inside(at: int) -> bool:
        return 0 < at < len(text) and in_word(text[at - 1]) and in_word(text[at])

    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            if (
                wanted
                and text[start:end].casefold() == wanted
                and not inside(start)
                and not inside(end)
            ):
                yield start, end


@settings(max_examples=10 * settings().max_examples)
@given(st.lists(TERMS, min_size=1, max_size=8), TEXTS)
@example(["s", "ss", "ß"], "ß s SS")
@example(["i", "i\u0307", "ix"], "İx İ ix")
@example(["か", "が"], "か\u3099が")
@example(["a", "a a", "a a a"], "a a a a")
@example(["k"], "K\u212ak k\u212a \u212a")
def test_same_words_as_a_naive_search(terms: list[str], text: str) -> None:
    """Words are found exactly where a naive comparison of all parts of the text finds them."""
    matcher = Matcher(words(*terms))
    expected = {place for term in terms for place in naive(term, text)}
    matches = matcher.find(text)
    assert {(match.start, match.end) for match in matches} == expected
    assert all(
        text[match.start : match.end].casefold() == match.term.strip().casefold()
        for match in matches
    )
    assert {matcher.terms[index].text for index in matcher.matching(text)} == {
        match.term for match in matches
    }


@settings(max_examples=8 * settings().max_examples)
@given(st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=4), st.text(max_size=8))
def test_any_unicode_text(terms: list[str], text: str) -> None:
    """No text makes matching fail, and every position lies within the text."""
    matcher = Matcher(words(*terms), patterns(*map(re.escape, terms)))
    assert [
        each for each in matcher.find(text) if not 0 <= each.start < each.end <= len(text)
    ] == []


@pytest.mark.parametrize(
    ("term", "text", "expected"),
    [
        ("nig", "Nigeria and night", []),
        ("ass", "class, assess, pass", []),
        ("ass", "You ASS!", ["ASS"]),
        ("via", "viable", []),
        ("nigeria", "Nigeria's team", ["Nigeria"]),
        ("don", "don't", ["don"]),
        ("don't", "I DON'T", ["DON'T"]),
        ("well-known", "Well-known, well known", ["Well-known"]),
        ("free coins", "FREE COINS, free  coins, freecoins", ["FREE COINS"]),
        (" padded ", "it is padded here", ["padded"]),
        ("c++", "C++ and c++11", ["C++", "c++"]),
        ("$$$", "win $$$$ now", ["$$$", "$$$"]),
        ("ass", "ass_1 ass2 2ass", []),
        ("straße", "STRASSE Straße STRAẞE", ["STRASSE", "Straße", "STRAẞE"]),
        ("σας", "ΣΑΣ", ["ΣΑΣ"]),
        ("nig", "nig\u0308", []),
        ("nig", "nig\ufe0f", ["nig"]),
        ("👍", "ok👍🏽ok", ["👍"]),
        ("ass", "👍ass👍", ["ass"]),
        ("バカ", "お前はバカだ", ["バカ"]),
        ("ｶ", "ｶｶ", ["ｶ", "ｶ"]),
        ("傻", "你很傻吗", ["傻"]),
        ("ควาย", "ไอ้ควายตัวนี้", ["ควาย"]),
        ("ຄວາຍ", "ໂຕຄວາຍນີ້", ["ຄວາຍ"]),
        ("ခွေး", "မင်းခွေးပဲ", ["ခွေး"]),
        ("ឆ្កែ", "អាឆ្កែនេះ", ["ឆ្កែ"]),
        ("spam", "これはspamです", ["spam"]),
        ("바보", "바보야", []),
        ("дурак", "ДУРАК дураки", ["ДУРАК"]),
    ],
)
def test_known_examples(term: str, text: str, expected: list[str]) -> None:
    """Whole words match in any case, and scripts without spaces match inside a text."""
    assert [part for _, part in found(Matcher(words(term)), text)] == expected


def test_overlapping_terms() -> None:
    """Terms that overlap are all found."""
    matcher = Matcher(words("gift", "gift card", "card", "free gift"))
    assert [match.term for match in matcher.find("a FREE gift card")] == [
        "free gift",
        "gift",
        "gift card",
        "card",
    ]


def test_case_variants_are_one_term() -> None:
    """Words that differ only in case are one term, which knows all its lists."""
    matcher = Matcher(words("Spam", "scam"), words("SPAM"))
    assert [(term.text, term.lists) for term in matcher.terms] == [("Spam", (0, 1)), ("scam", (0,))]


def test_case_folding_keeps_words_together() -> None:
    """For every character that changes with its case, a letter before or after it has the same
    effect in both cases."""
    changed = [each for each in map(chr, range(sys.maxunicode + 1)) if each.casefold() != each]
    assert len(changed) > 1000
    matcher = Matcher(words("a"))
    texts = [text for each in changed for text in (f"{each}a", f"a{each}")]
    assert [
        text for text in texts if bool(matcher.find(text)) != bool(matcher.find(text.casefold()))
    ] == []


def test_unreadable_characters() -> None:
    """A null character or half of a surrogate pair ends a word, and does not change positions."""
    matcher = Matcher(words("ass"), patterns("x.ass"))
    assert matcher.find("\0ass\0 \ud800ass x\ud800ass") == (
        Match(term="ass", start=1, end=4),
        Match(term="ass", start=7, end=10),
        Match(term="x.ass", start=11, end=16),
        Match(term="ass", start=13, end=16),
    )


def test_patterns() -> None:
    """Patterns match as written, anywhere in a text, with positions in characters."""
    matcher = Matcher(patterns(r"(?i)telegram\.me/\w{3,9}", r"\d{4}[- ]\d{4}", "coin"))
    text = "é👍 Telegram.me/joinus 1234-5678 Coins coins"
    assert [part for _, part in found(matcher, text)] == ["Telegram.me/joinus", "1234-5678", "coin"]


def test_unsupported_patterns_are_named() -> None:
    """A pattern that RE2 does not compile is reported, and the others are used."""
    matcher = Matcher(patterns("(?=x)a", r"(a)\1", "a(", "b\ud800", "fine", "(?=x)a"))
    assert matcher.unsupported == ("(?=x)a", r"(a)\1", "a(", "b\ud800")
    assert [term.text for term in matcher.terms] == ["fine"]


def test_patterns_that_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling ends after some seconds: the patterns that are left are reported, and the others
    are used."""
    monkeypatch.setattr("cometchat_desk.insight.matcher._LONGEST_COMPILING", 0.5)
    matcher = Matcher(
        patterns("fine", *(rf"\pL{{1,100}}\pN{{1,100}}{number}" for number in range(300)))
    )
    assert matcher.unsupported
    assert len(matcher.terms) + len(matcher.unsupported) == 301
    assert found(matcher, "fine") == [("fine", "fine")]


PIECES = st.lists(
    st.sampled_from(
        [
            "a",
            "b",
            "(?i)",
            "[ab]",
            "a?",
            ".",
            "\\b",
            "^",
            "$",
            "(a|bc)",
            "é",
            "k",
            "x{2}",
            "\\d",
            "a*",
            "|",
        ]
    ),
    min_size=1,
    max_size=5,
).map("".join)


@settings(max_examples=8 * settings().max_examples)
@given(
    st.lists(PIECES, min_size=1, max_size=12, unique=True),
    st.text(st.sampled_from("abcxkKé1 \n\u212aA"), max_size=10),
)
def test_same_patterns_as_one_by_one(given_patterns: list[str], text: str) -> None:
    """All patterns together find the same as each pattern alone."""
    matcher = Matcher(patterns(*given_patterns))
    expected = {
        each
        for each in given_patterns
        if each not in matcher.unsupported and re2.search(each, text)
    }
    assert {matcher.terms[index].text for index in matcher.matching(text)} == expected
    assert {match.term for match in matcher.find(text)} == expected


@pytest.mark.parametrize("largest", [64 << 20, 1 << 20])
def test_long_lists_of_patterns(monkeypatch: pytest.MonkeyPatch, largest: int) -> None:
    """Patterns are all found, also if they are too many for one automaton of RE2."""
    monkeypatch.setattr("cometchat_desk.insight.matcher._LARGEST_SET", largest)
    _options.cache_clear()
    draw = random.Random(1)  # noqa: S311 - the same patterns each time
    literals = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=60)) for _ in range(1200)]
    matcher = Matcher(patterns(*(rf"{each}\d" for each in literals)))
    chosen = [*literals[:5], *literals[-5:]]
    assert [found(matcher, f"see {each}7") for each in chosen] == [
        [(rf"{each}\d", f"{each}7")] for each in chosen
    ]
    assert not matcher.matching("see nothing")
    _options.cache_clear()


def test_empty_lists() -> None:
    """A matcher without terms finds nothing."""
    assert Matcher().find("text") == ()
    assert Matcher(words(" "), patterns()).matching("text") == frozenset()


def test_text_of_the_probe() -> None:
    """A message that contains the text with which the set checks itself matches nothing more
    than other messages."""
    matcher = Matcher(patterns("zz", "at"))
    assert found(matcher, "cometchat-desk probes the set") == [("at", "at")]
