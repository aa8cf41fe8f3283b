"""The rule about everyday words."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from cometchat_rest import InvalidRequestError

from .checks import Listed, Problem
from .findings import shown


@cache
def _words() -> Mapping[str, frozenset[str]]:
    """The most common words by the code of their language, with their case folded."""
    lines = files("cometchat_desk.lint").joinpath("common_words.txt").read_text("utf-8").splitlines()
    return {code: frozenset(words.casefold().split()) for code, _, words in (line.partition(": ") for line in lines)}


def check_languages(languages: Iterable[str]) -> None:
    """Make sure that there are words for each language."""
    for language in languages:
        if language not in _words():
            raise InvalidRequestError(
                f"{shown(language)} is not a language with words; the languages are: {', '.join(_words())}"
            )


def everyday_word(listed: Listed) -> Iterator[Problem]:
    """The entry is an everyday word, and matches messages of people who mean no harm.

    Use a sentence or a pattern instead, or accept the entry in the settings. In a list of patterns, a word without any
    sign of a pattern is reported. Name the languages of your users with --language or in the settings. The rule knows
    some hundred words of each of these languages: de, en, es, fr, it, nl, pl, pt, tr.
    """
    if listed.category == "sentence-similarity":
        return
    languages = listed.languages or ("en",)
    check_languages(languages)
    for index, entry in enumerate(listed.folded):
        word = entry.strip()
        if language := next((language for language in languages if word in _words()[language]), None):
            yield Problem(index, f"is an everyday word of the language {language}")
