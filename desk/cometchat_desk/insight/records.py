"""Read exported reviewed messages, each once, from files of any number.

The records are in a database in memory, so that no message stays on the disk. `columns.COLUMNS` describes the columns
of its table `reviewed`.

- A record that occurs several times, in one file or in several files, is counted once. Two records are the same if
  message, rule, revision of the rule and creation time are the same; the record that was changed last is kept.
- A line that is not a complete record, such as a last line that was cut off, is skipped and counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from cometchat_desk.files import FilePath
from cometchat_desk.wording import many

from . import duck, view
from .sources import Source, SourceFormat, find_sources, is_record, opened
from .summary import COLUMN_OF, ReviewSummary

if TYPE_CHECKING:
    from cometchat_rest import ReviewedMessage

# How many records are taken from the database at a time.
_PAGE = 10_000

#: One reviewed message.
Record: TypeAlias = ReviewSummary

_TIMES = ("created", "updated", "sent", "blocked")
_TUPLES = ("actions", "condition_values", "lists")

# Half of a character beyond U+FFFF; UTF-8 cannot hold it. A JSON file may hold its escape sequence.
_LONE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = b"\\ud"


class Records(AbstractContextManager["Records"]):
    """Reviewed messages in a database in memory, from `open_records` or `records_of`; a context manager."""

    def __init__(self, sources: Sequence[Source], lines: Sequence[str], since: datetime | None) -> None:
        with ExitStack() as failing:
            self.connection = failing.enter_context(duck.connect())
            self._load(sources, lines, since)
            failing.pop_all()

    def _load(self, sources: Sequence[Source], lines: Sequence[str], since: datetime | None) -> None:
        parts = list(view.parts(sources, lines))
        self.query(view.CREATE)
        self._insert(parts, since)
        # how many lines were left out because they are not complete records
        self.skipped = self._number("select count(*) from loaded where record_key is null")
        if self.skipped:
            rescued = list(_rescued(sources))
            self._insert(view.parts([], rescued), since)
            self.skipped -= len(rescued)
        if any(source.format is SourceFormat.CSV for source in sources):
            self.skipped += self._number(view.COUNT_REJECTED)
        self.query(view.FINISH)
        self.count = self._number("select count(*) from reviewed")
        # how many records were left out because they occur more than once
        self.duplicates = self._number("select count(record_key) from loaded") - self.count
        self.query("drop table loaded")
        # the time of the earliest record, if no record is older than `since`: records may be missing
        self.begins = None if since is None else self._beginning(parts, since)

    def _insert(self, parts: Iterable[view.Part], since: datetime | None) -> None:
        for part in parts:
            duck.run(self.connection, part.insert(since), part.parameters, subject=f"{part.name} cannot be read")

    def _beginning(self, parts: Sequence[view.Part], since: datetime) -> datetime | None:
        ((first,),) = self.query("select min(created_utc) from reviewed")
        if first is None or any(self.query(part.older(since), part.parameters) for part in parts):
            return None
        begins: datetime = first.replace(tzinfo=UTC)
        return begins if begins > since else None

    def _number(self, sql: str) -> int:
        ((number,),) = self.query(sql)
        return int(number)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for people about lines that were skipped and records that may be missing; often empty."""
        notes = []
        if self.skipped:
            lines = many(self.skipped, "line is not a complete record", "lines are not complete records")
            notes.append(f"{lines}; skipped")
        if self.begins is not None:
            begins = f"{self.begins:%Y-%m-%d %H:%M} UTC"
            notes.append(f"the records begin at {begins}, after the time of --since: older ones may be missing")
        return tuple(notes)

    def __iter__(self) -> Iterator[Record]:
        """Yield the records, oldest first."""
        for row in self.rows([column.name for column in COLUMN_OF.values()]):
            yield _record(row)

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Yield the values of these columns of each record, oldest record first."""
        page = f"select {', '.join(columns)} from reviewed where rowid >= $1 and rowid < $2 order by rowid"
        for first in range(0, self.count, _PAGE):
            yield from self.query(page, (first, first + _PAGE))

    def __len__(self) -> int:
        return self.count

    def query(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run a statement, such as a SELECT from the table `reviewed`, with values for `$1` and so on."""
        return duck.run(self.connection, sql, parameters)

    def close(self) -> None:
        """Remove the database."""
        self.connection.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def open_records(
    files: FilePath | Iterable[FilePath], *, lines: Iterable[bytes] = (), since: datetime | None = None
) -> Records:
    """Read exported files: `.jsonl`, `.csv` (both also with `.gz`), `.parquet`, folders `*.parquet`, and globs."""
    texts = (_without_surrogates(line) or line.decode("utf-8", "replace") for line in lines if line.strip())
    return Records(find_sources(files), list(texts), since)


def records_of(messages: Iterable[ReviewedMessage]) -> Records:
    """Take records that a client has listed, for example `reviewed_messages.list().data`."""
    return Records((), [_json_line(message.to_dict()) for message in messages], None)


def _rescued(sources: Sequence[Source]) -> Iterator[str]:
    """The lines that DuckDB refuses because of a lone surrogate, in a form that it reads."""
    for source in sources:
        if source.format is SourceFormat.JSONL:
            with opened(source.path) as file:
                yield from filter(None, map(_without_surrogates, file))


def _without_surrogates(line: bytes) -> str | None:
    """A record in which the text of its escape sequence replaces each lone surrogate; `None` if there is none."""
    if _ESCAPED_SURROGATE not in line.lower() or not is_record(line):
        return None
    raw = json.loads(line)
    return _json_line(raw) if _LONE.search(json.dumps(raw, ensure_ascii=False)) else None


def _json_line(raw: object) -> str:
    text = json.dumps(raw, ensure_ascii=False, separators=(",", ":"))
    return _LONE.sub(lambda match: f"\\\\u{ord(match[0]):04x}", text)


def _record(row: Sequence[object]) -> Record:
    values: dict[str, Any] = dict(zip(COLUMN_OF, row, strict=True))
    for name in _TIMES:
        if values[name] is not None:
            values[name] = values[name].replace(tzinfo=UTC)
    for name in _TUPLES:
        values[name] = tuple(values[name].split(", ")) if values[name] else ()
    return Record(**values)
