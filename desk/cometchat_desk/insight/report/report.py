"""Write a report about reviewed messages as one HTML file."""

from collections import Counter, deque
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from attrs import evolve

from cometchat_desk.files import write_file
from cometchat_desk.insight.record import Record, Records
from cometchat_desk.insight.stats import By, Group, Marks, stats
from cometchat_desk.insight.term_stats import TermStats

from . import charts
from .numbers import figures, times_to_decision, volume
from .page import Section, page

#: The largest number of messages in the table of a report. More messages would make the page slow to open.
LONGEST_TABLE = 100_000
# The largest number of bars in a section.
_MOST_BARS = 20


def write_report(
    records: Records,
    path: Path,
    *,
    terms: TermStats | None = None,
    marks: Marks | None = None,
    notes: Sequence[str] = (),
    title: str = "Moderation report",
    now: datetime | None = None,
) -> int:
    """Write a report, which only its owner can read, and return the number of messages in its table."""
    marks = marks or Marks()
    numbers = figures(records)
    rules = stats(records, By.RULE, marks)
    rows = deque(map(_cells, records), maxlen=LONGEST_TABLE)
    text = page(
        title=title,
        period=f"{numbers.period}{_sentences([*records.notes, *notes])}",
        figures=numbers.shown,
        sections=[
            _suspects(rules, terms, marks),
            _volume(records),
            _groups("Rules", "Rule", "", rules),
            *([] if terms is None else [_terms(terms)]),
            _times(records, numbers.median),
        ],
        rows=reversed(rows),
        table_note=_table_note(len(rows), len(records)),
        footer=(
            f"Made with cometchat-desk at {(now or datetime.now(UTC)).astimezone(UTC):%Y-%m-%d %H:%M} UTC. The service "
            "does not document its statuses: a decision is the status approved or disapproved. This file loads nothing "
            "from any network."
        ),
    )
    write_file(path, text.encode(), mode=0o600)
    return len(rows)


def _sentences(notes: Sequence[str]) -> str:
    return "".join(f" {note[:1].upper()}{note[1:]}." for note in notes)


def _suspects(rules: Sequence[Group], terms: TermStats | None, marks: Marks) -> Section:
    """The rules and terms that are probably wrong, those with the most messages first."""
    groups = [*((rule, "rule") for rule in rules)]
    groups += [(term, f"term in {term.list_id}") for term in (() if terms is None else terms.groups)]
    return Section(
        title="Likely false positives",
        note=(
            f"{'A rule' if terms is None else 'A rule or a term'} is marked if moderators decided at least "
            f"{marks.min_decided:,} of its messages, and probably approved more than {marks.above:.0%} of these."
        ),
        heads=("Name", "Kind", "Reason"),
        rows=[(group.value or "unknown", kind, group.reason) for group, kind in groups if group.reason is not None],
        empty="No rule and no term is marked.",
    )


def _volume(records: Records) -> Section:
    counts = volume(records)
    days: dict[str, dict[str, int]] = {}
    for day, action, count in counts:
        days.setdefault(day, {})[action] = count
    return Section(
        title="Messages by day and action",
        note="Days are in UTC. Days without messages are left out.",
        heads=("Day", "Action", "Messages"),
        rows=[(day, action, f"{count:,}") for day, action, count in counts],
        drawing=charts.columns(days) if days else "",
    )


def _terms(terms: TermStats) -> Section:
    note = (
        f"The terms of the lists that the rules name, with the messages that contain them. {terms.rules}"
        f"{_sentences(terms.notes)} "
    )
    # Two lists may have the same term.
    times = Counter(term.value for term in terms.groups)
    groups = [
        evolve(term, value=f"{term.value} ({term.list_id})") if times[term.value] > 1 else term for term in terms.groups
    ]
    return _groups("Top terms", "Term", note, groups)


def _groups(title: str, head: str, note: str, groups: Sequence[Group]) -> Section:
    top = groups[:_MOST_BARS]
    hidden = f" {len(groups) - len(top):,} with fewer messages are not shown." if len(groups) > len(top) else ""
    return Section(
        title=title,
        note=f"{note}Orange: approved by a moderator.{hidden}",
        heads=(head, "Messages", "Decided", "Approved of decided", "Note"),
        rows=[
            (
                group.value or "unknown",
                f"{group.records:,}",
                f"{group.decided:,}",
                "" if group.approved_share is None else f"{group.approved_share:.1%}",
                group.reason or "",
            )
            for group in top
        ],
        bars=[(group.records - group.approved, group.approved) for group in top],
        marked=[number for number, group in enumerate(top) if group.reason],
    )


def _times(records: Records, median: str) -> Section:
    counts = times_to_decision(records)
    return Section(
        title="Time to decision",
        note=f"The time between a record and its last change, for decided messages. The median is {median}.",
        heads=("Time", "Messages"),
        rows=[(name, f"{count:,}") for name, count in counts],
        bars=[(count,) for _, count in counts],
    )


def _cells(record: Record) -> Sequence[str]:
    return (
        record.cell("created_utc"),
        record.sender or "",
        record.receiver or "",
        record.rule_name or record.rule_id or "",
        ", ".join(record.action),
        record.status or "",
        record.text or f"({record.message_type or 'no text'})",
        record.message_id or "",
    )


def _table_note(shown: int, messages: int) -> str:
    if shown == messages:
        return "Type to search, or select the head of a column to sort."
    return f"The table holds the latest {shown:,} of {messages:,} messages. The numbers above are about all messages."
