"""`cometchat-desk reviewed stats`: counts of reviewed messages."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated

import typer

from cometchat_desk.commands.command import Since, command
from cometchat_desk.commands.keywords.term_lists import Above, Lists, MinDecided, count_terms, term_notes
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.insight import stats as counting
from cometchat_desk.insight.stats import Group
from cometchat_desk.insight.term_stats import TermGroup
from cometchat_desk.messages import print_error, write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.table import write

from .records import MostRecords, RecordFiles, read


class By(StrEnum):
    """The values to group by."""

    RULE = "rule"
    TERM = "term"
    ACTION = "action"
    SENDER = "sender"
    CATEGORY = "category"
    DAY = "day"


@command()
def stats(
    target: Target,
    files: RecordFiles = None,
    by: Annotated[By, typer.Option(help="The value to group by.")] = By.RULE,
    since: Since = None,
    top: Annotated[int, typer.Option(metavar="N", min=1, help="The number of groups to show.")] = 50,
    lists: Lists = None,
    min_decided: MinDecided = 10,
    above: Above = 0.5,
    limit: MostRecords = None,
    *,
    output_format: Format,
) -> None:
    """Count records, show the share that was approved anyway, and mark likely false positives.

    The service does not document its status values. This command assumes that a moderator approved a message with the
    status approved, and that a message is not decided unless its status is approved or disapproved.

    With --by term, the terms come from the lists that the rules name: from the service, or from --list. The service
    does not document how it matches. Here, words match as whole words and case is ignored.

    Examples:
      cometchat-desk reviewed stats --records reviewed.jsonl --since 7d
      cometchat-desk reviewed stats --records reviewed.jsonl --by term --list lists/
      cometchat-desk reviewed stats --records 'reviewed-*.jsonl.gz' --by sender --top 10 -f csv
    """
    marks = counting.Marks(min_decided, above)
    if lists and by is not By.TERM:
        raise StopError(Code.USAGE, "--list is for --by term")
    if by is By.TERM:
        terms = count_terms(target, read(target, files, since, limit), lists, marks=marks)
        _show(terms.groups, top, by, output_format, [*term_notes(terms)])
        _show_rules(terms.rules, output_format)
    else:
        groups = counting.stats(read(target, files, since, limit), counting.By(by.value), marks)
        _show(groups, top, by, output_format, [])


def _show(groups: Sequence[Group], top: int, by: By, output_format: Format, notes: list[str]) -> None:
    """Write groups to stdout, and notes about all that is not shown to stderr."""
    show((_row(by, group) for group in groups[:top]), _columns(by, output_format), output_format)
    if len(groups) > top:
        what = "terms" if by is By.TERM else "groups"
        notes.append(f"{len(groups) - top:,} more {what} are not shown; use --top")
    for note in notes:
        write_note(note)


def _show_rules(rules: str, output_format: Format) -> None:
    if output_format is OutputFormat.TABLE:
        write(f"! {rules}", "yellow")
    else:
        print_error(rules)


def _row(by: By, group: Group) -> Mapping[str, object]:
    of_list = {"list": group.list_id, "category": group.category} if isinstance(group, TermGroup) else {}
    return {
        by.value: group.value,
        **of_list,
        "records": group.records,
        "approved": group.approved,
        "disapproved": group.disapproved,
        "approved_share": None if group.approved_share is None else round(group.approved_share, 4),
        "likely_false_positives": group.reason is not None,
        "reason": group.reason,
    }


def _columns(by: By, output_format: Format) -> list[Column]:
    in_table = output_format is OutputFormat.TABLE

    def share(row: Mapping[str, object]) -> object:
        value = row["approved_share"]
        return f"{value:.0%}" if in_table and isinstance(value, float) else value

    def value_of(row: Mapping[str, object]) -> object:
        return "(no value)" if in_table and row[by.value] is None else row[by.value]

    columns = [
        Column(title=by.value.capitalize(), value=value_of, least=16, style="bold"),
        *([Column(title="List", value=lambda row: row["list"], width=16, spare=True)] if by is By.TERM else []),
        Column(title="Records", value=lambda row: row["records"], width=9),
        Column(title="Approved", value=lambda row: row["approved"], width=8),
        Column(title="Disapproved", value=lambda row: row["disapproved"], width=11, spare=True),
        Column(title="Approved share", value=share, width=14),
    ]
    if in_table:
        marked = Column(title="Likely false positives", value=lambda row: row["reason"] or "", least=24)
        return [*columns, marked]
    return [
        *columns,
        Column(title="Likely false positives", value=lambda row: row["likely_false_positives"]),
        Column(title="Reason", value=lambda row: row["reason"]),
    ]
