"""The rules of the linter: their ids, severities and texts."""

from __future__ import annotations

from collections.abc import Mapping

from .findings import Rule, Severity

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

_ALL = (
    # The file.
    Rule(
        id="invalid-file",
        severity=_ERROR,
        summary="The file is not a list in one of the three formats.",
        advice=(
            "The message says how to save the file. The rule also reports rich text, web pages, PDF documents, "
            "contacts and files with NUL characters. No command reads such a file, and no setting can accept it."
        ),
        can_be_accepted=False,
    ),
    Rule(
        id="header-row",
        severity=_ERROR,
        summary="The first row is the title of the column, not an entry.",
        advice="Remove the row, or use --header (`header = true` in the settings) for a CSV file.",
    ),
    Rule(
        id="comment",
        severity=_WARNING,
        summary="The entry looks like a comment.",
        advice=(
            "Lists have no comments: each line is an entry. A mark that a space follows (`# old words`) and a line "
            "such as `=== Insults ===` are errors. A hashtag (`#spam`), a remark behind an entry (`spam # new`) and a "
            "colon at the end (`Insults:`) are warnings."
        ),
    ),
    Rule(
        id="list-item",
        severity=_WARNING,
        summary="The entry begins with a bullet or a number, as in the list of a document.",
        advice=(
            "The mark is sent and compared, so the entry never matches. Remove it. A bullet (`• spam`) is an error. "
            "Other marks and numbers (`- spam`, `1. spam`) are errors if at least three entries have one. Numbers in "
            "any form (`1 spam`, `[1] spam`) are errors if three in a row follow each other."
        ),
    ),
    Rule(
        id="quotes",
        severity=_ERROR,
        summary="The entry is in quotes, which are part of it.",
        advice=(
            "Only a CSV file may have quotes around an entry. Remove them, or save the file as CSV. In a list of words "
            "the quotes of programs are errors; other quotes, such as “spam”, are warnings. If nearly all entries are "
            "in quotes, all quotes are errors. A double quote at one end only is a warning."
        ),
    ),
    Rule(
        id="syntax",
        severity=_ERROR,
        summary="The entry holds the syntax of JSON, SQL or a programming language, for example ['spam', 'scam'].",
        advice="Save the file in the format that its suffix names, or put each text alone in its own line.",
    ),
    Rule(
        id="missing-value",
        severity=_ERROR,
        summary="The entry is a text that programs write for a missing value, such as NULL or nan.",
        advice="Remove the entry. Texts that people also write, such as None and N/A, are only a warning.",
    ),
    Rule(
        id="separator",
        severity=_ERROR,
        summary="The entry holds a separator, so it is several entries in one.",
        advice=(
            "The columns of a spreadsheet are separated with tabs or semicolons. Save one column as CSV UTF-8, and put "
            "each entry in its own line. A vertical bar, strokes, or a comma or a semicolon with a space, are only a "
            "warning if few entries have them. A list whose only entry has many words is a warning."
        ),
    ),
    Rule(
        id="line-break",
        severity=_ERROR,
        summary="The entry holds a line break.",
        advice=(
            "A cell with two lines is one entry, and no message holds it. Put each line in its own row. In a list of "
            "sentences this is a warning."
        ),
    ),
    # The encoding.
    Rule(
        id="mis-decoded",
        severity=_ERROR,
        summary="The text was read in a wrong encoding, for example GrÃ¼ÃŸe in place of Grüße.",
        advice=(
            "Open the original file as UTF-8 and save it again as CSV UTF-8. The message shows the likely text. If it "
            "is unknown, the entry is a warning, and an error if at least three entries and half of the list look so."
        ),
    ),
    Rule(
        id="lost-characters",
        severity=_ERROR,
        summary="Characters of the entry were lost.",
        advice=(
            "A program replaced characters with U+FFFD or with question marks. Take the text from its source again. "
            "A question mark between letters (`M?ller`) is a warning, because people also hide letters (`f?ck`). In a "
            "list of words it is an error if at least three words have one, no letter of the list is outside ASCII, "
            "and the list does not hold the same words with other letters or signs. If such a list has at least three "
            "words with a question mark, those at an end (`caf?`) are warnings."
        ),
    ),
    Rule(
        id="control-character",
        severity=_ERROR,
        summary="The entry holds a control character.",
        advice="No message holds it, so the entry never matches. Remove the character.",
    ),
    Rule(
        id="escaped-text",
        severity=_ERROR,
        summary="The entry holds an escape such as &uuml;, \\u00fc or %C3%BC in place of the character.",
        advice=(
            "Messages hold the character itself. Replace the escape with the character. Tags of HTML, `\\n` between "
            "letters, and escapes in patterns and addresses are warnings."
        ),
    ),
    # Spreadsheets.
    Rule(
        id="spreadsheet-error",
        severity=_ERROR,
        summary="The entry is an error value of a spreadsheet, for example #NAME?.",
        advice=(
            "The spreadsheet read an entry that begins with =, +, - or @ as a formula. Take the entry from its source, "
            "and format the column as text before you paste. A text or JSON file avoids the problem."
        ),
    ),
    Rule(
        id="spreadsheet-number",
        severity=_ERROR,
        summary="A spreadsheet changed a number, for example to 1E+05.",
        advice=(
            "Take the entry from its source, and format the column as text before you paste. The same rule reports "
            "numbers that end in zeros after the 15th digit or in .0, and numbers that seem to have lost a leading "
            "zero, as warnings."
        ),
    ),
    Rule(
        id="spreadsheet-date",
        severity=_ERROR,
        summary="A spreadsheet changed an entry to a date, for example 1-2 to 02. Jan.",
        advice=(
            "Take the entry from its source. A date or a time that people also write, such as 01.02.2026, is only a "
            "warning."
        ),
    ),
    Rule(
        id="spreadsheet-value",
        severity=_WARNING,
        summary="The entry is a logical value or a formula of a spreadsheet.",
        advice=(
            "A spreadsheet writes true as TRUE, and reads an entry that begins with =, +, - or @ as a formula. Check "
            "that the entry is as you mean it. A function or a cell, such as =SUM(A1:A9), is an error."
        ),
    ),
    Rule(
        id="spreadsheet-change",
        severity=_ERROR,
        summary="A number or a date of the live list has another spelling, for example 7 in place of 007.",
        advice=(
            "Only a plan finds this, because it knows the live list. Take the entry from the list again, and format "
            "the column as text before you edit the file in a spreadsheet."
        ),
    ),
    # Characters.
    Rule(
        id="invisible-character",
        severity=_ERROR,
        summary="The entry holds a character that cannot be seen.",
        advice=(
            "No typed message holds it, so the entry never matches. Joiners inside words of Arabic, Persian and Indic "
            "scripts and inside emoji are correct. Characters that are correct in some text, such as a soft hyphen, "
            "and all characters in patterns, are warnings."
        ),
    ),
    Rule(
        id="text-direction",
        severity=_ERROR,
        summary="The entry holds a character that changes the direction of text.",
        advice="Such characters come from copied text. Remove them. In text that is written from right to left this "
        "is a warning.",
    ),
    Rule(
        id="look-alike",
        severity=_WARNING,
        summary="Two entries look the same, but have letters of different scripts.",
        advice="If you list the look-alike on purpose, accept the entry in the settings.",
    ),
    Rule(
        id="mixed-scripts",
        severity=_WARNING,
        summary="A word mixes letters of Latin, Greek or Cyrillic script.",
        advice="Type the word again, or accept the entry in the settings if you list it on purpose.",
    ),
    Rule(
        id="normalization",
        severity=_WARNING,
        summary="The entry has accents as separate characters (NFD), which most messages do not have.",
        advice=(
            "Convert the text to NFC. The message says if the list holds the same word in NFC as well. The rule also "
            "reports ligatures, such as \ufb01 in place of fi, which come from PDF documents."
        ),
    ),
    Rule(
        id="spaces",
        severity=_WARNING,
        summary="The entry begins or ends with a space, or holds unusual spaces.",
        advice="Spaces are sent and compared. Remove them, or accept the entry if it needs them to match whole words.",
    ),
    # The length.
    Rule(
        id="one-letter",
        severity=_WARNING,
        summary="The entry is one letter or digit, and matches very many messages.",
        advice=(
            "Remove the entry. An entry that is only a sign, such as * or a line of hyphens, is an error. Words of one "
            "character in Chinese and Japanese, and emoji, are not reported."
        ),
    ),
    Rule(
        id="too-long",
        severity=_ERROR,
        summary="The entry is longer than 100 characters, which the service refuses.",
        advice="Shorten the word or the pattern. Sentences may be longer.",
        is_refused=True,
    ),
    # Patterns.
    Rule(
        id="unbounded-pattern",
        severity=_ERROR,
        summary="The pattern has a quantifier without an upper bound, which the service refuses.",
        advice="Replace * with {0,20}, + with {1,20}, and {2,} with {2,20}, for example.",
        is_refused=True,
    ),
    Rule(
        id="invalid-pattern",
        severity=_WARNING,
        summary="The pattern does not compile.",
        advice=(
            "The service does not document its dialect of regular expressions. Faults in every dialect, such as an "
            "open bracket, are errors. Other faults are warnings."
        ),
    ),
    Rule(
        id="matches-everything",
        severity=_ERROR,
        summary="The pattern matches every message, or nearly every message.",
        advice=(
            "Remove the vertical bar at the beginning or at the end of the pattern. A pattern also needs a part that "
            "must occur: `a?b?` and `.` match in all texts."
        ),
    ),
    Rule(
        id="pattern-as-word",
        severity=_WARNING,
        summary="A list of words or sentences holds what looks like a regular expression.",
        advice="Words and sentences are compared as they are. Put patterns in a list of category pattern.",
    ),
    # Several entries.
    Rule(
        id="wrong-category",
        severity=_WARNING,
        summary="A list of sentences gets several single words.",
        advice=(
            "Sentences are compared by their meaning. Put words in a list of category word. The rule reports at least "
            "three words, if they are at least half of the new entries."
        ),
    ),
    Rule(
        id="duplicate",
        severity=_WARNING,
        summary="The entry occurs more than once.",
        advice="Remove the second one.",
    ),
    Rule(
        id="case-duplicate",
        severity=_WARNING,
        summary="Two entries differ only in case.",
        advice="Keep one of them: the service does not document that case counts.",
    ),
    Rule(
        id="contains-entry",
        severity=_NOTE,
        summary="The entry occurs in other entries, which may not be needed.",
        advice=(
            "If the shorter entry matches inside words, it already covers the longer ones. In lists with more than "
            "250,000 characters, entries are searched only at the beginnings of entries. At most 1,000 entries are "
            "listed."
        ),
    ),
    Rule(
        id="everyday-word",
        severity=_WARNING,
        summary="The entry is an everyday word, and matches messages of people who mean no harm.",
        advice=(
            "Use a sentence or a pattern instead, or accept the entry in the settings. In a list of patterns, a word "
            "without any sign of a pattern is reported. Name the languages of your users with --language or in the "
            "settings. Without the extra `words`, the rule knows only the most common words of a few languages: de, "
            "en, es, fr, it, nl, pl, pt, tr."
        ),
    ),
)

#: All rules by id.
RULES: Mapping[str, Rule] = {rule.id: rule for rule in _ALL}
