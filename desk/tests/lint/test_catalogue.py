"""The rules and their texts."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

from cometchat_desk.lint import RULES, Severity, lint_entries

#: Correct text in many scripts.
CORRECT = """
    死 バカ ｶﾞ İstanbul SIK sik ความรัก NÃO Œuvre ١٢٣ א\u05b8ב ﻻ créée jäääär ('ω') ("-") 3:1 and/or 1st (╯°□°)╯︵
    ┻━┻ a=b #metoo 3.14 m² (笑) don't Straße a-b :-) ;-) http://example.com/?q=1 24/7 C++ AT&T
    привет γειά שלום سلام नमस्ते 안녕 你好
""".split()  # noqa: SIM905 - as a list, each word would take a line
#: Correct texts with spaces.
PHRASES = ["ngu như bò", "τι κάνεις;", "加微信，领红包", "2 girls 1 cup", "No. 5", "➡️ x", "50 %", "buy now, pay later"]


def test_correct_text_has_no_error() -> None:
    """Correct text in any script gives no error, in any category."""
    for category in ("word", "sentence-similarity"):
        for entry in (*CORRECT, *PHRASES):
            findings = lint_entries(["spam", "zzz", entry], category=category)
            assert [str(one) for one in findings if one.severity is Severity.ERROR] == []


def test_texts_of_the_rules() -> None:
    """Each rule has a summary in one line and advice, which `--explain` shows."""
    for name, rule in RULES.items():
        assert name == rule.id
        assert rule.summary.endswith(".")
        assert rule.advice.endswith(".")
        assert "\n" not in rule.summary + rule.advice
    assert {name for name, rule in RULES.items() if not rule.can_be_accepted} == {"invalid-file"}
