"""The terms and sentences of lists, inputs and files, and the conversions between them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import InvalidRequestError

from . import files
from .files import SEPARATOR, csv_terms, csv_text, unquoted
from .inputs import KeywordListInput, check_input, check_terms, class_for, entries_field

_SENTENCES: Final = "sentence-similarity"


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
        InvalidRequestError: lists of this category cannot be updated, or the service does not show the entries. Section
            2.1 of service.md does not say how the entries of `pattern` and `sentence-similarity` lists are shown;
            sentences are read from `disallowedSentences`, or else from `searchTerms`.
    """
    if not isinstance(keyword_list, KeywordList):
        raise InvalidRequestError(f"keyword_list must be a fetched list, not {type(keyword_list).__name__}")
    class_for(keyword_list.category)
    entries = list_entries(keyword_list)
    if not entries:
        raise InvalidRequestError(
            f"{entries_field(keyword_list.category)[0]} cannot be read from the list: the service shows no entries"
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
    """Make an input from terms or sentences, which may hold commas and line breaks (service.md, section 2.2).

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


def load(path: str | os.PathLike[str], *, category: str | None = None, header: bool = False) -> KeywordListInput:
    """Make an input from a file: `.txt` with one term per line, `.csv` with one term per row, or `.json`.

    The file is UTF-8, with or without a byte order mark. A line ends with LF or CRLF. Blank lines are ignored; spaces
    around a term are kept. A CSV file has one column. A JSON file holds an object with `category` and
    `terms`, and optionally `id`, `name` and `description` (service.md, section 2.2).

    Args:
        path: the file; its suffix names the format.
        category: `"word"`, `"pattern"` or `"sentence-similarity"`. Required for text and CSV; a JSON file has its own.
        header: whether to ignore the first row of a CSV file.

    Returns:
        An input of the class for the category. Terms with a comma or a line break become its `file`.

    Raises:
        InvalidRequestError: the file cannot be read, or its content is invalid: the text names the file, the line and
            the column. Or the category is missing, unknown, or not the category in the file.
    """
    content = files.read(path, header=header)
    if category is None:
        category = content.category
    if category is None:
        raise InvalidRequestError("category is required: only a JSON file names its category")
    if content.category not in (None, category):
        raise InvalidRequestError(f"category is {category!r}, but the category in the file is {content.category!r}")
    return from_terms(category, content.terms, id=content.id, name=content.name, description=content.description)


def load_terms(path: str | os.PathLike[str], *, header: bool = False) -> tuple[str, ...]:
    """Read only the terms or sentences of a file, in order; for the formats see `load`.

    Args:
        path: the file; its suffix names the format.
        header: whether to ignore the first row of a CSV file.

    Raises:
        InvalidRequestError: the file cannot be read, or its content is invalid: the text names the file, the line and
            the column.
    """
    return files.read(path, header=header).terms


def parse_terms(data: bytes, name: str, *, header: bool = False) -> tuple[str, ...]:
    """Read the terms or sentences of a file that was already read, in order; for the formats see `load`.

    Args:
        data: the content of the file.
        name: its name; the suffix names the format.
        header: whether to ignore the first row of a CSV file.

    Raises:
        InvalidRequestError: the content is invalid: the text names the file, the line and the column.
    """
    return files.parse_bytes(data, name, header=header).terms


def dump(keyword_list: KeywordList | KeywordListInput, path: str | os.PathLike[str]) -> None:
    """Write a list to a file; `load` reads the same list again. Text and CSV hold only the terms or sentences.

    A CSV file begins with a byte order mark, so that Excel reads it as UTF-8.

    The file is written completely or not at all: a reader sees the old content or the new content.

    Args:
        keyword_list: the result of `keywords.get()`, or an input.
        path: the file; its suffix, `.txt`, `.csv` or `.json`, names the format. An existing file is replaced.

    Raises:
        InvalidRequestError: the list cannot become an input (see `from_keyword_list`), the format cannot hold a term (a
            text file cannot hold a line break within a term), or the file cannot be written. An existing file is then
            unchanged.
    """
    new = from_keyword_list(keyword_list) if isinstance(keyword_list, KeywordList) else keyword_list
    content = files.Content(
        terms=entries_of(new), category=new.category, id=new.id, name=new.name, description=new.description
    )
    files.write(path, content)


def entries_of(new: KeywordListInput) -> tuple[str, ...]:
    """The terms or sentences of an input, in order; blank ones are left out (service.md, section 2.2).

    A `search_terms` that is one text is split at its commas only. In a file, each row is one term, without its double
    quotes. The service does not document how it reads columns, so a row with several columns (such as `a{1,3}` without
    quotes) is one term, exactly as written. If an input has sentences and a file, the entries of the file are returned.

    Args:
        new: an input of any category.

    Raises:
        InvalidRequestError: `new` is not an input, or its file is not UTF-8.
    """
    check_input(new)
    if new.file is not None:
        return csv_terms(new.file.content)
    if new.category == _SENTENCES:
        return new.disallowed_sentences
    return _split(new.search_terms) if isinstance(new.search_terms, str) else new.search_terms


def raw_list_entries(keyword_list: KeywordList) -> tuple[str, ...] | None:
    """The terms or sentences exactly as the service shows them; blank ones are left out (service.md, section 2.1).

    Args:
        keyword_list: the result of `keywords.get()`.

    Returns:
        The entries. If the list was made from CSV, they may include the double quotes of the file. `None` if the
        service shows no entries, or shows something other than texts.
    """
    sentences = keyword_list.category == _SENTENCES
    record = keyword_list.to_dict()
    found = None
    for name in ("disallowedSentences", "searchTerms") if sentences else ("searchTerms",):
        entries = record.get(name)
        if isinstance(entries, str) and not sentences:  # a sentence may hold commas, so it cannot be split
            found = _split(entries)
        elif isinstance(entries, list) and {str}.issuperset(map(type, entries)):
            found = tuple(entry for entry in entries if entry.strip())
        if found:
            break
    return found


def list_entries(keyword_list: KeywordList) -> tuple[str, ...] | None:
    """Like `raw_list_entries`, but without the double quotes that a list made from CSV shows."""
    raw = raw_list_entries(keyword_list)
    return None if raw is None else tuple(entry for entry in strip_csv_quotes(keyword_list, raw) if entry.strip())


def strip_csv_quotes(keyword_list: KeywordList, terms: Iterable[str]) -> tuple[str, ...]:
    """Terms without CSV quotes, if the list shows exactly the same quoted term; other terms are unchanged."""
    if keyword_list.is_csv is not True:
        return tuple(terms)
    plain = {term: unquoted(term) for term in raw_list_entries(keyword_list) or ()}
    return tuple(plain.get(term, term) for term in terms)


def _split(terms: str) -> tuple[str, ...]:
    return tuple(term for term in terms.split(",") if term.strip())
