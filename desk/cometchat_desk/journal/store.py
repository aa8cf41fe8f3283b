"""The file of the journal: one SQLite database.

Each operation opens a connection and closes it again, so several threads and processes can use the
journal. SQLite's write-ahead log is not used: it does not work on network file systems, where home
folders may be.
"""

import contextlib
import hashlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout

from cometchat_desk.files import others_may
from cometchat_rest.errors import InvalidRequestError

T = TypeVar("T")

#: Marks the file as a journal; the bytes are "CCJL".
APPLICATION_ID = 0x43434A4C
#: The version of the tables. A program refuses a journal with another version.
SCHEMA_VERSION = 4

# Seconds between two attempts to lock the file.
_PAUSE = 0.02

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE updates (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    base_url TEXT NOT NULL,
    keyword_id TEXT NOT NULL,
    started_at REAL NOT NULL,
    finished_at REAL,
    user TEXT NOT NULL,
    command TEXT NOT NULL,
    session TEXT NOT NULL,
    reason TEXT NOT NULL,
    outcome TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    revision_before TEXT,
    revision_after TEXT,
    added INTEGER,
    removed INTEGER,
    before BLOB NOT NULL,
    planned BLOB NOT NULL,
    found BLOB,
    plan TEXT NOT NULL
);
CREATE INDEX updates_of_list ON updates (base_url, keyword_id, number);
"""

_ANOTHER = "name another file with the variable COMETCHAT_JOURNAL"
_MOVE = "move the file to another place, and a new journal begins"
_REASONS = {
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full; free some space, or " + _ANOTHER,
    sqlite3.SQLITE_BUSY: "is locked by another program; wait until that program has ended",
    sqlite3.SQLITE_READONLY: "is read-only; make the file and its folder writable",
    sqlite3.SQLITE_NOTADB: "is not a journal: the file is not an SQLite database; " + _ANOTHER,
    sqlite3.SQLITE_CORRUPT: f"is damaged; {_MOVE}",
    # An error about a value does not come from SQLite. Its text may hold the damaged bytes.
    sqlite3.SQLITE_OK: f"is damaged, or was changed: {_MOVE}",
}

# POSIX drops all locks of a process on a file when the process closes any descriptor of that file.
# So no thread may open the database while another thread creates the file.
_creating = threading.Lock()


class JournalError(InvalidRequestError):
    """The journal cannot be read or written. If an update was to be recorded, the update was not
    sent."""


class Store:
    """The database in a file."""

    def __init__(self, path: Path, *, lock_timeout: float) -> None:
        self.path = path
        self._lock_timeout = lock_timeout

    def read(self, work: Callable[[sqlite3.Connection], T], default: T) -> T:
        """Run `work` in a transaction; return `default` if there is no journal yet. The file is
        not created."""
        with self._errors_named():
            if not self.path.exists():
                return default
            # The file may belong to another user, or to a disk that is read-only.
            with contextlib.suppress(OSError):
                self._make_private()
            with self._transaction("BEGIN") as connection:
                return work(connection) if self._has_tables(connection) else default

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in a transaction that can write. The file is created if it does not exist."""
        with self._errors_named():
            # Only this user can access a new file.
            with _creating, contextlib.suppress(FileExistsError):
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            self._make_private()
            with self._transaction("BEGIN IMMEDIATE") as connection:
                if not self._has_tables(connection):
                    for statement in _SCHEMA.split(";"):
                        connection.execute(statement)
                return work(connection)

    @contextlib.contextmanager
    def _errors_named(self) -> Iterator[None]:
        """Name the file in an error of this block, and say what to do."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            code = (
                int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)) & 0xFF
            )  # without its details
            reason = _REASONS.get(code, f"cannot be used: {error}; check the file and its disk")
            raise _fault(self.path, reason) from OSError(str(error))
        except OSError as error:
            raise _fault(self.path, f"cannot be opened: {error.strerror or error}") from error

    @contextlib.contextmanager
    def lock(self, name: str, seconds: float) -> Iterator[None]:
        """Wait for other programs in a block with the same name. The system drops the lock of a
        killed program."""
        path = self.path.with_name(
            f".{self.path.name}-{hashlib.sha256(name.encode()).hexdigest()[:16]}.lock"
        )
        try:
            lock = FileLock(path, mode=0o600).acquire(seconds, _PAUSE)
        except OSError as error:
            is_busy = isinstance(error, Timeout)
            reason = (
                _REASONS[sqlite3.SQLITE_BUSY]
                if is_busy
                else f"cannot be locked: {error.strerror or error}"
            )
            raise _fault(self.path, reason) from error
        with lock:
            yield

    def _make_private(self) -> None:
        if others_may(self.path, 0o077):
            self.path.chmod(0o600)

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        if not self.path.is_file():  # SQLite reads some devices as an empty file
            raise _fault(self.path, f"is not a regular file; {_ANOTHER}") from OSError(
                "not a regular file"
            )
        # With mode=rw, SQLite does not create a file. It opens a file that is read-only for this
        # user all the same.
        address = f"{self.path.absolute().as_uri()}?mode=rw"
        with contextlib.closing(
            sqlite3.connect(address, uri=True, timeout=self._lock_timeout, isolation_level=None)
        ) as connection:
            # A commit then also survives a power failure.
            connection.execute("PRAGMA synchronous = EXTRA")
            # A file that somebody else made may hold code, which is not executed.
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute(begin)
            yield connection
            connection.execute("COMMIT")

    def _has_tables(self, connection: sqlite3.Connection) -> bool:
        """Check that the file is a journal of this version. An empty file may become one."""
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if (application, version, tables) == (0, 0, 0):
            return False
        if application != APPLICATION_ID:
            reason = f"is the database of another program; {_ANOTHER}"
            raise _fault(self.path, reason) from OSError(reason)
        if version != SCHEMA_VERSION:
            reason = (
                f"is from another version of cometchat-desk (format {version}, not"
                f" {SCHEMA_VERSION})"
            )
            raise _fault(self.path, f"{reason}; use that version, or {_ANOTHER}") from OSError(
                reason
            )
        return True


def _fault(path: Path, reason: str) -> JournalError:
    """The error to raise, always from an `OSError`: this marks a problem with a file, as
    elsewhere in the package."""
    return JournalError(f"the journal {path} {reason}")
