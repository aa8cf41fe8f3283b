"""Read the records of exported files one after the other; `collected` puts them into columns."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any, TypeAlias

from cometchat_rest import InvalidRequestError

from .database import read_part
from .reviewed import COLUMNS, NAMES, json_values, text_values, unprotected
from .sources import find_sources, lines_of, opened, readable_errors, rows_of, suffix_of

#: Gives the values with some names of a record that was read.
Values: TypeAlias = Callable[[Iterable[str]], Mapping[str, Any]]
# A file with more lines of another kind, and with fewer records than such lines, is not an export.
_MOST_SKIPPED = 100_000


def read_exports(files: Sequence[str | Path], standard_input: IO[bytes] | None = None) -> Iterator[Values | None]:
    """Read `.jsonl`, `.csv` (both also with `.gz`), `.parquet`, folders `*.parquet`, globs, and standard input (`-`).

    An incomplete record is `None`.
    """
    named = [file for file in files if str(file) != "-"]
    # Of equal records, the first one is kept, and CSV files are not exact.
    sources = sorted(find_sources(named), key=lambda path: suffix_of(path) == ".csv")
    if len(named) < len(files):
        yield from _of_lines(lines_of(standard_input or sys.stdin.buffer, Path("-")))
    for path in sources:
        yield from _read(path)


def is_record(line: str) -> bool:
    """Whether a line holds a reviewed message."""
    return _of_line(line) is not None


def is_head(line: str) -> bool:
    """Whether a line holds the names of the columns of an exported CSV file."""
    return next(rows_of([line]), []) == [*COLUMNS]


def _read(path: Path) -> Iterator[Values | None]:
    if path.suffix.lower() == ".parquet":
        yield from (partial(text_values, row) for row in read_part(path))
        return
    complete = skipped = 0
    with readable_errors(path), opened(path) as file:
        for record in _of_file(lines_of(file, path), path):
            complete, skipped = (complete, skipped + 1) if record is None else (complete + 1, skipped)
            if skipped > _MOST_SKIPPED + complete:
                raise _not_an_export(path)
            yield record


def _of_file(lines: Iterator[str], path: Path) -> Iterator[Values | None]:
    first = next(filter(str.strip, lines), "")
    if suffix_of(path) == ".csv":
        if first and not is_head(first):
            raise _not_an_export(path, next(rows_of([first])))
        for cells in filter(None, rows_of(lines)):
            is_complete = len(cells) == len(COLUMNS) and any(cells)
            yield (
                partial(text_values, dict(zip(COLUMNS, map(unprotected, cells), strict=True))) if is_complete else None
            )
    elif first:
        record = _of_line(first)
        # The only line may be incomplete.
        if record is None and first.endswith("\n"):
            raise _not_an_export(path)
        yield record
        yield from _of_lines(lines)


def _of_lines(lines: Iterable[str]) -> Iterator[Values | None]:
    return map(_of_line, filter(str.strip, lines))


def _of_line(line: str) -> Values | None:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict) or {"message", "ruleId"}.isdisjoint(raw):
        return None
    values = partial(json_values, raw)
    has_message = isinstance(raw.get("message"), dict) and raw["message"].get("id")
    return values if has_message or any(values(NAMES).values()) else None


def _not_an_export(path: Path, head: Iterable[str] = ()) -> InvalidRequestError:
    fault = "holds only chosen columns" if set() < {*head} <= {*COLUMNS} else "contains no reviewed messages"
    advice = "give a file that cometchat-desk reviewed export has written without --columns"
    return InvalidRequestError(f"{path}: {fault}; {advice}")
