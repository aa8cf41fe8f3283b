"""The linter finds damaged entries, and gives no error for correct text in any language."""

# The tables hold words of many scripts.
# ruff: noqa: E501, RUF001

from __future__ import annotations

import json
import os
import time
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
import wordfreq
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from cometchat_desk.lint import (
    RULES,
    Finding,
    LintSettings,
    Severity,
    accept,
    as_github,
    as_sarif,
    blocking,
    describe,
    lint_bytes,
    lint_entries,
    lint_file,
    read_settings,
)
from cometchat_desk.lists import files
from cometchat_rest import InvalidRequestError, keyword_input

ROOT = Path(__file__).parents[3]
ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
QUIET = LintSettings(severities={"everyday-word": None, "contains-entry": None})

#: Damaged or unusual entries that once went live without a warning, with the rule and the severity.
DAMAGED = [
    ("GrÃ¼ÃŸe", "mis-decoded", ERROR),
    ("РїСЂРёРІРµС‚", "mis-decoded", ERROR),
    ("Schei\ufffde", "lost-characters", ERROR),
    ("Gr??e", "lost-characters", WARNING),
    ("spam;scam", "separator", ERROR),
    ("spam;", "separator", ERROR),
    ("spam; scam; junk", "separator", ERROR),
    ("well; no", "separator", WARNING),
    ("spam\tscam", "separator", ERROR),
    ("spam,scam,junk", "separator", ERROR),
    ("spam, scam", "separator", WARNING),
    ("spam|scam", "separator", WARNING),
    ("spam\nscam", "line-break", ERROR),
    ("#NAME?", "spreadsheet-error", ERROR),
    ("#WERT!", "spreadsheet-error", ERROR),
    ("#N/A", "spreadsheet-error", ERROR),
    ("1E+05", "spreadsheet-number", ERROR),
    ("1,23457E+12", "spreadsheet-number", ERROR),
    ("1234567890123450000", "spreadsheet-number", WARNING),
    ("2-Sep", "spreadsheet-date", ERROR),
    ("02. Jan", "spreadsheet-date", ERROR),
    ("2026-02-01 00:00:00", "spreadsheet-date", ERROR),
    ("01.02.2026", "spreadsheet-date", WARNING),
    ("TRUE", "spreadsheet-value", WARNING),
    ("=1+1", "spreadsheet-value", WARNING),
    ("-spam", "spreadsheet-value", WARNING),
    ("s\u200bpam", "invisible-character", ERROR),
    ("sp\u200dam", "invisible-character", ERROR),
    ("Donau\u00addampf", "invisible-character", WARNING),
    ("ไทย\u200bspam", "invisible-character", WARNING),
    ("\ufeffspam1", "invisible-character", ERROR),
    ("junk\ufe0f", "invisible-character", ERROR),
    ("junk\u00a0\ufe0f", "invisible-character", ERROR),
    ("ju\u115fnk", "invisible-character", ERROR),
    ("sp\u202eam", "text-direction", ERROR),
    ("\u200fשלום", "text-direction", WARNING),
    ("\x1b[31m", "control-character", ERROR),
    ("&uuml;ber", "escaped-text", ERROR),
    ("\\u00fcber", "escaped-text", ERROR),
    ("t%C3%A9", "escaped-text", ERROR),
    ("http://a.example/%C3%A9", "escaped-text", WARNING),
    ("free%20coins", "escaped-text", WARNING),
    ("<b>free</b>", "escaped-text", WARNING),
    ('"junk"', "quotes", ERROR),
    ('"junk",', "quotes", ERROR),
    ("'junk',", "quotes", ERROR),
    ("'junk'", "quotes", WARNING),
    ("\u201ejunk\u201c", "quotes", WARNING),
    ('"junk', "quotes", WARNING),
    ("“junk", "quotes", WARNING),
    ("junk”,", "quotes", WARNING),
    ("„junk", "quotes", WARNING),
    ("junk»", "quotes", WARNING),
    ("「バカ", "quotes", WARNING),
    ("NULL", "missing-value", ERROR),
    ("nan", "missing-value", ERROR),
    ("[object Object]", "missing-value", ERROR),
    ("None", "missing-value", WARNING),
    ("• junk", "list-item", ERROR),
    ("1. junk", "list-item", WARNING),
    ("b) junk", "list-item", WARNING),
    ("- junk", "list-item", WARNING),
    ("=SUM(A1:A9)", "spreadsheet-value", ERROR),
    ("=B7", "spreadsheet-value", ERROR),
    ("*", "one-letter", ERROR),
    (".", "one-letter", ERROR),
    ("---", "one-letter", ERROR),
    (".*", "one-letter", ERROR),
    ("spam,scam", "separator", ERROR),
    ("spam, scam, junk", "separator", ERROR),
    ("junk,", "separator", ERROR),
    ("\u0455pam", "look-alike", WARNING),
    ("\u0455pam", "mixed-scripts", WARNING),
    ("cafe\u0301", "normalization", WARNING),
    ("\ufb01nance", "normalization", WARNING),
    (" junk", "spaces", WARNING),
    ("junk ", "spaces", WARNING),
    ("x", "one-letter", WARNING),
    ("#comment", "comment", WARNING),
    ("# comment", "comment", ERROR),
    ("x" * 101, "too-long", ERROR),
    ("spam", "duplicate", WARNING),
    ("SPAM", "case-duplicate", WARNING),
    ("class", "everyday-word", WARNING),
    ("spam.*", "pattern-as-word", WARNING),
    # As editors, programs and shells write them.
    ("| spam | high |", "separator", ERROR),
    ("スパム、詐欺、広告", "separator", ERROR),
    ("بريد، احتيال، إعلان", "separator", ERROR),
    ("垃圾；诈骗", "separator", ERROR),
    ("垃圾，诈骗", "separator", WARNING),
    ("junk/trash/fool", "separator", WARNING),
    ("junk    high", "spaces", WARNING),
    ("free\u00a0coins", "spaces", WARNING),
    ("free\u3000coins", "spaces", WARNING),
    ("\uf0b7 junk", "list-item", ERROR),
    ("\u2043junk", "list-item", ERROR),
    ("\u2192 junk", "list-item", WARNING),
    ("[x] junk", "list-item", WARNING),
    ("=== Insults ===", "comment", ERROR),
    ("<<<<<<< HEAD", "comment", ERROR),
    ("Insults:", "comment", WARNING),
    ("junk # a remark", "comment", WARNING),
    ("junk // a remark", "comment", WARNING),
    ("junk_x000D_", "escaped-text", ERROR),
    ("Gr=C3=BC=C3=9Fe", "escaped-text", ERROR),
    ("Gr\\'fc\\'dfe", "escaped-text", ERROR),
    ("=?utf-8?Q?Gr=FC?=", "escaped-text", ERROR),
    ("%u0444", "escaped-text", ERROR),
    ("gr%FC%DFe", "escaped-text", ERROR),
    ("junk\\nfool", "escaped-text", WARNING),
    ("rock &amp roll", "escaped-text", WARNING),
    ("<word>junk</word>", "escaped-text", WARNING),
    ("['spam', 'scam']", "syntax", ERROR),
    ('{"term": "junk"},', "syntax", ERROR),
    ("('junk');", "syntax", ERROR),
    ("b'junk'", "syntax", ERROR),
    ('\\"junk\\"', "syntax", ERROR),
    ("'junk' => 1,", "syntax", ERROR),
    ("[]", "missing-value", ERROR),
    ('""', "missing-value", ERROR),
    ("#¡VALOR!", "spreadsheet-error", ERROR),
    ("#SAKNAS!", "spreadsheet-error", ERROR),
    ("4.9172e11", "spreadsheet-number", ERROR),
    ("491721234567.0", "spreadsheet-number", WARNING),
    ("4-févr.", "spreadsheet-date", ERROR),
    ("2-мар", "spreadsheet-date", ERROR),
    ("2026-02-01T00:00:00Z", "spreadsheet-date", ERROR),
    ("1/2/2026 0:00", "spreadsheet-date", WARNING),
    ("00:30:00", "spreadsheet-date", WARNING),
    ("2/Jan", "spreadsheet-date", WARNING),
    ("1月2日", "spreadsheet-date", WARNING),
    ("Ïðèâåò", "mis-decoded", WARNING),
    ("Stra▀e", "mis-decoded", WARNING),
]

PATTERNS = [
    ("spam.*", "unbounded-pattern", ERROR),
    ("(spam", "invalid-pattern", ERROR),
    (r"\p{L}", "invalid-pattern", WARNING),
    ("spam|", "matches-everything", ERROR),
    (".", "matches-everything", ERROR),
    (r"\w{1,9}", "matches-everything", ERROR),
    ("s?[pa]{0,3}(am)?", "matches-everything", ERROR),
    ("&amp;", "escaped-text", WARNING),
    ('"spam"', "quotes", WARNING),
    ("s\u200bpam", "invisible-character", WARNING),
]

CORRECT = [
    "\u1100\u1160", "\u115f\u1161", "می\u200cخواهم", "خانه\u200c", "क्\u200dष", "शक्\u200cति", "അവന്\u200d", "👩🏽\u200d🚀", "🏳️\u200d🌈", "❤️\u200d🔥", "1️⃣", "☺️",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "死", "バカ", "ｶﾞ", "ngu như bò", "İstanbul", "SIK", "sik",
    "ความรัก", "ភាសា\u200bខ្មែរ", "NÃO", "SÃO PAULO", "MAÇÃ", "Œuvre", "c'est quoi\u202f!", "τι κάνεις;", "١٢٣", "א\u05b8ב", "ﻻ",
    "لعنة الله عليك،", "加微信，领红包", "你好,傻瓜", "جداً، نعم", "Öööh", "ÄÄÄH", "créée", "jäääär", "('ω')", "(\"-\")", "3:1", "and/or", "1st",
    "2 girls 1 cup", "No. 5", "(╯°□°)╯︵ ┻━┻", "➡️ x", "a=b", "#metoo", "3.14", "1.5", "x: y", "m²", "(笑)", "お金\u3000欲しい", "« non »",
    "don't", "O\u2019Reilly", "Straße", "a-b", ":-)", ";-)", "http://example.com/?q=1", "24/7", "50 %", "C++", "AT&T", "ᠮᠣᠩᠭᠣᠯ\u180b",
]  # fmt: skip

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

#: Languages of different scripts, and all others.
QUICK = ("ar", "en", "hi", "ja", "ru")
OTHERS = sorted(set(wordfreq.available_languages()) - {*QUICK})


def found(entry: str, *, category: str = "word") -> dict[str, Severity]:
    """The rules that report an entry, which is last in a list."""
    return {
        each.rule: each.severity
        for each in lint_entries(["spam", "zzz", entry], category=category)
        if each.index == 2 or entry in each.others
    }


def found_first(entry: str, *, category: str = "word") -> dict[str, Severity]:
    """The rules that report an entry, which is first in a list."""
    findings = lint_entries([entry, "zzz"], category=category, settings=QUIET)
    return {each.rule: each.severity for each in findings if each.index == 0}


def found_rules(entries: list[str]) -> set[str]:
    """The rules that report any entry of a list."""
    return {each.rule for each in lint_entries(entries)}


class TestRules:
    @pytest.mark.parametrize(("entry", "rule", "severity"), DAMAGED)
    def test_damaged_words(self, entry: str, rule: str, severity: Severity) -> None:
        """A damaged or unusual word is reported by its rule, with its severity."""
        assert found(entry).get(rule) == severity

    @pytest.mark.parametrize(("entry", "rule", "severity"), PATTERNS)
    def test_damaged_patterns(self, entry: str, rule: str, severity: Severity) -> None:
        """A pattern that the service refuses or that does not compile is reported."""
        assert found(entry, category="pattern").get(rule) == severity

    def test_patterns_as_words(self) -> None:
        """A regular expression in a list of words or sentences is a warning; correct words with its signs are not."""
        for category in ("word", "sentence-similarity"):
            for entry in PATTERNS_AS_WORDS.split():
                assert found(entry, category=category).get("pattern-as-word") is WARNING, entry
            (finding,) = (each for each in lint_entries(["sp[a4]m"], category=category))
            assert f"but {'words' if category == 'word' else 'sentences'} are compared" in finding.message
            for entry in SIGNS_IN_WORDS.split():
                assert "pattern-as-word" not in found(entry, category=category), entry
        assert "pattern-as-word" not in found("sp[a4]m", category="pattern")

    def test_entries_of_another_category(self) -> None:
        """Words in a list of sentences, and everyday words in a list of patterns, are warnings; correct lists are not."""
        words = ["idiot", "moron", "crypto signals", "loser", "Wanker"]

        def found_in(entries: list[str], before: list[str]) -> set[str]:
            return {each.rule for each in lint_entries(entries, category="sentence-similarity", before=before)}

        (finding,) = lint_entries(words, category="sentence-similarity")
        assert (finding.rule, finding.severity) == ("wrong-category", WARNING)
        assert finding.message.startswith("'idiot' and 3 other new entries are single words;")
        live = ["I will hurt you.", "You are dead.", "Stop now or else."]
        mixed = [*live, "idiot", "moron", "loser"]
        assert found_in(mixed, live) == {"wrong-category"}
        for correct in (
            mixed[:5],
            ["死ね", "バカ", "消えろ", "ตาย"],
            ["Die!", "Stirb.", "¡Muere!"],
            ["idiot", "moron"],
        ):
            assert not found_in(correct, live[:2]), correct
        patterns = [r"\bthe\b", "the", "sp[a4]m", "casino", "t(?:he|his)"]
        assert [(each.rule, each.entry) for each in lint_entries(patterns, category="pattern")] == [
            ("everyday-word", "the")
        ]

    def test_header_row(self) -> None:
        """A title in the first row is an error; the same word elsewhere is not."""
        for title in ("term", "Keyword", "Schlüsselwort", "sep=;", "search terms"):
            assert [each.rule for each in lint_entries([title, "zzz"]) if each.severity is ERROR] == ["header-row"]
        for title in (
            "Ord", "Palabras_es", "Term (EN)", "Wort/Phrase", "Unnamed: 0", "Column A", "Spalte1", "Λέξεις", "Ключевое слово",
            "NGワード", "违禁词", "금지어", "الكلمات المحظورة", "מילים אסורות", "คำต้องห้าม", "Từ khóa", "निषिद्ध शब्द", "Tiltott szavak",
        ):  # fmt: skip
            assert found_first(title)["header-row"] is ERROR, title
        assert not found_rules(["Schlagwort"])
        for title in ("Profanity", "Gros mots", "Schimpfwörter"):
            assert found_first(title)["header-row"] is WARNING
        for entry in ("his/her", "Free coins", "fields"):
            assert "header-row" not in found_first(entry)
        for title in ("Banned words for shop", "List of bad words:", "Gesperrte Begriffe"):
            assert found_first(title)["header-row"] is ERROR
            assert found_first(title, category="sentence-similarity") == {"header-row": WARNING}
        assert not found_first("you have no words for the many things that i am")
        assert not [each for each in lint_entries(["zzz", "keyword"]) if each.rule == "header-row"]

    def test_marks_of_a_whole_document(self) -> None:
        """Marks of items, or commas, in many entries are errors: they come from a document."""
        for rule, entries in (
            ("list-item", ["1. spam", "2. free coins", "3. zzz"]),
            ("list-item", ["- spam", "- zzz"]),
            ("separator", ["spam, free coins", "junk, zzz", "xyz"]),
            ("separator", ["spam, free coins"]),
            ("list-item", ["1 spam", "2 scam", "3 junk", "zzz"]),
            ("list-item", ["[7] spam", "[8] scam", "[9] junk"]),
            ("list-item", ["No. 1 spam", "No. 2 scam", "No. 3 junk"]),
            ("list-item", ["① spam", "② scam", "③ junk"]),
            ("list-item", ["a. spam", "b. scam", "c. junk"]),
            ("list-item", ["> spam", "> scam", "> junk"]),
            ("quotes", ["“spam”", "“free coins”", "“junk”"]),
            ("quotes", ["「バカ」", "「死ね」", "「アホ」"]),
            ("mis-decoded", ["Ïðèâåò", "Ñïàì÷", "äóðàê"]),
        ):
            assert ERROR in {each.severity for each in lint_entries(entries) if each.rule == rule}, entries

    def test_similar_lists_without_such_marks(self) -> None:
        """Numbers, quotes and accents in a few entries, or in another order, are no error."""
        for rule, entries in (
            ("list-item", ["1 spam", "2 scam", "zzz", "3 junk"]),
            ("list-item", ["1st spam", "2nd scam", "3rd junk"]),
            ("list-item", ["3 spam", "12 scam", "1 junk"]),
            ("quotes", ["“spam”", "“junk”", "zzz", "xyz"]),
            ("quotes", ["“spam”", "zzz'x", "it's zzz", "zzz's"]),
            ("mis-decoded", ["Ïðèâåò", "Ñïàì÷", *(f"zzz{number}" for number in range(9))]),
        ):
            assert ERROR not in {each.severity for each in lint_entries(entries) if each.rule == rule}, entries
        counted = lint_entries(["1 spam", "2 scam", "3 junk", "zzz"])
        assert [each.entry for each in counted] == ["1 spam", "2 scam", "3 junk"]
        numbers = lint_entries(["3 spam", "12 scam", "1 junk"])
        assert [(each.rule, each.severity) for each in numbers] == [("list-item", WARNING)] * 3

    def test_a_list_in_one_line(self) -> None:
        """If the only entry of a list has many words, this is a warning."""
        assert found_rules(["spam scam junk idiot moron fool dumb trash"]) == {"separator"}
        assert not found_rules(["you are the worst of all"])
        assert not found_rules(["spam scam junk idiot moron fool dumb trash", "zzz"])

    def test_columns(self) -> None:
        """If all entries have the same number of semicolons, they are columns of a spreadsheet."""
        for category, severity in (("word", ERROR), ("sentence-similarity", ERROR), ("pattern", WARNING)):
            rows = lint_entries(["a b;x y", "c d;x y", "e f;x y"], category=category)
            assert [each.severity for each in rows if each.rule == "separator"] == [severity] * 3

        two = lint_entries(["well; no", "ok; no"])
        assert [each.severity for each in two if each.rule == "separator"] == [WARNING] * 2

    def test_normal_forms(self) -> None:
        """One word in NFC and NFD is reported with the other form."""
        nfc, nfd = "caf\u00e9", "cafe\u0301"
        (finding,) = (each for each in lint_entries([nfc, nfd]) if each.rule == "normalization")
        assert (finding.entry, finding.others) == (nfd, (nfc,))

    def test_contained_entries(self) -> None:
        """An entry that occurs in other entries is reported once, with the other entries."""
        (finding,) = lint_entries(["spam", "SPAMMER", "no spam", "zzz"])
        assert (finding.rule, finding.severity, finding.entry) == ("contains-entry", NOTE, "spam")
        assert finding.others == ("SPAMMER", "no spam")

    def test_contained_entries_of_a_large_list(self) -> None:
        """In a large list, entries that begin with another entry are found."""
        entries = [*(f"{number:06d}" for number in range(50_000)), "spamspam", "spamspammer"]
        (finding,) = lint_entries(entries)
        assert finding.others == ("spamspammer",)

    def test_numbers_that_a_spreadsheet_changed(self) -> None:
        """If a number of the live list is replaced by another spelling of it, this is an error."""
        for live, now in (
            ("007", "7"),
            ("1.50", "1.5"),
            ("12345678901234567890", "12345678901234500000"),
            ("1234567890123456", "1234567890123450"),
        ):
            findings = lint_entries(["zzz", now], before=["zzz", live])
            assert "spreadsheet-change" in {each.rule for each in findings if each.severity is ERROR}
        assert not lint_entries(["zzz", "007", "7000"], before=["zzz", "007"])
        findings = lint_entries(["zzz", "7", "7.00"], before=["zzz", "7", "7.00"])
        assert "spreadsheet-change" not in {each.rule for each in findings}

    def test_values_that_a_spreadsheet_formatted(self) -> None:
        """A date or a formatted number made from a live entry is an error, also in additions."""
        for live, now in (("3/4", "03/04/26"), ("3/4", "2026-03-04"), ("4.3.", "03/04/26"), ("100%", "100.00%")):
            for entries in (["zzz", now], ["zzz", live, now]):
                findings = lint_entries(entries, before=["zzz", live])
                assert [each.entry for each in findings if each.rule == "spreadsheet-change"] == [now]
        for live, now in (("3/4", "05/06/26"), ("007", "7"), ("spam", "03/04/26")):
            findings = lint_entries(["zzz", live, now], before=["zzz", live])
            assert "spreadsheet-change" not in {each.rule for each in findings}

    def test_similar_entries_that_are_correct(self) -> None:
        """Entries that look similar to damaged ones are not reported."""
        # The characters of mis-decoded text mean nothing.
        assert found("Ð¿Ñ€Ð¸Ð²ÐµÑ‚ \u0455pam").keys() == {"mis-decoded"}
        for entry, rule in (
            ("1234567890123456789", "spreadsheet-number"),
            ("1-2-3-4", "spreadsheet-date"),
            ("what;is", "comment"),
            ("no?", "lost-characters"),
            ("rock&roll;", "escaped-text"),
            ("100%25", "escaped-text"),
            ('24"', "quotes"),
            ("24”", "quotes"),
            ("you “clown” you", "quotes"),
            ("’tis", "quotes"),
            ("U. S.", "list-item"),
            ("10,000", "separator"),
            ("rock'n'roll", "quotes"),
            ("a" + "\u0301" * 9, "one-letter"),
        ):
            assert rule not in found(entry), entry
        assert "mixed-scripts" not in found("spam привет")
        assert "lost-characters" not in found("colou?r", category="pattern")
        assert "comment" not in found("- x", category="pattern")
        assert "mis-decoded" not in found("sp[àáâã]m", category="pattern")
        assert not found_rules(["İ. zzz", "ſ) yyy", "K. xxx"]) - {"list-item"}
        for pattern, rule in (
            ("-x", "spreadsheet-value"),
            ("1. x", "list-item"),
            ("a  b", "spaces"),
            (r"\u00e9", "escaped-text"),
            ("[a-z]?x", "matches-everything"),
            (r"x\?", "matches-everything"),
            (r"\bx?\b", "matches-everything"),
        ):
            assert rule not in found(pattern, category="pattern"), pattern
        marks = {
            each.entry: each.severity for each in lint_entries(["zzz", "??", "????"]) if each.rule == "lost-characters"
        }
        assert marks == {"??": ERROR, "????": ERROR}
        assert found("??")["lost-characters"] is WARNING

    @pytest.mark.parametrize(
        ("entries", "errors", "warnings"),
        [
            # Several words, and no letter outside ASCII is left: the file is damaged.
            ("M?ller Stra?e na?ve caf? ?ber", "M?ller Stra?e na?ve", "caf? ?ber"),
            ("M?ller caf? ol?", "", "M?ller caf? ol?"),
            # Some letters are left.
            ("M?ller Stra?e na?ve café", "", "M?ller Stra?e na?ve"),
            # Too few words, or other words with the same letters.
            ("M?ller caf?", "", "M?ller"),
            ("f?ck", "", "f?ck"),
            ("f?ck FUCK sh?t shit b??ch b**ch wtf?", "", "f?ck sh?t b??ch"),
            # Questions and addresses.
            ("wtf? why? really? what?!", "", ""),
            ("a?b c?d e?f wtf?! .?", "a?b c?d e?f", ""),
            ("a.example/x?y=1 http://a.example/x?y a?b c?d", "", "a?b c?d"),
        ],
    )
    def test_lost_letters(self, entries: str, errors: str, warnings: str) -> None:
        """Question marks in words are errors if many words of a file have them, else warnings."""
        findings = [each for each in lint_entries(entries.split()) if each.rule == "lost-characters"]
        assert [each.entry for each in findings if each.severity is ERROR] == errors.split()
        assert [each.entry for each in findings if each.severity is WARNING] == warnings.split()

    def test_question_marks_of_sentences(self) -> None:
        """In a list of sentences, question marks are no error, and no warning at the end of a word."""
        entries = ["really?no", "well?ok", "hm?then", "who are you?"]
        findings = lint_entries(entries, category="sentence-similarity")
        assert [(each.entry, each.severity) for each in findings] == [(each, WARNING) for each in entries[:3]]

    def test_damage_with_spaces_beside_it(self) -> None:
        """Damaged values are found with spaces at their ends."""
        for entry, rule in (
            (" #NAME?", "spreadsheet-error"),
            ("1e+05 ", "spreadsheet-number"),
            (" 2-Sep", "spreadsheet-date"),
        ):
            assert found(entry)[rule] is ERROR

    def test_many_contained_entries(self) -> None:
        """At most 1,000 contained entries are listed, and a note gives the number of the others."""
        entries = [each for number in range(1000, 2100) for each in (f"q{number}", f"q{number}z")]
        findings = [each for each in lint_entries(entries) if each.rule == "contains-entry"]
        assert len([each for each in findings if each.index is not None]) == 1000
        assert findings[0].message == "100 more entries occur in other entries, and are not listed"

    def test_only_invisible_characters_are_escaped(self) -> None:
        """A message shows letters as they are, and a code in place of a character that cannot be seen."""
        (message,) = (each.message for each in lint_entries(["Grü\u200bn"]) if each.rule == "invisible-character")
        assert message.startswith("'Grü\\u200bn' holds U+200B ZERO WIDTH SPACE")

    def test_one_finding_for_an_entry(self) -> None:
        """An entry with several escapes has one finding of the rule."""
        (finding,) = lint_entries(["&uuml;&ouml;zzz"])
        assert finding.rule == "escaped-text"

    def test_spaces_are_named(self) -> None:
        """A finding about spaces names them: two spaces in a row, or the code point."""
        (message,) = (each.message for each in lint_entries(["free  coins"]) if each.rule == "spaces")
        assert "holds two spaces in a row" in message
        (message,) = (each.message for each in lint_entries(["free\u00a0coins"]) if each.rule == "spaces")
        assert "holds U+00A0 NO-BREAK SPACE" in message

    def test_lost_zeros(self) -> None:
        """Numbers that are one digit shorter than nearly all others are reported."""
        (finding,) = lint_entries(["10115", "20095", "50667", "80331", "1067", "40213"])
        assert (finding.rule, finding.entry) == ("spreadsheet-number", "1067")
        assert len(lint_entries(["10115", "20095", "50667", "80331", "1067"])) == 1
        assert not lint_entries(["10115", "20095", "50667", "1067"])

    def test_invalid_arguments(self) -> None:
        """Entries that are no texts, blank entries, and unknown categories and languages are refused."""
        for entries, options in (
            ("spam", {}), ([1], {}), ([" "], {}), (["a"], {"category": "words"}),
            (["a"], {"settings": LintSettings(languages=("xx",))}),
        ):  # fmt: skip
            with pytest.raises(InvalidRequestError):
                lint_entries(entries, **options)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    def test_missing_words(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without the extra `words`, only the most common words are reported, and a note says how to install it."""
        monkeypatch.setattr("cometchat_desk.lint.everyday.is_installed", lambda: False)
        note, finding = lint_entries(["class", "zzz", "The"])
        assert (note.severity, note.index) == (NOTE, None)
        assert 'pip install "cometchat-rest[words]"' in note.message
        assert (finding.rule, finding.entry) == ("everyday-word", "The")
        other = lint_entries(["und", "the"], settings=LintSettings(languages=("de", "sv")))
        assert [each.entry for each in other if each.index is not None] == ["und"]

    def test_everyday_words_are_words(self) -> None:
        """Signs and numbers are no everyday words, although lists of frequent words hold them."""
        for entry in ("__", "00", "0000", "№№", "🙏", "a"):
            assert "everyday-word" not in found(entry), entry


class TestCorrectText:
    @pytest.mark.parametrize("entry", CORRECT)
    def test_correct_entries(self, entry: str) -> None:
        """Correct text in any script gives no error."""
        for category in ("word", "sentence-similarity"):
            assert ERROR not in found(entry, category=category).values()

    @pytest.mark.parametrize("language", [*QUICK, *(pytest.param(each, marks=pytest.mark.deep) for each in OTHERS)])
    def test_words_of_a_language(self, language: str) -> None:
        """The most frequent words of a language give no error, in any case and normal form."""
        # In capital letters, the Norwegian word for zero is how databases write a missing value. "_" is not a word.
        no_words = {"null", "_", "\u200c", "\u200d"}
        words = [word for word in wordfreq.top_n_list(language, 1500) if word not in no_words]
        for variant in (str, str.upper, str.title, lambda word: unicodedata.normalize("NFD", word)):
            findings = lint_entries(["zzz", *map(variant, words)], settings=QUIET)
            assert [str(each) for each in findings if each.severity is ERROR] == []
        phrases = [" ".join(pair) for pair in pairwise(words)]
        assert not [each for each in lint_entries(phrases, settings=QUIET) if each.severity is ERROR]

    @settings(max_examples=120, deadline=None, derandomize=True, database=None)
    @given(
        st.lists(st.text(min_size=1).filter(str.strip), min_size=1),
        st.sampled_from(["word", "pattern", "sentence-similarity"]),
    )
    def test_any_text(self, entries: list[str], category: str) -> None:
        """The linter accepts any text, and each finding is one printable line about an existing entry."""
        for each in lint_entries(entries, category=category):
            assert "\n" not in str(each)
            assert not any(unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp") for one in str(each))
            assert each.index is None or entries[each.index] == each.entry


class TestFiles:
    def test_places(self, tmp_path: Path) -> None:
        """A finding has the line and the column of its entry, in each format."""
        for name, text, place in (
            ("a.txt", "zzz\r\n\r\ns\u200bpam\r\n", (3, 1)),
            ("a.csv", "\nzzz\ns\u200bpam", (3, 1)),
            ("a.csv", '\ufeff"zzz\nzz"\r\n\r\n"s\u200bpam"\r\n', (4, 1)),
            ("a.json", '{"name": "terms", "category": "word",\n "terms": ["zzz",\n  "s\u200bpam"]}', (3, 3)),
        ):
            (tmp_path / name).write_bytes(text.encode())
            (finding,) = (each for each in lint_file(tmp_path / name) if each.rule == "invisible-character")
            assert (finding.line, finding.column) == place
            assert str(finding).startswith(f"{tmp_path / name}:{place[0]}:{place[1]}: error invisible-character: ")

    @settings(max_examples=100, deadline=None, derandomize=True, database=None)
    @given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0")).filter(str.strip), min_size=1))
    def test_places_of_any_entries(self, entries: list[str]) -> None:
        """Each entry of a valid file has a place, and the place is where the entry begins."""
        document = json.dumps({"terms": entries, "category": "word", "name": 'x "terms": ["'})
        for suffix, text in ((".csv", "\ufeff" + keyword_input.csv_text(entries)), (".json", document)):
            content = files.parse(text.encode(), "list", suffix=suffix)
            lines = text.removeprefix("\ufeff").split("\n")
            assert len(content.places) == len(entries)
            for entry, (line, column) in zip(entries, content.places, strict=True):
                rest = lines[line - 1][column - 1 :]
                assert rest.startswith(('"', entry[:1])), (suffix, entry)

    @pytest.mark.parametrize(
        ("name", "content", "advice"),
        [
            ("a.txt", b"", "holds no terms"),
            ("a.csv", b"PK\x03\x04\x14\x00\xff\xfe", "save it as CSV UTF-8"),
            ("a.csv", b"\x89PNG\r\n\x1a\n", "choose another file"),
            ("a.txt", "Grüße\n".encode("cp1252"), "CSV UTF-8"),
            ("a.csv", "Grüße\n".encode("utf-16"), "CSV UTF-8"),
            ("a.csv", "spam\n".encode("utf-16-le"), "CSV UTF-8"),
            ("a.txt", b"spam\0scam", "CSV UTF-8"),
            ("a.txt", b"{\\rtf1 spam}", "CSV UTF-8"),
            ("a.txt", b"<!DOCTYPE html><p>", "CSV UTF-8"),
            ("a.json", b'{"words": ["a"]}', "the fields are"),
            ("a.json", b"[1, 2]", "category and terms"),
            ("a.xlsx", b"PK\x03\x04", "CSV UTF-8"),
            ("a.csv", b"spam,bad\nscam,bad\n", "second column"),
            ("a.csv", b'"a;b";1\r\n', "continues after"),
        ],
    )
    def test_other_files(self, tmp_path: Path, name: str, content: bytes, advice: str) -> None:
        """A file that is not a list is one finding that says what to do, and cannot be accepted."""
        (tmp_path / name).write_bytes(content)
        (finding,) = lint_file(tmp_path / name)
        assert (finding.rule, finding.severity) == ("invalid-file", ERROR)
        assert advice in finding.message
        with pytest.raises(InvalidRequestError, match="cannot be turned off"):
            accept([finding], ["invalid-file"])

    def test_missing_file(self, tmp_path: Path) -> None:
        """A file that cannot be read is an error of the caller, not a finding."""
        with pytest.raises(InvalidRequestError, match="cannot be read"):
            lint_file(tmp_path / "missing.txt")

    def test_header(self) -> None:
        """With `header`, the title of a CSV file is not an entry; a finding names the skipped row."""
        data = b"term\r\nzzz\r\n"
        assert [each.rule for each in lint_bytes(data, "a.csv", settings=QUIET)] == ["header-row"]
        assert lint_bytes(b"zzz\r\n", "a.csv", settings=QUIET) == ()
        for row, title, severity in (
            (b"term", "the title row 'term' is skipped", NOTE),
            (b'"Banned, words"', "the title row 'Banned, words' is skipped", NOTE),
            (
                b"idiot",
                "the first row 'idiot' is skipped, but does not look like a title; use --no-header if it is an entry",
                WARNING,
            ),
        ):
            (finding,) = lint_bytes(row + b"\r\nzzz\r\n", "a.csv", settings=QUIET, header=True)
            assert (finding.rule, finding.severity, finding.message) == ("header-row", severity, title)

    @pytest.mark.parametrize(
        "data",
        [
            b'\xef\xbb\xbfspam\r\nfree coins\r\n"a, b"\r\n"say ""hi"""\r\nGr\xc3\xbc\xc3\x9fe\r\n',  # Excel
            b'spam\nfree coins\n"a, b"\n"say ""hi"""\nGr\xc3\xbc\xc3\x9fe\n',  # LibreOffice
            b'spam\r\nfree coins\r\n"a, b"\r\n"say ""hi"""\r\nGr\xc3\xbc\xc3\x9fe',  # Numbers
        ],
    )
    def test_round_trip_through_a_spreadsheet(self, tmp_path: Path, data: bytes) -> None:
        """A dumped file is the same list after a spreadsheet has saved it without a change."""
        terms = ("spam", "free coins", "a, b", 'say "hi"', "Grüße")
        files.write(tmp_path / "list.csv", keyword_input.from_terms("word", terms))
        assert (tmp_path / "list.csv").read_bytes().startswith(b"\xef\xbb\xbfspam\n")
        (tmp_path / "saved.csv").write_bytes(data)
        assert files.read(tmp_path / "list.csv").entries == terms
        assert files.read(tmp_path / "saved.csv").entries == terms

    def test_values_that_a_spreadsheet_damages(self) -> None:
        """If a spreadsheet changes an entry while it saves the file, the change is an error."""
        for live, saved in (
            ("-spam", "#NAME?"),
            ("=x", "#NAME?"),
            ("1E5", "1.00E+05"),
            ("1-2", "02. Jan"),
            ("007", "7"),
        ):
            findings = lint_entries(["zzz", saved], before=["zzz", live])
            assert blocking(findings, added=[saved]), live


class TestSettings:
    def write(self, folder: Path, text: str) -> Path:
        path = folder / "cometchat-lint.toml"
        path.write_text(text, "utf-8")
        return path

    def test_settings_beside_the_file(self, tmp_path: Path) -> None:
        """Settings in the folder of a file, or above it in the same repository, apply to the file."""
        (tmp_path / ".git").mkdir()
        (tmp_path / "lists").mkdir()
        file = tmp_path / "lists" / "a.txt"
        file.write_text("zzz\nx\ny\nGrÃ¼ÃŸe\n", "utf-8")
        self.write(tmp_path, '[rules]\nmis-decoded = "warning"\none-letter = "error"\n[accepted]\none-letter = ["x"]\n')
        assert [(each.entry, each.severity) for each in lint_file(file)] == [("y", ERROR), ("GrÃ¼ÃŸe", WARNING)]
        self.write(tmp_path, '[rules]\nmis-decoded = "off"\none-letter = "off"\n')
        assert lint_file(file) == ()
        (tmp_path / ".git").rmdir()
        assert len(lint_file(file)) == 3

    def test_categories_and_header(self, tmp_path: Path) -> None:
        """The settings name the category of files, and whether CSV files have a title."""
        self.write(tmp_path, 'header = true\n[categories]\n"patterns/*" = "pattern"\n')
        (tmp_path / ".git").mkdir()
        (tmp_path / "patterns").mkdir()
        (tmp_path / "patterns" / "a.csv").write_text("pattern\nx+\n", "utf-8")
        assert "unbounded-pattern" in {each.rule for each in lint_file(tmp_path / "patterns" / "a.csv")}
        assert "the title row 'pattern' is skipped" in {
            each.message for each in lint_file(tmp_path / "patterns" / "a.csv")
        }

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("[rules", "is not valid TOML"),
            ("colour = 1", "'colour' is not a setting"),
            ("[rules]\nspacs = 'off'", "did you mean spaces?"),
            ("[rules]\nspaces = 'bad'", 'must be "error"'),
            ("[rules]\ninvalid-file = 'off'", "cannot be turned off"),
            ("rules = 1", "must be a table"),
            ("[accepted]\nspaces = 'x'", "array of strings"),
            ("languages = ['xx']", "'xx' is not a language"),
            ("category = 'words'", "must be one of"),
            ("header = 1", "true or false"),
        ],
    )
    def test_invalid_settings(self, tmp_path: Path, text: str, problem: str) -> None:
        """An invalid setting is one line that names the file and the setting."""
        with pytest.raises(InvalidRequestError) as caught:
            read_settings(self.write(tmp_path, text))
        assert problem in str(caught.value)
        assert str(caught.value).startswith(f"{tmp_path}{os.sep}cometchat-lint.toml: ")
        assert "\n" not in str(caught.value)


class TestBlocking:
    def test_errors_block(self) -> None:
        """Errors in added entries stop an update, unless their rule is accepted."""
        findings = lint_entries(["zzz", "GrÃ¼ÃŸe", "x"])
        assert [each.entry for each in blocking(findings)] == ["GrÃ¼ÃŸe"]
        assert blocking(findings, ["mis-decoded"]) == ()
        assert [each.entry for each in blocking(findings, added=["GrÃ¼ÃŸe"])] == ["GrÃ¼ÃŸe"]
        assert blocking(findings, added=["x"]) == ()
        assert {each.severity for each in accept(findings, ["mis-decoded"])} == {WARNING}

    def test_described(self) -> None:
        """Beyond a number of findings of one rule, a line gives the number of the others."""
        lines = describe(lint_entries([f"x{number}\u200b" for number in range(30)]), 3)
        assert len(lines) == 4
        assert lines[3] == "... and 27 more findings of invisible-character"


class TestFormats:
    findings = (
        Finding(
            rule="spaces", severity=NOTE, message="100% a:b,\nc", entry="x", index=0, file="a b,c.txt", line=2, column=3
        ),
        Finding(rule="invalid-file", severity=ERROR, message="no", file="lists/é.csv"),
    )

    def test_github(self) -> None:
        """Characters that would end a workflow command are escaped."""
        assert as_github(self.findings).split("\n") == [
            "::notice file=a b%2Cc.txt,line=2,col=3,title=spaces::100%25 a:b,%0Ac",
            "::error file=lists/é.csv,title=invalid-file::no",
        ]

    def test_sarif(self) -> None:
        """The SARIF log has the required properties, and each result refers to its rule."""
        log = json.loads(as_sarif(self.findings))
        assert log["version"] == "2.1.0"
        (run,) = log["runs"]
        rules = run["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == list(RULES)
        for result, finding in zip(run["results"], self.findings, strict=True):
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding.rule
            assert result["level"] in ("none", "note", "warning", "error")
            assert result["message"]["text"] == finding.message
        places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
        assert [place["artifactLocation"]["uri"] for place in places] == ["a%20b%2Cc.txt", "lists/%C3%A9.csv"]
        assert places[0]["region"] == {"startLine": 2, "startColumn": 3}

    def test_sarif_schema(self) -> None:
        """The SARIF log is valid: with findings, without a place, without findings, and for each rule."""
        # The rules of the SARIF 2.1.0 schema (rtm.5), without its descriptions.
        schema = json.loads((Path(__file__).parent / "sarif-2.1.0-rtm.5.json").read_text("utf-8"))
        validator = Draft4Validator(schema)
        everywhere = tuple(
            Finding(rule=rule, severity=severity, message="m", file="a.txt", line=1, column=1)
            for rule in RULES
            for severity in Severity
        )
        alone = Finding(rule="spaces", severity=NOTE, message="m")
        for findings in (self.findings, (), (alone,), everywhere):
            log = json.loads(as_sarif(findings))
            assert [error.message for error in validator.iter_errors(log)] == []
        log["runs"][0]["results"][0]["level"] = "fatal"
        assert not validator.is_valid(log)


@pytest.mark.deep
@pytest.mark.parametrize("entry", ["term{}", "GrÃ¼ÃŸe{}", "РїСЂРёРІРµС‚{}"])
def test_a_large_list_is_fast(entry: str) -> None:
    """100,000 terms take less than 2 seconds of CPU; the limit here is higher, because the tests share the machine."""
    begin = time.process_time()
    lint_entries(entry.format(number) for number in range(100_000))
    assert time.process_time() - begin < 6
