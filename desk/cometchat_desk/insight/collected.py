"""Reviewed messages in columns in memory, which SQL counts: of equal records, the one that was
changed last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any

from cometchat_desk.times import utc
from cometchat_desk.wording import many

from .database import ROWS, connect, sql_type
from .exports import Values, read_exports
from .reviewed import IDENTITY, NAMES, Reviewed, json_values

# The decision of a moderator, `approved` or `disapproved`; null if nobody has decided.
_DECISION = "if(lower(status) in ('approved', 'disapproved'), lower(status), null)"


class Records:
    """Reviewed messages. The table `reviewed` has a column for each value that was asked for,
    and `decision`."""

    def __init__(
        self,
        read: Iterable[Values | None],
        *,
        names: Iterable[str] = NAMES,
        since: datetime | None = None,
    ) -> None:
        """Take the values with these names of the records that were created at or after a time
        with a time zone."""
        self._names = tuple(dict.fromkeys(("created_at", "updated_at", "status", *names)))
        self._connection = connect()
        types = ", ".join(f"{name} {sql_type(name)}" for name in self._names)
        self._connection.execute(f"create table records (identity bigint, {types})")
        counts = self._load(read, since)
        kept = "select arg_max(rowid, coalesce(updated_at, 0)) from records group by identity"
        ((duplicates,),) = self.ask(f"delete from records where rowid not in ({kept})")
        self._connection.execute(
            f"create view reviewed as select rowid as place, *, {_DECISION} as decision from"
            " records"
        )
        ((first,),) = self.ask("select min(created_at) from reviewed")
        begins = utc(first)
        #: How many lines were left out because they are not complete records
        self.skipped = counts["incomplete"]
        #: How many records were left out because they occur more than once
        self.duplicates: int = duplicates
        #: The time of the earliest record, if records since the asked time may be missing
        self.begins = (
            begins if since and begins and begins > since and not counts["older"] else None
        )

    def _load(self, read: Iterable[Values | None], since: datetime | None) -> Counter[str]:
        types = ["bigint", *map(sql_type, self._names)]
        insert = ", ".join(f"unnest(${place}::{kind}[])" for place, kind in enumerate(types, 1))
        counts: Counter[str] = Counter()
        rows = map(self._row, _chosen(read, since, counts))
        while batch := list(islice(rows, ROWS)):
            columns = [list(values) for values in zip(*batch, strict=True)]
            self._connection.execute(f"insert into records select {insert}", columns)
        return counts

    def _row(self, record: Values) -> Sequence[object]:
        """The identity and the values of a record. A record without a message is equal to another
        one if all values are equal."""
        values = record((*IDENTITY, *self._names))
        same = IDENTITY if values["message_id"] else NAMES
        identity = values if values.keys() >= {*same} else record(same)
        return (hash(tuple(map(identity.__getitem__, same))), *map(values.__getitem__, self._names))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for people about lines that were skipped and records that may be missing;
        usually no sentence."""
        notes = []
        if self.skipped:
            lines = many(
                self.skipped, "line is not a complete record", "lines are not complete records"
            )
            notes.append(f"{lines}; skipped")
        if self.begins is not None:
            begins = f"{self.begins:%Y-%m-%d %H:%M} UTC"
            notes.append(
                f"the records begin at {begins}, after the time of --since: older ones may be"
                " missing"
            )
        return tuple(notes)

    def ask(
        self, query: str, parameters: Sequence[object] | Mapping[str, object] = ()
    ) -> list[tuple[Any, ...]]:
        """The rows of the answer to a query in SQL."""
        return self._connection.execute(query, parameters or None).fetchall()

    def stream(self, query: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a long answer, some at a time."""
        answer = self._connection.cursor().execute(query)
        while rows := answer.fetchmany(ROWS):
            yield from rows

    def keep_apps(self, apps: list[str]) -> dict[str, int]:
        """Leave out the records of other apps, and return the number for each. A record that
        names no app stays."""
        left_out = "from records where app not in (select unnest($1::varchar[]))"
        counts = self.ask(f"select app, count(*) {left_out} group by app order by app", [apps])
        self.ask(f"delete {left_out}", [apps])
        return dict(counts)

    def find(
        self, rest: str = "order by created_at nulls first, message_id, place"
    ) -> Iterator[Reviewed]:
        """The records in the order of time, or those that the rest of a query names."""
        for row in self.stream(f"select {', '.join(NAMES)} from reviewed {rest}"):
            values: list[Any] = [
                tuple(value) if isinstance(value, list) else value for value in row
            ]
            yield Reviewed(**dict(zip(NAMES, values, strict=True)))

    def __iter__(self) -> Iterator[Reviewed]:
        return self.find()

    def __len__(self) -> int:
        ((count,),) = self.ask("select count(*) from reviewed")
        return int(count)


def _chosen(
    read: Iterable[Values | None], since: datetime | None, counts: Counter[str]
) -> Iterator[Values]:
    """The complete records that were created at or after a time; `counts` gets the numbers of the
    others."""
    for record in read:
        if record is None:
            counts["incomplete"] += 1
            continue
        if since is not None:
            created = utc(record(("created_at",))["created_at"])
            if created is None or created < since:
                counts["undated" if created is None else "older"] += 1
                continue
        yield record


def open_records(
    *files: str | Path,
    since: datetime | None = None,
    names: Iterable[str] = NAMES,
    standard_input: IO[bytes] | None = None,
) -> Records:
    """Read exported files, as `read_exports` does."""
    return Records(read_exports(files, standard_input), names=names, since=since)


def records_of(records: Iterable[Mapping[str, Any]], names: Iterable[str] = NAMES) -> Records:
    """Take raw records of the service."""
    return Records((partial(json_values, raw) for raw in records), names=names)
