"""Read exported reviewed messages, each once, from files of any number and size.

```python
from cometchat_desk.insight.records import open_records

with open_records("reviewed.jsonl", "older/*.csv.gz", since=monday) as records:
    for record in records:
        print(record.created, record.sender, record.rule_name, record.text)
    result = records.query("select rule_name, count(*) from reviewed group by all")
```

The records are loaded into a temporary DuckDB database on the disk, so that the memory stays bounded. After that, the
database cannot read or write any other file. `cometchat_desk.insight.columns.COLUMNS` describes the columns of
the view `reviewed`.

- A record that occurs several times, in one file or in several files, is counted once. Two records are the same if
  message, rule, revision of the rule and creation time are the same; the record that was changed last is kept.
- A line that is not a complete record, such as a last line that was cut off, is skipped and counted.
- Files of older versions have fewer columns; the missing values are `None`.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from attrs import field, frozen

from cometchat_rest.errors import InvalidRequestError

from . import duck, view
from .sources import FilePath, Source, SourceFormat, find_sources, is_record, shown
from .summary import COLUMN_OF, ReviewSummary

if TYPE_CHECKING:
    import duckdb

    from cometchat_rest import ReviewedMessage

# How many rows are taken from DuckDB at a time.
_BATCH = 2000
# How many records a page of `Records.rows` has.
_PAGE = 10_000


#: One reviewed message, as the base package defines it.
Record: TypeAlias = ReviewSummary

_FIELDS = tuple(COLUMN_OF)
_TIMES = ("created", "updated", "sent", "blocked")
_TUPLES = ("actions", "condition_values", "lists")

# Half of a character beyond U+FFFF; UTF-8 cannot hold it. The export writes it as an escape sequence.
_LONE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = b"\\ud"


@frozen(kw_only=True)
class Rows:
    """The result of a query.

    Attributes:
        columns: the names of the columns.
        rows: the rows, each a tuple; they are read from the database while you iterate, once.
    """

    columns: tuple[str, ...]
    rows: Iterator[tuple[object, ...]] = field(repr=False)


class Records:
    """Reviewed messages in a temporary database; a context manager that removes the database.

    Make it with `open_records` or `records_of`.

    Attributes:
        count: the number of records.
        duplicates: how many records were left out because they occur more than once.
        skipped: how many lines were left out because they are not complete records.
        begins: the time of the earliest record, if no record is older than `since`: records may be missing.
        sources: the files.
    """

    def __init__(self, sources: Sequence[Source], since: datetime | None, memory_limit: str) -> None:
        self.sources: Sequence[Path] = tuple(source.path for source in sources)
        self._folder = Path(tempfile.mkdtemp(prefix="cometchat-desk-"))
        try:
            database = self._folder / "records.duckdb"
            loaded = load(database, sources, since, memory_limit)
            self._connection = duck.connect_locked(database, self._folder, memory_limit)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self.count, self.duplicates, self.skipped = loaded.count, loaded.duplicates, loaded.skipped
        self.begins = loaded.begins

    @property
    def notes(self) -> Sequence[str]:
        """Sentences for people about lines that were skipped and records that may be missing; often empty."""
        notes = note_of_beginning(self.begins)
        if not self.skipped:
            return notes
        if self.skipped == 1:
            return ("1 line is not a complete record, and was skipped", *notes)
        return (f"{self.skipped:,} lines are not complete records, and were skipped", *notes)

    def __iter__(self) -> Iterator[Record]:
        """Yield the records, oldest first."""
        for row in self.rows([column.name for column in COLUMN_OF.values()]):
            yield _record(row)

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[object, ...]]:
        """Yield the values of these columns of each record, oldest record first.

        DuckDB holds the whole result of a query in the memory. So this method reads one page after another.

        Args:
            columns: names of columns of the view.
        """
        for first in range(0, self.count, _PAGE):
            yield from self.query(view.page(columns), (first, first + _PAGE)).rows

    def __len__(self) -> int:
        return self.count

    def query(self, sql: str, parameters: Sequence[object] = ()) -> Rows:
        """Run one SELECT on the view `reviewed`; its result must fit into the memory limit.

        Args:
            sql: the statement; any other statement than a SELECT is refused.
            parameters: the values for each `?` in the statement.

        Raises:
            InvalidRequestError: the statement is invalid, is not a SELECT, or needs a file.
        """
        if not isinstance(sql, str):
            raise InvalidRequestError(f"sql must be a str, not {type(sql).__name__}")
        with duck.readable_errors("the query failed"):
            view.check_select(self._connection, sql)
            # With a separate cursor, another query may begin before all rows of this one are read.
            cursor = self._connection.cursor()
            cursor.execute(sql, list(parameters))
            columns = tuple(str(each[0]) for each in cursor.description or ())
        return Rows(columns=columns, rows=_rows(cursor))

    def close(self) -> None:
        """Remove the database."""
        self._connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@frozen(kw_only=True)
class Loaded:
    """How many records a database has, and how many duplicates and incomplete lines were left out.

    `begins` is the time of the earliest record, if no record is older than the time that was asked for.
    """

    count: int
    duplicates: int
    skipped: int
    begins: datetime | None


def load(database: Path, sources: Sequence[Source], since: datetime | None, memory_limit: str) -> Loaded:
    """Make a database with the table `records` and the view `reviewed`; its folder also gets temporary files.

    Raises:
        InvalidRequestError: as in `open_records`.
    """
    with duck.connect(database, database.parent, memory_limit) as connection:
        connection.execute(view.table())
        _insert(connection, sources, since)
        skipped = _number(connection, "select count(*) from records where record_key is null")
        if skipped:
            connection.execute("delete from records where record_key is null")
            skipped -= _rescue(connection, sources, since, database.with_suffix(".jsonl"))
        if any(source.format is SourceFormat.CSV and source.columns for source in sources):
            skipped += _number(connection, view.COUNT_REJECTED)
        before = _number(connection, "select count(*) from records")
        with duck.readable_errors("the records cannot be compared"):
            connection.execute(view.DELETE_DUPLICATES)
            connection.execute(view.SORT)
        count = _number(connection, "select count(*) from reviewed")
        begins = None if since is None else _beginning(connection, sources, since)
    return Loaded(count=count, duplicates=before - count, skipped=skipped, begins=begins)


def note_of_beginning(begins: datetime | None) -> tuple[str, ...]:
    """A sentence for people if records may be missing at the beginning."""
    if begins is None:
        return ()
    return (f"the records begin at {begins:%Y-%m-%d %H:%M} UTC, after the time of --since: older ones may be missing",)


def _beginning(connection: duckdb.DuckDBPyConnection, sources: Sequence[Source], since: datetime) -> datetime | None:
    row = connection.execute("select min(created_utc) from reviewed").fetchone()
    if row is None or row[0] is None or any(connection.execute(each).fetchone() for each in view.older(sources, since)):
        return None
    begins: datetime = row[0].replace(tzinfo=UTC)
    return begins if begins > since else None


def open_records(
    files: FilePath | Iterable[FilePath], *, since: datetime | None = None, memory_limit: str = duck.MEMORY_LIMIT
) -> Records:
    """Read exported files: `.jsonl`, `.csv` (both also with `.gz`), `.parquet`, folders `*.parquet`, and globs.

    Args:
        files: one path or several paths. Each may be a glob, such as `2025-*.jsonl`.
        since: leave out records that were created before this time, and records without a creation time.
        memory_limit: how much memory DuckDB may use, such as `500MB`. Larger data goes to a temporary folder.

    Raises:
        InvalidRequestError: a file cannot be read or is not an export, an argument is invalid, or DuckDB is not
            installed.
    """
    return Records(find_sources(files), check_since(since), memory_limit)


def records_of(
    messages: Iterable[ReviewedMessage], *, since: datetime | None = None, memory_limit: str = duck.MEMORY_LIMIT
) -> Records:
    """Take records that a client has listed, for example `reviewed_messages.list().data`.

    Args:
        messages: the records.
        since: as in `open_records`.
        memory_limit: as in `open_records`.

    Raises:
        InvalidRequestError: as in `open_records`.
    """
    with tempfile.TemporaryDirectory(prefix="cometchat-desk-") as folder:
        return Records([write_source(Path(folder), messages)], check_since(since), memory_limit)


def write_source(folder: Path, messages: Iterable[ReviewedMessage]) -> Source:
    """Write records to a new file in a folder, for `load`."""
    path = folder / "listed.jsonl"
    with path.open("wb") as file:
        for message in messages:
            file.write(_json_line(message.to_dict()))
    return Source(path=path, format=SourceFormat.JSONL)


def check_since(since: object) -> datetime | None:
    """Return an aware datetime or `None`.

    Raises:
        InvalidRequestError: the value is something else.
    """
    if since is None or (isinstance(since, datetime) and since.tzinfo is not None):
        return since
    raise InvalidRequestError("since must be a datetime with a time zone, for example datetime.now(UTC)")


def _insert(connection: duckdb.DuckDBPyConnection, sources: Sequence[Source], since: datetime | None) -> None:
    for source in sources:
        if source.format is SourceFormat.PARQUET:
            with duck.readable_errors(f"{shown(source.path)} is damaged or incomplete"):
                view.check_parquet(connection, source)
    for statement, name in view.inserts(sources, since):
        with duck.readable_errors(f"{name} is damaged or incomplete"):
            connection.execute(statement)


def _number(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    row = connection.execute(sql).fetchone()
    return int(row[0]) if row else 0


def _rescue(
    connection: duckdb.DuckDBPyConnection, sources: Sequence[Source], since: datetime | None, path: Path
) -> int:
    """Load the lines that DuckDB refuses because of a lone surrogate; return their number.

    As in a CSV file, the surrogate becomes the text of its escape sequence.
    """
    rescued = 0
    with path.open("wb") as file:
        for source in sources:
            if source.format is SourceFormat.JSONL:
                for line in _lines(source.path):
                    if _ESCAPED_SURROGATE in line.lower() and is_record(line):
                        raw = json.loads(line)
                        if _LONE.search(json.dumps(raw, ensure_ascii=False)):
                            file.write(_json_line(raw))
                            rescued += 1
    _insert(connection, [Source(path=path, format=SourceFormat.JSONL)], since)
    return rescued


def _lines(path: Path) -> Iterator[bytes]:
    with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
        yield from file


def _json_line(raw: object) -> bytes:
    text = json.dumps(raw, ensure_ascii=False, separators=(",", ":"))
    return _LONE.sub(lambda found: f"\\\\u{ord(found[0]):04x}", text).encode() + b"\n"


def _rows(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[object, ...]]:
    with contextlib.closing(cursor):
        while True:
            with duck.readable_errors("the query failed"):
                batch = cursor.fetchmany(_BATCH)
            if not batch:
                return
            yield from batch


def _record(row: Sequence[object]) -> Record:
    values: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
    for name in _TIMES:
        if values[name] is not None:
            values[name] = values[name].replace(tzinfo=UTC)
    for name in _TUPLES:
        values[name] = tuple(values[name].split(", ")) if values[name] else ()
    return Record(**values)
