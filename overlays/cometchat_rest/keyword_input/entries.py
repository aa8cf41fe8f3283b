"""The terms and sentences of lists, of inputs and of the CSV text that a form carries."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import evolve

from cometchat_openapi.models import KeywordList
from cometchat_runtime.checks import check_type
from cometchat_runtime.errors import InvalidRequestError
from cometchat_runtime.model import array_fits

from .csv_file import CsvFile
from .inputs import (
    CATEGORIES,
    SEPARATOR,
    KeywordListInput,
    Quotes,
    check_quotes,
    class_for,
    entries_field,
    input_terms,
    short_literal,
)

_SENTENCES: Final = "sentence-similarity"
_QUOTED = re.compile(r'"((?:[^"]++|"")*+)"')
_ROW = re.compile(
    r"""
    "(?P<quoted>(?:[^"]++|"")*+)"(?:\r?\n|\Z)   # "a, b"
    | (?P<plain>[^\n]*?)\r?(?:\n|\Z)           # a,b
    """,
    re.VERBOSE,
)
# A term with one of these is in double quotes. At the very beginning of a file, a term's own mark
# would be read as the byte order mark of the file.
_SPECIAL = re.compile(f'"|^\ufeff|{SEPARATOR.pattern}')


def from_keyword_list(
    keyword_list: KeywordList, *, quotes: Quotes | None = None
) -> KeywordListInput:
    """Make an input from a fetched list, to change it with `attrs.evolve` and to send it back.

    It has the id, name and description of the list. If a term holds a comma or a line break, all
    terms become a CSV `file`. To change those terms, get them with `entries_of()` and make a new
    input with `from_terms()`. Blank terms are left out: the service ignores them.

    Args:
        keyword_list: the result of `keywords.get()`.
        quotes: required if the list shows entries in double quotes, see `keywords.plan()`.

    Raises:
        InvalidRequestError: lists of this category cannot be updated, the service does not show the
            entries, or shows the list as empty, or shows entries in double quotes and `quotes` is
            `None`. `KeywordList` in `openapi.yaml` has no field for sentences; they are read from
            `disallowedSentences`, or else from `searchTerms`.
    """
    check_quotes(quotes)
    entries = list_entries(keyword_list)
    check_updatable(keyword_list)
    if not entries:
        fault = "the service does not show the entries"
        if entries is not None:
            fault = "the service shows this list as empty, and no update can send an empty list"
        argument, _ = entries_field(keyword_list.category)
        raise InvalidRequestError(f"cannot be read from the list: {fault}", argument=argument)
    new = replace_entries(keyword_list, entries, quotes)
    return evolve(new, id=_text_or_none(keyword_list.id))


def check_updatable(keyword_list: KeywordList) -> None:
    """Make sure that the list has a category that an update can send.

    Args:
        keyword_list: the result of `keywords.get()`.

    Raises:
        InvalidRequestError: lists of this category cannot be updated, or the list has none.
    """
    category = keyword_list.category
    if category in CATEGORIES:
        return
    shown = "shows no category"
    if isinstance(category, str):
        shown = f"has category {short_literal(category)}"
    raise InvalidRequestError(
        f"the list {shown}; only lists of category {', '.join(CATEGORIES)} can be updated here",
        path_values={} if keyword_list.id is None else {"keyword_id": keyword_list.id},
    )


def replace_entries(
    keyword_list: KeywordList, terms: Iterable[str], quotes: Quotes | None
) -> KeywordListInput:
    """The input that replaces the entries of a list, and sends its name and description as they
    were read."""
    quoted = [entry for entry in list_entries(keyword_list) or () if _QUOTED.fullmatch(entry)]
    check_updatable(keyword_list)
    if quoted and quotes is None:
        raise InvalidRequestError(
            f'must be "csv" or "literal", because the list shows {len(quoted):,} of its entries in'
            f' double quotes, such as {short_literal(quoted[0])}: with "csv", the quotes belong to'
            ' its CSV file and are removed; with "literal", they belong to the entries',
            argument="quotes",
        )
    return from_terms(
        keyword_list.category,
        _without_quotes(terms) if quotes == "csv" else terms,
        name=_text_or_none(keyword_list.name),
        description=_text_or_none(keyword_list.description),
        shown={*(list_entries(keyword_list, quotes=quotes) or ())},
    )


def _text_or_none(value: Any) -> Any:
    # For a text that was never set, the service shows null or an empty text. The input refuses a
    # value that is not a text.
    return None if isinstance(value, str) and not value.strip() else value


def from_terms(
    category: str,
    terms: Iterable[str],
    *,
    id: str | None = None,  # noqa: A002 - the name that the service uses
    name: str | None = None,
    description: str | None = None,
    shown: Container[str] = (),
) -> KeywordListInput:
    """Make an input of the class for a category from terms or sentences, which may hold commas and
    line breaks.

    Words and patterns become `search_terms`. If one of them holds a comma or a line break, all of
    them become a CSV file instead.

    Args:
        category: `"word"`, `"pattern"` or `"sentence-similarity"`.
        terms: the terms or sentences; none may be blank.
        id: the list's identifier.
        name: the list's name.
        description: the purpose of the list.
        shown: entries that the list already has, and may keep although a new one could not be sent:
            those that begin with a byte order mark, or are invisible.

    Raises:
        InvalidRequestError: the category is unknown, a text cannot be sent, or the file would be
            too large.
    """
    input_class = class_for(category)
    field, _ = entries_field(category)
    checked = input_terms(terms, field, shown)
    values: dict[str, Any] = {field: checked}
    if category != _SENTENCES and any(map(SEPARATOR.search, checked)):
        values = {"file": csv_text(checked).encode()}
    return input_class(**values, id=id, name=name, description=description)


def entries_of(new: KeywordListInput) -> tuple[str, ...]:
    """The terms or sentences of an input, in order; blank ones are left out.

    A `search_terms` that is one text is split at its commas only. In a file, each row is one term,
    without its double quotes. The service does not document how it reads columns, so a row with
    several columns (such as `a{1,3}` without quotes) is one term, exactly as written. If an input
    has sentences and a file, the entries of the file are returned.

    Args:
        new: an input of any category.

    Raises:
        InvalidRequestError: `new` is not an input.
    """
    check_type(
        "new",
        new,
        KeywordListInput,
        "an input such as WordListInput, as keyword_input.parse() makes of a dict",
    )
    if new.file is not None:
        return tuple(term for term, _ in _csv_rows(new.file) if term.strip())
    if new.category == _SENTENCES:
        return new.disallowed_sentences
    terms = new.search_terms
    return tuple(filter(str.strip, terms.split(","))) if isinstance(terms, str) else terms


def file_rows(new: KeywordListInput) -> dict[str, str]:
    """The rows in double quotes, as the file of an input has them, and the entry of each."""
    if new.file is None:
        return {}
    return {_quoted(term): term for term, is_quoted in _csv_rows(new.file) if is_quoted}


def _csv_rows(file: CsvFile) -> Iterator[tuple[str, bool]]:
    """The term of each row of a file, and whether it was in double quotes.

    The service does not document how it reads columns, so a row that is not valid CSV of one column
    is one term, exactly as written.
    """
    for row in _ROW.finditer(file.content.decode()):
        if row["quoted"] is not None:
            yield row["quoted"].replace('""', '"'), True
        # An empty match is the end of the text.
        elif row[0]:
            yield row["plain"], False


def list_entries(
    keyword_list: KeywordList, *, quotes: Quotes | None = None
) -> tuple[str, ...] | None:
    """The terms or sentences of a fetched list, as the service shows them.

    A list of words whose `searchTerms` is `[]` is empty, unless it was made from a CSV file: the
    contract promises this field for words. In any other case, an absent or empty field does not
    say that the list is empty.

    Args:
        keyword_list: the result of `keywords.get()`.
        quotes: `"csv"` removes the double quotes of a CSV file around entries.

    Returns:
        The entries that are not blank; `()` if the service shows the list as empty; `None` if it
        does not show the entries, or shows something other than texts.
    """
    check_type("keyword_list", keyword_list, KeywordList, "a fetched list")
    check_quotes(quotes)
    record = keyword_list.to_dict()
    entries = _shown_entries(record)
    if quotes == "csv":
        entries = _without_quotes(entries)
    if entries:
        return entries
    return () if _is_shown_as_empty(record) else None


def _shown_entries(record: Mapping[str, Any]) -> tuple[str, ...]:
    names = ["searchTerms"]
    if record.get("category") == _SENTENCES:
        names.insert(0, "disallowedSentences")
    for name in names:
        if array_fits(record.get(name), str):
            entries = tuple(filter(str.strip, record[name]))
            if entries:
                return entries
    return ()


def _is_shown_as_empty(record: Mapping[str, Any]) -> bool:
    is_word_list = record.get("category") == "word" and not record.get("isCSV")
    return is_word_list and record.get("searchTerms") == []


def _without_quotes(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(str.strip, map(unquoted, terms)))


# CSV: the text of a file in an update form.


def csv_text(terms: Iterable[str]) -> str:
    """Terms as CSV: one term per row, in double quotes only if necessary."""
    return "".join(f"{_quoted(term) if _SPECIAL.search(term) else term}\n" for term in terms)


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def unquoted(term: str) -> str:
    """A term without the double quotes of a CSV row; a term without such quotes is unchanged."""
    quoted = _QUOTED.fullmatch(term)
    return quoted[1].replace('""', '"') if quoted else term
