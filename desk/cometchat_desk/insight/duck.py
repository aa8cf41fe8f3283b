"""DuckDB in memory: it writes no temporary file, reads no other file by itself, and stops on Ctrl-C."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cometchat_rest import InvalidRequestError

from .extra import needs_insight

if TYPE_CHECKING:
    import duckdb

# Without these settings, DuckDB writes texts of messages to a folder `.tmp` in the working directory when the memory is
# full, loads extensions from a network, and takes an unknown table for a variable of the program or for a file.
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "allow_community_extensions": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
    "temp_directory": "",
}


def connect() -> duckdb.DuckDBPyConnection:
    """Open an empty database in memory; an `InvalidRequestError` says that DuckDB is not installed."""
    with needs_insight("counting records"):
        import duckdb
    connection = duckdb.connect(":memory:", config=_SETTINGS)
    # DuckDB may write its progress bar to stdout.
    connection.execute("set session enable_progress_bar=false")
    return connection


def run(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[object] = (), *, subject: str = "the query"
) -> list[tuple[Any, ...]]:
    """Run a statement with values for `$1`, `$2` and so on, and return its rows. Ctrl-C ends it at once."""
    import duckdb

    results: list[list[tuple[Any, ...]]] = []
    errors: list[Exception] = []
    done = threading.Event()

    def work() -> None:
        try:
            results.append(connection.execute(sql, list(parameters)).fetchall())
        except Exception as error:  # noqa: BLE001 - the other thread raises it
            errors.append(error)
        finally:
            done.set()

    # DuckDB does not see Ctrl-C while a statement runs, so the statement runs in another thread.
    try:
        threading.Thread(target=work, daemon=True).start()
        done.wait()
    except BaseException:
        # An interruption before the statement begins has no effect.
        while not done.wait(0.05):
            connection.interrupt()
        raise
    for error in errors:
        if not isinstance(error, duckdb.Error):
            raise error
        if isinstance(error, duckdb.OutOfMemoryException):
            raise InvalidRequestError(f"{subject}: the memory is too small; read fewer records with --since")
        # With an OSError as its cause, the command line ends with the exit code for files.
        raise InvalidRequestError(f"{subject}: {_first_line(error)}") from (
            OSError(_first_line(error)) if isinstance(error, duckdb.IOException) else None
        )
    return results[0]


def _first_line(error: Exception) -> str:
    """The first line of a message of DuckDB, without the type of the error."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return re.sub(r"^[A-Z][A-Za-z ]* Error: ", "", lines[0]).rstrip(".") if lines else type(error).__name__


def quoted(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def quoted_path(path: Path) -> str:
    """A path as a literal of SQL. DuckDB gives `~` or a scheme at its start and characters of patterns a meaning."""
    return quoted("".join(f"[{character}]" if character in "*?[" else character for character in str(path.absolute())))
