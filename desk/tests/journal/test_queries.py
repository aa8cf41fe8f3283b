"""What the journal finds in its file, also if the file is damaged."""

import contextlib
import random
import sqlite3

import pytest

from cometchat_desk.journal import JournalError
from cometchat_rest import InvalidRequestError

from .conftest import LIST, TERMS, Desk


def test_names_of_one_app_share_the_history(desk: Desk) -> None:
    """An app is its address: the history is the same under each of its names, and another app
    has another one."""
    desk.change("a", app="shop")
    desk.change("b", app="shop (new key)")
    url = desk.chat.base_url
    assert [
        len(desk.journal.history(LIST, app=app)) for app in (url, None, "https://other.example/v3")
    ] == [2, 2, 0]


def test_damaged_bytes(desk: Desk) -> None:
    """A journal with one damaged byte at any place can be read, or gives an error in one line."""
    desk.change(*TERMS)
    intact, draw, damaged = desk.journal.path.read_bytes(), random.Random(1), 0  # noqa: S311 - repeatable
    for place in draw.sample(range(len(intact)), 400):
        data = bytearray(intact)
        data[place] ^= draw.randint(1, 255)
        desk.journal.path.write_bytes(data)
        with contextlib.suppress(InvalidRequestError):
            for revision in desk.journal.history(LIST):
                desk.journal.revision(revision.number)
            desk.journal.known_lists(desk.chat.base_url)
            continue
        damaged += 1
    assert damaged > 20


@pytest.mark.parametrize(
    "change",
    [
        "started_at = 'then'",
        "started_at = 1e300",
        "before = '7'",
        "before = x'00'",
        "before = planned || x'00'",
    ],
)
def test_update_that_was_changed(desk: Desk, change: str) -> None:
    """An update that was changed in the file gives an error of the journal, and is never
    restored."""
    desk.change(*TERMS)
    with contextlib.closing(sqlite3.connect(desk.journal.path)) as connection, connection:
        connection.execute(f"UPDATE updates SET {change}")  # noqa: S608 - constants
    with pytest.raises(JournalError, match="damaged, or was changed"):
        desk.plan_undo()


def test_arguments_that_no_file_can_hold(desk: Desk) -> None:
    """Half of a surrogate pair, and a number that is too large for SQLite, are unknown to the
    journal."""
    desk.change(*TERMS)
    assert desk.journal.history("\udcff", app="\udcff") == ()
    with pytest.raises(InvalidRequestError, match="has no update 1000"):
        desk.journal.revision(10**20)
