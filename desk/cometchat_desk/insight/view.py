"""The SQL that loads exported records into a table, and the view `reviewed` over it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cometchat_rest.errors import InvalidRequestError

from .columns import COLUMNS, ColumnKind, ReviewedColumn
from .duck import quoted
from .sources import LONGEST_LINE, NOT_AN_EXPORT, Source, SourceFormat, shown

if TYPE_CHECKING:
    import duckdb

_TIMES = (ColumnKind.TIME, ColumnKind.BLOCK_TIME)
# A time column is computed from another column; the other columns are read from the files.
_READ = tuple(column for column in COLUMNS if column.kind not in _TIMES)
#: The names of all columns, for a SELECT.
NAMES = ", ".join(column.name for column in COLUMNS)
# A line without any of these values is not a record.
_ESSENTIAL = "coalesce(message_id, rule_id, revision_id, created_at::varchar, rule_name, sender, text)"
# The years 1 to 9999.
_EARLIEST, _LATEST = -62135596800, 253402300799
# Between two values of a key.
_UNIT = "chr(31)"


def table() -> str:
    """The statements that make the table `records`, whose rows have numbers, and the view `reviewed`."""
    columns = ", ".join(f"{column.name} {sql_type(column)}" for column in COLUMNS)
    return (
        "create sequence numbers; "
        f"create table records (record_key uhugeint, {columns}, number bigint default nextval('numbers')); "
        f"create view reviewed as select {NAMES} from records"
    )


def sql_type(column: ReviewedColumn) -> str:
    """The type of a column in the view and in Parquet files. A time is in UTC, without a time zone."""
    if column.kind in _TIMES:
        return "TIMESTAMP"
    return "BIGINT" if column.kind is ColumnKind.SECONDS else "VARCHAR"


def inserts(sources: Sequence[Source], since: datetime | None) -> Iterator[tuple[str, str]]:
    """Yield each statement that loads files into `records`, and a text for a message that names the files.

    A line that is not a record becomes a row without a key.
    """
    jsonl = [source for source in sources if source.format is SourceFormat.JSONL]
    if jsonl:
        others = f" or one of {len(jsonl) - 1:,} other files" if len(jsonl) > 1 else ""
        yield _insert(_from_jsonl(jsonl), since), shown(jsonl[0].path) + others
    for source in sources:
        if source.format is SourceFormat.PARQUET:
            yield _insert(_from_parquet(source), since), shown(source.path)
    # At the end, because the first of several equal records is kept, and older CSV files have fewer columns.
    for source in sources:
        if source.format is SourceFormat.CSV and source.columns:
            yield _insert(_from_csv(source), since), shown(source.path)


def older(sources: Sequence[Source], since: datetime) -> Iterator[str]:
    """Yield a statement for each kind of file; its result has a row if a record is older than `since`."""
    jsonl = [source for source in sources if source.format is SourceFormat.JSONL]
    for each in (
        *([_from_jsonl(jsonl)] if jsonl else ()),
        *(_from_parquet(source) for source in sources if source.format is SourceFormat.PARQUET),
        *(_from_csv(source) for source in sources if source.format is SourceFormat.CSV and source.columns),
    ):
        yield f"select 1 from ({each}) where try_cast(created_at as bigint) < {since.timestamp()!r} limit 1"


#: Counts the rows of CSV files that are not complete; DuckDB makes the table when it reads the first CSV file.
COUNT_REJECTED = "select count(*) from (select distinct scan_id, file_id, line from reject_errors)"

#: Deletes each record that occurs more than once, except the one that was changed last.
DELETE_DUPLICATES = """
delete from records where rowid in (
    select id from (
        select
            rowid as id,
            row_number() over (partition by record_key order by updated_at desc nulls last, rowid) as place
        from records
        where record_key in (select record_key from records group by record_key having count(*) > 1)
    ) where place > 1
)
"""


#: Gives each record its place in the order of time. Sorting whole records would need memory for all texts.
SORT = """
create table places as
select number, row_number() over (order by created_at nulls first, message_id, record_key) as place from records
"""


def page(columns: Sequence[str]) -> str:
    """The statement for the records between two places, $1 and $2, in the order of time.

    An export is nearly sorted, so a page is in few blocks of the table, and the limits of `number` skip the others.
    """
    return f"""
        with wanted as materialized (select number, place from places where place > $1 and place <= $2)
        select {", ".join(columns)} from records join wanted using (number)
        where number between (select min(number) from wanted) and (select max(number) from wanted)
        order by place
    """


def check_select(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Refuse everything but one SELECT.

    Raises:
        InvalidRequestError: there is another statement, or not exactly one.
        duckdb.Error: the statement is not valid SQL.
    """
    import duckdb

    statements = connection.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise InvalidRequestError("the query must be one SELECT statement, for example: select * from reviewed limit 5")


def check_parquet(connection: duckdb.DuckDBPyConnection, source: Source) -> None:
    """Refuse a Parquet file of other data.

    Raises:
        InvalidRequestError: the columns that identify a record are missing.
        duckdb.Error: the file is damaged.
    """
    found = connection.execute(f"describe select * from read_parquet({quoted(sql_path(source.path))})").fetchall()
    if not {column.name for column in COLUMNS[:4]} <= {name for name, *_ in found}:
        raise InvalidRequestError(f"{shown(source.path)}: {NOT_AN_EXPORT}")


def _insert(source: str, since: datetime | None) -> str:
    """The statement that loads a subquery with the columns `_READ`, all as text or null."""
    typed = ", ".join(
        f"try_cast({column.name} as bigint) as {column.name}" if column.kind is ColumnKind.SECONDS else column.name
        for column in _READ
    )
    computed = ", ".join(_computed(column) for column in COLUMNS)
    later = "" if since is None else f" where created_at >= {since.timestamp()!r} or {_ESSENTIAL} is null"
    found = f"select {key()}, {computed} from (select {typed} from ({source})){later}"
    return f"insert into records (record_key, {NAMES}) {found}"


def key() -> str:
    """The identity of a record, as an expression of its columns; null if the row is not a record."""
    parts = ["message_id", *(f"coalesce({name}, '')" for name in ("rule_id", "revision_id", "created_at::varchar"))]
    everything = ", ".join(f"coalesce({column.name}::varchar, '')" for column in _READ)
    return (
        f"case when {_ESSENTIAL} is null then null "
        f"when message_id <> '' then md5_number(concat_ws({_UNIT}, {', '.join(parts)})) "
        f"else md5_number(concat_ws({_UNIT}, {everything})) end"
    )


def _computed(column: ReviewedColumn) -> str:
    if column.kind is ColumnKind.TIME:
        return _timestamp(next(each.name for each in _READ if each.path == column.path))
    if column.kind is ColumnKind.BLOCK_TIME:
        seconds = "try_cast(split_part(blocked_at, '.', 1) as bigint)"
        return f"case when regexp_full_match(blocked_at, '[0-9]+[.][0-9]+') then {_timestamp(seconds)} end"
    return column.name


def _timestamp(seconds: str) -> str:
    return f"case when {seconds} between {_EARLIEST} and {_LATEST} then make_timestamp({seconds} * 1000000) end"


def _from_jsonl(sources: Sequence[Source]) -> str:
    # One call for all paths: it parses each line once.
    paths = ", ".join(quoted("$." + ".".join(column.path)) for column in _READ)
    reference = len(_READ) + 1
    values = ", ".join(_json_value(column, place, reference) for place, column in enumerate(_READ, 1))
    files = ", ".join(quoted(sql_path(source.path)) for source in sources)
    return (
        f"select {values} from (select json_extract_string(json, "
        f"[{paths}, '$.condition.isKeywordsReferencePresent']) as found "
        f"from read_json_objects([{files}], format='newline_delimited', ignore_errors=true, "
        f"maximum_object_size={LONGEST_LINE}))"
    )


def _json_value(column: ReviewedColumn, place: int, reference: int) -> str:
    value = f"found[{place}]"
    if column.kind in (ColumnKind.TEXTS, ColumnKind.LISTS):
        texts = f"from_json({value}, '[\"VARCHAR\"]')"
        joined = f"nullif(array_to_string({texts}, ', '), '')"
        value = f"case when {value} like '[%' and json_valid({value}) then {joined} else {value} end"
    if column.kind is ColumnKind.LISTS:
        value = f"case when found[{reference}] = 'true' then {value} end"
    return f"{value} as {column.name}"


def _from_csv(source: Source) -> str:
    # Unknown names, and names that occur twice, become columns that are not used.
    known = {column.name for column in _READ}
    names = [
        name if name in known and name not in source.columns[:place] else f"unused {place}"
        for place, name in enumerate(source.columns)
    ]
    columns = ", ".join(f"{quoted(name)}: 'VARCHAR'" for name in names)
    # The export puts an apostrophe before a text that a spreadsheet would change.
    values = _by_name({name: f"regexp_replace({name}, '^['']', '')" for name in names})
    return (
        f"select {values} from read_csv({quoted(sql_path(source.path))}, columns={{{columns}}}, auto_detect=false, "
        f"""header=true, delim=',', quote='"', escape='"', store_rejects=true, max_line_size={LONGEST_LINE})"""
    )


def _from_parquet(source: Source) -> str:
    file = quoted(sql_path(source.path))
    # Columns that the file does not have are null; `union_by_name` with an empty relation adds them.
    values = ", ".join(f"{column.name}::varchar as {column.name}" for column in _READ)
    empty = ", ".join(f"null::varchar as {column.name}" for column in _READ)
    return f"select {values} from (select * from read_parquet({file}) union all by name select {empty} where false)"


def _by_name(values: Mapping[str, str]) -> str:
    return ", ".join(f"{values.get(column.name, 'null::varchar')} as {column.name}" for column in _READ)


def sql_path(path: Path) -> str:
    """The path for DuckDB, which would take some characters of a name for a pattern."""
    return "".join(f"[{each}]" if each in "*?[" else each for each in str(path))
