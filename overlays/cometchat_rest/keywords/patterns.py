"""What can be told of a regular expression, whatever dialect the service reads it in (pure)."""

from __future__ import annotations

import re
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator

# Patterns longer than this are not looked at: they are far too long anyway, and looking takes time.
_LONGEST_EXAMINED = 1000


def folded(pattern: str) -> str:
    """A pattern without regard to case, except in escapes: \\s and \\S mean the opposite of each other."""
    return re.sub(r"\\.|[^\\]+", lambda part: part[0] if part[0][0] == "\\" else part[0].casefold(), pattern)


# What counts in a pattern, leftmost first; everything else stands for itself or only groups.
_TOKENS = re.compile(
    r"""
      \\.                                     # an escape
    | \[ \^?+ \]?+ (?: \\. | [^\]\\] )*+ \]   # a class, in which quantifiers are characters
    | \(\?\# [^)]*+ \)                        # a comment
    | \(\?                                    # what begins a group of some kind
    | (?P<unbounded> [*+] | \{[0-9]*,\} )
    | (?: \? | \{[0-9]+(?:,[0-9]*)?\} | \{,[0-9]+\} ) [?+]?   # an upper bound; what follows makes it lazy or possessive
    """,
    re.VERBOSE | re.DOTALL,
)


def is_unbounded(pattern: str) -> bool:
    """Whether a pattern holds a quantifier without an upper bound: `*`, `+`, `{n,}`, or one of them made lazy.

    Escapes, classes and comments in parentheses are left out of account. Comments of verbose patterns (`(?x)`) are not.
    """
    return len(pattern) <= _LONGEST_EXAMINED and any(token.lastgroup for token in _TOKENS.finditer(pattern))


def _everyday() -> re.Pattern[str]:
    """What matches patterns of everyday parts, each of which compiles wherever it stands, and never with a warning.

    Telling them costs a twentieth of compiling them. Not among them: references, names, most ranges, and quantifiers
    where one looks behind.
    """
    escape = r"\\(?:[dDwWsS]|[!-/:-@\[-`{-~])"
    ranges = "[0-9]-9|0-[0-9]|[a-z]-z|a-[a-z]|[A-Z]-Z|A-[A-Z]"
    # Some marks mean something when there are two of them.
    in_class = rf"(?:{ranges}|[^\\\[\]^&|~-]|{escape})"
    atom = rf"(?:[^\\.^$*+?{{}}\[\]|()]|\.|{escape}|\[\^?+-?+{in_class}++-?+\])"
    rising = "0,[0-9]|1,[1-9]|2,[2-9]|3,[3-9]|[0-9],[1-9][0-9]{1,2}|[1-9][0-9],[1-9][0-9]{2}"
    times = rf"(?:[*+?]|\{{(?:[0-9]{{1,3}},?|,[0-9]{{1,3}}|{rising})\}})[?+]?+"
    # What may be repeated, and what may not.
    behind = rf"\(\?<[=!]{atom}*+\)"
    plain = parts = rf"{atom}(?:{times})?+|[\^$|]|\\[bB]|{behind}"
    for _ in range(3):
        parts = rf"{plain}|\((?:\?(?:[:=!]|[ims]:))?+(?:{parts})*+\)(?:{times})?+"
    return re.compile(rf"(?:\(\?[ims]\))?+(?:{parts})*+")


# Python before 3.11.5 gets possessive quantifiers around groups wrong, and without them looking could take for ever:
# there, all patterns are compiled.
_EVERYDAY = _everyday() if sys.version_info >= (3, 11, 5) else None
# Without one of these within a class, compiling never warns.
_WARNED_OF = re.compile(r"\[.*?(?:\[|--|&&|~~|\|\|)", re.DOTALL)
# Filters of warnings belong to the whole process.
_filtering = threading.Lock()


def invalid_patterns(patterns: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The patterns that Python's `re` does not compile, each with the reason."""
    for pattern in patterns:
        if len(pattern) <= _LONGEST_EXAMINED and not (_EVERYDAY and _EVERYDAY.fullmatch(pattern)):
            try:
                _compile(pattern)
            except re.error as error:
                yield pattern, error.msg
            except (OverflowError, RecursionError) as error:
                yield pattern, str(error)


def _compile(pattern: str) -> None:
    if not _WARNED_OF.search(pattern):
        re.compile(pattern)
        return
    with _filtering, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        re.compile(pattern)
