"""The input of an update: one immutable class per category of keyword list, checked when it is
made.

An input is refused if the service would split it differently than intended. No error shows the
content of a file.
"""

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping
from typing import Any, Literal, TypeAlias

from attrs import Attribute, field, fields, frozen

from cometchat_openapi.models import KeywordListForm
from cometchat_runtime.checks import check_type
from cometchat_runtime.errors import InvalidRequestError
from cometchat_runtime.model import File

from .csv_file import CsvFile, FileSource

#: Every character at which `str.splitlines()` ends a line.
LINE_BREAK = re.compile("[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
#: The characters that would split a term in two in `searchTerms`: the comma and the line breaks.
SEPARATOR = re.compile(f"{LINE_BREAK.pattern}|,")

# Excel writes it at the beginning of a CSV file, and it would become part of the first word. The
# second form is the same mark in a file that was read as Windows-1252.
_BYTE_ORDER_MARKS = ("\ufeff", "\u00ef\u00bb\u00bf")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# Longer texts and tuples appear in a repr as their length only.
_LONGEST_IN_REPR = 100


def short_literal(text: str) -> str:
    """A text as a literal for an error message, cut after 40 characters."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def fault_in_text(value: object) -> str | None:
    """The reason why a value cannot become an entry or another text; `None` if it can."""
    fault = fault_in_request(value)
    return _fault_in_copy(value) if fault is None and isinstance(value, str) else fault


def fault_in_request(value: object) -> str | None:
    """The reason why no request can carry a value as an entry; `None` if it can."""
    if not isinstance(value, str):
        return f"must be a string, not {type(value).__name__}"
    if not value.strip():
        return "is blank"
    if _LONE_SURROGATE.search(value):
        return f"holds a lone surrogate, which no request can carry: {short_literal(value)}"
    return None


def _fault_in_copy(text: str) -> str | None:
    # A list may keep an entry with one of these faults.
    if text.startswith(_BYTE_ORDER_MARKS):
        return (
            'begins with a byte order mark: remove it, or read its file with encoding="utf-8-sig"'
        )
    if all(map(_is_invisible, text)):
        return f"holds only invisible characters: {text[:20]!a}"
    return None


def _is_invisible(character: str) -> bool:
    # Such as a zero-width space, which copying from a page can leave.
    return character.isspace() or unicodedata.category(character) == "Cf"


def _refuse(fault: str | None, argument: str) -> None:
    if fault is not None:
        raise InvalidRequestError(fault, argument=argument)


def _optional_text(_instance: object, attribute: "Attribute[str | None]", value: object) -> None:
    if value is not None:
        _refuse(fault_in_text(value), attribute.name)


class CheckedTerms(tuple[str, ...]):
    """Terms or sentences that `check_terms` has checked, and does not check again."""


def check_terms(terms: Iterable[str], name: str = "terms") -> CheckedTerms:
    """Check terms or sentences, which may hold commas and line breaks.

    Raises:
        InvalidRequestError: `terms` is one str or not an iterable of str, or a term is blank or
            cannot be sent. The text names the term by `name` and its index.
    """
    if isinstance(terms, CheckedTerms):
        return terms
    # These can be iterated over, but do not yield the terms that the caller intends.
    is_unintended = isinstance(terms, str | bytes | bytearray | memoryview | Mapping)
    is_source = hasattr(terms, "read") or hasattr(terms, "columns")
    if is_unintended or is_source or not isinstance(terms, Iterable):
        shown = "one str: put it in a list" if isinstance(terms, str) else type(terms).__name__
        raise InvalidRequestError(f"must be an iterable of str, not {shown}", argument=name)
    texts = tuple(terms)
    for place, text in enumerate(texts):
        _refuse(fault_in_request(text), f"{name}[{place}]")
    # A member of an enumeration, or a text of a template engine, would write itself differently
    # into a file.
    return CheckedTerms(map(str.__str__, texts))


def check_new_terms(
    terms: Iterable[str], name: str = "terms", shown: Container[str] = ()
) -> CheckedTerms:
    """Check terms or sentences for signs of a wrong copy, except those that a list already shows.

    Raises:
        InvalidRequestError: as `check_terms`; or a new term begins with a byte order mark, or is
            invisible.
    """
    checked = check_terms(terms, name)
    for place, text in enumerate(checked):
        if text not in shown:
            _refuse(_fault_in_copy(text), f"{name}[{place}]")
    return checked


def input_terms(terms: Iterable[str], name: str, shown: Container[str] = ()) -> CheckedTerms:
    """The terms of an input; those that were checked before are not checked again."""
    return terms if isinstance(terms, CheckedTerms) else check_new_terms(terms, name, shown)


def _search_terms(value: str | Iterable[str]) -> str | tuple[str, ...]:
    if isinstance(value, str):
        # Sent unchanged: the caller is responsible for its commas and line breaks.
        if value.strip():
            _refuse(fault_in_text(value), "search_terms")
        return value
    terms = input_terms(value, "search_terms")
    for place, term in enumerate(terms):
        if SEPARATOR.search(term):
            raise InvalidRequestError(
                f"holds a comma or a line break and would become two terms: {short_literal(term)};"
                " send such terms in a CSV file, as file (keyword_input.from_terms does that)",
                argument=f"search_terms[{place}]",
            )
    return terms


def _disallowed_sentences(value: Iterable[str]) -> tuple[str, ...]:
    sentences = input_terms(value, "disallowed_sentences")
    if not sentences:
        raise InvalidRequestError(
            "must hold at least one sentence", argument="disallowed_sentences"
        )
    return sentences


def _csv_file(source: FileSource | None) -> CsvFile | None:
    return None if source is None else CsvFile.read(source)


def _short(value: object) -> str:
    text = repr(value)
    if len(text) <= _LONGEST_IN_REPR or not isinstance(value, str | tuple):
        return text
    unit = "characters" if isinstance(value, str) else "entries"
    return f"<{len(value)} {unit}>"


@frozen(kw_only=True, repr=False)
class _Input:
    """The fields of all categories."""

    id: str | None = field(default=None, validator=_optional_text)
    name: str | None = field(default=None, validator=_optional_text)
    description: str | None = field(default=None, validator=_optional_text)
    file: CsvFile | None = field(default=None, converter=_csv_file)

    def __repr__(self) -> str:
        """The fields that are set. A traceback may show a half-made input."""
        shown = []
        for attribute in fields(type(self)):
            value = getattr(self, attribute.name, None)
            if attribute.init and value:
                shown.append(f"{attribute.name}={_short(value)}")
        return f"{type(self).__name__}({', '.join(shown)})"


@frozen(kw_only=True, repr=False)
class _TermsInput(_Input):
    """The fields of words and patterns: either terms or a file."""

    search_terms: str | tuple[str, ...] = field(default=(), converter=_search_terms)

    def __attrs_post_init__(self) -> None:
        terms = self.search_terms
        if self.file is not None and terms:
            fault = (
                "cannot be combined with file: the service does not say which wins; to send both,"
                " send a KeywordListForm"
            )
            raise InvalidRequestError(fault, argument="search_terms")
        is_blank = not terms or (isinstance(terms, str) and not terms.strip())
        if self.file is None and is_blank:
            raise InvalidRequestError("is empty; pass terms or a file", argument="search_terms")


@frozen(kw_only=True, repr=False)
class WordListInput(_TermsInput):
    """The new content of a list of words (`KeywordListForm` in `openapi.yaml`).

    Args:
        search_terms: the words, or one `str`, which is sent unchanged. A word must not be blank and
            must not hold a comma or a line break. Required without `file`, not allowed with it.
        file: a CSV file with the words in UTF-8, 1 byte to 1 MiB: bytes, a path, or a file opened
            in binary mode, which is read from its current position. The file is read when the input
            is made, without a byte order mark at its beginning.
        id: the list's identifier.
        name: the list's name.
        description: the purpose of the list.

    Raises:
        InvalidRequestError: a value is invalid; the text names the field.
    """

    category: Literal["word"] = field(default="word", init=False)


@frozen(kw_only=True, repr=False)
class PatternListInput(_TermsInput):
    """The new content of a list of regular expressions: the same arguments as for `WordListInput`.

    A pattern in `search_terms` must not hold a comma, as in `a{1,3}`; `keyword_input.from_terms()`
    sends such patterns.
    """

    category: Literal["pattern"] = field(default="pattern", init=False)


@frozen(kw_only=True, repr=False)
class SentenceSimilarityListInput(_Input):
    """The new content of a list of sentences; moderation finds similar sentences.

    Args:
        disallowed_sentences: at least one sentence. A sentence must not be blank. Each sentence is
            a separate part of the form. The service requires sentences with a file as well. The
            other arguments are those of `WordListInput`.

    Raises:
        InvalidRequestError: a value is invalid; the text names the field.
    """

    category: Literal["sentence-similarity"] = field(default="sentence-similarity", init=False)
    disallowed_sentences: tuple[str, ...] = field(converter=_disallowed_sentences)


#: The input of any category.
KeywordListInput: TypeAlias = WordListInput | PatternListInput | SentenceSimilarityListInput

#: The new content of a list: an input; a mapping as `parse` reads it; or only the terms or
#: sentences.
NewContent: TypeAlias = KeywordListInput | Mapping[str, object] | Iterable[str]

#: Where the double quotes around shown entries come from: the list's CSV file, or the entries.
Quotes: TypeAlias = Literal["csv", "literal"]

_CLASSES: Mapping[str, type[KeywordListInput]] = {
    "word": WordListInput,
    "pattern": PatternListInput,
    "sentence-similarity": SentenceSimilarityListInput,
}
#: The categories of lists that an update can send.
CATEGORIES = tuple(_CLASSES)
_COMMON_FIELDS = ("id", "name", "description", "file")


def class_for(category: object) -> type[KeywordListInput]:
    """The class of inputs for a category."""
    input_class = _CLASSES.get(category) if isinstance(category, str) else None
    if input_class is not None:
        return input_class
    valid = f"must be one of {', '.join(map(repr, CATEGORIES))}"
    if category is None:
        raise InvalidRequestError(f"is missing; it {valid}", argument="category")
    # A longer text is not a misspelled category; it may be a key.
    is_short = isinstance(category, str) and len(category) <= 24
    shown = repr(category) if is_short else type(category).__name__
    raise InvalidRequestError(f"{valid}, not {shown}", argument="category")


def entries_field(category: object) -> tuple[str, str]:
    """The name of the field that holds the entries of a list: in an input, and in the form."""
    if category == "sentence-similarity":
        return "disallowed_sentences", "disallowedSentences"
    return "search_terms", "searchTerms"


def parse(mapping: Mapping[str, object]) -> KeywordListInput:
    """Make an input from a mapping with the names of the service, such as parsed JSON.

    Args:
        mapping: `category` selects the class. `searchTerms` or `disallowedSentences`, `id`, `name`,
            `description` and `file` are its fields. `file` must not be a `str`: otherwise the
            author of a JSON text could choose a file of this machine.

    Raises:
        InvalidRequestError: the category is missing or unknown, a field does not belong to the
            category, or a value is invalid.
    """
    check_type("mapping", mapping, Mapping, "a mapping with the names of the service")
    category = mapping.get("category")
    input_class = class_for(category)
    field_name, wire_name = entries_field(category)
    allowed = ("category", *_COMMON_FIELDS, wire_name)
    unknown = [short_literal(str(name)) for name in mapping if name not in allowed]
    if unknown:
        raise InvalidRequestError(
            f"a keyword list of category {category!r} has no {', '.join(unknown[:5])}; it has"
            f" {', '.join(allowed)}"
        )
    if isinstance(mapping.get("file"), str):
        raise InvalidRequestError(
            "must not be a str in a mapping; pass bytes, a Path or an open file", argument="file"
        )
    # The classes check the types of the values.
    values: dict[str, Any] = {name: mapping.get(name) for name in _COMMON_FIELDS}
    entries = mapping.get(wire_name)
    values[field_name] = () if entries is None else entries
    return input_class(**values)


def check_quotes(quotes: object) -> None:
    """Make sure that `quotes` is an answer that `Quotes` has, or `None`."""
    if quotes not in (None, "csv", "literal"):
        raise InvalidRequestError(
            f'must be "csv" or "literal", not {short_literal(str(quotes))}', argument="quotes"
        )


def check_content(new: NewContent, quotes: Quotes | None) -> KeywordListInput | CheckedTerms:
    """The new content of a list: an input unchanged, the input of a dict, or checked terms."""
    check_quotes(quotes)
    if isinstance(new, Mapping):
        return parse(new)
    return new if isinstance(new, KeywordListInput) else check_terms(new)


def to_multipart_form(new: KeywordListInput) -> KeywordListForm:
    """The update form for an input."""
    sentences: list[str] | None = None
    terms: str | None = None
    if new.category == "sentence-similarity":
        sentences = list(new.disallowed_sentences)
    elif isinstance(new.search_terms, str):
        terms = new.search_terms
    else:
        terms = ",".join(new.search_terms)
    file = None if new.file is None else File(new.file.content, new.file.name, "text/csv")
    return KeywordListForm(
        category=new.category,
        id=new.id,
        name=new.name,
        description=new.description,
        search_terms=terms,
        disallowed_sentences=sentences,
        file=file,
    )
