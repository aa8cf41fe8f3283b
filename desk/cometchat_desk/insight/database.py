"""DuckDB in memory: it writes nothing to the disk, loads nothing from a network, and gives
errors of one line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cometchat_rest import InvalidRequestError

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
            " cometchat-desk installs it; inside a checkout: python -m pip install ."
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


def sql_type(column: str) -> str:
    """The type of a column of reviewed messages."""
    if column in ("action", "condition_value", "lists"):
        return "varchar[]"
    if column == "blocked_at":
        return "varchar"
    if column.endswith("_at"):
        return "bigint"
    return "varchar"
