"""Read a list from the bytes of a file.

- `.txt`: one entry per line, exactly as written. An entry cannot hold a line break.
- `.csv`, `.tsv`, `.xlsx`: one entry per row, in the only column or in the one that is named.
- `.json`: an object with `category` and `terms`, and optionally `id`, `name` and `description`; or
  an array of the entries; or an array of objects, of which the only or the named field is read.
"""

import json
import re
from pathlib import Path
from typing import Any, Final

from attrs import evolve

from cometchat_rest import keyword_input

from .files import CATEGORIES, SUFFIXES, WORKBOOK, ListFile, ListFileError, decoded
from .tables import Layout, read_records, read_table, with_usual_breaks
from .titles import is_title

_TEXTS: Final = ("id", "category", "name", "description")
_DEFAULT: Final = Layout()
_EXAMPLE: Final = 'an example: ["spam", "free coins"]'
# The beginning of JSON, or of a list in a program.
_JSON: Final = re.compile(
    r"""
    \s* (?:
        \[ \s* (?P<quote>["']) [^"'\n]* (?P=quote) \s* [,\]]   # ["spam", or ['spam']
      | (?: \[ \s* )? \{ \s* ["'] \w+ ["'] \s* :               # {"terms": or [{"word":
    )
    """,
    re.VERBOSE,
)


def read_list(
    data: bytes, path: Path | str, *, suffix: str | None = None, layout: Layout = _DEFAULT
) -> ListFile:
    """Read the content of a file; `suffix` names the format if `path` does not. Raises
    ListFileError: it is not a list."""
    suffix = (Path(path).suffix if suffix is None else suffix).lower()
    if suffix not in SUFFIXES:
        raise ListFileError(
            path, f"the suffix must be one of {', '.join(SUFFIXES)}; save the list as CSV UTF-8"
        )
    if (layout.encoding if suffix == WORKBOOK else layout.sheet) is not None:
        raise ListFileError(path, "--sheet is for .xlsx, --encoding is for text files")
    if suffix == ".json":
        return _read_json(decoded(data, path, layout.encoding), path, layout)
    if suffix == ".txt" and layout.column is None:
        content = _read_lines(decoded(data, path, layout.encoding), path)
        return _without_title(content, path, layout)
    return read_table(data, path, suffix, layout)


def _without_title(content: ListFile, path: Path | str, layout: Layout) -> ListFile:
    """The content without its first entry, if the user says that it is a title."""
    if not layout.header:
        return content
    title, *entries = content.entries
    if not entries:
        raise ListFileError(path, "holds no entries")
    return evolve(content, entries=tuple(entries), lines=content.lines[1:], titles=[title.strip()])


def _read_lines(text: str, path: Path | str) -> ListFile:
    if _JSON.match(text):
        raise ListFileError(
            path,
            "holds JSON or a list of a program; put each entry in its own line, save it as .json"
            " with texts in double quotes, or write a list with keywords get LIST --output FILE",
        )
    lines: dict[int, str] = {}
    for number, line in enumerate(with_usual_breaks(text).split("\n"), 1):
        if line.strip():
            lines[number] = line.removesuffix("\r")
    if not lines:
        raise ListFileError(path, "holds no entries")
    for number, line in lines.items():
        broken = keyword_input.LINE_BREAK.search(line)
        if broken is None:
            continue
        fault = f"holds {broken[0]!a}, which would split the entry in two"
        if broken[0] == "\r":
            fault += "; save it as UTF-8 with the line ends of Windows or Unix"
        raise ListFileError(path, fault, line=number)
    return ListFile(entries=tuple(lines.values()), lines=list(lines), is_text=True)


def _read_json(text: str, path: Path | str, layout: Layout) -> ListFile:
    content = _parsed(text, path)
    array = content if isinstance(content, list) else _only_array(content)
    if array is not None:
        return _read_array(array, path, layout)
    if not isinstance(content, dict):
        raise ListFileError(path, f"must be a JSON object with category and terms, or {_EXAMPLE}")
    texts = {name: content[name] for name in _TEXTS if name in content}
    for name, value in texts.items():
        if fault := keyword_input.fault_in_text(value):
            raise ListFileError(path, f"{name} {fault}")
    unknown = sorted(content.keys() - {*_TEXTS, "terms"})
    if unknown:
        fields = ", ".join([*_TEXTS, "terms"])
        fault = f"{unknown[0][:40]!a} is not a field of a list; the fields are: {fields}"
        raise ListFileError(
            path,
            f"{fault}. keywords get LIST --output FILE writes them; for entries only, {_EXAMPLE}",
        )
    if texts.get("category") not in CATEGORIES:
        raise ListFileError(path, f"category must be one of {', '.join(CATEGORIES)}")
    entries = _terms(content.get("terms"), path)
    return _without_title(ListFile(entries=entries, **texts), path, layout)


def _only_array(content: Any) -> list[Any] | None:
    """The array that another tool writes below the title of a column, such as `words`."""
    if not isinstance(content, dict) or not content.keys().isdisjoint({"id", "category", "terms"}):
        return None
    arrays = {name: value for name, value in content.items() if isinstance(value, list)}
    is_list = len(arrays) == 1 and all(map(is_title, arrays))
    return next(iter(arrays.values())) if is_list else None


def _read_array(content: list[Any], path: Path | str, layout: Layout) -> ListFile:
    if content and all(isinstance(record, dict) for record in content):
        return read_records(content, path, layout)
    return _without_title(ListFile(entries=_terms(content, path)), path, layout)


def _terms(terms: object, path: Path | str) -> tuple[str, ...]:
    if not isinstance(terms, list):
        terms = []
    # As the blank lines of a text file, blank texts are left out.
    texts = {number: term for number, term in enumerate(terms, 1) if str(term).strip()}
    if not texts:
        raise ListFileError(path, f"terms must be an array with at least one string; {_EXAMPLE}")
    for number, term in texts.items():
        fault = keyword_input.fault_in_text(term)
        if "\0" in str(term):
            fault = "holds NUL characters"
        if fault:
            example = "" if isinstance(term, str) else f"; {_EXAMPLE}"
            raise ListFileError(path, f"entry {number} {fault}{example}")
    return tuple(texts.values())


def _parsed(text: str, path: Path | str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        fault = f"is not valid JSON: {error.msg}; {_EXAMPLE}"
        raise ListFileError(path, fault, line=error.lineno) from None
    except (ValueError, RecursionError):
        raise ListFileError(
            path, "is nested too deeply, or holds a number that is too long"
        ) from None
