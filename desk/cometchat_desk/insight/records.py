"""Read exported reviewed messages from any number of files into memory: of equal records, the one changed last."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from cometchat_rest import InvalidRequestError, ReviewedMessage

from .record import COLUMNS, Record, Records, of_cells
from .sources import find_sources, lines_of, opened, readable_errors, rows_of, suffix_of

# A file with more lines of another kind, and with fewer records than such lines, is not an export.
_MOST_SKIPPED = 100_000


def open_records(*files: str | Path, lines: Iterable[str] = (), since: datetime | None = None) -> Records:
    """Read exported files: `.jsonl`, `.csv` (both also with `.gz`), `.parquet`, folders `*.parquet`, globs, and `-`."""
    # Of equal records, the first one is kept, and CSV files are not exact.
    named = [file for file in files if str(file) != "-"]
    sources = sorted(find_sources(named), key=lambda path: suffix_of(path) == ".csv")

    def given() -> Iterator[Record | None]:
        yield from _of_lines(lines)
        if len(named) < len(files):
            yield from _of_lines(lines_of(sys.stdin.buffer, Path("-")))
        for path in sources:
            yield from _read(path)

    return _collect(given(), since)


def records_of(messages: Iterable[ReviewedMessage]) -> Records:
    """Take records that a client has listed, for example `reviewed_messages.list().data`."""
    return _collect(map(Record.of, messages))


def _collect(given: Iterable[Record | None], since: datetime | None = None) -> Records:
    kept: dict[object, Record] = {}
    counts = Counter(_take(record, since, kept) for record in given)
    # Records without a time come first.
    items = sorted(kept.values(), key=lambda record: (record.created_at or float("-inf"), record.message_id or ""))
    first = items[0].created_utc if items else None
    begins = first if since and first and first > since and not counts["older"] else None
    return Records(items, counts["incomplete"], counts["duplicate"], begins)


def _take(record: Record | None, since: datetime | None, kept: dict[object, Record]) -> str:
    """Keep a record that is wanted; return its kind."""
    if record is None:
        return "incomplete"
    created = record.created_utc
    if since is not None and (created is None or created < since):
        return "undated" if created is None else "older"
    known = kept.setdefault(record.identity, record)
    if (record.updated_at or 0) > (known.updated_at or 0):
        kept[record.identity] = record
    return "wanted" if known is record else "duplicate"


def is_record(line: str) -> bool:
    """Whether a line holds a reviewed message."""
    return _of_line(line) is not None


def is_head(line: str) -> bool:
    """Whether a line holds the names of the columns of an exported CSV file."""
    return next(rows_of([line]), []) == [*COLUMNS]


def _read(path: Path) -> Iterator[Record | None]:
    """The records of a file, and `None` for each line that is not a complete record."""
    if path.suffix.lower() == ".parquet":
        from .parquet import read_part

        yield from read_part(path)
        return
    complete = skipped = 0
    with readable_errors(path), opened(path) as file:
        for record in _of_file(lines_of(file, path), path):
            complete, skipped = (complete, skipped + 1) if record is None else (complete + 1, skipped)
            if skipped > _MOST_SKIPPED + complete:
                raise _not_an_export(path)
            yield record


def _of_file(lines: Iterator[str], path: Path) -> Iterator[Record | None]:
    first = next(filter(str.strip, lines), "")
    if suffix_of(path) == ".csv":
        if first and not is_head(first):
            raise _not_an_export(path, next(rows_of([first])))
        for cells in filter(None, rows_of(lines)):
            yield of_cells(cells) if len(cells) == len(COLUMNS) and any(cells) else None
    elif first:
        record = _of_line(first)
        # The only line may be incomplete.
        if record is None and first.endswith("\n"):
            raise _not_an_export(path)
        yield record
        yield from _of_lines(lines)


def _of_lines(lines: Iterable[str]) -> Iterator[Record | None]:
    return map(_of_line, filter(str.strip, lines))


def _of_line(line: str) -> Record | None:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, Mapping) or {"message", "ruleId"}.isdisjoint(raw):
        return None
    record = Record.of(raw)
    return None if record == _EMPTY else record


def _not_an_export(path: Path, head: Iterable[str] = ()) -> InvalidRequestError:
    fault = "holds only chosen columns" if set() < {*head} <= {*COLUMNS} else "contains no reviewed messages"
    advice = "give a file that cometchat-desk reviewed export has written without --columns"
    return InvalidRequestError(f"{path}: {fault}; {advice}")


_EMPTY = Record()
