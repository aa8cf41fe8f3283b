"""The numbers of a report, counted in reviewed messages."""

from collections.abc import Sequence

from cometchat_desk.insight.collected import Records

# The ranges of the time to a decision, each with its end in seconds.
_RANGES = {
    "under 1 min": 60,
    "1 to 5 min": 300,
    "5 to 30 min": 1_800,
    "30 to 60 min": 3_600,
    "1 to 6 h": 21_600,
    "6 to 24 h": 86_400,
    "over 24 h": 10**12,
}
_DAY = "strftime(make_timestamp(created_at * 1000000), '%Y-%m-%d')"
_MINUTE = "strftime(make_timestamp({}(created_at) * 1000000), '%Y-%m-%d %H:%M')"
_SECONDS = "select updated_at - created_at as seconds from reviewed where decision is not null and seconds > 0"


def figures(records: Records) -> tuple[str, Sequence[tuple[str, str]]]:
    """A sentence about the time of the messages, and the names and the values of the figures of a report."""
    ((count, senders, decided, approved, first, last),) = records.ask(
        "select count(*), count(distinct sender), count(decision), count(*) filter (decision = 'approved'), "
        f"{_MINUTE.format('min')}, {_MINUTE.format('max')} from reviewed"
    )
    ((seconds,),) = records.ask(f"select median(seconds) from ({_SECONDS})")
    period = f"Messages from {first} to {last} UTC." if first else "There are no messages."
    return period, [
        ("Reviewed messages", f"{count:,}"),
        ("Senders", f"{senders:,}"),
        ("Decided", f"{decided:,}"),
        ("Approved of decided", f"{approved / decided:.1%}" if decided else "none decided"),
        ("Median time to decision", "unknown" if seconds is None else _duration(seconds)),
    ]


def _duration(seconds: float) -> str:
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def volume(records: Records) -> Sequence[tuple[str, str, int]]:
    """The number of messages for each day, as `2026-11-22`, and each action."""
    action = "coalesce(nullif(array_to_string(action, ', '), ''), 'no action')"
    counts = f"select {_DAY}, {action}, count(*) from reviewed where created_at is not null group by all order by all"
    return records.ask(counts)


def times_to_decision(records: Records) -> Sequence[tuple[str, int]]:
    """The number of decided messages for each range of time between a record and its last change."""
    counts = ", ".join(
        f"count(*) filter (seconds >= {begin} and seconds < {end})"
        for begin, end in zip((0, *_RANGES.values()), _RANGES.values(), strict=False)
    )
    (found,) = records.ask(f"select {counts} from ({_SECONDS})")
    return [*zip(_RANGES, found, strict=True)] if any(found) else []
