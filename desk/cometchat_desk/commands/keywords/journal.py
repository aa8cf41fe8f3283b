"""The journal of updates in commands: its options, and updates that are recorded."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cometchat_desk.exit_codes import Code, StopError

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal

JournalFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--journal",
        metavar="FILE",
        help="The journal of updates. Default: COMETCHAT_JOURNAL, or journal.sqlite3 in your state folder.",
    ),
]
NoJournal: TypeAlias = Annotated[
    bool, typer.Option("--no-journal", help="Do not record the update; it cannot be undone then.")
]

_WITHOUT = "No update was sent. To update without a journal, use --no-journal."


def find_journal(file: Path | None, command: str = "") -> "Journal":
    """The journal that the options name. The file is not opened yet."""
    try:
        from cometchat_desk.journal import Journal
    except ImportError:
        raise StopError(Code.SETTINGS, "the journal needs SQLite, which this Python does not have") from None
    return Journal(file, command=command)


def open_journal(file: Path | None, *, off: bool, command: str) -> "Journal | None":
    """The journal for updates, or `None` if it is off. It is tried out here, so call this before the question."""
    if off:
        if file is not None:
            raise StopError(Code.USAGE, "use either --journal or --no-journal, not both")
        return None
    from cometchat_rest import CometChatError

    try:
        journal = find_journal(file, command)
        journal.check()
    except CometChatError as error:
        error.add_note(_WITHOUT)
        raise
    except StopError as error:
        raise StopError(error.code, f"{error}. {_WITHOUT}") from None
    return journal


@contextlib.contextmanager
def advise_without() -> "Iterator[None]":
    """Add the advice about `--no-journal` to an error of the journal in this block."""
    from cometchat_desk.journal import JournalError

    try:
        yield
    except JournalError as error:
        error.add_note(_WITHOUT)
        raise
