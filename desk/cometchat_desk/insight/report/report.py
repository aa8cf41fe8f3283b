"""Write a report about reviewed messages as one HTML file."""

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from attrs import frozen
from jinja2 import Environment

from cometchat_desk.files import write_file
from cometchat_desk.insight.collected import Records
from cometchat_desk.insight.matcher import RULES
from cometchat_desk.insight.reviewed import Reviewed
from cometchat_desk.insight.stats import LEAST_DECIDED, By, Group, stats
from cometchat_desk.insight.term_stats import TermGroup, TermStats
from cometchat_desk.terminal.columns import text_of
from cometchat_desk.terminal.text import visible

#: The largest number of messages in the table of a report. More messages would make the page slow
#: to open.
LONGEST_TABLE = 100_000
_LATEST = f"order by created_at desc nulls last, place desc limit {LONGEST_TABLE}"
# The largest number of bars in a section.
_MOST_BARS = 20
# The largest number of characters of one text.
_LONGEST_TEXT = 5_000
_MINUTE = "strftime(make_timestamp({}(created_at) * 1000000), '%Y-%m-%d %H:%M')"
# The columns of the table of messages, with their heads.
_COLUMNS = (
    ("time", "Time (UTC)"),
    ("app", "App"),
    ("sender", "Sender"),
    ("receiver", "Receiver"),
    ("rule", "Rule"),
    ("action", "Action"),
    ("status", "Status"),
    ("text", "Text"),
    ("message", "Message ID"),
)


@frozen
class Link:
    """A term that leads to its messages."""

    text: str
    number: int  # the index of the term in the data of the page


@frozen(kw_only=True)
class Section:
    """A section with a table."""

    title: str  # the title
    note: str  # a sentence that explains the table
    heads: Sequence[str]  # the heads of the columns
    #: The cells: texts, links, numbers, and shares between 0.0 and 1.0
    rows: Sequence[Sequence[str | int | float | Link | None]]
    #: The parts of the bar beside each row; empty for a table without bars
    bars: Sequence[Sequence[int]] = ()
    marked: Sequence[int] = ()  # the numbers of the rows to mark as a warning, from 0
    #: The numbers of each day by name, for a chart above the table
    days: dict[str, dict[str, int]] | None = None
    empty: str = "There are no messages."  # the sentence for a section without rows

    @property
    def largest_day(self) -> int:
        """The largest number of messages of one day."""
        return max(sum(counts.values()) for counts in (self.days or {}).values())


def write_report(
    records: Records,
    path: Path,
    *,
    terms: TermStats | None = None,
    notes: Sequence[str] = (),
    title: str = "Moderation report",
) -> int:
    """Write a report, which only its owner can read, and return the number of messages in its
    table."""
    period, figures = _figures(records)
    rules = stats(records, By.RULE)
    apps = stats(records, By.APP)
    count = len(records)
    columns = [column for column in _COLUMNS if column[0] != "app" or len(apps) > 1]
    places = records.ask(f"select place from reviewed {_LATEST}")
    links = _Links(terms, {place: row for row, (place,) in enumerate(places)})
    rows = _rows(records, [name for name, _ in columns])
    script = _asset("page.js")
    sections = [
        _suspects(rules, links),
        _volume(records),
        *([_groups("Apps", "App", "", apps)] if len(apps) > 1 else []),
        _groups("Rules", "Rule", "", rules),
        *([] if terms is None else [_terms(terms, links)]),
    ]
    environment = Environment(autoescape=True, finalize=_safe, trim_blocks=True, lstrip_blocks=True)
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    text = environment.from_string(_asset("page.html")).render(
        title=title,
        period=f"{period}{_sentences([*records.notes, *notes])}",
        figures=figures,
        sections=sections,
        columns=columns,
        records={
            "columns": [{"name": name, "head": head} for name, head in columns],
            "rows": rows,
            "terms": links.rows,
        },
        table_note=(
            "Type to search. To sort, select the head of a column."
            if len(rows) == count
            else (
                f"The table holds the latest {len(rows):,} of {count:,} messages. The numbers above"
                " count all messages."
            )
        ),
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M}",
        style=_asset("page.css"),
        script=script,
        # The policy of the page allows this script only, so that a text can never run.
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    write_file(path, text.encode(), mode=0o600)
    return len(rows)


def _rows(records: Records, names: Sequence[str]) -> list[list[str]]:
    """The rows of the table of messages."""
    cells_of_rows = map(_cells, records.find(_LATEST))
    return [[_shown(cells[name]) for name in names] for cells in cells_of_rows]


def _asset(name: str) -> str:
    return files("cometchat_desk.insight.report").joinpath(name).read_text("utf-8")


def _safe(value: object) -> object:
    """A value for the page. Jinja escapes markup afterwards."""
    return _shown(value) if type(value) is str else value


def _shown(text: str) -> str:
    """A text with an escape in place of each unsafe character, and without the end of a very
    long text."""
    safe = "\n".join(map(visible, text[:_LONGEST_TEXT].split("\n")))
    return safe if len(text) <= _LONGEST_TEXT else f"{safe}… ({len(text):,} characters)"


def _figures(records: Records) -> tuple[str, Sequence[tuple[str, str]]]:
    """A sentence about the time of the messages, and the names and the values of the figures of
    a report."""
    ((count, senders, decided, approved, first, last),) = records.ask(
        "select count(*), count(distinct sender), count(decision), count(*) filter (decision ="
        f" 'approved'), {_MINUTE.format('min')}, {_MINUTE.format('max')} from reviewed"
    )
    period = f"Messages from {first} to {last} UTC." if first else "There are no messages."
    return period, [
        ("Reviewed messages", f"{count:,}"),
        ("Senders", f"{senders:,}"),
        ("Decided", f"{decided:,}"),
        ("Approved of decided", f"{approved / decided:.1%}" if decided else "none decided"),
    ]


def _sentences(notes: Sequence[str]) -> str:
    return "".join(f" {note[:1].upper()}{note[1:]}." for note in notes)


class _Links:
    """The terms of a page that lead to their messages."""

    def __init__(self, terms: TermStats | None, rows: Mapping[int, int]) -> None:
        """Find the messages of each term; `rows` has the row of the table for each place."""
        groups = () if terms is None else terms.groups
        self.shown: Sequence[TermGroup] = [
            group
            for number, group in enumerate(groups)
            if number < _MOST_BARS or group.reason is not None
        ]
        self._several_apps = len({group.app for group in groups}) > 1
        self._numbers = {
            (group.app, group.keyword_id, group.value): number
            for number, group in enumerate(self.shown)
        }
        #: The numbers of the rows of each term
        self.rows: list[list[int]] = [
            sorted(rows[place] for place in group.places if place in rows) for group in self.shown
        ]

    def link(self, group: TermGroup, text: str) -> Link:
        """The link of a term that is shown."""
        return Link(text, self._numbers[group.app, group.keyword_id, group.value])

    def list_of(self, group: TermGroup) -> str:
        """The list of a term, with its app if the terms are from several apps."""
        return f"{group.keyword_id} of {group.app}" if self._several_apps else group.keyword_id


def _suspects(rules: Sequence[Group], links: _Links) -> Section:
    """The rules and terms that are probably wrong, those with the most messages first."""
    rows: list[Sequence[str | Link | None]] = [
        (rule.value or "unknown", "rule", rule.reason) for rule in rules if rule.reason is not None
    ]
    for term in links.shown:
        if term.reason is not None:
            name = links.link(term, term.value or "")
            rows.append((name, f"entry of {links.list_of(term)}", term.reason))
    return Section(
        title="Likely false positives",
        note=(
            f"A rule or an entry is marked if moderators decided at least {LEAST_DECIDED} of its"
            " messages, and probably approved more than half of these."
        ),
        heads=("Name", "Kind", "Reason"),
        rows=rows,
        empty="No rule and no entry is marked.",
    )


def _volume(records: Records) -> Section:
    day = "strftime(make_timestamp(created_at * 1000000), '%Y-%m-%d')"
    action = "coalesce(nullif(array_to_string(action, ', '), ''), 'no action')"
    counts = records.ask(
        f"select {day}, {action}, count(*) from reviewed where created_at is not null group by all"
        " order by all"
    )
    days: dict[str, dict[str, int]] = {}
    for day, action, count in counts:
        days.setdefault(day, {})[action] = count
    return Section(
        title="Messages by day and action",
        note="Days are in UTC. Days without messages are left out.",
        heads=("Day", "Action", "Messages"),
        rows=counts,
        days=days,
    )


def _terms(terms: TermStats, links: _Links) -> Section:
    note = (
        "The entries of the lists that the rules name, with the messages that contain them. Select"
        f" an entry to see its messages.{_sentences([RULES, *terms.notes])} "
    )
    # Two lists may have the same term.
    times = Counter(term.value for term in terms.groups)
    names: list[Link] = []
    for term in terms.groups[:_MOST_BARS]:
        text = term.value or ""
        text = f"{text} ({links.list_of(term)})" if times[term.value] > 1 else text
        names.append(links.link(term, text))
    return _groups("Top entries", "Entry", note, terms.groups, names)


def _groups(
    title: str,
    head: str,
    note: str,
    groups: Sequence[Group],
    names: Sequence[str | Link] | None = None,
) -> Section:
    """A table of groups. `names`: how the first ones are shown, by default by their value."""
    top = groups[:_MOST_BARS]
    shown = names or [group.value or "unknown" for group in top]
    hidden = ""
    if len(groups) > len(top):
        hidden = f" {len(groups) - len(top):,} with fewer messages are not shown."
    return Section(
        title=title,
        note=f"{note}Orange: approved by a moderator.{hidden}",
        heads=(head, "Messages", "Decided", "Approved of decided", "Note"),
        rows=[
            (name, group.records, group.decided, group.approved_share, group.reason)
            for name, group in zip(shown, top, strict=True)
        ],
        bars=[(group.records - group.approved, group.approved) for group in top],
        marked=[number for number, group in enumerate(top) if group.reason],
    )


def _cells(record: Reviewed) -> dict[str, str]:
    """The texts of a record, by column."""
    values = {
        "time": text_of(record.created_utc),
        "app": record.app or record.app_id,
        "sender": record.sender,
        "receiver": record.receiver,
        "rule": record.rule_name or record.rule_id,
        "action": ", ".join(record.action),
        "status": record.status,
        "text": record.text or f"({record.message_type or 'no text'})",
        "message": record.message_id,
    }
    return {name: value or "" for name, value in values.items()}
