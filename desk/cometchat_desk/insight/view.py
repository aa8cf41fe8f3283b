"""The SQL that loads exported records into the table `reviewed`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from attrs import frozen

from cometchat_desk.files import INNER_CELL, printable

from .columns import COLUMNS, ColumnKind, ReviewedColumn
from .duck import quoted, quoted_path
from .sources import LONGEST_LINE, Source, SourceFormat, is_packed

_TIMES = (ColumnKind.TIME, ColumnKind.BLOCK_TIME)
# A time column is computed from another column; the other columns are read from the files.
_READ = tuple(column for column in COLUMNS if column.kind not in _TIMES)
#: The names of all columns, for a SELECT.
NAMES = ", ".join(column.name for column in COLUMNS)
# A line without any of these values is not a record.
_ESSENTIAL = "coalesce(message_id, rule_id, revision_id, created_at::varchar, rule_name, sender, text)"
# The years 1 to 9999.
_EARLIEST, _LATEST = -62135596800, 253402300799
# The separator between two values of a key.
_UNIT = "chr(31)"


@frozen
class Part:
    """Records that one statement reads: a subquery with the columns `_READ`, each of them text or null."""

    name: str  # the files, for a message
    query: str  # the subquery
    parameters: tuple[object, ...] = ()  # the values for `$1` in it

    def insert(self, since: datetime | None) -> str:
        """The statement that adds the records to `loaded`. A line that is not a record becomes a row without a key."""
        typed = ", ".join(
            f"try_cast({column.name} as bigint) as {column.name}" if column.kind is ColumnKind.SECONDS else column.name
            for column in _READ
        )
        later = "" if since is None else f" where created_at >= {since.timestamp()!r} or {_ESSENTIAL} is null"
        rows = f"select {KEY}, {', '.join(map(_computed, COLUMNS))} from (select {typed} from ({self.query})){later}"
        return f"insert into loaded (record_key, {NAMES}) {rows}"

    def older(self, since: datetime) -> str:
        """A statement that has a row if a record is older than `since`."""
        return f"select 1 from ({self.query}) where try_cast(created_at as bigint) < {since.timestamp()!r} limit 1"


def parts(sources: Sequence[Source], lines: Sequence[str]) -> Iterator[Part]:
    """Yield the parts that hold all records of files and of lines with JSON."""
    if lines:
        given = "select case when json_valid(line) then line end as json from (select unnest($1::varchar[]) as line)"
        yield Part("the records", _from_json(given), (list(lines),))
    # Of equal records, the first one is kept, and CSV files are not exact.
    for source in sorted(sources, key=lambda source: source.format is SourceFormat.CSV):
        yield Part(printable(source.path), _READERS[source.format](source.path))


# The identity of a record; null if the row is not a record.
_PARTS = ("message_id", *(f"coalesce({name}, '')" for name in ("rule_id", "revision_id", "created_at::varchar")))
_EVERYTHING = (f"coalesce({column.name}::varchar, '')" for column in _READ)
KEY = (
    f"case when {_ESSENTIAL} is null then null "
    f"when message_id <> '' then md5_number(concat_ws({_UNIT}, {', '.join(_PARTS)})) "
    f"else md5_number(concat_ws({_UNIT}, {', '.join(_EVERYTHING)})) end"
)


def _sql_type(column: ReviewedColumn) -> str:
    # A time is in UTC, without a time zone.
    if column.kind in _TIMES:
        return "TIMESTAMP"
    return "BIGINT" if column.kind is ColumnKind.SECONDS else "VARCHAR"


#: Makes the table for all rows that are read.
CREATE = f"create table loaded (record_key uhugeint, {', '.join(f'{each.name} {_sql_type(each)}' for each in COLUMNS)})"

#: Counts the rows of CSV files that are not complete; DuckDB makes the table when it reads the first CSV file.
COUNT_REJECTED = "select count(*) from (select distinct scan_id, file_id, line from reject_errors)"

#: Makes the table of records in the order of time. Of equal records, it has the one that was changed last.
FINISH = f"""
create table reviewed as select {NAMES} from loaded where rowid in (
    select id from (
        select
            rowid as id,
            row_number() over (partition by record_key order by updated_at desc nulls last, rowid) as place
        from loaded where record_key is not null
    ) where place = 1
) order by created_at nulls first, message_id, record_key
"""


def _computed(column: ReviewedColumn) -> str:
    if column.kind is ColumnKind.TIME:
        return _timestamp(next(read.name for read in _READ if read.path == column.path))
    if column.kind is ColumnKind.BLOCK_TIME:
        seconds = "try_cast(split_part(blocked_at, '.', 1) as bigint)"
        return f"case when regexp_full_match(blocked_at, '[0-9]+[.][0-9]+') then {_timestamp(seconds)} end"
    return column.name


def _timestamp(seconds: str) -> str:
    return f"case when {seconds} between {_EARLIEST} and {_LATEST} then make_timestamp({seconds} * 1000000) end"


def _options(path: Path) -> str:
    # By itself, DuckDB takes a folder such as rule_id=77 for a column, and sees no compression behind a question mark.
    return f"hive_partitioning=false, compression='{'gzip' if is_packed(path) else 'uncompressed'}'"


def _from_jsonl(path: Path) -> str:
    return _from_json(
        f"select json from read_json_objects({quoted_path(path)}, format='newline_delimited', ignore_errors=true, "
        f"maximum_object_size={LONGEST_LINE}, {_options(path)})"
    )


def _from_parquet(path: Path) -> str:
    values = ", ".join(f"{column.name}::varchar as {column.name}" for column in _READ)
    return f"select {values} from read_parquet({quoted_path(path)}, hive_partitioning=false)"


def _from_json(lines: str) -> str:
    # One call for all paths: it parses each line once.
    paths = ", ".join(quoted("$." + ".".join(column.path)) for column in _READ)
    values = ", ".join(_json_value(column, place) for place, column in enumerate(_READ, 1))
    return (
        f"select {values} from (select json_extract_string(json, "
        f"[{paths}, '$.condition.isKeywordsReferencePresent']) as values from ({lines}))"
    )


def _json_value(column: ReviewedColumn, place: int) -> str:
    value = f"values[{place}]"
    if column.kind in (ColumnKind.TEXTS, ColumnKind.LISTS):
        joined = f"nullif(array_to_string(from_json({value}, '[\"VARCHAR\"]'), ', '), '')"
        value = f"case when {value} like '[%' and json_valid({value}) then {joined} else {value} end"
    if column.kind is ColumnKind.LISTS:
        value = f"case when values[{len(_READ) + 1}] = 'true' then {value} end"
    return f"{value} as {column.name}"


def _from_csv(path: Path) -> str:
    columns = ", ".join(f"{quoted(column.name)}: 'VARCHAR'" for column in COLUMNS)
    # The export puts an apostrophe before each part of a text that a spreadsheet would change.
    pattern = quoted(f"(^|{INNER_CELL})'")
    values = ", ".join(f"regexp_replace({column.name}, {pattern}, '\\1', 'g') as {column.name}" for column in _READ)
    return (
        f"select {values} from read_csv({quoted_path(path)}, columns={{{columns}}}, auto_detect=false, "
        f"header=true, delim=',', quote='\"', escape='\"', store_rejects=true, max_line_size={LONGEST_LINE}, "
        f"{_options(path)})"
    )


_READERS = {SourceFormat.JSONL: _from_jsonl, SourceFormat.PARQUET: _from_parquet, SourceFormat.CSV: _from_csv}
