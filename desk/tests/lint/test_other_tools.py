"""The syntax of other tools."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

import pytest

from cometchat_desk.lint import lint_entries

from .judged import reported_alone

#: Entries as other tools write them, each with the plain word.
PLAIN = {
    "*kale*": "kale",
    "brocc*": "brocc",
    "*kale chips": "kale chips",
    "kale|3": "kale",
    "kale:2": "kale",
    "kale: 2": "kale",
    "turnip = 1": "turnip",
    "beet,3": "beet",
    "beet, 0.5": "beet",
    "leek -> ****": "leek",
    "leek=>####": "leek",
    "leek → beet": "leek",
    "radish # root": "radish",
    "0.0.0.0 salad.example": "salad.example",
    "127.0.0.1\tkale.example": "kale.example",
    "::1 kale.example": "kale.example",
    "||turnip.example^": "turnip.example",
    "*.leek.example": "leek.example",
    "hxxps://beet[.]example/free": "beet.example",
    "/kale/": "kale",
    "/kale|leek/i": "kale|leek",
}
#: Entries that no plain word can replace.
WITHOUT = [
    "free * coins", "kale|leek", "kale | leek", "mule account / drop account", "菠菜+沙拉", "菠菜|沙拉",
]  # fmt: skip
CORRECT = [
    "k*le", "k**e", "corn (mild)", ":-*", "(*)", "...*", "x+y", "1+1", "LGBT+", "AT&T", "100%", "5%", "covid-19", "John 3:16", "24:7", "10:02", "owo :3",
    ":3", "3:1", "a=b", "(sic)", "word(s)", "{}", ":{", "http://a.example/?q=1", "salad.example", "salad.example:8080",
    "24/7", "24 / 7", "R & B", "$hit", "$TERM", "{kale", "${", "a{{", "[object]", "and/or", "/s", "C#", "#metoo", "route 66", "buy 2, get 1", "->", "<3", "<3>", "rock&roll;", "|", "||", "微信，转账", "(笑)",
]  # fmt: skip


@pytest.mark.parametrize(("entry", "plain"), PLAIN.items())
def test_plain_words(entry: str, plain: str) -> None:
    """An entry with the syntax of another tool is a warning that names the plain word."""
    messages = [one.message for one in lint_entries([entry]) if one.rule == "other-tool"]
    assert [message.rpartition(" is ")[2] for message in messages] == [f"'{plain}'"]


def test_entries_without_a_plain_word() -> None:
    """An entry that joins words with another tool's marks is a warning; signs, prices, smileys and
    addresses are not."""
    assert reported_alone("other-tool", [*WITHOUT, *CORRECT]) == WITHOUT
    assert reported_alone("other-tool", [*PLAIN, *WITHOUT], "sentence-similarity") == []


def test_patterns_of_other_tools() -> None:
    """Slashes around a pattern, two backslashes, and another edge of a word are warnings in a list
    of patterns."""
    correct = [
        "(?i)kale",
        "(?:kale)",
        "(?P<a>k)",
        r"\d{4}",
        "kale/leek",
        "k[*]le",
        r"\bkale\b",
        r"\\",
    ]
    wrong = ["/kale/i", r"\<kale\>", r"\\bkale\\b"]
    assert reported_alone("other-tool", [*wrong, *correct], "pattern") == wrong
