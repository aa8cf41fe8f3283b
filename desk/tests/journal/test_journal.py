"""`Journal`: what it records, and how it restores a list."""

import contextlib
import logging
import sqlite3
import time
import zlib

import pytest
from attrs import evolve

from cometchat_desk.journal import Journal
from cometchat_rest import (
    CometChatError,
    InvalidRequestError,
    PlanRefusedError,
    RevisionConflictError,
)
from cometchat_testing import Simulator

from .conftest import LIST, TERMS, Desk, being_sent, lose_update, puts

# Recording.


def test_an_update_is_recorded(desk: Desk, simulator: Simulator) -> None:
    """The journal shows the list before and after an update, its revisions, the app, the user
    and the outcome."""
    before = simulator.keyword_lists[LIST]
    update = desk.apply(desk.plan(TERMS), app="shop")
    entry = desk.last()
    assert (entry.number, entry.app, entry.base_url, entry.keyword_id) == (
        1,
        "shop",
        simulator.base_url,
        LIST,
    )
    assert (entry.outcome, entry.note) == ("done", "")
    assert entry.before.entries == tuple(before["searchTerms"])
    assert entry.before.name == before["name"]
    assert entry.planned.entries == entry.after.entries == tuple(TERMS)
    assert (entry.revision_before, entry.revision_after) == (
        before["revisionId"],
        update.keyword_list.revision_id,
    )
    assert (entry.added, entry.removed) == (0, 3)
    assert (entry.added_entries, entry.removed_entries) == ((), tuple(before["searchTerms"][3:]))
    assert entry.started_at.timestamp() == pytest.approx(time.time(), abs=60)
    assert entry.finished_at is not None
    assert entry.finished_at >= entry.started_at
    assert entry.user
    assert entry.plan.splitlines()[-1].startswith("0 added, 3 removed")


def test_the_entry_comes_before_the_update(desk: Desk, simulator: Simulator) -> None:
    """While an update is on its way, another program already sees its entry, with an unknown
    outcome."""
    with being_sent(desk, simulator):
        assert [each.outcome for each in Journal(desk.journal.path).history(LIST)] == ["unknown"]
    assert desk.outcomes() == ["done"]


def test_lost_response_is_recovered(desk: Desk, simulator: Simulator) -> None:
    """If the response is lost and the list shows the update, the outcome is `recovered`."""
    lose_update(simulator, cut="after_processing")
    assert desk.change(*TERMS).outcome == "recovered"


def test_refused_update(desk: Desk, simulator: Simulator) -> None:
    """If the service refuses an update, the journal says so, with the message of the service."""
    simulator.fail("update_keyword_list", status=400)
    entry = desk.change(*TERMS)
    assert (entry.outcome, entry.revision_after) == ("refused", None)
    assert "400" in entry.note
    assert entry.after == entry.before


def test_update_that_was_not_sent(desk: Desk, simulator: Simulator) -> None:
    """An update is recorded as not sent if the list has changed since the plan, or cannot be
    read."""
    plan = desk.plan(TERMS)
    simulator.keyword_lists[LIST] = {**simulator.keyword_lists[LIST], "revisionId": "other_2"}
    with pytest.raises(RevisionConflictError):
        desk.apply(plan)
    simulator.fail("get_keyword_list", status=503)
    with pytest.raises(CometChatError):
        desk.apply(plan)
    assert desk.outcomes() == ["not_sent", "not_sent"]
    assert puts(simulator) == 0


def test_refused_plan_has_no_entry(desk: Desk) -> None:
    """A plan that removes too much, or is for another app, is refused as without a journal, and
    nothing is recorded."""
    plan = desk.plan(["spam"])
    with pytest.raises(
        InvalidRequestError, match=r"was made for https://other\.example/v3, not for"
    ):
        desk.apply(evolve(plan, base_url="https://other.example/v3"))
    with pytest.raises(PlanRefusedError):
        desk.apply(plan, max_removed=0.1)
    assert desk.journal.history(LIST) == ()


def test_result_that_differs(desk: Desk, simulator: Simulator) -> None:
    """If the list that is read back differs, the journal holds the entries that were read."""
    plan = desk.plan(TERMS)
    record = {
        **simulator.keyword_lists[LIST],
        "searchTerms": ["spam", "other"],
        "revisionId": "x_9",
    }
    simulator.fail("update_keyword_list", status=200, body={"data": record})
    simulator.fail(
        "get_keyword_list", share=1.0, status=200, body={"data": simulator.keyword_lists[LIST]}
    )
    simulator.fail("get_keyword_list", status=200, body={"data": record})
    desk.apply(plan)
    entry = desk.last()
    assert entry.outcome == "done"
    assert entry.note == "The list that was read back differs from the update."
    assert entry.after.entries == ("spam", "other")
    assert entry.planned.entries == tuple(TERMS)


def test_list_that_cannot_be_read_back(desk: Desk, simulator: Simulator) -> None:
    """If the list cannot be read back, the update is recorded as done, with a note."""
    plan = desk.plan(TERMS)
    simulator.fail("get_keyword_list", delay=0.001)
    simulator.fail("get_keyword_list", status=503)
    desk.apply(plan)
    assert desk.last().outcome == "done"
    assert desk.last().note.startswith("The list could not be read back: ")


def test_outcome_that_cannot_be_recorded(
    desk: Desk, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """If only the outcome cannot be recorded, the update still returns its result, and a warning
    is logged."""
    desk.journal = Journal(desk.journal.path, lock_timeout=0.1)
    with caplog.at_level(logging.WARNING, "cometchat_rest"), being_sent(desk, simulator) as result:
        lock = sqlite3.connect(desk.journal.path, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        assert result().matches
        lock.close()
    assert "the outcome of update 1 could not be recorded" in caplog.text
    assert desk.outcomes() == ["unknown"]


def test_no_key_in_the_file(desk: Desk, simulator: Simulator) -> None:
    """The file holds no API key, also after errors that show the response."""
    key = simulator.api_key
    simulator.fail("update_keyword_list", status=400, body={"error": {"message": f"bad key {key}"}})
    desk.change("spam")
    lose_update(simulator, cut="in_body")
    desk.change("scam")
    desk.change(*TERMS)
    data = desk.journal.path.read_bytes()
    with contextlib.closing(sqlite3.connect(desk.journal.path)) as connection:
        contents = connection.execute(
            "SELECT before FROM updates UNION SELECT planned FROM updates"
        ).fetchall()
    data += b"".join(zlib.decompress(packed) for (packed,) in contents)
    assert b"profanity-list" in data
    assert b"free coins" in data
    assert key.encode() not in data
    assert key[:20].encode() not in data
    assert b"apikey" not in data.lower()
