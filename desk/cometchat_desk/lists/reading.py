"""Read a list from the bytes of a file.

- `.txt`: one entry per line, exactly as written. An entry cannot hold a line break.
- `.csv`, `.tsv`, `.xlsx`: one entry per row, in the only column or in the one that is named.
- `.json`: an object with `category` and `terms`, and optionally `id`, `name` and `description`.
"""

import json
import re
from pathlib import Path
from typing import Any, Final

from cometchat_rest import keyword_input

from .files import CATEGORIES, SUFFIXES, WORKBOOK, ListFile, ListFileError, decoded
from .tables import Layout, read_table

_TEXTS: Final = ("id", "category", "name", "description")
_DEFAULT: Final = Layout()
# JSON, and the output of commands: a list with its revision, and a plan.
_OUTPUT: Final = re.compile(
    r'\A\s*(\[\s*["{]|\{\s*"\w+":)|^revision \S+, updated .* UTC$|^list \S+ \([a-z-]+\): .* now, ',
    re.MULTILINE,
)


def read_list(
    data: bytes, path: Path | str, *, suffix: str | None = None, layout: Layout = _DEFAULT
) -> ListFile:
    """Read the content of a file; `suffix` names the format if `path` does not. Raises
    ListFileError: it is no list."""
    suffix = (Path(path).suffix if suffix is None else suffix).lower()
    if suffix not in SUFFIXES:
        raise ListFileError(
            path, f"the suffix must be one of {', '.join(SUFFIXES)}; save the list as CSV UTF-8"
        )
    of_workbook, of_text = layout.sheet is not None or layout.visible_only, layout.encoding
    if of_workbook if suffix != WORKBOOK else of_text:
        fault = "--sheet and --visible-only are for .xlsx, --encoding is for text files"
        raise ListFileError(path, fault)
    if suffix == ".json":
        return _read_json(decoded(data, path, layout.encoding), path)
    if suffix == ".txt" and layout.column is None:
        return _read_lines(decoded(data, path, layout.encoding), path)
    return read_table(data, path, suffix, layout)


def _read_lines(text: str, path: Path | str) -> ListFile:
    titles = [cell.strip() for cell in text.partition("\n")[0].split("  ") if cell.strip()]
    if _OUTPUT.search(text) or (len(titles) > 2 and all(title[0].isupper() for title in titles)):
        fault = (
            "holds JSON or the output of a command; to write a list to a file, use keywords get"
            " LIST --output FILE"
        )
        raise ListFileError(path, fault)
    lines = {
        number: line.removesuffix("\r")
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    }
    for number, line in lines.items():
        if broken := keyword_input.LINE_BREAK.search(line):
            advice = (
                "; save it as UTF-8 with the line ends of Windows or Unix"
                if broken[0] == "\r"
                else ""
            )
            fault = f"holds {broken[0]!a}, which would split the term in two{advice}"
            raise ListFileError(path, fault, line=number)
    if not lines:
        raise ListFileError(path, "holds no entries")
    return ListFile(entries=tuple(lines.values()), lines=list(lines), is_text=True)


def _read_json(text: str, path: Path | str) -> ListFile:
    record = _parsed(text, path)
    texts = {name: record[name] for name in _TEXTS if name in record}
    faults = [
        f"{name} {fault}"
        for name, value in texts.items()
        if (fault := keyword_input.fault_in_text(value))
    ]
    if unknown := record.keys() - {*_TEXTS, "terms"}:
        faults.append(
            f"{min(unknown)[:40]!a} is not a field of a list; the fields are: {', '.join(_TEXTS)},"
            " terms"
        )
    if not faults and record.get("category") not in CATEGORIES:
        faults.append(f"category must be one of {', '.join(CATEGORIES)}")
    terms: Any = record.get("terms")
    if not isinstance(terms, list) or not terms:
        faults.append("terms must be an array with at least one string")
    if faults:
        raise ListFileError(path, faults[0])
    for number, term in enumerate(terms, 1):
        fault = "holds NUL characters" if "\0" in str(term) else keyword_input.fault_in_text(term)
        if fault:
            raise ListFileError(path, f"term {number} {fault}")
    return ListFile(entries=tuple(terms), **texts)


def _parsed(text: str, path: Path | str) -> dict[str, Any]:
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise ListFileError(path, f"is not valid JSON: {error.msg}", line=error.lineno) from None
    except (ValueError, RecursionError):
        raise ListFileError(
            path, "is nested too deeply, or holds a number that is too long"
        ) from None
    if not isinstance(record, dict):
        raise ListFileError(path, "must be a JSON object with category and terms")
    return record
