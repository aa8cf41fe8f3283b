"""Encodings of text files: by their first bytes, or by the letters that they give."""

import codecs
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from attrs import frozen

# The encodings that the first bytes of a text name.
_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_WORD: Final = re.compile(r"[^\W\d_]+")
# The shares of letters and of words that must fit: a list may hold some of another script.
_USUAL_LETTERS, _USUAL_WORDS = 0.95, 0.6


@frozen
class Encoding:
    """An encoding that spreadsheets use in a part of the world."""

    name: str
    place: str  # the languages or the part of the world, for people
    scripts: tuple[str, ...]  # the beginnings of the names of its letters
    # the first bytes of its usual letters, if the encoding has several bytes for a letter
    first_bytes: tuple[int, int] | None = None
    impossible: re.Pattern[str] | None = None  # what no text in its language has

    def is_usual(self, letter: str) -> bool:
        """Whether a letter is usual in texts with this encoding."""
        if unicodedata.name(letter, "").startswith(self.scripts):
            if self.first_bytes is None:
                return True
            lowest, highest = self.first_bytes
            return lowest <= letter.encode(self.name)[0] <= highest
        return False


# A vowel sign that stands before no consonant, or a mark that stands on none.
_NOT_THAI: Final = re.compile(
    r"""
      [\u0e40-\u0e44] (?![\u0e01-\u0e2e])
    | (?<! [\u0e01-\u0e2e\u0e31\u0e34-\u0e3a\u0e47-\u0e4e] ) [\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]
    """,
    re.VERBOSE,
)
_WESTERN: Final = Encoding("cp1252", "Western Europe", ("LATIN",))
# In this order: the bytes of each encoding seldom give usual letters in those before it. The most
# usual characters of East Asian encodings have the lowest first bytes.
_TRIED: Final = (
    Encoding("shift_jis", "Japanese", ("HIRAGANA", "KATAKANA", "CJK"), (0x82, 0x97)),
    Encoding("euc_kr", "Korean", ("HANGUL",), (0xB0, 0xC8)),
    Encoding("gbk", "Chinese", ("CJK",), (0xB0, 0xD7)),
    Encoding("cp1256", "Arabic", ("ARABIC",)),
    Encoding("cp874", "Thai", ("THAI",), impossible=_NOT_THAI),
    _WESTERN,
    Encoding("cp1250", "Central Europe", ("LATIN",)),
    Encoding("cp1251", "Cyrillic", ("CYRILLIC",)),
)
#: Names of encodings for people, each with its part of the world.
NAMES: Final = ", ".join(
    [
        *(f"{encoding.name} ({encoding.place})" for encoding in _TRIED),
        "cp1253 (Greek), cp1254 (Turkish), cp1255 (Hebrew), big5 (Taiwan), koi8_r (Russian)",
        "utf-16",
    ]
)


def marked_encoding(data: bytes) -> str | None:
    """The encoding that the first bytes of a text name; `None` if they name none."""
    return next((name for mark, name in _MARKS.items() if data.startswith(mark)), None)


def likely_encoding(data: bytes) -> Encoding:
    """The first encoding in which a text that is not UTF-8 has letters of one script only.

    If every encoding mixes scripts, the text is read as Western European.
    """
    return next((encoding for encoding in _TRIED if _fits(encoding, data)), _WESTERN)


def _fits(encoding: Encoding, data: bytes) -> bool:
    try:
        text = data.decode(encoding.name)
    except UnicodeDecodeError:
        return False
    if encoding.impossible is not None and encoding.impossible.search(text):
        return False
    return _has_usual_words(encoding, [word for word in _WORD.findall(text) if not word.isascii()])


def _has_usual_words(encoding: Encoding, words: Sequence[str]) -> bool:
    letters = [letter for letter in "".join(words) if not letter.isascii()]
    # A Latin word has letters of ASCII too, and a word of another script has none.
    is_latin = encoding.scripts == ("LATIN",)
    usual_words = [_has_ascii(word) is is_latin for word in words]
    usual_letters = [encoding.is_usual(letter) for letter in letters]
    return _share(usual_letters) >= _USUAL_LETTERS and _share(usual_words) >= _USUAL_WORDS


def _share(answers: Sequence[bool]) -> float:
    return answers.count(True) / len(answers) if answers else 0


def _has_ascii(word: str) -> bool:
    return any(letter.isascii() for letter in word)
