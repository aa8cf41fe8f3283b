"""The file of the journal: its place and permissions, files that cannot be used, and several
processes at a time."""

import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from cometchat_desk.journal import Journal, JournalError
from cometchat_desk.journal.journal import default_path
from cometchat_rest import Client, InvalidRequestError
from cometchat_testing import Simulator

from .conftest import LIST, puts

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")

#: Updates a list ten times; the first argument is the journal, the second the list, the third a
#: limit for file sizes.
PROGRAM = """
import resource, sys
from pathlib import Path
from cometchat_rest import Client, CometChatError
from cometchat_desk.journal import Journal
path, keyword_id, largest = sys.argv[1:]
if int(largest):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(largest), int(largest)))
with Client() as chat:
    for number in range(10):
        plan = chat.keywords.plan(keyword_id, [f"{keyword_id}-{number}-{n}-" + "x" * 60 for n in range(100)])
        try:
            Journal(Path(path), lock_timeout=60).apply(chat, plan, max_removed=1)
        except CometChatError as error:
            sys.exit(f"{type(error).__name__}: {error}")
"""


def apply(chat: Client, path: Path, *terms: str) -> None:
    plan = chat.keywords.plan(LIST, terms or ("spam", "scam"))
    Journal(path, lock_timeout=0.1).apply(chat, plan, max_removed=1)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextlib.contextmanager
def ordinary_user() -> Iterator[Path]:
    """A folder, and the rights of an ordinary user: permissions do not stop the user root."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            if root:
                os.seteuid(0)


# Place and permissions.


@POSIX
def test_private_file_in_the_state_folder(
    chat: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By default, the journal is in the user's state folder, and only the user can access the
    file and the folder."""
    monkeypatch.delenv("COMETCHAT_JOURNAL")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    old = os.umask(0)
    try:
        Journal().apply(chat, chat.keywords.plan(LIST, ["spam"]), max_removed=1)
    finally:
        os.umask(old)
    path = default_path()
    assert path.name == "journal.sqlite3"
    assert path.parent.name == "cometchat-desk"
    assert path.is_relative_to(tmp_path)
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    assert {each.name.removeprefix(".")[:15] for each in path.parent.iterdir()} == {
        "journal.sqlite3"
    }
    assert {mode(each) for each in path.parent.iterdir()} == {0o600}


def test_variable_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """COMETCHAT_JOURNAL names another file; an argument takes precedence."""
    monkeypatch.setenv("COMETCHAT_JOURNAL", str(tmp_path / "other.db"))
    assert default_path() == Journal().path == tmp_path / "other.db"
    assert Journal(Path("mine.db")).path == Path("mine.db")


def test_any_path(chat: Client, tmp_path: Path) -> None:
    """A path may hold characters that have a meaning in an address."""
    path = tmp_path / "a?b#c%20d é.db"
    apply(chat, path)
    assert path.is_file()
    assert len(Journal(path).history(LIST)) == 1


@POSIX
def test_existing_file_becomes_private(chat: Client, tmp_path: Path) -> None:
    """A file that others can read becomes private before anything is recorded in it, or read."""
    path = tmp_path / "journal.sqlite3"
    path.touch(0o644)
    path.chmod(0o644)
    Journal(path).check()
    assert mode(path) == 0o600
    path.chmod(0o666)
    apply(chat, path)
    assert mode(path) == 0o600
    path.chmod(0o644)
    assert Journal(path).history(LIST)
    assert mode(path) == 0o600


def test_invalid_path(tmp_path: Path) -> None:
    """A folder that does not exist is refused."""
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(tmp_path / "no" / "journal.sqlite3").check()


def test_empty_file_becomes_a_journal(chat: Client, tmp_path: Path) -> None:
    """An empty file, which a kill at the first moment leaves, becomes a journal."""
    path = tmp_path / "journal.sqlite3"
    path.touch()
    assert Journal(path).history(LIST) == ()
    apply(chat, path)
    assert len(Journal(path).history(LIST)) == 1


# Files that cannot be used.


def other_version(path: Path) -> None:
    Journal(path).check()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA user_version = 1")


def other_program(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE songs (title)")


def damaged(path: Path) -> None:
    with Client() as chat:
        for number in range(20):
            plan = chat.keywords.plan(LIST, [f"{number}-{n}" for n in range(500)])
            Journal(path).apply(chat, plan, max_removed=1)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)


UNUSABLE = [
    (
        lambda path: path.write_text("id,term\n1,spam\n" * 100),
        "is not a journal: the file is not an SQLite database; name",
    ),
    (
        other_version,
        "is from another version of cometchat-desk (format 1, not 4); use that version, or name",
    ),
    (other_program, "is the database of another program; name another file"),
    (damaged, "is damaged; move the file to another place"),
    (Path.mkdir, "is not a regular file; name another file"),
    pytest.param(
        lambda path: path.symlink_to("/dev/zero"),
        "is not a regular file; name another file",
        marks=POSIX,
    ),
]


@pytest.mark.parametrize(
    ("make", "text"), UNUSABLE, ids=["text", "version", "other", "damaged", "folder", "device"]
)
def test_file_that_is_no_journal(
    simulator: Simulator,
    chat: Client,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Path], object],
    text: str,
) -> None:
    """A file that is no journal gives an error with the next step. It is not changed, and no
    update is sent."""
    monkeypatch.setenv("COMETCHAT_BASE_URL", simulator.base_url)
    monkeypatch.setenv("COMETCHAT_API_KEY", simulator.api_key)
    path = tmp_path / "journal.sqlite3"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    sent = puts(simulator)

    def error_of(use: Callable[[], object]) -> JournalError:
        with pytest.raises(JournalError) as caught:
            use()
        return caught.value

    uses = (
        lambda: apply(chat, path),
        lambda: Journal(path).history(LIST),
        lambda: Journal(path).check(),
    )
    errors = [error_of(use) for use in uses]
    assert [
        str(each)
        for each in errors
        if f"the journal {path} {text}" not in str(each) or "\n" in str(each)
    ] == []
    assert [each.__cause__ for each in errors if not isinstance(each.__cause__, OSError)] == []
    assert issubclass(JournalError, InvalidRequestError)
    assert puts(simulator) == sent
    assert (path.read_bytes() if path.is_file() else None) == before


@POSIX
def test_read_only_file(simulator: Simulator, chat: Client) -> None:
    """A read-only journal can be read. An update that it cannot record is not sent."""
    with ordinary_user() as folder:
        path = folder / "journal.sqlite3"
        apply(chat, path)
        path.chmod(0o400)
        sent = puts(simulator)
        with pytest.raises(
            JournalError, match="is read-only; make the file and its folder writable"
        ):
            apply(chat, path)
        assert puts(simulator) == sent
        assert len(Journal(path).history(LIST)) == 1
        assert Journal(path).revision(1).outcome == "done"


@POSIX
def test_folder_that_cannot_be_written(simulator: Simulator, chat: Client) -> None:
    """If the file cannot be created, the update is not sent."""
    with ordinary_user() as folder:
        folder.chmod(0o500) if os.geteuid() == folder.stat().st_uid else (folder / "own").mkdir(
            0o500
        )
        inner = folder if os.geteuid() == folder.stat().st_uid else folder / "own"
        with pytest.raises(JournalError, match="cannot be opened: Permission denied"):
            apply(chat, inner / "journal.sqlite3")
        inner.chmod(0o700)
    assert puts(simulator) == 0


def test_locked_file(
    simulator: Simulator, chat: Client, tmp_path: Path, start: Callable[..., Popen[str]]
) -> None:
    """If another process keeps the journal locked, an error says so after the waiting time, and
    nothing is sent."""
    path = tmp_path / "journal.sqlite3"
    apply(chat, path)
    code = (
        "import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "c.execute('BEGIN EXCLUSIVE'); print('locked', flush=True); time.sleep(60)"
    )
    program = start(sys.executable, "-c", code, str(path))
    assert program.stdout is not None
    assert program.stdout.readline() == "locked\n"
    for use in (lambda: apply(chat, path), lambda: Journal(path, lock_timeout=0.1).history(LIST)):
        with pytest.raises(
            JournalError, match="is locked by another program; wait until that program has ended"
        ):
            use()
    assert puts(simulator) == 1
    program.kill()
    program.wait()
    apply(chat, path)
    assert len(Journal(path).history(LIST)) == 2


def environment(simulator: Simulator) -> dict[str, str]:
    settings = {"COMETCHAT_BASE_URL": simulator.base_url, "COMETCHAT_API_KEY": simulator.api_key}
    return {**os.environ, **settings}


@POSIX
def test_file_that_cannot_grow(simulator: Simulator, tmp_path: Path) -> None:
    """If the file cannot grow any more, each update that was sent has its entry, and no other
    update is sent."""
    path = tmp_path / "journal.sqlite3"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, path, LIST, str(40_000)],
        env=environment(simulator),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert f"JournalError: the journal {path} cannot be " in done.stderr
    entries = Journal(path).history(LIST)
    assert 0 < len(entries) < 10
    assert puts(simulator) == len(entries)
    # The outcome of the last update may not fit any more.
    assert {each.outcome for each in entries[:-1]} == {"done"}
    assert entries[-1].outcome in ("done", "unknown")
