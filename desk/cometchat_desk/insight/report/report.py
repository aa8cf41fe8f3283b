"""Write a report about reviewed messages as one HTML file."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from attrs import evolve

from cometchat_desk.files import write_file
from cometchat_desk.insight.records import Record, Records
from cometchat_desk.insight.stats import ABOVE, MIN_DECIDED, By, Stats, Tally, stats
from cometchat_desk.insight.term_stats import TermStats
from cometchat_rest.errors import InvalidRequestError

from . import charts, content
from .charts import Chart
from .page import Suspect, Suspects, page

#: The largest number of messages in the table of a report. More messages would make the page slow to open.
LONGEST_TABLE = 100_000
# The largest number of bars in a chart.
_MOST_BARS = 20
_APPROVED, _OTHER = "approved", "other"
_ASSUMED = "The service does not document its statuses: a decision is the status approved or disapproved."


def write_report(
    records: Records,
    path: str | os.PathLike[str],
    *,
    terms: TermStats | None = None,
    min_decided: int = MIN_DECIDED,
    above: float = ABOVE,
    notes: Sequence[str] = (),
    title: str = "Moderation report",
    now: datetime | None = None,
) -> int:
    """Write a report: charts with their numbers, and a table of the messages that can be searched and sorted.

    The file is written completely or not at all. It holds the texts of the messages, so keep it as safe as the export.

    Args:
        records: the messages, from `open_records` or `records_of`.
        path: the HTML file; an existing file is replaced.
        terms: the result of `term_stats` for the same messages; `None` to leave out the terms.
        min_decided: mark a rule only if at least this many of its messages are decided.
        above: mark a rule if probably more than this share of its decided messages was approved, 0.0 to 1.0.
        notes: sentences to show at the top of the page.
        title: the title of the page.
        now: the time that the page names as its creation; by default the current time.

    Returns:
        The number of messages in the table: at most `LONGEST_TABLE`, the latest ones.

    Raises:
        InvalidRequestError: the file cannot be written, or the extra `insight` is not installed.
    """
    target = Path(path)
    numbers = content.figures(records)
    rules = stats(records, By.RULE, min_decided=min_decided, above=above)
    rows = deque(records, maxlen=LONGEST_TABLE)
    text = page(
        title=title,
        period=_period(numbers, [*records.notes, *notes]),
        figures=_figures(numbers),
        suspects=Suspects(note=_suspects_note(min_decided, above, terms), rows=list(_suspects(rules, terms))),
        charts=[
            _volume(records),
            _rules(rules),
            *([] if terms is None else [_terms(terms)]),
            _times(records, numbers),
        ],
        rows=map(_cells, reversed(rows)),
        table_note=_table_note(len(rows), numbers.messages),
        footer=(
            f"Made with cometchat-desk at {(now or datetime.now(UTC)).astimezone(UTC):%Y-%m-%d %H:%M} UTC. "
            f"{_ASSUMED} This file loads nothing from any network."
        ),
    )
    _write(target, text.encode())
    return len(rows)


def _period(numbers: content.Figures, notes: Sequence[str]) -> str:
    if numbers.first is None or numbers.last is None:
        return "There are no messages."
    return f"Messages from {numbers.first:%Y-%m-%d %H:%M} to {numbers.last:%Y-%m-%d %H:%M} UTC.{_sentences(notes)}"


def _sentences(notes: Sequence[str]) -> str:
    return "".join(f" {note[:1].upper()}{note[1:]}." for note in notes)


def _suspects(rules: Stats, terms: TermStats | None) -> Iterator[Suspect]:
    """The rules and terms that are probably wrong, those with the most messages first."""
    for rule in rules.groups:
        if rule.reason is not None:
            yield Suspect(rule.tally.value or "unknown", "rule", rule.reason)
    for term in () if terms is None else terms.groups:
        if term.reason is not None:
            yield Suspect(term.tally.value or "", f"term in {term.list_id}", term.reason)


def _suspects_note(min_decided: int, above: float, terms: TermStats | None) -> str:
    marked = "A rule is marked" if terms is None else "A rule or a term is marked"
    return (
        f"{marked} if moderators decided at least {min_decided:,} of its messages, and probably approved more than "
        f"{above:.0%} of these."
    )


def _figures(numbers: content.Figures) -> list[tuple[str, str]]:
    share = f"{numbers.approved / numbers.decided:.1%}" if numbers.decided else "none decided"
    return [
        ("Reviewed messages", f"{numbers.messages:,}"),
        ("Senders", f"{numbers.senders:,}"),
        ("Decided", f"{numbers.decided:,}"),
        ("Approved of decided", share),
        ("Median time to decision", _duration(numbers.median_seconds)),
    ]


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "unknown"
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _volume(records: Records) -> Chart:
    counts = content.volume(records)
    wide, narrow = charts.volume([{"day": day, "action": action, "messages": count} for day, action, count in counts])
    return Chart(
        title="Messages by day and action",
        note="Days are in UTC.",
        heads=("Day", "Action", "Messages"),
        rows=[(day, action, f"{count:,}") for day, action, count in counts],
        wide=wide,
        narrow=narrow,
    )


def _rules(found: Stats) -> Chart:
    top = found.groups[:_MOST_BARS]
    note = "Orange: approved by a moderator."
    if len(found.groups) > len(top):
        note += f" {len(found.groups) - len(top):,} rules with fewer messages are not shown."
    return _approvals("Rules", "Rule", note, [each.tally for each in top], [each.reason or "" for each in top])


def _terms(found: TermStats) -> Chart:
    top = found.groups[:_MOST_BARS]
    note = (
        f"The terms of the lists that the rules name, with the messages that contain them. {found.rules}"
        f"{_sentences(found.notes)} Orange: approved by a moderator."
    )
    if found.group_count > len(top):
        note += f" {found.group_count - len(top):,} terms with fewer messages are not shown."
    # Two lists may have the same term.
    names = Counter(each.tally.value for each in top)
    tallies = [
        evolve(each.tally, value=f"{each.tally.value} ({each.list_id})") if names[each.tally.value] > 1 else each.tally
        for each in top
    ]
    return _approvals("Top terms", "Term", note, tallies, [each.reason or "" for each in top])


def _approvals(title: str, name: str, note: str, tallies: Sequence[Tally], reasons: Sequence[str]) -> Chart:
    named = [(each.value or "unknown", each) for each in tallies]
    wide, narrow = charts.bars(
        [
            {"name": value, "part": part, "messages": count}
            for value, each in named
            for part, count in ((_APPROVED, each.approved), (_OTHER, each.records - each.approved))
        ]
    )
    return Chart(
        title=title,
        note=note,
        heads=(name, "Messages", "Decided", "Approved of decided", "Note"),
        rows=[
            (
                value,
                f"{each.records:,}",
                f"{each.decided:,}",
                "" if each.approved_share is None else f"{each.approved_share:.1%}",
                reason,
            )
            for (value, each), reason in zip(named, reasons, strict=True)
        ],
        wide=wide,
        narrow=narrow,
        marks=True,
    )


def _times(records: Records, numbers: content.Figures) -> Chart:
    counts = content.times_to_decision(records)
    wide, narrow = charts.durations([{"time": name, "messages": count} for name, count in counts])
    note = "The time between a record and its last change, for decided messages."
    if numbers.median_seconds is not None:
        note += f" The median is {_duration(numbers.median_seconds)}."
    return Chart(
        title="Time to decision",
        note=note,
        heads=("Time", "Messages"),
        rows=[(name, f"{count:,}") for name, count in counts],
        wide=wide,
        narrow=narrow,
    )


def _cells(record: Record) -> Sequence[str]:
    return (
        "" if record.created is None else f"{record.created:%Y-%m-%d %H:%M:%S}",
        record.sender or "",
        record.receiver or "",
        record.rule_name or record.rule_id or "",
        ", ".join(record.actions),
        record.status or "",
        record.text or f"({record.message_type or 'no text'})",
        record.message_id or "",
    )


def _table_note(shown: int, messages: int) -> str:
    if shown == messages:
        return "Type to search, or select the head of a column to sort."
    return f"The table holds the latest {shown:,} of {messages:,} messages. The numbers above are about all messages."


def _write(path: Path, data: bytes) -> None:
    try:
        write_file(path, data)
    except OSError as error:
        raise InvalidRequestError(f"{path}: cannot be written: {error.strerror or error}") from error
