"""DuckDB in memory: it writes nothing to the disk, loads nothing from a network, and gives
errors of one line."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cometchat_rest import InvalidRequestError

from .reviewed import COLUMNS

if TYPE_CHECKING:
    import duckdb

# Without these settings, DuckDB writes texts of messages to a folder `.tmp` in the working
# directory when the memory is full, loads extensions from a network, and takes an unknown table for
# a variable of the program or for a file. With several threads, it needs more memory, and the first
# of equal records is not certain.
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "allow_community_extensions": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
    "temp_directory": "",
    "threads": 1,
}
#: The number of rows that are read or written at a time.
ROWS = 10_000


@contextlib.contextmanager
def needs(task: str) -> Iterator[None]:
    """Turn a missing library into an error that begins with `task`, the subject of a sentence."""
    # The error names no package of an index: before the first release, somebody else could own the
    # name.
    try:
        yield
    except ModuleNotFoundError as error:
        raise InvalidRequestError(
            f'{task} needs {error.name}, which is not installed. The extra "insight" of'
            " cometchat-desk brings it; inside a checkout: python -m pip install ."
            " './desk[insight]'"
        ) from error


def connect() -> duckdb.DuckDBPyConnection:
    """An empty database."""
    with needs("counting messages"):
        import duckdb
    connection = duckdb.connect(":memory:", config=_SETTINGS)
    # DuckDB may write its progress bar to stdout.
    connection.execute("set enable_progress_bar=false")
    return connection


@contextlib.contextmanager
def readable_database_errors(subject: str) -> Iterator[None]:
    """Turn an error of DuckDB into an `InvalidRequestError` in one line."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        # Its messages begin with the type of the error.
        reason = re.sub(
            r"^[A-Z][A-Za-z ]* Error: ", "", str(error).strip().partition("\n")[0]
        ).rstrip(".")
        # With an OSError as its cause, the command line ends with the exit code for files.
        cause = OSError(reason) if isinstance(error, duckdb.IOException) else None
        raise InvalidRequestError(f"{subject}: {reason}") from cause


def read_part(path: Path) -> Iterator[dict[str, str | None]]:
    """The texts of each record of a Parquet file."""
    texts = ", ".join(f"{name}::varchar" for name in COLUMNS)
    # DuckDB gives `~` or a scheme at the start of a path, and characters of patterns in it, a
    # meaning.
    name = quoted("".join(f"[{mark}]" if mark in "*?[" else mark for mark in str(path.absolute())))
    with (
        contextlib.closing(connect()) as connection,
        readable_database_errors(f"{path} cannot be read"),
    ):
        # By itself, DuckDB takes a folder such as rule_id=77 for a column.
        answer = connection.execute(
            f"select {texts} from read_parquet({name}, hive_partitioning=false)"
        )
        while rows := answer.fetchmany(ROWS):
            yield from (dict(zip(COLUMNS, row, strict=True)) for row in rows)


def sql_type(column: str) -> str:
    """The type of a column of reviewed messages."""
    if column in ("action", "condition_value", "lists"):
        return "varchar[]"
    if column == "blocked_at":
        return "varchar"
    if column.endswith("_at"):
        return "bigint"
    return "timestamp" if column.endswith("_utc") else "varchar"


def quoted(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"
