"""Checks of regular expressions that do not depend on the dialect of the service (pure)."""

import re
import threading
import warnings
from collections.abc import Iterable

# Longer patterns are not examined: examining them takes time, and the vendor's pages forbid them.
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
    """Whether a pattern holds a quantifier without an upper bound: `*`, `+` or `{n,}`, also lazy or possessive."""
    return len(pattern) <= _LONGEST_EXAMINED and any(token.lastgroup for token in _TOKENS.finditer(pattern))


# The filters of warnings belong to the whole process, so only one thread at a time may change them.
_filtering = threading.Lock()
# `re` looks at each character of a range if case does not count, and UTF-8 has a million of them.
_WIDE = re.compile(r"[\U00010000-\U0010ffff]|\\U[0-9A-Fa-f]{8}")


def invalid_patterns(patterns: Iterable[str]) -> dict[str, str]:
    """The patterns that Python's `re` does not compile, each with the reason."""
    faults = {}
    with _filtering, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for pattern in patterns:
            try:
                if len(pattern) <= _LONGEST_EXAMINED:
                    re.compile(_WIDE.sub("\uffff", pattern))
            except re.error as error:
                faults[pattern] = error.msg
            except (OverflowError, RecursionError) as error:
                faults[pattern] = str(error)
    return faults
