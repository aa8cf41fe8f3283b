"""The SQL statements for the updates in the journal. Each function runs in a transaction of the caller."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from cometchat_rest import KeywordList

from .records import CARRIED_OUT, ListState, Revision, RevisionDetail, RevisionOutcome, storable
from .settling import LATEST_ARRIVAL, Latest, Pending, Unsettled, Verdict, text_or_none
from .store import load_state, save_state

_SUMMARY = (
    "number, app, base_url, list_id, started_at, finished_at, user, program, session, outcome, note, revision_before, "
    "revision_after, added, removed"
)
_DAMAGED = "an update is damaged, or was changed"
# Seconds: an older update without an outcome belongs to a program that was killed.
_LONGEST_UPDATE = 120


def check_tables(connection: sqlite3.Connection) -> None:
    """Read a row of each table, which fails if the file is damaged there."""
    for table in ("updates", "contents"):
        connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()  # noqa: S608 - constants


def insert_update(
    connection: sqlite3.Connection, values: Mapping[str, object], before: ListState, planned: ListState
) -> int:
    """Add an update, and return its number.

    Args:
        connection: the database.
        values: the value for each column, except those of the two states.
        before: the content of the list before the update.
        planned: the content that was planned.
    """
    row = {**values, "before": save_state(connection, before), "planned": save_state(connection, planned)}
    # The columns are names in this package, not input.
    statement = f"INSERT INTO updates ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"  # noqa: S608
    return int(connection.execute(statement, tuple(row.values())).lastrowid or 0)


def is_running(connection: sqlite3.Connection, base_url: str, list_id: str) -> bool:
    """Whether a program may be sending an update of a list: it has recorded an update lately, and no outcome."""
    query = (
        "SELECT 1 FROM updates WHERE base_url = ? AND list_id = ? AND outcome = 'unknown' AND finished_at IS NULL "
        "AND abs(started_at - ?) < ?"
    )
    values = (base_url, list_id, time.time(), _LONGEST_UPDATE)
    return connection.execute(query, values).fetchone() is not None


def record_outcome(
    connection: sqlite3.Connection,
    number: int,
    outcome: RevisionOutcome,
    note: str,
    found: KeywordList | None,
    *,
    started_at: float | None = None,
) -> bool:
    """Record the outcome of an update, and the list that was read after it.

    With `started_at`, an update of the same number in another journal is not taken for this one.

    Returns:
        Whether the journal has the update.
    """
    revision = None if found is None else text_or_none(found.revision_id)
    state = None if found is None else save_state(connection, ListState.of_list(found))
    changed = connection.execute(
        "UPDATE updates SET outcome = ?, note = ?, finished_at = ?, revision_after = ?, found = ? "
        "WHERE number = ? AND started_at = coalesce(?, started_at)",
        (outcome, storable(note), time.time(), revision, state, number, started_at),
    )
    if changed.rowcount and outcome in CARRIED_OUT:
        # The list can no longer show whether an earlier update was carried out.
        connection.execute(
            "UPDATE updates SET outcome = 'superseded', finished_at = ?, note = ? WHERE outcome = 'unknown' AND "
            "number < ? AND (base_url, list_id) = (SELECT base_url, list_id FROM updates WHERE number = ?)",
            (time.time(), f"Update {number} followed before the outcome was known.", number, number),
        )
    return changed.rowcount == 1


def record_verdicts(connection: sqlite3.Connection, verdicts: Iterable[Verdict], found: KeywordList) -> None:
    """Record the outcomes that a list shows, except those that a program has recorded in the meantime."""
    for verdict in verdicts:
        current = connection.execute("SELECT outcome FROM updates WHERE number = ?", (verdict.number,)).fetchone()
        if current != ("unknown",):
            continue
        if verdict.outcome == "unknown":
            connection.execute("UPDATE updates SET note = ? WHERE number = ?", (verdict.note, verdict.number))
        else:
            shown = found if verdict.outcome == "done" else None
            record_outcome(connection, verdict.number, verdict.outcome, verdict.note, shown)


def _select_pending(connection: sqlite3.Connection, base_url: str, list_id: str, condition: str) -> tuple[Pending, ...]:
    """The updates of a list that meet a condition, the oldest first."""
    rows = connection.execute(
        "SELECT number, started_at, revision_before, updated_before, before, planned FROM updates "  # noqa: S608 - no input
        f"WHERE base_url = ? AND list_id = ? AND {condition} ORDER BY number",
        (base_url, list_id),
    ).fetchall()
    return tuple(
        Pending(
            number=number,
            started_at=_utc(started_at),
            revision_before=revision,
            updated_before=updated,
            before=load_state(connection, before),
            planned=load_state(connection, planned),
        )
        for number, started_at, revision, updated, before, planned in rows
    )


def select_unsettled(connection: sqlite3.Connection, base_url: str, list_id: str) -> Unsettled:
    """The updates of a list for which the list should be read."""
    pending = _select_pending(connection, base_url, list_id, "outcome = 'unknown'")
    latest = _select_latest(connection, base_url, list_id)
    if latest is None:
        return Unsettled(pending=pending)
    earliest = time.time() - LATEST_ARRIVAL.total_seconds()
    condition = f"outcome = 'superseded' AND number < {latest.number} AND started_at > {earliest!r}"
    superseded = _select_pending(connection, base_url, list_id, condition)
    return Unsettled(pending=pending, superseded=superseded, latest=latest)


def _select_latest(connection: sqlite3.Connection, base_url: str, list_id: str) -> Latest | None:
    row = connection.execute(
        "SELECT number, revision_after, planned, found FROM updates WHERE base_url = ? AND list_id = ? "
        "AND outcome IN ('done', 'recovered') ORDER BY number DESC LIMIT 1",
        (base_url, list_id),
    ).fetchone()
    if row is None:
        return None
    number, revision, planned, found = row
    return Latest(
        number=number,
        revision_after=revision,
        planned=load_state(connection, planned),
        after=load_state(connection, found or planned),
    )


def record_late_update(connection: sqlite3.Connection, late: Pending, latest: Latest, found: KeywordList) -> None:
    """Add an update for a superseded update that was carried out after a later one, if nobody has added it yet."""
    (base_url, list_id, outcome) = connection.execute(
        "SELECT base_url, list_id, outcome FROM updates WHERE number = ?", (late.number,)
    ).fetchone()
    now = _select_latest(connection, base_url, list_id)
    if outcome != "superseded" or now is None or now.number != latest.number:
        return
    names = "app, base_url, list_id, user, program, session"
    values = dict(
        zip(
            names.split(", "),
            connection.execute(f"SELECT {names} FROM updates WHERE number = ?", (late.number,)).fetchone(),  # noqa: S608 - constants
            strict=True,
        )
    )
    added, removed = late.planned.without(latest.after), latest.after.without(late.planned)
    note = f"Update {late.number} was carried out late, after update {latest.number}, and replaced its content."
    number = insert_update(
        connection,
        {
            **values,
            "started_at": time.time(),
            "outcome": "unknown",
            "revision_before": latest.revision_after,
            "added": None if added is None else len(added),
            "removed": None if removed is None else len(removed),
            "plan": note,
        },
        latest.after,
        late.planned,
    )
    record_outcome(connection, number, "done", note, found)
    connection.execute(
        "UPDATE updates SET note = ? WHERE number = ?", (f"It was carried out late: see update {number}.", late.number)
    )


def select_history(connection: sqlite3.Connection, list_id: str, app: str | None) -> Sequence[Revision]:
    """The updates of a list, the oldest first; `app` is a base URL, a name, or `None` for all apps."""
    where, values = _of_app(app)
    query = f"SELECT {_SUMMARY} FROM updates WHERE list_id = ? AND {where} ORDER BY number"  # noqa: S608 - constants
    return [Revision(**_summary(row)) for row in connection.execute(query, (list_id, *values))]


def select_detail(connection: sqlite3.Connection, number: int) -> RevisionDetail | None:
    """An update with the content of the list before and after it."""
    query = f"SELECT {_SUMMARY}, before, planned, found, plan FROM updates WHERE number = ?"  # noqa: S608 - constants
    # SQLite has no larger numbers.
    row = connection.execute(query, (number,)).fetchone() if abs(number) < 2**63 else None
    if row is None:
        return None
    *summary, before, planned, found, plan = row
    return RevisionDetail(
        **_summary(summary),
        before=load_state(connection, before),
        planned=load_state(connection, planned),
        found=None if found is None else load_state(connection, found),
        plan=plan,
    )


def select_lists(connection: sqlite3.Connection, app: str | None, session: str | None) -> Sequence[str]:
    """The identifiers of all lists, the latest update first; `app` is a base URL, a name, or `None` for all apps."""
    where, values = _of_app(app)
    query = (
        f"SELECT list_id FROM updates WHERE {where} AND session = coalesce(?, session) "  # noqa: S608 - constants
        "GROUP BY list_id ORDER BY max(number) DESC"
    )
    return [list_id for (list_id,) in connection.execute(query, (*values, session))]


def _of_app(app: str | None) -> tuple[str, Sequence[str]]:
    """The condition that selects the updates of an app, and its values."""
    if app is None:
        return "1", ()
    app = storable(app)
    if "://" in app:
        # A base URL never means a name: another app could have this text as its name.
        return "base_url = ?", (app,)
    return "(base_url = ? OR base_url IN (SELECT base_url FROM updates WHERE app = ?))", (app, app)


def _summary(row: Sequence[Any]) -> dict[str, Any]:
    values: dict[str, Any] = dict(zip(_SUMMARY.split(", "), row, strict=True))
    if any(isinstance(each, bytes) for each in row):
        raise sqlite3.DatabaseError(_DAMAGED)
    values["started_at"] = _utc(values["started_at"])
    values["finished_at"] = None if values["finished_at"] is None else _utc(values["finished_at"])
    return values


def _utc(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        raise sqlite3.DatabaseError(_DAMAGED) from None
