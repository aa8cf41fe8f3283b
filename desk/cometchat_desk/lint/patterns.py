"""Rules about regular expressions."""

# ruff: noqa: RUF001 - messages of many scripts

import re
from collections.abc import Iterator
from typing import Any

from cometchat_desk.terminal.text import visible

from .checks import LONGEST_TERM, Listed, Problem
from .findings import shown

# The parts of a pattern that decide whether it is unbounded; the first alternative that matches
# counts.
_TOKENS = re.compile(
    r"""
      \\.                                     # an escape
    | \[ \^?+ \]?+ (?: \\. | [^\]\\] )*+ \]   # a class, in which quantifiers are characters
    | \(\?                                    # the beginning of a group
    | (?P<unbounded> [*+] | \{[0-9]*,\} )
    | (?: \? | \{[0-9]+(?:,[0-9]*)?\} | \{,[0-9]+\} ) [?+]?   # a quantifier with an upper bound
    """,
    re.VERBOSE | re.DOTALL,
)


def unbounded_pattern(listed: Listed) -> Iterator[Problem]:
    """The pattern has a quantifier without an upper bound; the vendor's pages say that the
    dashboard refuses it.

    Replace * with {0,20}, + with {1,20}, and {2,} with {2,20}, for example.
    """
    for index, entry in enumerate(listed.heads if listed.category == "pattern" else ()):
        if is_unbounded(entry):
            yield (
                index,
                "has *, + or {n,}; the vendor's dashboard refuses that; use {1,20}, for example",
            )


def is_unbounded(pattern: str) -> bool:
    """Whether a pattern holds a quantifier without an upper bound: `*`, `+` or `{n,}`, also lazy
    or possessive."""
    return any(token.lastgroup for token in _TOKENS.finditer(pattern))


def invalid_pattern(listed: Listed) -> Iterator[Problem]:
    """RE2 does not compile the pattern, for example `(kale`, `kale++` or `(?!kale)`.

    The service does not document its dialect of regular expressions. The rule reports what RE2 does
    not have, such as look-around, references to a group, atomic groups and possessive quantifiers.
    """
    for index, entry in enumerate(listed.entries if listed.category == "pattern" else ()):
        if len(entry) > LONGEST_TERM:
            continue
        try:
            _compiled(entry)
        except ValueError as error:
            yield index, f"is not a pattern that RE2 compiles: {error}"


def _compiled(pattern: str) -> Any:
    """A pattern that RE2 has compiled. Raises ValueError, with the reason: RE2 does not compile
    it."""
    # Only lists of patterns need it.
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        raise ValueError(visible(error.args[0].decode("utf-8", "replace"))) from None
    except UnicodeEncodeError:
        raise ValueError("it holds a lone surrogate") from None


# Harmless messages, in languages with different scripts.
_HARMLESS = (
    (
        "Good morning, did you sleep well?",
        "I will be late, the bus is stuck",
        "Happy birthday to your sister!",
        "Thanks for lunch, it was delicious",
    ),
    (
        "Guten Morgen, hast du gut geschlafen?",
        "Der Zug kommt leider wieder zu spät",
        "Viel Glück bei der Prüfung morgen",
    ),
    (
        "Доброе утро, как спалось?",
        "Автобус опять опаздывает",
        "Спасибо за обед, было вкусно",
    ),
    ("صباح الخير، كيف حالك؟", "تأخر القطار مرة أخرى", "شكرا على الغداء اللذيذ"),
    ("早上好，你睡得怎么样？", "公交车又晚点了", "谢谢你的午饭，很好吃"),
)


def matches_everything(listed: Listed) -> Iterator[Problem]:
    """The pattern matches every message, or nearly every message.

    It matches a text without characters, or each of some harmless messages. Remove a vertical bar
    at an end of the pattern or of a group. A pattern also needs a part that must occur: `.`, `\\w`
    and `(kale)?` match in all texts. Patterns that RE2 does not compile are not tried.
    """
    for index, entry in enumerate(listed.entries if listed.category == "pattern" else ()):
        if len(entry) <= LONGEST_TERM and (message := _matched_by(entry)):
            yield index, f"matches {message}, and so every message, or nearly every message"


def _matched_by(pattern: str) -> str:
    """The harmless messages that a pattern matches, for people; empty if it matches few."""
    try:
        search = _compiled(pattern).search
    except ValueError:
        return ""
    if search(""):
        return "an empty text"
    for messages in _HARMLESS:
        if all(search(message) for message in messages):
            return f"harmless messages such as {shown(messages[0])}"
    return ""


_LETTER = r"[^\W\d_]"
# In Chinese, Japanese and Korean text, words stand beside brackets without a space.
_CLASS = r"\[[^\[\]\s/\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]{2,}\]"
_LIKE_A_PATTERN = re.compile(
    rf"""
      \\ [bBdDsSwW]                             # \bspam
    | \w \\ [.*+?$]                             # spam\.com
    | (?<!\.) \. [*+]                           # spam.*
    | \w \. \? \w                              # s.?pam
    | {_LETTER} {_CLASS}                        # sp[a4]m
    | {_CLASS} {_LETTER} (?! .{{0,100}} \[/ )   # [sz]pam, and not a tag of a forum: [b]spam[/b]
    | {_CLASS} [*+?{{]                          # [ab]+
    | \[ \^? (?: \w-\w )+ \]                   # [a-z]
    | \( (?= [^()]*+ \) ) [^()]*? \w \| \w      # (spam|scam)
    | \w \( \w+ \) (?: [*+] | \? \w )           # s(p)?am
    | \( \? (?: [:=!<>#] | [aiLmsux-]+ [:)] )   # (?i)spam
    | \S \{{ (?: \d+ ,? | \d* , \d+ ) \}}      # x{{2,3}}
    | ^ \^ \w [^^\n]* \$ $                      # ^spam$
    """,
    re.VERBOSE | re.MULTILINE,
)


def pattern_as_word(listed: Listed) -> Iterator[Problem]:
    """A list of words or sentences holds what looks like a regular expression.

    Words and sentences are compared as they are. Put patterns in a list of category pattern, and
    name the category of a text or CSV file with --category or in the settings.
    """
    if listed.category == "pattern":
        return
    for index, _, _ in listed.matching(_LIKE_A_PATTERN):
        fault = "looks like a pattern, but words and sentences are compared as they are"
        yield index, f"{fault}; put it in a list of category pattern"
