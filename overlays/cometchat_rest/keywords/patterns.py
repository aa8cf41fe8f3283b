"""Checks of regular expressions that do not depend on the dialect of the service (pure)."""

from __future__ import annotations

import re
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator

# Longer patterns are not examined: the service refuses them anyway, and examining them takes time.
_LONGEST_EXAMINED = 1000


def folded(pattern: str) -> str:
    """A pattern with its case folded, except in escapes: \\s and \\S mean the opposite of each other."""
    return re.sub(r"\\.|[^\\]+", lambda part: part[0] if part[0][0] == "\\" else part[0].casefold(), pattern)


# The parts of a pattern that decide whether it is unbounded; the first alternative that matches counts.
_TOKENS = re.compile(
    r"""
      \\.                                     # an escape
    | \[ \^?+ \]?+ (?: \\. | [^\]\\] )*+ \]   # a class, in which quantifiers are characters
    | \(\?\# [^)]*+ \)                        # a comment
    | \(\?                                    # the beginning of a group
    | (?P<unbounded> [*+] | \{[0-9]*,\} )
    | (?: \? | \{[0-9]+(?:,[0-9]*)?\} | \{,[0-9]+\} ) [?+]?   # a quantifier with an upper bound
    """,
    re.VERBOSE | re.DOTALL,
)


def is_unbounded(pattern: str) -> bool:
    """Whether a pattern holds a quantifier without an upper bound: `*`, `+` or `{n,}`, also lazy or possessive.

    Characters in escapes, classes and comments in parentheses are ignored. Comments of verbose patterns (`(?x)`) are
    not.
    """
    return len(pattern) <= _LONGEST_EXAMINED and any(token.lastgroup for token in _TOKENS.finditer(pattern))


def _everyday() -> re.Pattern[str]:
    """A regular expression for everyday patterns, which always compile and never cause a warning.

    Matching is 20 times cheaper than compiling: a plan of 100,000 everyday patterns takes 1 second instead of 8. Not
    covered, and therefore compiled: references, named groups, most ranges, and quantifiers in a lookbehind.
    """
    escape = r"\\(?:[dDwWsS]|[!-/:-@\[-`{-~])"
    ranges = "[0-9]-9|0-[0-9]|[a-z]-z|a-[a-z]|[A-Z]-Z|A-[A-Z]"
    # Two of these characters in a row have a special meaning in a class.
    in_class = rf"(?:{ranges}|[^\\\[\]^&|~-]|{escape})"
    atom = rf"(?:[^\\.^$*+?{{}}\[\]|()]|\.|{escape}|\[\^?+-?+{in_class}++-?+\])"
    rising = "0,[0-9]|1,[1-9]|2,[2-9]|3,[3-9]|[0-9],[1-9][0-9]{1,2}|[1-9][0-9],[1-9][0-9]{2}"
    times = rf"(?:[*+?]|\{{(?:[0-9]{{1,3}},?|,[0-9]{{1,3}}|{rising})\}})[?+]?+"
    # Parts that can be repeated, and parts that cannot.
    behind = rf"\(\?<[=!]{atom}*+\)"
    plain = parts = rf"{atom}(?:{times})?+|[\^$|]|\\[bB]|{behind}"
    for _ in range(3):
        parts = rf"{plain}|\((?:\?(?:[:=!]|[ims]:))?+(?:{parts})*+\)(?:{times})?+"
    return re.compile(rf"(?:\(\?[ims]\))?+(?:{parts})*+")


# Possessive quantifiers around groups are wrong in Python before 3.11.5, and without them matching could take for ever.
# On those versions, all patterns are compiled.
_EVERYDAY = _everyday() if sys.version_info >= (3, 11, 5) else None
# Compiling causes a warning only for a pattern with one of these in a class.
_WARNED_OF = re.compile(r"\[.*?(?:\[|--|&&|~~|\|\|)", re.DOTALL)
# The filters of warnings belong to the whole process, so only one thread at a time may change them.
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
