"""`cometchat-desk reviewed stats`: counts of reviewed messages."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Annotated

import typer

from cometchat_desk.commands.command import Since, command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.insight import stats as counting
from cometchat_desk.insight.matcher import RULES
from cometchat_desk.insight.stats import By, Group
from cometchat_desk.insight.term_stats import TermGroup
from cometchat_desk.messages import write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record, named_columns
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
        typer.Option("--unused", help="With --by term, show the terms that no message contains."),
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

    With --by term, the terms come from the lists of the service that the rules name. For the latest
    records of several apps, or the terms of several apps in the files, repeat --app.

    Examples:
      cometchat-desk reviewed stats --records reviewed.jsonl --since 7d
      cometchat-desk reviewed stats --records reviewed.jsonl --by term
      cometchat-desk reviewed stats --records reviewed.jsonl --by term --unused
      cometchat-desk reviewed stats --app shop --app forum --by app
    """
    if unused and by is not By.TERM:
        raise StopError(Code.USAGE, "--unused is for --by term")
    records = read(target, files, since, names=counting.NEEDED[by])
    is_empty = not len(records)
    if is_empty:
        since_then = "" if since is None else f" since {start_of(since):%Y-%m-%d %H:%M %Z}"
        write_note(f"there is no record{since_then}")
    if by is not By.TERM or is_empty:
        _show(() if is_empty else counting.stats(records, by), top, by, output_format, [])
        return
    terms = count_terms(target, records)
    notes = list(terms.notes)
    if unused and (groups := [*terms.groups, *terms.unused]):
        names = ", ".join(sorted({group.keyword_id for group in groups}))
        notes.append(
            f"unused entries of {names}: {len(terms.unused):,}; lists that no rule names are"
            " left out"
        )
    _show(terms.unused if unused else terms.groups, top, by, output_format, notes)
    write_note(RULES)


def _show(
    groups: Sequence[Group], top: int, by: By, output_format: OutputFormat, notes: list[str]
) -> None:
    rows = [_row(by, group) for group in groups[:top]]
    of_term = []
    if by is By.TERM:
        of_term.append(Column(title="List", value=itemgetter("list"), width=16, spare=True))
        if len({row["app"] for row in rows}) > 1:
            of_term.append(Column(title="App", value=itemgetter("app"), width=8))
    table = [
        Column(
            title=by.value.capitalize(),
            value=lambda row: row[by.value] or "(no value)",
            least=16,
            style="bold",
        ),
        *of_term,
        *(_TABLE if any(row["records"] for row in rows) else ()),
    ]
    csv = named_columns(
        by.value,
        *(["list", "app"] if by is By.TERM else []),
        *_NUMBERS,
        "likely_false_positives",
        "reason",
    )
    show(rows, table if output_format is OutputFormat.TABLE else csv, output_format)
    if len(groups) > top:
        notes.append(
            f"{many(len(groups) - top, 'more row is', 'more rows are')} not shown; use --top"
        )
    for note in notes:
        write_note(note)


_NUMBERS = ("records", "approved", "disapproved", "approved_share")
_TABLE = (
    Column(title="Records", value=itemgetter("records"), width=9),
    Column(title="Approved", value=itemgetter("approved"), width=8),
    Column(title="Disapproved", value=itemgetter("disapproved"), width=11, spare=True),
    Column(
        title="Approved share",
        value=lambda row: "" if row["approved_share"] is None else f"{row['approved_share']:.0%}",
        width=14,
    ),
    Column(title="Likely false positives", value=itemgetter("reason"), least=24),
)


def _row(by: By, group: Group) -> Record:
    of_term: Record = {}
    if isinstance(group, TermGroup):
        of_term = {"list": group.keyword_id, "app": group.app or None, "category": group.category}
    return {
        by.value: group.value,
        **of_term,
        **{name: getattr(group, name) for name in _NUMBERS},
        "approved_share": None if group.approved_share is None else round(group.approved_share, 4),
        "likely_false_positives": group.reason is not None,
        "reason": group.reason,
    }
