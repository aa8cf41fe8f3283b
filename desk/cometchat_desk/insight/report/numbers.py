"""The numbers of a report, computed from reviewed messages (pure)."""

from collections import Counter
from collections.abc import Sequence
from statistics import median

from attrs import frozen

from cometchat_desk.insight.record import APPROVED, DISAPPROVED, Records

# The ranges of the time to a decision, each with its end in seconds.
_RANGES = {
    "under 1 min": 60,
    "1 to 5 min": 300,
    "5 to 30 min": 1_800,
    "30 to 60 min": 3_600,
    "1 to 6 h": 21_600,
    "6 to 24 h": 86_400,
    "over 24 h": float("inf"),
}


@frozen
class Figures:
    """The figures of a report."""

    period: str  # a sentence about the time of the messages
    median: str  # the median time between a record and its last change, for decided messages
    shown: Sequence[tuple[str, str]]  # the names and the values for the page


def figures(records: Records) -> Figures:
    """Compute the figures of all records."""
    times = [record.created_utc for record in records if record.created_utc]
    statuses = Counter(record.decision for record in records)
    approved, decided = statuses[APPROVED], statuses[APPROVED] + statuses[DISAPPROVED]
    seconds = _seconds_to_decision(records)
    typical = _duration(median(seconds)) if seconds else "unknown"
    period = f"Messages from {times[0]:%Y-%m-%d %H:%M} to {times[-1]:%Y-%m-%d %H:%M} UTC." if times else ""
    return Figures(
        period or "There are no messages.",
        typical,
        [
            ("Reviewed messages", f"{len(records):,}"),
            ("Senders", f"{len({record.sender for record in records if record.sender}):,}"),
            ("Decided", f"{decided:,}"),
            ("Approved of decided", f"{approved / decided:.1%}" if decided else "none decided"),
            ("Median time to decision", typical),
        ],
    )


def _duration(seconds: float) -> str:
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def volume(records: Records) -> Sequence[tuple[str, str, int]]:
    """The number of messages for each day, as `2026-11-22`, and each action."""
    counts = Counter(
        (f"{record.created_utc:%Y-%m-%d}", ", ".join(record.action) or "no action")
        for record in records
        if record.created_utc
    )
    return [(day, action, count) for (day, action), count in sorted(counts.items())]


def times_to_decision(records: Records) -> Sequence[tuple[str, int]]:
    """The number of decided messages for each range of time between a record and its last change."""
    counts = Counter(
        next(name for name, end in _RANGES.items() if seconds < end) for seconds in _seconds_to_decision(records)
    )
    return [(name, counts[name]) for name in _RANGES] if counts else []


def _seconds_to_decision(records: Records) -> Sequence[int]:
    times = ((record.created_at, record.updated_at) for record in records if record.decision)
    return [end - start for start, end in times if start is not None and end is not None and end > start]
