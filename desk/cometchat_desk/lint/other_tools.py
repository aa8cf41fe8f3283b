"""The rule about the syntax of other tools, which a list of this service does not have."""

import re
from collections.abc import Callable, Iterator

from attrs import frozen

from .checks import Listed, Problem
from .findings import shown


@frozen
class Form:
    """A form of other tools. The group `plain` of the expression is the plain word, if it has
    one."""

    regex: re.Pattern[str]
    problem: str  # the end of a sentence about the entry
    plain: Callable[[str], str] = str.strip  # the plain word, from the group `plain`


def _compiled(regex: str) -> re.Pattern[str]:
    return re.compile(regex, re.VERBOSE | re.MULTILINE)


def _domain(address: str) -> str:
    """The domain of an address that was made harmless."""
    written_out = address.replace("[.]", ".").replace("(.)", ".").replace("[dot]", ".")
    return re.split("[/?#]", written_out)[0]


_PATTERNS = "a list of category pattern takes patterns, without slashes"
# Letters of Chinese, Japanese and Korean text.
_EAST_ASIAN = "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
_IN_WORDS = (
    Form(
        # for example 0.0.0.0 salad.example
        _compiled(r"^ (?: 0\.0\.0\.0 | 127\.0\.0\.1 | ::1? ) [ \t]+ (?P<plain> \S+ )"),
        "is a line of a hosts file",
    ),
    Form(
        # for example ||turnip.example^
        _compiled(r"^ \|\| (?P<plain> [\w.-]+ )"),
        "is a rule of an ad blocker",
    ),
    Form(
        # for example *.turnip.example
        _compiled(r"^ [*]\. (?P<plain> [\w-]+ (?: \.[\w-]+ )+ ) $"),
        "holds *, which is not a wildcard here",
    ),
    Form(
        # for example hxxps://beet[.]example
        _compiled(r"hxxps?:// (?P<plain> \S+ )"),
        "is an address that was made harmless",
        _domain,
    ),
    Form(
        # for example /spinach/i
        _compiled(r"^ / (?P<plain> .+ ) / [a-z]* $"),
        f"is a pattern between slashes; {_PATTERNS}",
    ),
    Form(
        # for example leek -> ****
        _compiled(r"^ (?P<plain> .*? \S ) [ \t]* (?: [=-]> | → ) [ \t]* \S"),
        "has a replacement, which is sent as a part of the entry",
    ),
    Form(
        # for example spinach|3, kale:2, turnip = 1, beet,3
        _compiled(
            r"^ (?! .* ://) (?P<plain> .* [^\W\d] ) (?: [ \t]+[:|=][ \t]+ | [:|=,][ \t]* )"
            r" \d{1,3} (?: \.\d+ )? %? [ \t]* $"
        ),
        "has a number of another tool, which is sent as a part of the entry",
    ),
    Form(
        # for example radish # root
        _compiled(r"^ (?P<plain> \S .*? ) [ \t]+ [#] [ \t]+ \S"),
        "has a comment, which is sent as a part of the entry",
    ),
    Form(
        # for example *spinach*, brocc*
        _compiled(
            r"^ (?= .* [*]) (?! [*][ ] | .* \.[*])"
            r" [*]* (?P<plain> [^*\n]* [^\W\d_] [^*\n]* ) [*]* $"
        ),
        "holds *, which is not a wildcard here",
    ),
    Form(
        # for example free * coins; a star between letters hides one, as in sp*nach
        _compiled(r"\w [ ] [*]+ [ ] \w"),
        "holds *, which is not a wildcard here; a list of category pattern takes patterns",
    ),
    Form(
        # for example spinach|kale, spinach / kale
        _compiled(r"[^\W\d_] \| [^\W\d_] | [^\W\d_]{2} [ ] [/|] [ ] [^\W\d_]{2}"),
        "holds a mark that does not separate words here; put each entry in its own line",
    ),
    Form(
        # for example 菠菜+沙拉
        _compiled(rf"{_EAST_ASIAN} [+|] {_EAST_ASIAN}"),
        "joins words that must all occur, which is not possible here; list each of them, or a"
        " pattern in a list of category pattern",
    ),
)
_IN_PATTERNS = (
    Form(
        # for example /spinach/i
        _compiled(r"^ / (?P<plain> .+ ) / [a-z]* $"),
        "is a pattern between slashes, which are a part of it here; (?i) ignores case",
    ),
    Form(
        # for example \\<beet\\>
        _compiled(r"(?<! \\) \\ [<>]"),
        r"has \< or \>, which mean only < and > here; \b is the edge of a word",
    ),
    Form(
        # for example \\\\bbeet\\\\b
        _compiled(r"\\ \\ [bBdDsSwW]"),
        r"has two backslashes, as the code of a program does, so it finds a backslash; write one",
    ),
)


def other_tool(listed: Listed) -> Iterator[Problem]:
    """The entry has the syntax of another tool, for example *spam*, spam:2, ||spam.example^ or
    /spam/i.

    Here, all characters are a part of the entry, so it matches few messages or none. Write the
    plain word, which the message names, or put a pattern in a list of category pattern.
    """
    forms = {"word": _IN_WORDS, "pattern": _IN_PATTERNS}.get(listed.category, ())
    problems: dict[int, str] = {}
    for form in forms:
        for index, _, match in listed.matching(form.regex):
            problems.setdefault(index, _described(form, match))
    yield from sorted(problems.items())


def _described(form: Form, match: re.Match[str]) -> str:
    plain = match.groupdict().get("plain")
    if plain is None:
        return form.problem
    kind = "pattern" if "pattern" in form.problem else "word"
    return f"{form.problem}; the plain {kind} is {shown(form.plain(plain))}"
