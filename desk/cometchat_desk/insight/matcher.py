r"""Find the terms of keyword lists in texts: all terms at once, in a time that does not grow with
their number (pure).

The service does not document how it matches. These are the rules of this module:

- Words match as whole words, and case is ignored (`str.casefold`). A word is a run of letters,
  digits, underscores and combining marks. So "nig" is not found in "Nigeria", and "nigeria" is
  found in "Nigeria's".
- Characters of scripts without spaces (`_UNSPACED`) are never part of a run: terms in them match as
  substrings.
- Characters are compared as written, apart from their case. Spaces at the ends of a term are
  ignored.
- Patterns are regular expressions of RE2, which need linear time. They match as written, with their
  case, anywhere in a text. A pattern that RE2 does not compile, such as one with lookaround, is
  reported and not used.
- Sentences are not matched: the service compares their meaning.
"""

import contextlib
import re
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Self, TypeAlias

from attrs import frozen

from cometchat_desk.wording import HIDDEN, many
from cometchat_rest import KeywordList, keyword_input
from cometchat_rest.errors import InvalidRequestError
from cometchat_rest.keyword_input import Quotes

from .database import needs

#: Reads the list with an identifier; with the answer to what the double quotes belong that it
#: shows.
ListReader: TypeAlias = Callable[[str], tuple[KeywordList, Quotes | None]]
#: The rules in one sentence for each kind of entry. Every output that depends on them shows this
#: text.
RULES = (
    "the service does not document how it matches. Here, words match as whole words and case is"
    " ignored (as substrings in scripts without spaces); patterns are RE2 regular expressions;"
    " sentences are not matched"
)

# The beginnings of the names of characters in scripts without spaces. Those of the supplementary
# planes are above `_END_OF_SPACED`, as emoji are.
_UNSPACED = (
    *("THAI", "LAO", "MYANMAR", "KHMER", "CJK", "IDEOGRAPHIC", "BOPOMOFO", "HIRAGANA", "KATAKANA"),
    *("HENTAIGANA", "HALFWIDTH KATAKANA", "COMBINING KATAKANA"),
)
_END_OF_SPACED = 0x1F000

# It stands before and after each word, so that only whole words match. A text cannot hold it: see
# `_cleaned`.
_EDGE = "\0"
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
_ASCII_WORDS = re.compile("([0-9A-Za-z_]+)")
# In bytes: enough for several thousand usual patterns. RE2 takes only what it needs.
_LARGEST_SET = 64 << 20
# In seconds of processor time: more than a thousand times as long as a usual pattern needs. Repeats
# of large classes of characters need a tenth of a second for each pattern, and the patterns of a
# list may come from anybody.
_LONGEST_COMPILING = 5.0
# A text that the set of patterns must find, or else its automaton was too large.
_PROBE = "cometchat-desk probes the set"


@frozen(kw_only=True)
class ListTerms:
    """The terms of one list."""

    category: str  # `"word"`, `"pattern"` or `"sentence-similarity"`
    terms: tuple[str, ...]  # the words, patterns or sentences
    active: bool = True  # whether moderation uses the list

    @classmethod
    def of(cls, keyword_list: KeywordList, quotes: Quotes | None = None) -> Self:
        """The terms of a fetched list; an `InvalidRequestError` says that the service does not
        show them."""
        entries = keyword_input.list_entries(keyword_list, quotes=quotes)
        if entries is None:
            raise InvalidRequestError(f"{keyword_list.id!r}: {HIDDEN}")
        return cls(
            category=str(keyword_list.category or ""),
            terms=entries,
            active=keyword_list.active is not False,
        )


@frozen(kw_only=True)
class Term:
    """A term of one or more lists."""

    text: str  # the term as the first of the lists writes it
    category: str  # `"word"` or `"pattern"`
    lists: tuple[int, ...]  # the numbers of the lists that hold the term, counted from 0


@frozen(kw_only=True)
class Match:
    """A term, found in a text."""

    term: str  # the term as its list writes it
    start: int  # the number of characters before the match
    end: int  # the number of characters before the end of the match


def not_matched(patterns: Sequence[str], sentences: int) -> Iterator[str]:
    """Sentences for people about the patterns that RE2 does not compile, and the number of
    sentences."""
    if patterns:
        count = many(len(patterns), "pattern was", "patterns were")
        named = ", ".join([*patterns[:3], "..."] if len(patterns) > 3 else patterns)
        yield (
            f"{count} not used, because RE2 does not compile"
            f" {'it' if len(patterns) == 1 else 'them'}: {named}"
        )
    if sentences:
        yield f"{many(sentences, 'sentence was', 'sentences were')} not matched"


class Matcher:
    """Finds the terms of one or more lists in texts. Two words that differ only in case are one
    term."""

    def __init__(self, *lists: ListTerms) -> None:
        """Compile the terms of lists; an `InvalidRequestError` says that the extra `insight` is
        not installed."""
        words = _collect(lists, "word", lambda term: _marked(_cleaned(term).strip().casefold()))
        patterns = _collect(lists, "pattern", lambda term: term)
        with needs("matching terms"):
            self._words = _Words(list(words))
            self._patterns = _Patterns(patterns, offset=len(words))
        # the terms that can be found, each once
        self.terms: tuple[Term, ...] = (
            *words.values(),
            *(patterns[used] for used in self._patterns.used),
        )
        # the patterns that RE2 does not compile, or not in a short time, each once
        self.unsupported = tuple(self._patterns.unsupported)
        # how many different sentences the lists hold; they are not matched
        sentences: set[str] = set()
        for terms in lists:
            if terms.category not in ("word", "pattern"):
                sentences.update(terms.terms)
        self.sentences = len(sentences)

    def matching(self, text: str) -> frozenset[int]:
        """The indexes in `terms` of all terms that occur in a text. This is faster than `find`."""
        text = _cleaned(text)
        return self._words.matching(text) | self._patterns.matching(text)

    def find(self, text: str) -> tuple[Match, ...]:
        """All occurrences of all terms in a text, by position. Occurrences of different terms
        may overlap."""
        text = _cleaned(text)
        spans = {*self._words.spans(text), *self._patterns.spans(text)}
        return tuple(
            Match(term=self.terms[index].text, start=start, end=end)
            for start, end, index in sorted(spans)
        )


class _Words:
    """An automaton for words. `marked` holds the words with their edges."""

    def __init__(self, marked: Sequence[str]) -> None:
        from ahocorasick_rs import AhoCorasick

        self._search = AhoCorasick(marked, store_patterns=False).find_matches_as_indexes

    def matching(self, text: str) -> frozenset[int]:
        folded = text.casefold()
        matches = self._search(_marked(folded), overlapping=True)
        if matches and len(folded) != len(text):
            return frozenset(index for _, _, index in self.spans(text))
        return frozenset([index for index, _, _ in matches])

    def spans(self, text: str) -> Iterable[tuple[int, int, int]]:
        """The start, the end and the index of each occurrence."""
        folded = text.casefold()
        marked = _marked(folded)
        places = _places(text) if len(folded) != len(text) else range(len(text) + 1)
        for index, first, last in self._search(marked, overlapping=True):
            start = places[first - marked.count(_EDGE, 0, first)]
            end = places[last - marked.count(_EDGE, 0, last)]
            # A match may begin or end inside a character that became several characters: "s" in a
            # sharp s.
            if start is not None and end is not None:
                yield start, end, index


class _Patterns:
    """Patterns of RE2 as one set, or each by itself if they are too large for a set."""

    def __init__(self, patterns: Iterable[str], *, offset: int) -> None:
        import re2

        self._offset = offset
        self.used: list[str] = []
        self.unsupported: list[str] = []
        self._searches: list[Callable[[str], Any]] = []
        together = re2.Set.SearchSet(_options())
        self._take(patterns, together.Add)
        self._set = _compiled_set(together)
        if self._set is None:
            patterns = self.used
            self.used = []
            self._take(patterns, self._add_search)

    def _take(self, patterns: Iterable[str], add: Callable[[str], object]) -> None:
        """Add patterns. Those that RE2 does not compile, or not in a short time, are not used."""
        import re2

        end = time.thread_time() + _LONGEST_COMPILING
        for pattern in patterns:
            names = self.unsupported
            # A lone surrogate, or another invalid pattern.
            with contextlib.suppress(UnicodeEncodeError, re2.error):
                if time.thread_time() <= end:
                    add(pattern)
                    names = self.used
            names.append(pattern)

    def _add_search(self, pattern: str) -> None:
        self._searches.append(_compiled(pattern).search)

    def matching(self, text: str) -> frozenset[int]:
        if self._set is None:
            found = [index for index, search in enumerate(self._searches) if search(text)]
        else:
            # The last one is the probe.
            found = [index for index in self._set.Match(text) or () if index < len(self.used)]
        return frozenset([self._offset + index for index in found])

    def spans(self, text: str) -> Iterable[tuple[int, int, int]]:
        """The start, the end and the index of each occurrence, from left to right and without
        overlaps in a pattern."""
        for index in self.matching(text):
            for match in _compiled(self.used[index - self._offset]).finditer(text):
                yield match.start(), match.end(), index


def _compiled_set(together: Any) -> Any | None:
    """The set as one automaton; `None` if the automaton is too large for its memory. Such a one
    finds nothing, mostly without an error."""
    import re2

    together.Add(_PROBE)
    try:
        together.Compile()
    except re2.error:
        return None
    return together if together.Match(_PROBE) else None


@cache
def _options() -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _LARGEST_SET
    return options


def _compiled(pattern: str) -> Any:
    import re2

    return re2.compile(pattern, _options())


def _collect(
    lists: Sequence[ListTerms], category: str, key: Callable[[str], str]
) -> dict[str, Term]:
    """The terms of a category by key: terms with the same key are one term."""
    numbers: dict[str, list[int]] = {}
    for number, terms in enumerate(lists):
        if terms.category == category:
            for text in dict.fromkeys(terms.terms):
                numbers.setdefault(text, []).append(number)
    # Most terms are in both of two lists, so each key is made once.
    collected: dict[str, Term] = {}
    for text, of_text in numbers.items():
        name = key(text)
        if not name:
            continue
        same = collected.get(name)
        if same is not None:
            of_text = sorted({*same.lists, *of_text})
            text = same.text
        collected[name] = Term(text=text, category=category, lists=tuple(of_text))
    return collected


def _cleaned(text: str) -> str:
    """The text with U+FFFD for the character that marks edges, and for lone surrogates, which
    UTF-8 cannot hold."""
    if text.isascii() and _EDGE not in text:
        return text
    return _UNREADABLE.sub("\ufffd", text)


def _marked(folded: str) -> str:
    """The text with an edge before and after each word, so that a marked term never begins or
    ends inside a word."""
    words = _ASCII_WORDS if folded.isascii() else _words()
    return _EDGE.join(words.split(folded))


@cache
def _words() -> re.Pattern[str]:
    """A regular expression for a word: a run of letters, digits, underscores and marks, in
    scripts with spaces."""
    # One byte for each character, so that the runs of characters can be found with a regular
    # expression.
    spaced = bytes(map(_is_word_character, map(chr, range(_END_OF_SPACED))))
    runs = re.finditer(b"\1+", spaced)
    return re.compile(f"([{''.join(f'{chr(run.start())}-{chr(run.end() - 1)}' for run in runs)}]+)")


def _is_word_character(character: str) -> bool:
    # A variation selector belongs to the emoji before it.
    mark = unicodedata.category(character) in ("Mn", "Mc") and not "\ufe00" <= character <= "\ufe0f"
    in_word = mark or character == "_" or character.isalnum()
    return in_word and not unicodedata.name(character, "").startswith(_UNSPACED)


def _places(text: str) -> Sequence[int | None]:
    """For each position in the folded text, the position in the text; `None` inside a character
    that became several."""
    places: list[int | None] = []
    for position, character in enumerate(text):
        places += [position, *[None] * (len(character.casefold()) - 1)]
    return [*places, len(text)]
