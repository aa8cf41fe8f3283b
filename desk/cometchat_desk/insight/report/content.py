"""The numbers of a report, computed from reviewed messages by the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from cometchat_desk.insight.records import Records

#: The statuses that a moderator gives. The service does not document its statuses; these names are assumptions.
DECIDED = ("approved", "disapproved")

# The ranges of the time to a decision, each with its end in seconds.
_RANGES = (
    ("under 1 min", 60),
    ("1 to 5 min", 300),
    ("5 to 30 min", 1_800),
    ("30 to 60 min", 3_600),
    ("1 to 6 h", 21_600),
    ("6 to 24 h", 86_400),
)
_LAST_RANGE = "over 24 h"


@frozen(kw_only=True)
class Figures:
    """The figures of a report.

    Attributes:
        messages: the number of messages.
        senders: the number of senders.
        first: the time of the oldest message; `None` without messages.
        last: the time of the newest message; `None` without messages.
        decided: the number of messages that a moderator approved or disapproved.
        approved: the number of messages that a moderator approved.
        median_seconds: the median time between a record and its last change, for decided messages in seconds; `None`
            without such messages.
    """

    messages: int
    senders: int
    first: datetime | None
    last: datetime | None
    decided: int
    approved: int
    median_seconds: float | None


def figures(records: Records) -> Figures:
    """Compute the figures of all records."""
    sql = f"""
        select count(*), count(distinct sender), min(created_utc), max(created_utc),
            count(*) filter (status in {DECIDED}), count(*) filter (status = 'approved'),
            median(updated_at - created_at) filter (status in {DECIDED} and updated_at > created_at)
        from reviewed
    """
    ((messages, senders, first, last, decided, approved, median),) = records.query(sql).rows
    return Figures(
        messages=_number(messages),
        senders=_number(senders),
        first=first if isinstance(first, datetime) else None,
        last=last if isinstance(last, datetime) else None,
        decided=_number(decided),
        approved=_number(approved),
        median_seconds=float(median) if isinstance(median, int | float) else None,
    )


def volume(records: Records) -> Sequence[tuple[str, str, int]]:
    """The number of messages for each day, as `2026-11-22`, and each action."""
    sql = """
        select strftime(created_utc, '%Y-%m-%d') as day, coalesce(nullif(action, ''), 'no action'), count(*)
        from reviewed where created_utc is not null group by all order by all
    """
    return [(str(day), str(action), _number(count)) for day, action, count in records.query(sql).rows]


def times_to_decision(records: Records) -> Sequence[tuple[str, int]]:
    """The number of decided messages for each range of time between a record and its last change."""
    cases = " ".join(f"when updated_at - created_at < {seconds} then '{name}'" for name, seconds in _RANGES)
    sql = f"""
        select case {cases} else '{_LAST_RANGE}' end, count(*) from reviewed
        where status in {DECIDED} and updated_at > created_at group by all
    """
    found = {str(name): _number(count) for name, count in records.query(sql).rows}
    return [(name, found.get(name, 0)) for name in (*(name for name, _ in _RANGES), _LAST_RANGE)] if found else []


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
