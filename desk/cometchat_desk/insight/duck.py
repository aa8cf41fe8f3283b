"""DuckDB without a network: open a connection with limits, and turn its errors into errors of this package."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cometchat_rest.errors import InvalidRequestError

if TYPE_CHECKING:
    import duckdb

#: The memory that DuckDB uses before it writes to its temporary folder.
MEMORY_LIMIT = "1GB"

_SIZE = re.compile(r"[1-9][0-9]{0,5} ?(?:[KMGT]i?)B", re.IGNORECASE)


def check_installed() -> None:
    """Check that DuckDB is installed.

    Raises:
        InvalidRequestError: it is not.
    """
    try:
        import duckdb  # noqa: F401 - an optional library
    except ImportError as error:
        # With an ImportError as its cause, the command line ends with the exit code for settings.
        raise InvalidRequestError(
            'exported records need the extra "insight": pip install "cometchat-desk[insight]"'
        ) from error


def connect(database: Path | str, folder: Path, memory_limit: str = MEMORY_LIMIT) -> duckdb.DuckDBPyConnection:
    """Open a database that loads no extension and uses no network.

    Args:
        database: the file of the database, or `:memory:`.
        folder: an existing folder for data that does not fit into the memory.
        memory_limit: such as `1GB` or `500MB`.

    Raises:
        InvalidRequestError: DuckDB is not installed, or the limit is invalid.
    """
    check_installed()
    import duckdb

    if not isinstance(memory_limit, str) or not _SIZE.fullmatch(memory_limit):
        raise InvalidRequestError(f"memory_limit must be a size such as 500MB or 2GB, not {memory_limit!r}")
    connection = duckdb.connect(str(database), config=_settings(folder, memory_limit))
    hide_progress(connection)
    return connection


def connect_locked(database: Path, folder: Path, memory_limit: str = MEMORY_LIMIT) -> duckdb.DuckDBPyConnection:
    """Open a database that cannot be changed, and that cannot read or write any other file.

    Args:
        database: the file of the database.
        folder: as in `connect`.
        memory_limit: as in `connect`.
    """
    import duckdb

    connection = duckdb.connect(str(database), read_only=True, config=_settings(folder, memory_limit))
    hide_progress(connection)
    # Not in `config`: without access to files, the temporary folder could not be set any more.
    connection.execute("set enable_external_access=false; set lock_configuration=true")
    return connection


def hide_progress(connection: duckdb.DuckDBPyConnection) -> None:
    """Turn the progress bar off, which DuckDB may write to stdout. Cursors get the same setting."""
    connection.execute("set session enable_progress_bar=false")


def _settings(folder: Path, memory_limit: str) -> dict[str, str | bool | int | float | list[str]]:
    return {
        "allow_community_extensions": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "memory_limit": memory_limit,
        "preserve_insertion_order": "false",
        "temp_directory": str(folder),
    }


@contextlib.contextmanager
def readable_errors(subject: str) -> Iterator[None]:
    """Turn an error of DuckDB into an `InvalidRequestError` in one line.

    Args:
        subject: what is wrong, such as `the query failed`; the message begins with it.
    """
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        raise InvalidRequestError("not enough memory; use a larger memory limit") from None
    except duckdb.IOException as error:
        # With an OSError as its cause, the command line ends with the exit code for files.
        raise InvalidRequestError(f"{subject}: {first_line(error)}") from OSError(first_line(error))
    except duckdb.Error as error:
        raise InvalidRequestError(f"{subject}: {first_line(error)}") from None


def first_line(error: Exception) -> str:
    """Return the first line of a message of DuckDB, without the type of the error."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return re.sub(r"^[A-Z][A-Za-z ]* Error: ", "", lines[0]).rstrip(".") if lines else type(error).__name__


def quoted(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"
