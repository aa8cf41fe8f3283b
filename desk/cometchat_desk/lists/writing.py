"""Write a list to a file, completely or not at all; `read_list` reads the same list again."""

import re
from collections.abc import Callable, Mapping, Sequence
from json import dumps
from pathlib import Path
from typing import Final

from cometchat_desk.files import unmarked, write_file
from cometchat_rest import KeywordListInput, keyword_input

from .files import WORKBOOK, WRITTEN, ListFileError, unusable
from .workbooks import to_workbook

_BYTE_ORDER_MARK: Final = "\ufeff"
# A cell with one of these is in quotes, so that no reader takes it for two cells, or for a setting.
_SPECIAL: Final = re.compile(f'{keyword_input.SEPARATOR.pattern}|[;\t"]|^{_BYTE_ORDER_MARK}|^sep=')


def check_suffix(path: Path) -> None:
    """Refuse a file whose suffix names no format."""
    if path.suffix.lower() not in _WRITERS:
        raise ListFileError(path, f"the suffix must be one of {', '.join(WRITTEN)}")


def encoded(path: Path, new: KeywordListInput) -> bytes:
    """The content of a file with a list; JSON holds its other fields, too. Raises ListFileError:
    none can hold it."""
    check_suffix(path)
    if path.suffix.lower() == ".txt":
        for entry in keyword_input.entries_of(new):
            if keyword_input.LINE_BREAK.search(entry):
                shown = repr(entry if len(entry) <= 40 else f"{entry[:37]}...")
                raise ListFileError(
                    path,
                    f"a text file cannot hold an entry with a line break: {shown}; use .csv or"
                    " .json",
                )
    return _WRITERS[path.suffix.lower()](new)


def write(path: Path, new: KeywordListInput) -> None:
    """Write a list to a file."""
    data = encoded(path, new)
    if path.exists() and not path.is_file():
        raise unusable(path, "written", OSError("it is not a regular file"))
    try:
        write_file(path, data)
    except (OSError, ValueError, RuntimeError) as error:
        raise unusable(path, "written", error) from error


def csv_text(rows: Sequence[str]) -> str:
    """A table with one column, with only the necessary quotes."""
    return "".join(f"{_cell(row)}\n" for row in rows)


def _cell(text: str) -> str:
    # A reader would take the apostrophe of '-spam for the mark of a formula.
    cell = text if unmarked(text) == text else f"'{text}"
    quoted = cell.replace('"', '""')
    return f'"{quoted}"' if _SPECIAL.search(cell) else cell


def _to_txt(new: KeywordListInput) -> bytes:
    text = "".join(f"{entry}\n" for entry in keyword_input.entries_of(new))
    # If the first entry begins with a mark, the file needs a byte order mark as well, or the entry
    # would lose its mark.
    return (_BYTE_ORDER_MARK + text if text.startswith(_BYTE_ORDER_MARK) else text).encode()


def _to_json(new: KeywordListInput) -> bytes:
    texts = {name: getattr(new, name) for name in ("id", "category", "name", "description")}
    fields = {name: text for name, text in texts.items() if text is not None}
    text = dumps({**fields, "terms": keyword_input.entries_of(new)}, ensure_ascii=False, indent=2)
    return f"{text}\n".encode()


_WRITERS: Final[Mapping[str, Callable[[KeywordListInput], bytes]]] = {
    ".txt": _to_txt,
    # Excel needs the mark.
    ".csv": lambda new: (_BYTE_ORDER_MARK + csv_text(keyword_input.entries_of(new))).encode(),
    ".json": _to_json,
    WORKBOOK: lambda new: to_workbook([[entry] for entry in keyword_input.entries_of(new)]),
}
