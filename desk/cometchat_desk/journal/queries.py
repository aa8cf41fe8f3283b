"""The SQL statements for the updates in the journal. Each function runs in a transaction of the caller."""

import sqlite3
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import NoneType
from typing import Any

from cometchat_rest import KeywordList

from .records import CARRIED_OUT, ListState, Pending, Revision, RevisionDetail, RevisionOutcome, storable, text_or_none

# The columns of a summary, with the types of their values.
_SUMMARY: Mapping[str, tuple[type, ...]] = {
    "number": (int,),
    **dict.fromkeys(("app", "base_url", "keyword_id"), (str,)),
    "started_at": (float,),
    "finished_at": (float, NoneType),
    **dict.fromkeys(("user", "command", "session", "outcome", "note"), (str,)),
    **dict.fromkeys(("revision_before", "revision_after"), (str, NoneType)),
    **dict.fromkeys(("added", "removed"), (int, NoneType)),
}
_COLUMNS = ", ".join(_SUMMARY)
_DAMAGED = "an update is damaged, or was changed"


def insert_update(
    connection: sqlite3.Connection, values: Mapping[str, object], before: ListState, planned: ListState
) -> int:
    """Add an update, and return its number."""
    row = {**values, "before": before.pack(), "planned": planned.pack()}
    # The columns are names in this package, not input.
    statement = f"INSERT INTO updates ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"  # noqa: S608
    return int(connection.execute(statement, tuple(row.values())).lastrowid or 0)


def select_rival(connection: sqlite3.Connection, number: int) -> int | None:
    """The number of an earlier update that has replaced the revision from which an update began."""
    row = connection.execute(
        "SELECT other.number FROM updates AS other JOIN updates AS this USING (base_url, keyword_id, revision_before) "
        "WHERE this.number = ? AND other.number < this.number AND other.outcome IN (?, ?) "
        "AND other.revision_after <> other.revision_before",
        (number, *CARRIED_OUT),
    ).fetchone()
    return None if row is None else int(row[0])


def record_outcome(
    connection: sqlite3.Connection,
    number: int,
    outcome: RevisionOutcome,
    note: str,
    keyword_list: KeywordList | None,
) -> bool:
    """Record the outcome of an update; return whether it is there."""
    revision = None if keyword_list is None else text_or_none(keyword_list.revision_id)
    state = None if keyword_list is None else ListState.of_list(keyword_list).pack()
    changed = connection.execute(
        "UPDATE updates SET outcome = ?, note = ?, finished_at = ?, revision_after = ?, found = ? WHERE number = ?",
        (outcome, storable(note), time.time(), revision, state, number),
    )
    return changed.rowcount == 1


def select_pending(connection: sqlite3.Connection, base_url: str, keyword_id: str) -> tuple[Pending, ...]:
    """The unknown updates that a list may still show: those after the last one that was carried out."""
    rows = connection.execute(
        "SELECT number, revision_before, updated_before, before, planned FROM updates WHERE base_url = ?1 "
        "AND keyword_id = ?2 AND outcome = 'unknown' AND number > (SELECT coalesce(max(number), 0) FROM updates "
        "WHERE base_url = ?1 AND keyword_id = ?2 AND outcome IN (?3, ?4)) ORDER BY number",
        (base_url, keyword_id, *CARRIED_OUT),
    ).fetchall()
    return tuple(
        Pending(
            number=number,
            revision_before=revision,
            updated_before=updated,
            before=_unpacked(before),
            planned=_unpacked(planned),
        )
        for number, revision, updated, before, planned in rows
    )


def record_seen(connection: sqlite3.Connection, base_url: str, keyword_id: str, keyword_list: KeywordList) -> None:
    """Record the unknown update that a list shows, if it shows exactly one."""
    seen = [
        pending for pending in select_pending(connection, base_url, keyword_id) if pending.is_shown_by(keyword_list)
    ]
    if len(seen) == 1:
        note = "The update was interrupted. The list was read later, and it matches the update."
        record_outcome(connection, seen[0].number, "done", note, keyword_list)


def select_history(connection: sqlite3.Connection, keyword_id: str | None, base_url: str | None) -> Sequence[Revision]:
    """The updates of a list, the oldest first; without a list or a base URL, those of all lists or apps."""
    places = "keyword_id = coalesce(?, keyword_id) AND base_url = coalesce(?, base_url)"
    query = f"SELECT {_COLUMNS} FROM updates WHERE {places} ORDER BY number"  # noqa: S608 - constants
    values = (text_or_none(keyword_id), text_or_none(base_url))
    return [Revision(**_summary(row)) for row in connection.execute(query, values)]


def select_detail(connection: sqlite3.Connection, number: int) -> RevisionDetail | None:
    """An update with the content of the list before and after it."""
    query = f"SELECT {_COLUMNS}, before, planned, found, plan FROM updates WHERE number = ?"  # noqa: S608 - constants
    # SQLite has no larger numbers.
    row = connection.execute(query, (number,)).fetchone() if abs(number) < 2**63 else None
    if row is None:
        return None
    *summary, before, planned, found, plan = row
    return RevisionDetail(
        **_summary(summary),
        before=_unpacked(before),
        planned=_unpacked(planned),
        found=None if found is None else _unpacked(found),
        plan=str(plan),
    )


def select_lists(connection: sqlite3.Connection, base_url: str | None) -> Sequence[str]:
    """The identifiers of all lists, the latest update first; without a base URL, those of all apps."""
    rows = connection.execute(
        "SELECT keyword_id FROM updates WHERE base_url = coalesce(?, base_url) "
        "GROUP BY keyword_id ORDER BY max(number) DESC",
        (text_or_none(base_url),),
    )
    return [str(keyword_id) for (keyword_id,) in rows]


def _summary(row: Sequence[Any]) -> dict[str, Any]:
    values: dict[str, Any] = dict(zip(_SUMMARY, row, strict=True))
    if not all(isinstance(value, _SUMMARY[name]) for name, value in values.items()):
        raise sqlite3.DatabaseError(_DAMAGED)
    try:
        for name in ("started_at", "finished_at"):
            values[name] = values[name] and datetime.fromtimestamp(values[name], UTC)
    except (ValueError, OverflowError, OSError):
        raise sqlite3.DatabaseError(_DAMAGED) from None
    return values


def _unpacked(packed: bytes) -> ListState:
    try:
        return ListState.unpack(packed)
    except ValueError as error:
        raise sqlite3.DatabaseError(str(error)) from error
