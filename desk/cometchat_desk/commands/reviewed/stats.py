"""`cometchat-desk reviewed stats`: counts of reviewed messages."""

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Annotated

import typer

from cometchat_desk.commands.command import Since, command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.insight import stats as counting
from cometchat_desk.insight.matcher import RULES
from cometchat_desk.insight.stats import By, Group
from cometchat_desk.insight.term_stats import TermGroup, TermStats
from cometchat_desk.messages import write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.times import start_of
from cometchat_desk.wording import many

from .chosen import RecordFiles, count_terms, read


@command()
def stats(
    target: Target,
    files: RecordFiles = None,
    by: Annotated[By, typer.Option(help="The value to group by.")] = By.RULE,
    unused: Annotated[
        bool,
        typer.Option(
            "--unused", help="With --by entry, show the entries that no message contains."
        ),
    ] = False,
    since: Since = None,
    top: Annotated[
        int, typer.Option(metavar="N", min=1, help="The number of groups to show.")
    ] = 50,
    *,
    output_format: Format,
) -> None:
    """Count records, show the share that was approved anyway, and mark likely false positives.

    The service does not document its status values. This command assumes that a moderator approved
    a message with the status approved, and that a message is not decided unless its status is
    approved or disapproved.

    With --by entry, the entries come from the lists of the service that the rules name. For the
    latest records of several apps, or the entries of several apps in the files, repeat --app.

    Examples:
      cometchat-desk reviewed stats --records reviewed.jsonl --since 7d
      cometchat-desk reviewed stats --records reviewed.jsonl --by entry
      cometchat-desk reviewed stats --records reviewed.jsonl --by entry --unused
      cometchat-desk reviewed stats --app shop --app forum --by app
    """
    if unused and by is not By.ENTRY:
        raise StopError(Code.USAGE, "--unused works only with --by entry; add --by entry")
    records = read(target, files, since, names=counting.NEEDED[by])
    if not len(records):
        since_then = "" if since is None else f" since {start_of(since):%Y-%m-%d %H:%M %Z}"
        write_note(f"there is no record{since_then}")
        _show((), top, by, output_format, [])
    elif by is By.ENTRY:
        terms = count_terms(target, records)
        notes = [*terms.notes, *(_note_unused(terms) if unused else ())]
        _show(terms.unused if unused else terms.groups, top, by, output_format, notes)
        write_note(RULES)
    else:
        _show(counting.stats(records, by), top, by, output_format, [])


def _note_unused(terms: TermStats) -> Iterator[str]:
    names = {group.keyword_id for group in (*terms.groups, *terms.unused)}
    if names:
        yield (
            f"{', '.join(sorted(names))}: {many(len(terms.unused), 'entry is', 'entries are')}"
            " unused; lists that no rule names are left out"
        )


def _show(
    groups: Sequence[Group],
    top: int,
    by: By,
    output_format: OutputFormat,
    notes: Iterable[str],
) -> None:
    rows = [_row(by, group) for group in groups[:top]]
    columns = _table(by, rows) if output_format is OutputFormat.TABLE else ()
    show(rows, columns, output_format)
    if len(groups) > top:
        more = many(len(groups) - top, "more row is", "more rows are")
        notes = [*notes, f"{more} not shown; --top N shows N rows"]
    for note in notes:
        write_note(note)


def _table(by: By, rows: Sequence[Record]) -> Sequence[Column]:
    """The columns for people. A term without messages has no numbers."""
    columns = [
        Column(
            title=by.value.capitalize(),
            value=lambda row: row[by.value] or "(no value)",
            least=16,
            style="bold",
        )
    ]
    if by is By.ENTRY:
        columns.append(Column(title="List", value=itemgetter("list"), width=16, spare=True))
        if len({row["app"] for row in rows}) > 1:
            columns.append(Column(title="App", value=itemgetter("app"), width=8))
    if any(row["records"] for row in rows):
        columns += _COUNTS
    return columns


def _share(row: Record) -> str:
    share = row["approved_share"]
    return f"{share:.0%}" if isinstance(share, float) else ""


_NUMBERS = ("records", "approved", "disapproved", "approved_share")
_COUNTS = (
    Column(title="Records", value=itemgetter("records"), width=9),
    Column(title="Approved", value=itemgetter("approved"), width=8),
    Column(title="Disapproved", value=itemgetter("disapproved"), width=11, spare=True),
    Column(title="Approved share", value=_share, width=14),
    Column(title="Likely false positives", value=itemgetter("reason"), least=24),
)


def _row(by: By, group: Group) -> Record:
    of_term: Record = {}
    if isinstance(group, TermGroup):
        of_term = {"list": group.keyword_id, "app": group.app or None, "category": group.category}
    share = group.approved_share
    return {
        by.value: group.value,
        **of_term,
        **{name: getattr(group, name) for name in _NUMBERS},
        "approved_share": None if share is None else round(share, 4),
        "likely_false_positives": group.reason is not None,
        "reason": group.reason,
    }
