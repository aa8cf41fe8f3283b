"""One frozen class per category of keyword list: what goes into the update form, checked before it is sent.

The form's shape follows its `category` (service.md, section 2.2). Whatever the service would take apart in
another way than it was meant, or take without saying what it did, is an `InvalidRequestError` that names the
field; its text never shows what is in a file.
"""

from __future__ import annotations

import io
import os
import re
import stat
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from attrs import Attribute, field, fields, frozen

from cometchat_openapi.models import KeywordList, KeywordListForm
from cometchat_openapi.types import File
from cometchat_rest.errors import InvalidRequestError

from . import files
from .files import LINE_BREAK, SEPARATOR, csv_terms, csv_text, unquoted

#: The largest file that is sent, in bytes; the service's limit is 1 MB.
MAX_FILE_SIZE = 2**20
#: The filename of a file that did not come from a path.
DEFAULT_FILE_NAME = "keywords.csv"

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# How much of a term an error shows, and of a value a repr, in characters.
_SHOWN_TERM = 40
_SHOWN_VALUE = 100


class BinaryReader(Protocol):
    """Anything to read bytes from: a file opened with mode `"rb"`, a pipe, a `BytesIO`."""

    def read(self, size: int, /) -> bytes:
        """Give at most `size` bytes, and none at the end."""
        ...


def _refusal(name: str, fault: str) -> InvalidRequestError:
    return InvalidRequestError(f"{name} {fault}")


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN_TERM else text[: _SHOWN_TERM - 3] + "...")


# Files: read and frozen when the input is made, so that a request that is sent again carries the same bytes.


def _file_name(name: str) -> str:
    # What is not printable cannot go into a header, and half of a surrogate pair not onto the wire at all.
    return name if name.isprintable() and name.strip() else DEFAULT_FILE_NAME


def _content(data: bytes | bytearray | memoryview) -> bytes:
    size = memoryview(data).nbytes  # measured before it is copied
    if size > MAX_FILE_SIZE:
        raise _refusal("file", f"is larger than {MAX_FILE_SIZE} bytes, which is all the service takes")
    if not size:
        raise _refusal("file", "is empty")
    return bytes(data)


@frozen
class CsvFile:
    """A file as it goes on the wire, always as `text/csv`.

    Attributes:
        name: the filename.
        content: 1 to `MAX_FILE_SIZE` bytes.
    """

    name: str = field(converter=_file_name)
    content: bytes = field(converter=_content, repr=lambda content: f"<{len(content)} bytes>")


#: What `file` takes, beside `None`. A `str` is a path, never the content.
FileSource: TypeAlias = bytes | bytearray | memoryview | str | os.PathLike[str] | BinaryReader | CsvFile


def _csv_file(source: FileSource | None) -> CsvFile | None:
    if source is None or isinstance(source, CsvFile):
        return source
    if isinstance(source, bytes | bytearray | memoryview):
        return CsvFile(DEFAULT_FILE_NAME, source)
    if isinstance(source, str | os.PathLike):
        return _from_path(source)
    if callable(getattr(source, "read", None)):
        return CsvFile(DEFAULT_FILE_NAME, _read(source))
    raise _refusal("file", f"must be bytes, a path or a file opened in binary mode, not {type(source).__name__}")


def _from_path(source: str | os.PathLike[str]) -> CsvFile:
    if isinstance(source, str) and LINE_BREAK.search(source):
        raise _refusal("file", "is a str, which is a path, but holds a line break: give content as bytes")
    try:
        path = Path(source)
        # Opening a named pipe waits until somebody writes to it, which may be never.
        opened = path.open("rb") if stat.S_ISREG(path.stat().st_mode) else None
    except OSError as error:
        # Without the path: who takes a str for content would find the content in this text.
        fault = error.strerror or type(error).__name__
        raise _refusal("file", f"is a path (as every str is) that cannot be read: {fault}") from error
    except (TypeError, ValueError):  # a path of bytes, or one that holds NUL
        raise _refusal("file", "is a path (as every str is) that no file can have") from None
    if opened is None:
        raise _refusal("file", "is a path to something other than a file; open it and give what is open")
    with opened:
        return CsvFile(path.name, _read(opened))


def _read(source: BinaryReader) -> bytes:
    """Everything from the current position on; stops one byte over the limit, however much there is."""
    if isinstance(source, io.TextIOBase):
        raise _text_mode()
    content = bytearray()
    while len(content) <= MAX_FILE_SIZE:
        piece = _read_piece(source, MAX_FILE_SIZE + 1 - len(content))
        if not piece:
            break
        content += piece
    return bytes(content)


def _read_piece(source: BinaryReader, size: int) -> bytes | bytearray | memoryview:
    try:
        piece: object = source.read(size)
    except OSError as error:
        raise _refusal("file", f"cannot be read: {error.strerror or type(error).__name__}") from error
    except UnicodeError:
        raise _text_mode() from None
    except ValueError:
        raise _refusal("file", "cannot be read: it is closed") from None
    if isinstance(piece, str):
        raise _text_mode()
    if isinstance(piece, Coroutine):
        piece.close()  # or it would warn that nobody awaited it
        raise _refusal("file", "is read with await: read it first and give its bytes")
    if not isinstance(piece, bytes | bytearray | memoryview):
        raise _refusal("file", f"gave {type(piece).__name__} where it should have given bytes, or waited")
    return piece


def _text_mode() -> InvalidRequestError:
    return _refusal("file", 'is open in text mode; open it with mode "rb", so that its bytes stay as they are')


# Texts: anything a form can carry goes through as it is, in any script.


def _fault_in_text(value: object) -> str | None:
    if not isinstance(value, str):
        return f"must be a str, not {type(value).__name__}"
    if not value.strip():
        return "is blank"
    return _fault_in_characters(value)


def _fault_in_characters(value: str) -> str | None:
    if _LONE_SURROGATE.search(value):
        return f"holds a lone surrogate, which no request can carry: {_shown(value)}"
    return None


def _optional_text(_instance: object, attribute: Attribute[str | None], value: object) -> None:
    if value is not None and (fault := _fault_in_text(value)):
        raise _refusal(attribute.name, fault)


def _texts(name: str, value: Iterable[str]) -> tuple[str, ...]:
    # All of these can be iterated over, and none gives what somebody means who passes it.
    unmeant = isinstance(value, bytes | bytearray | memoryview | Mapping) or hasattr(value, "read")
    if unmeant or not isinstance(value, Iterable):
        raise _refusal(name, f"must be an iterable of str, not {type(value).__name__}")
    texts = tuple(value)
    for place, text in enumerate(texts):
        if fault := _fault_in_text(text):
            raise _refusal(f"{name}[{place}]", fault)
    return texts


def _search_terms(value: str | Iterable[str]) -> str | tuple[str, ...]:
    if isinstance(value, str):
        # Sent verbatim: its commas and line breaks are the caller's own.
        if fault := _fault_in_characters(value):
            raise _refusal("search_terms", fault)
        return value
    terms = _texts("search_terms", value)
    for place, term in enumerate(terms):
        if SEPARATOR.search(term):
            raise _refusal(
                f"search_terms[{place}]",
                f"holds a comma or a line break and would become two terms: {_shown(term)}; "
                "give such terms in a CSV file, as file",
            )
    return terms


def _disallowed_sentences(value: Iterable[str]) -> tuple[str, ...]:
    if isinstance(value, str):
        raise _refusal("disallowed_sentences", "must be an iterable of sentences, not one str")
    sentences = _texts("disallowed_sentences", value)
    if not sentences:
        raise _refusal("disallowed_sentences", "must hold at least one sentence")
    return sentences


@frozen(kw_only=True, repr=False)
class _Input:
    """What all categories share."""

    id: str | None = field(default=None, validator=_optional_text)
    name: str | None = field(default=None, validator=_optional_text)
    description: str | None = field(default=None, validator=_optional_text)
    file: CsvFile | None = field(default=None, converter=_csv_file)

    def __repr__(self) -> str:
        """Show what is set, and of long values only how long they are."""
        shown = []
        for each in fields(type(self)):
            value = getattr(self, each.name)
            if value == each.default:
                continue
            text = repr(value)
            if len(text) > _SHOWN_VALUE and isinstance(value, str | tuple):
                text = f"<{len(value)} {'characters' if isinstance(value, str) else 'entries'}>"
            shown.append(f"{each.name}={text}")
        return f"{type(self).__name__}({', '.join(shown)})"


@frozen(kw_only=True, repr=False)
class _TermsInput(_Input):
    """What words and patterns share: terms or a file, never both, never neither."""

    search_terms: str | tuple[str, ...] = field(default=(), converter=_search_terms)

    def __attrs_post_init__(self) -> None:
        terms = self.search_terms
        if self.file is not None:
            if terms:
                raise _refusal("search_terms", "excludes file: the service does not say which one wins")
        elif not terms or (isinstance(terms, str) and not terms.strip()):
            raise _refusal("search_terms", "is empty, and there is no file either")


@frozen(kw_only=True, repr=False)
class WordListInput(_TermsInput):
    """What a list of words becomes (service.md, section 2.2).

    Args:
        search_terms: the words, of which none may be blank or hold a comma or a line break; or one `str`,
            sent verbatim. Not together with `file`, and not empty without one.
        file: a CSV file with the words, at most 1 MiB: bytes, a path, or a file opened in binary mode, which
            is read from its current position. It is read when the input is made.
        id: the list's identifier.
        name: its name.
        description: what it is for.

    Raises:
        InvalidRequestError: a value is none of the above; the text names the field.
    """

    category: Literal["word"] = field(default="word", init=False)


@frozen(kw_only=True, repr=False)
class PatternListInput(_TermsInput):
    """What a list of regular expressions becomes (service.md, section 2.2).

    Args:
        search_terms: the patterns, of which none may be blank or hold a comma (`a{1,3}`!) or a line break; or
            one `str`, sent verbatim. Not together with `file`, and not empty without one.
        file: a CSV file with the patterns, at most 1 MiB: bytes, a path, or a file opened in binary mode,
            which is read from its current position. It is read when the input is made.
        id: the list's identifier.
        name: its name.
        description: what it is for.

    Raises:
        InvalidRequestError: a value is none of the above; the text names the field.
    """

    category: Literal["pattern"] = field(default="pattern", init=False)


@frozen(kw_only=True, repr=False)
class SentenceSimilarityListInput(_Input):
    """What a list of sentences becomes, whose like are found (service.md, section 2.2).

    Args:
        disallowed_sentences: at least one sentence, none blank; each goes as its own part of the form. The
            service requires them with a file too.
        file: a CSV file, at most 1 MiB: bytes, a path, or a file opened in binary mode, which is read from
            its current position. It is read when the input is made.
        id: the list's identifier.
        name: its name.
        description: what it is for.

    Raises:
        InvalidRequestError: a value is none of the above; the text names the field.
    """

    category: Literal["sentence-similarity"] = field(default="sentence-similarity", init=False)
    disallowed_sentences: tuple[str, ...] = field(converter=_disallowed_sentences)


#: The input of any category.
KeywordListInput: TypeAlias = WordListInput | PatternListInput | SentenceSimilarityListInput

_Class: TypeAlias = type[WordListInput] | type[PatternListInput] | type[SentenceSimilarityListInput]
_CLASSES: Mapping[str, _Class] = {
    "word": WordListInput,
    "pattern": PatternListInput,
    "sentence-similarity": SentenceSimilarityListInput,
}
_COMMON_FIELDS = ("id", "name", "description", "file")


def parse(mapping: Mapping[str, object]) -> KeywordListInput:
    """Make an input of a mapping with the service's own names, such as parsed JSON (service.md, section 2.2).

    Args:
        mapping: `category` decides on the class; `searchTerms` or `disallowedSentences`, `id`, `name`,
            `description` and `file` are its fields. `file` may be all that the classes take except a `str`:
            whoever wrote the JSON would choose a file of this machine.

    Returns:
        An input of the class for the category.

    Raises:
        InvalidRequestError: the category is missing or is none of the three, a field does not belong to it,
            or a value is refused by its class.
    """
    if not isinstance(mapping, Mapping):
        raise InvalidRequestError(f"a keyword list must be a mapping, not {type(mapping).__name__}")
    category = mapping.get("category")
    chosen = _class_for(category)
    wire_name, own = _own_field(chosen)
    known = ("category", *_COMMON_FIELDS, wire_name)
    if unknown := [_shown(str(key)) for key in mapping if key not in known]:
        raise InvalidRequestError(
            f"a keyword list of category {category!r} has no {', '.join(unknown[:5])}; it has {', '.join(known)}"
        )
    if isinstance(mapping.get("file"), str):
        raise _refusal("file", "must not be a str in a mapping; give bytes, a Path or an open file")
    # The classes look at the types of what they are given.
    values: dict[str, Any] = {name: mapping.get(name) for name in _COMMON_FIELDS}
    entries = mapping.get(wire_name)
    values[own] = () if entries is None else entries
    return chosen(**values)


def from_keyword_list(keyword_list: KeywordList) -> KeywordListInput:
    """Make an input of a list that the service gave, to be changed with `attrs.evolve` and sent back.

    Terms that hold a comma or a line break cannot go as `search_terms`. Where there is one, all go as `file`,
    one to a row, quoted as CSV is; to change those, begin with `entries_of()` the input, and make another with
    `from_terms()`. The double quotes that a list made from CSV shows are the file's, and no part of a term.
    Blank terms say nothing and would be refused: they are left out.

    Args:
        keyword_list: what `keywords.get()` returned.

    Returns:
        An input of the class for its category, with its id, name and description.

    Raises:
        InvalidRequestError: the category is none of the three that can be updated, or the service did not
            show the terms. How it shows those of the categories `pattern` and `sentence-similarity` is left
            open by service.md, section 2.1; sentences are looked for in `disallowedSentences`, then in
            `searchTerms`.
    """
    if not isinstance(keyword_list, KeywordList):
        raise InvalidRequestError(f"a keyword list that was fetched is needed, not {type(keyword_list).__name__}")
    chosen = _class_for(keyword_list.category)
    wire_name, own = _own_field(chosen)
    # None, and an empty text, is what the service shows where nothing was ever set.
    values: dict[str, Any] = {
        name: value
        for name in ("id", "name", "description")
        if (value := getattr(keyword_list, name)) and not (isinstance(value, str) and value.isspace())
    }
    entries = _entries(keyword_list, wire_name)
    if not entries:
        raise _refusal(own, "cannot be taken over: the service showed none for this list")
    if own == "search_terms":
        terms = _texts(own, entries)
        if any(map(SEPARATOR.search, terms)):
            return chosen(**values, file=csv_text(terms).encode())
    return chosen(**values, **{own: entries})


def from_terms(
    category: str,
    terms: Iterable[str],
    *,
    id: str | None = None,  # noqa: A002 - the service's own word
    name: str | None = None,
    description: str | None = None,
) -> KeywordListInput:
    """Make an input of terms or sentences that may hold anything (service.md, section 2.2).

    Words and patterns go as `search_terms` where they can, and in a CSV file, one to a row, where one of them holds a
    comma or a line break.

    Args:
        category: `"word"`, `"pattern"` or `"sentence-similarity"`.
        terms: the terms or sentences, none of them blank.
        id: the list's identifier.
        name: its name.
        description: what it is for.

    Returns:
        An input of the class for the category.

    Raises:
        InvalidRequestError: the category is none of the three, a text cannot be sent, or the file would be too large.
    """
    chosen = _class_for(category)
    own = _own_field(chosen)[1]
    values: dict[str, Any] = {"id": id, "name": name, "description": description}
    checked = check_terms(terms, own)
    as_file = own == "search_terms" and any(map(SEPARATOR.search, checked))
    values["file" if as_file else own] = csv_text(checked).encode() if as_file else checked
    return chosen(**values)


def check_terms(terms: Iterable[str], name: str = "terms") -> tuple[str, ...]:
    """Terms as they were given, all of them looked at.

    Raises:
        InvalidRequestError: `terms` is one text, or holds something blank or something else than text.
    """
    if isinstance(terms, str):
        raise _refusal(name, "must be an iterable of terms, not one str")
    return _texts(name, terms)


def load(path: str | os.PathLike[str], *, category: str | None = None) -> KeywordListInput:
    """Make an input of a file: `.txt` with a term to a line, `.csv` with a term to a row, or `.json`.

    Text is UTF-8, with or without a byte order mark; a line ends with LF or CRLF; blank lines count for nothing, and
    blanks around a term belong to it. A CSV file has one column and no header. A JSON file is an object with `category`
    and `terms`, and perhaps `id`, `name` and `description` (service.md, section 2.2).

    Args:
        path: the file; its suffix says which it is.
        category: `"word"`, `"pattern"` or `"sentence-similarity"`; needed for all but JSON, which has its own.

    Returns:
        An input of the class for the category. Terms that hold a comma or a line break go as its `file`.

    Raises:
        InvalidRequestError: the file cannot be read, or is not as it should be: the text names file, line and column.
            Or the category is missing, is none of the three, or is not the one in the file.
    """
    content = files.read(path)
    if category is not None:
        _class_for(category)
    elif content.category is None:
        raise _refusal("category", "is needed: only a JSON file has one of its own")
    if None not in (category, content.category) and category != content.category:
        raise _refusal("category", f"is {category!r}, and the file is of category {content.category!r}")
    return from_terms(
        category or content.category or "",
        content.terms,
        id=content.id,
        name=content.name,
        description=content.description,
    )


def dump(keyword_list: KeywordList | KeywordListInput, path: str | os.PathLike[str]) -> None:
    """Write a list to a file that `load` reads again, exactly; text and CSV hold the terms or sentences only.

    The file is written beside and then renamed: whoever reads it finds the old content or the new, and never half.

    Args:
        keyword_list: what `keywords.get()` returned, or an input.
        path: the file, which is replaced where there is one; its suffix, `.txt`, `.csv` or `.json`, says which it is.

    Raises:
        InvalidRequestError: the list cannot become an input (see `from_keyword_list`), the file cannot hold it (a text
            file holds no line break within a term), or cannot be written; nothing has changed then.
    """
    new = from_keyword_list(keyword_list) if isinstance(keyword_list, KeywordList) else keyword_list
    content = files.Content(
        terms=entries_of(new), category=new.category, id=new.id, name=new.name, description=new.description
    )
    files.write(path, content)


def entries_of(new: KeywordListInput) -> tuple[str, ...]:
    """The terms or sentences of an input, one by one, in order; blank ones count for nothing (service.md, section 2.2).

    A `search_terms` that is one text is taken apart at its commas, and at nothing else. In a file, each row is one
    term, without the quotes around it; how the service reads columns is not documented, so a row that has several
    (`a{1,3}` without quotes!) is one term, as it stands. Where sentences come with a file, those in the file count.

    Args:
        new: one of the three inputs.

    Raises:
        InvalidRequestError: `new` is none of the three, or its file is not UTF-8.
    """
    if not isinstance(new, KeywordListInput):
        raise _no_input(new)
    if new.file is not None:
        return csv_terms(new.file.content)
    if new.category == "sentence-similarity":
        return new.disallowed_sentences
    return _split(new.search_terms) if isinstance(new.search_terms, str) else new.search_terms


def raw_list_entries(keyword_list: KeywordList) -> tuple[str, ...] | None:
    """The terms or sentences of a list as the service showed them, blank ones left out (service.md, section 2.1).

    Args:
        keyword_list: what `keywords.get()` returned.

    Returns:
        The entries, with the double quotes that a list made from CSV shows; `None` where none were shown, or nothing
        that is a list of text.
    """
    sentences = keyword_list.category == "sentence-similarity"
    record = keyword_list.to_dict()
    found = None
    for name in ("disallowedSentences", "searchTerms") if sentences else ("searchTerms",):
        entries = record.get(name)
        if isinstance(entries, str):
            found = _split(entries)
        elif isinstance(entries, list) and {str}.issuperset(map(type, entries)):
            found = tuple(entry for entry in entries if entry.strip())
        if found:
            break
    return found


def list_entries(keyword_list: KeywordList) -> tuple[str, ...] | None:
    """As `raw_list_entries`, without the double quotes of the file that a list may have been made from."""
    shown = raw_list_entries(keyword_list)
    return shown if shown is None else tuple(_plain(keyword_list, shown))


def strip_csv_quotes(keyword_list: KeywordList, terms: Iterable[str]) -> tuple[str, ...]:
    """Terms in place of those of a list: one that the list shows in the quotes of its file is given without them."""
    if keyword_list.is_csv is not True:
        return tuple(terms)
    plain = {term: unquoted(term) for term in raw_list_entries(keyword_list) or ()}
    return tuple(plain.get(term, term) for term in terms)


def _plain(keyword_list: KeywordList, entries: Iterable[Any]) -> Iterator[Any]:
    for entry in entries:
        plain = unquoted(entry) if keyword_list.is_csv is True and isinstance(entry, str) else entry
        if not isinstance(plain, str) or plain.strip():
            yield plain


def _split(terms: str) -> tuple[str, ...]:
    return tuple(term for term in terms.split(",") if term.strip())


def _no_input(new: object) -> InvalidRequestError:
    names = ", ".join(each.__name__ for each in _CLASSES.values())
    return InvalidRequestError(
        f"a keyword list must be given as one of {names}, not as {type(new).__name__}; "
        "keyword_input.parse() makes one of a mapping"
    )


def to_multipart_form(new: KeywordListInput) -> KeywordListForm:
    """The update form for an input (service.md, sections 2.2 and 4.2).

    Args:
        new: one of the three inputs.

    Returns:
        The form. `searchTerms`, which the service requires, is empty where a file stands in for it.

    Raises:
        InvalidRequestError: `new` is none of the three.
    """
    if not isinstance(new, KeywordListInput):
        raise _no_input(new)
    filled = KeywordListForm(
        category=new.category,
        id=new.id,
        name=new.name,
        description=new.description,
        file=File(new.file.content, new.file.name, "text/csv") if new.file else None,
    )
    if new.category == "sentence-similarity":
        filled.disallowed_sentences = list(new.disallowed_sentences)
    else:
        terms = new.search_terms
        filled.search_terms = terms if isinstance(terms, str) else ",".join(terms)
    return filled


def _class_for(category: object) -> _Class:
    chosen = _CLASSES.get(category) if isinstance(category, str) else None
    if chosen is None:
        given = f"not {_shown(category)}" if isinstance(category, str) else "and is missing or no str"
        raise _refusal("category", f"must be one of {', '.join(map(repr, _CLASSES))}, {given}")
    return chosen


def _own_field(chosen: _Class) -> tuple[str, str]:
    """The field that only this category has, or terms have: its name on the wire, and here."""
    if issubclass(chosen, _TermsInput):
        return "searchTerms", "search_terms"
    return "disallowedSentences", "disallowed_sentences"


def _entries(keyword_list: KeywordList, wire_name: str) -> Any:
    """What the service showed as the list's terms or sentences; a lenient reader lets anything by."""
    entries: Any = keyword_list.additional_properties.get(wire_name) or keyword_list.search_terms
    if isinstance(entries, str) and wire_name == "searchTerms":
        # Taken apart as on the wire: whoever goes through a str in place of terms takes its letters for terms.
        entries = entries.split(",")
    return list(_plain(keyword_list, entries)) if isinstance(entries, list) else entries
