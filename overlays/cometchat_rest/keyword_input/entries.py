"""The terms and sentences of lists, of inputs and of the CSV text that a form carries."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import InvalidRequestError

from .inputs import SEPARATOR, KeywordListInput, check_terms, class_for, entries_field

_SENTENCES: Final = "sentence-similarity"
_QUOTED: Final = re.compile(r'"((?:[^"]++|"")*+)"')
_BYTE_ORDER_MARK: Final = "\ufeff"


def from_keyword_list(keyword_list: KeywordList) -> KeywordListInput:
    """Make an input from a fetched list, to change it with `attrs.evolve` and to send it back.

    Terms with a comma or a line break cannot be sent as `search_terms`. If a list has such a term, all its terms become
    a CSV `file`. To change those terms, get them with `entries_of()` and make a new input with `from_terms()`. A list
    made from CSV shows its terms in double quotes; these are removed. Blank terms are left out: the service ignores
    them.

    Args:
        keyword_list: the result of `keywords.get()`.

    Returns:
        An input of the class for the list's category, with its id, name and description.

    Raises:
        InvalidRequestError: lists of this category cannot be updated, or the service does not show the entries.
            `KeywordList` in `openapi.yaml` has no field for sentences; they are read from
            `disallowedSentences`, or else from `searchTerms`.
    """
    if not isinstance(keyword_list, KeywordList):
        raise InvalidRequestError(f"must be a fetched list, not {type(keyword_list).__name__}", argument="keyword_list")
    class_for(keyword_list.category)
    entries = list_entries(keyword_list)
    if not entries:
        raise InvalidRequestError(
            "cannot be read from the list: the service shows no entries",
            argument=entries_field(keyword_list.category)[0],
        )
    # For a text that was never set, the service shows null or an empty text.
    texts: dict[str, Any] = {
        name: value
        for name in ("id", "name", "description")
        if (value := getattr(keyword_list, name)) and not (isinstance(value, str) and value.isspace())
    }
    return from_terms(keyword_list.category, entries, **texts)


def from_terms(
    category: str,
    terms: Iterable[str],
    *,
    id: str | None = None,  # noqa: A002 - the name that the service uses
    name: str | None = None,
    description: str | None = None,
) -> KeywordListInput:
    """Make an input from terms or sentences, which may hold commas and line breaks.

    Words and patterns become `search_terms`. If one of them holds a comma or a line break, all of them become a CSV
    file instead.

    Args:
        category: `"word"`, `"pattern"` or `"sentence-similarity"`.
        terms: the terms or sentences; none may be blank.
        id: the list's identifier.
        name: the list's name.
        description: the purpose of the list.

    Returns:
        An input of the class for the category.

    Raises:
        InvalidRequestError: the category is unknown, a text cannot be sent, or the file would be too large.
    """
    chosen, (field, _) = class_for(category), entries_field(category)
    checked = check_terms(terms, field)
    as_file = category != _SENTENCES and any(map(SEPARATOR.search, checked))
    values: dict[str, Any] = {"file": csv_text(checked).encode()} if as_file else {field: checked}
    return chosen(**values, id=id, name=name, description=description)


def entries_of(new: KeywordListInput) -> tuple[str, ...]:
    """The terms or sentences of an input, in order; blank ones are left out.

    A `search_terms` that is one text is split at its commas only. In a file, each row is one term, without its double
    quotes. The service does not document how it reads columns, so a row with several columns (such as `a{1,3}` without
    quotes) is one term, exactly as written. If an input has sentences and a file, the entries of the file are returned.

    Args:
        new: an input of any category.

    Raises:
        InvalidRequestError: `new` is not an input, or its file is not UTF-8.
    """
    if not isinstance(new, KeywordListInput):
        kind = type(new).__name__
        raise InvalidRequestError(
            f"must be an input such as WordListInput, not {kind}; keyword_input.parse() makes one of a dict",
            argument="new",
        )
    if new.file is not None:
        try:
            text = new.file.content.removeprefix(codecs.BOM_UTF8).decode()
        except UnicodeDecodeError as error:
            fault = f"is not UTF-8: byte 0x{error.object[error.start]:02x}; save it as UTF-8 (in Excel: CSV UTF-8)"
            raise InvalidRequestError(fault, argument="file") from None
        return tuple(term for _, term, _ in csv_rows(text) if term.strip())
    if new.category == _SENTENCES:
        return new.disallowed_sentences
    return _split(new.search_terms) if isinstance(new.search_terms, str) else new.search_terms


def list_entries(keyword_list: KeywordList) -> tuple[str, ...] | None:
    """The terms or sentences of a fetched list, without the double quotes that a list made from CSV shows.

    Args:
        keyword_list: the result of `keywords.get()`.

    Returns:
        The entries that are not blank; `None` if the service shows no entries, or shows something other than texts.
    """
    shown = _shown_entries(keyword_list)
    return None if shown is None else tuple(filter(str.strip, strip_csv_quotes(keyword_list, shown)))


def _shown_entries(keyword_list: KeywordList) -> tuple[str, ...] | None:
    sentences = keyword_list.category == _SENTENCES
    record = keyword_list.to_dict()
    shown = None
    for name in ("disallowedSentences", "searchTerms") if sentences else ("searchTerms",):
        entries = record.get(name)
        if isinstance(entries, str) and not sentences:  # a sentence may hold commas, so it cannot be split
            shown = _split(entries)
        elif isinstance(entries, list) and {str}.issuperset(map(type, entries)):
            shown = tuple(filter(str.strip, entries))
        if shown:
            break
    return shown


def strip_csv_quotes(keyword_list: KeywordList, terms: Iterable[str]) -> tuple[str, ...]:
    """Terms without CSV quotes, if the list shows exactly the same quoted term; other terms are unchanged.

    Args:
        keyword_list: the result of `keywords.get()`.
        terms: terms as a user may write them.
    """
    if keyword_list.is_csv is not True:
        return tuple(terms)
    plain = {term: _unquoted(term) for term in _shown_entries(keyword_list) or ()}
    return tuple(plain.get(term, term) for term in terms)


def _split(terms: str) -> tuple[str, ...]:
    return tuple(filter(str.strip, terms.split(",")))


# CSV: the text of a file in an update form.


def csv_text(terms: Iterable[str]) -> str:
    """Terms as CSV: one term per row, in double quotes only if necessary.

    Args:
        terms: the terms, in order.

    Returns:
        Text that ends with a line feed, or an empty text if there are no terms.
    """
    rows = []
    for term in terms:
        # At the very beginning of a file, a term's own mark would be read as the byte order mark of the file.
        plain = not ('"' in term or SEPARATOR.search(term) or term.startswith(_BYTE_ORDER_MARK))
        rows.append(term if plain else '"' + term.replace('"', '""') + '"')
    return "".join(f"{row}\n" for row in rows)


def _unquoted(term: str) -> str:
    """A term without the double quotes of a CSV row; a term without such quotes is unchanged."""
    quoted = _QUOTED.fullmatch(term)
    return quoted[1].replace('""', '"') if quoted else term


def csv_rows(text: str) -> Iterator[tuple[int, str, bool]]:
    """Read CSV text of one column.

    The service does not document how it reads columns, so a row that is not valid CSV of one column is one term,
    exactly as written.

    Args:
        text: the text, without a byte order mark.

    Returns:
        For each row, also a blank one: its offset in the text, its term, and whether the term was in double quotes.
    """
    start, end = 0, len(text)
    while start < end:
        quoted = _QUOTED.match(text, start) if text[start] == '"' else None
        stop = quoted.end() if quoted else -1
        if quoted and (stop == end or text.startswith(("\n", "\r\n"), stop)):
            yield start, quoted[1].replace('""', '"'), True
        else:
            stop = text.find("\n", start)
            stop = end if stop < 0 else stop
            yield start, text[start:stop].removesuffix("\r"), False
        start = text.find("\n", stop) + 1 or end
