"""The rule about everyday words. With the extra `words`, it knows many more words and languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec

from cometchat_rest.errors import InvalidRequestError

from .checks import Listed, Problem
from .common_words import COMMON_WORDS
from .findings import Severity, shown

#: The language that is used if no language is named.
DEFAULT_LANGUAGES = ("en",)
#: The number of words of a language that count as everyday words.
EVERYDAY_WORDS = 1000


def is_installed() -> bool:
    """Whether the extra `words` is installed."""
    return find_spec("wordfreq") is not None


def check_languages(languages: Iterable[str]) -> None:
    """Make sure that there are words for each language; without the extra `words`, nothing is checked.

    Raises:
        InvalidRequestError: there are no words for a language.
    """
    if is_installed():
        known = _known()
        for language in languages:
            if language not in known:
                raise InvalidRequestError(
                    f"{shown(language)} is not a language with words; the languages are: {', '.join(sorted(known))}"
                )


def everyday_word(listed: Listed) -> Iterator[Problem]:
    """An entry is one of the most frequent words of a language."""
    if listed.has_sentences:
        return
    languages = listed.languages or DEFAULT_LANGUAGES
    check_languages(languages)
    if is_installed():
        words = {language: words_of(language) for language in languages}
    else:
        words = {language: COMMON_WORDS.get(language, frozenset()) for language in languages}
        install = 'to check more everyday words: pip install "cometchat-desk[words]"'
        yield Problem(None, f"only the most common words were compared; {install}", Severity.NOTE)
    words_of_all = frozenset().union(*words.values())
    for index, entry in enumerate(listed.folded):
        if (word := entry.strip()) in words_of_all:
            language = next(each for each in languages if word in words[each])
            yield Problem(index, f"{shown(listed.entries[index])} is an everyday word of the language {language}")


@cache
def _known() -> frozenset[str]:
    import wordfreq

    return frozenset(wordfreq.available_languages())


@cache
def words_of(language: str) -> frozenset[str]:
    """The everyday words of a language, with their case folded."""
    import wordfreq

    words = set[str]()
    # The words of a bin have the same frequency; the first bin is the most frequent one.
    for group in wordfreq.get_frequency_list(language):
        words.update(word.casefold() for word in group)
        if len(words) >= EVERYDAY_WORDS:
            break
    # The lists also hold numbers with zeros in place of digits, and signs such as "_".
    return frozenset(word for word in words if any(map(str.isalpha, word)) and (len(word) > 1 or not word.isascii()))
