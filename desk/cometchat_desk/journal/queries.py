"""The SQL statements for the updates in the journal. Each function runs in a transaction of the
caller."""

import sqlite3
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from attrs import fields

from cometchat_rest import KeywordList
from cometchat_rest.keyword_input import Quotes

from .records import (
    ListState,
    Revision,
    RevisionOutcome,
    storable,
    text_or_none,
)

RevisionT = TypeVar("RevisionT", bound=Revision)

# How to read the columns whose values are stored in another form.
_READERS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(
        ("started_at", "finished_at"), lambda seconds: datetime.fromtimestamp(seconds, UTC)
    ),
    **dict.fromkeys(("before", "planned", "found"), ListState.unpack),
}
_DAMAGES = (ValueError, TypeError, KeyError, AttributeError, OverflowError, OSError, zlib.error)


def insert_update(connection: sqlite3.Connection, values: Mapping[str, object]) -> int:
    """Add an update, and return its number."""
    row = {
        name: value.pack() if isinstance(value, ListState) else value
        for name, value in values.items()
    }
    # The columns are names in this package, not input.
    statement = f"INSERT INTO updates ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"  # noqa: S608
    return int(connection.execute(statement, tuple(row.values())).lastrowid or 0)


def record_outcome(
    connection: sqlite3.Connection,
    number: int,
    outcome: RevisionOutcome,
    note: str,
    keyword_list: KeywordList | None,
    quotes: Quotes | None,
) -> None:
    """Record the outcome of an update."""
    revision = None if keyword_list is None else text_or_none(keyword_list.revision_id)
    state = None if keyword_list is None else ListState.of_list(keyword_list, quotes).pack()
    connection.execute(
        "UPDATE updates SET outcome = ?, note = ?, finished_at = ?, revision_after = ?, found = ?"
        " WHERE number = ?",
        (outcome, storable(note), time.time(), revision, state, number),
    )


def select(
    connection: sqlite3.Connection, kind: type[RevisionT], condition: str, values: Sequence[object]
) -> Sequence[RevisionT]:
    """The updates that meet a condition, the oldest first. Each attribute has the name of its
    column."""
    names = [attribute.name for attribute in fields(kind)]
    # The columns and the condition are texts in this package, not input.
    query = f"SELECT {', '.join(names)} FROM updates WHERE {condition} ORDER BY number"  # noqa: S608
    rows = connection.execute(query, values).fetchall()
    records: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in rows]
    try:
        for record in records:
            record.update(
                {
                    name: read(record[name])
                    for name, read in _READERS.items()
                    if record.get(name) is not None
                }
            )
        return [kind(**record) for record in records]
    except _DAMAGES:
        raise sqlite3.DatabaseError("an update is damaged, or was changed") from None
