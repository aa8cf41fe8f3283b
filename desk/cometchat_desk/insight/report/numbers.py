"""The numbers of a report, computed from reviewed messages by the database."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from cometchat_desk.insight.records import Records
from cometchat_desk.insight.stats import APPROVED, DISAPPROVED

_DECIDED = f"lower(status) in ('{APPROVED}', '{DISAPPROVED}')"
# The ranges of the time to a decision, each with its end in seconds.
_RANGES = {
    "under 1 min": 60,
    "1 to 5 min": 300,
    "5 to 30 min": 1_800,
    "30 to 60 min": 3_600,
    "1 to 6 h": 21_600,
    "6 to 24 h": 86_400,
}
_LAST_RANGE = "over 24 h"


@frozen
class Figures:
    """The figures of a report."""

    period: str  # a sentence about the time of the messages
    median: str  # the median time between a record and its last change, for decided messages
    shown: Sequence[tuple[str, str]]  # the names and the values for the page


def figures(records: Records) -> Figures:
    """Compute the figures of all records."""
    ((count, senders, first, last, decided, approved, seconds),) = records.query(f"""
        select count(*), count(distinct sender), min(created_utc), max(created_utc),
            count(*) filter ({_DECIDED}), count(*) filter (lower(status) = '{APPROVED}'),
            median(updated_at - created_at) filter ({_DECIDED} and updated_at > created_at)
        from reviewed
    """)
    median = _duration(seconds)
    period = (
        f"Messages from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC." if first else "There are no messages."
    )
    return Figures(
        period,
        median,
        [
            ("Reviewed messages", f"{count:,}"),
            ("Senders", f"{senders:,}"),
            ("Decided", f"{decided:,}"),
            ("Approved of decided", f"{approved / decided:.1%}" if decided else "none decided"),
            ("Median time to decision", median),
        ],
    )


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "unknown"
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def volume(records: Records) -> Sequence[tuple[str, str, int]]:
    """The number of messages for each day, as `2026-11-22`, and each action."""
    return records.query("""
        select strftime(created_utc, '%Y-%m-%d') as day, coalesce(nullif(action, ''), 'no action'), count(*)
        from reviewed where created_utc is not null group by all order by all
    """)


def times_to_decision(records: Records) -> Sequence[tuple[str, int]]:
    """The number of decided messages for each range of time between a record and its last change."""
    cases = " ".join(f"when updated_at - created_at < {seconds} then '{name}'" for name, seconds in _RANGES.items())
    counts: dict[str, int] = dict(
        records.query(f"""
            select case {cases} else '{_LAST_RANGE}' end, count(*) from reviewed
            where {_DECIDED} and updated_at > created_at group by all
        """)
    )
    return [(name, counts.get(name, 0)) for name in (*_RANGES, _LAST_RANGE)] if counts else []
