"""The rule about the most ordinary words of languages."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cometchat_desk.files import lines_of

from .checks import Listed, Problem


def ordinary_word(listed: Listed) -> Iterator[Problem]:
    """The entry is one of the most ordinary words of a language, such as `the`.

    It matches very many harmless messages. Remove it, or accept it if you mean a word of another
    language that is spelled in the same way. Only words are reported.
    """
    if listed.category != "word":
        return
    languages = _languages()
    for index, entry in enumerate(listed.heads):
        if language := languages.get(entry.strip().casefold()):
            yield index, f"is a very ordinary word in {language}, and matches very many messages"


@cache
def _languages() -> dict[str, str]:
    """The language of each word; of the first one, if several languages have the word."""
    languages: dict[str, str] = {}
    language = ""
    for line in lines_of(Path(__file__).with_name("ordinary_words.txt")):
        if line.startswith("["):
            language = line.strip("[]")
            continue
        for word in line.split():
            languages.setdefault(word.casefold(), language)
    return languages
