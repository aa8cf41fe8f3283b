"""What the journal finds in its file, also if the file is damaged."""

import contextlib
import logging
import random
import sqlite3

import pytest

from cometchat_desk.journal import JournalError
from cometchat_rest import InvalidRequestError
from cometchat_rest.testing import Simulator

from .conftest import LIST, TERMS, Desk


def test_names_of_one_app_share_the_history(desk: Desk) -> None:
    """An app is its address: the history is the same under each of its names, and another app has another one."""
    desk.change("a", app="shop")
    desk.change("b", app="shop (new key)")
    url = desk.chat.base_url
    assert [len(desk.journal.history(LIST, app=app)) for app in (url, None, "https://other.example/v3")] == [2, 2, 0]


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
    """An update that was changed in the file gives an error of the journal, and is never restored."""
    desk.change(*TERMS)
    with contextlib.closing(sqlite3.connect(desk.journal.path)) as connection, connection:
        connection.execute(f"UPDATE updates SET {change}")  # noqa: S608 - constants
    with pytest.raises(JournalError, match="damaged, or was changed"):
        desk.plan_undo()


def test_arguments_that_no_file_can_hold(desk: Desk) -> None:
    """Half of a surrogate pair, and a number that is too large for SQLite, are unknown to the journal."""
    desk.change(*TERMS)
    assert desk.journal.history("\udcff", app="\udcff") == ()
    assert desk.journal.is_settled("\udcff", app=desk.chat.base_url)
    with pytest.raises(InvalidRequestError, match="has no update 1000"):
        desk.journal.revision(10**20)


def test_two_updates_of_one_revision(desk: Desk, simulator: Simulator, caplog: pytest.LogCaptureFixture) -> None:
    """If the service still shows a revision that an update has replaced, a warning and a note say what may be lost."""
    before = simulator.keyword_lists[LIST]
    desk.change("first")
    simulator.keyword_lists[LIST] = before
    with caplog.at_level(logging.WARNING, "cometchat_rest"):
        entry = desk.change("second")
    said = f"Update 1 has already replaced revision {entry.revision_before}: one of the two updates may be lost."
    assert said in caplog.text
    assert (entry.outcome, entry.note) == ("done", f"{said} Look at the list.")
