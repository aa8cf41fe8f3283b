"""The rules and their texts."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

import pytest

from cometchat_desk.lint import RULES, Severity, lint_entries

#: Correct text in many scripts.
CORRECT = """
    死 バカ ｶﾞ İstanbul SIK sik ความรัก NÃO Œuvre ١٢٣ א\u05b8ב ﻻ créée jäääär ('ω') ("-") 3:1 and/or 1st (╯°□°)╯︵
    ┻━┻ a=b #metoo 3.14 m² (笑) don't Straße a-b :-) ;-) http://example.com/?q=1 24/7 C++ AT&T
    привет γειά שלום سلام नमस्ते 안녕 你好
""".split()  # noqa: SIM905 - as a list, each word would take a line
#: Correct texts with spaces.
PHRASES = [
    "ngu như bò",
    "τι κάνεις;",
    "加微信，领红包",
    "2 girls 1 cup",
    "No. 5",
    "➡️ x",
    "50 %",
    "buy now, pay later",
]


@pytest.mark.parametrize("category", ["word", "sentence-similarity"])
def test_correct_text_has_no_error(category: str) -> None:
    """Correct text in any script gives no error, in any category."""
    findings = [
        lint_entries(["spam", "zzz", entry], category=category) for entry in (*CORRECT, *PHRASES)
    ]
    assert [
        str(one) for of_entry in findings for one in of_entry if one.severity is Severity.ERROR
    ] == []


@pytest.mark.parametrize("name", RULES)
def test_texts_of_the_rules(name: str) -> None:
    """Each rule has a summary in one line and advice, which the page about rules shows."""
    rule = RULES[name]
    assert name == rule.id
    assert rule.summary.endswith(".")
    assert rule.advice.endswith(".")
    assert "\n" not in rule.summary + rule.advice
