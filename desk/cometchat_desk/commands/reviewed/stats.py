"""`cometchat-desk reviewed stats` and `reviewed sql`: counts and queries over exported records."""

import contextlib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cometchat_desk.commands.command import command, open_client
from cometchat_desk.commands.keywords.term_lists import Above, Lists, MinDecided, count_terms, term_notes
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.messages import print_error, write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column
from cometchat_desk.terminal.output import Output, OutputFormat, format_for, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import visible

from .messages import Limit, Since, group

if TYPE_CHECKING:
    from cometchat_desk.insight.records import Records
    from cometchat_desk.insight.stats import Group, Stats
    from cometchat_desk.insight.term_stats import TermGroup, TermStats

Files: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE...",
        help="Exported files: .jsonl, .csv (also .gz), .parquet, or a glob in quotes. Default: the service's latest "
        "records.",
        show_default=False,
    ),
]

MemoryLimit: TypeAlias = Annotated[
    str, typer.Option(metavar="SIZE", help="How much memory to use; larger data goes to a temporary folder.")
]


class By(StrEnum):
    """The values to group by."""

    RULE = "rule"
    TERM = "term"
    ACTION = "action"
    SENDER = "sender"
    CATEGORY = "category"
    DAY = "day"


@contextlib.contextmanager
def opened(
    target: Target, files: list[str] | None, since: str | None, limit: int | None, memory_limit: str = "1GB"
) -> "Iterator[Records]":
    """Open exported files, or the latest records of the service if there is no file; notes go to stderr.

    Args:
        target: the options that name the app; not used if there are files.
        files: the files.
        since: the text of `--since`.
        limit: the number of records to request from the service.
        memory_limit: how much memory to use.
    """
    from cometchat_desk.insight.records import open_records, records_of
    from cometchat_desk.insight.since import since_time

    start = None if since is None else since_time(since)
    if files:
        if limit is not None:
            raise StopError(Code.USAGE, "--limit is for records of the service, and does not work with files")
        with ProgressNote("Reading exported records"):
            records = open_records(files, since=start, memory_limit=memory_limit)
    else:
        with open_client(target) as chat, ProgressNote("Reading reviewed messages"):
            listed = chat.reviewed_messages.list(limit=limit).data
        records = records_of(listed, since=start, memory_limit=memory_limit)
        write_note(
            f"only the latest {len(listed):,} records of the service; for more, use --limit 1000, or collect records "
            "with reviewed export --follow, and name the file"
        )
    with records:
        for note in records.notes:
            write_note(note)
        yield records


@command(
    group,
    examples=[
        "cometchat-desk reviewed stats reviewed.jsonl --since 7d",
        "cometchat-desk reviewed stats reviewed.jsonl --by term --list lists/",
        "cometchat-desk reviewed stats 'reviewed-*.jsonl.gz' --by sender --top 10 -o csv",
    ],
)
def stats(
    target: Target,
    files: Files = None,
    by: Annotated[By, typer.Option(help="The value to group by.")] = By.RULE,
    since: Since = None,
    top: Annotated[int, typer.Option(metavar="N", min=1, help="The number of groups to show.")] = 50,
    lists: Lists = None,
    min_decided: MinDecided = 10,
    above: Above = 0.5,
    limit: Limit = None,
    memory_limit: MemoryLimit = "1GB",
    output: Output = None,
) -> None:
    """Count records, show the share that was approved anyway, and mark likely false positives.

    The service does not document its status values. This command assumes that a moderator approved a message with the
    status approved, and that a message is not decided unless its status is approved or disapproved.

    With --by term, the terms come from the lists that the rules name: from the service, or from --list. The service
    does not document how it matches. Here, words match as whole words and case is ignored.
    """
    from cometchat_desk.insight.stats import stats as count

    if by is By.TERM:
        with opened(target, files, since, limit, memory_limit) as records:
            terms = count_terms(target, records, lists, limit=top, min_decided=min_decided, above=above)
        _show_terms(terms, output)
        return
    if lists:
        raise StopError(Code.USAGE, "--list is for --by term")
    with opened(target, files, since, limit, memory_limit) as records:
        found = count(records, by.value, limit=top, min_decided=min_decided, above=above)
    show_groups(found, by.value, output)


def _show_terms(found: "TermStats", output: Output) -> None:
    show((_term_row(each) for each in found.groups), _group_columns("term", output), output)
    for note in term_notes(found):
        write_note(note)
    left_out = found.group_count - len(found.groups)
    if left_out:
        write_note(f"{left_out:,} more terms are not shown; use --top")
    if format_for(output) is OutputFormat.TABLE:
        from cometchat_desk.terminal.table import write

        write(f"! {found.rules}", "yellow")
    else:
        print_error(found.rules)


def show_groups(found: "Stats", by: str, output: Output) -> None:
    """Write groups to stdout, and how many groups are not shown to stderr."""
    show((_row(by, each) for each in found.groups), _group_columns(by, output), output)
    left_out = found.group_count - len(found.groups)
    if left_out:
        write_note(f"{left_out:,} more groups are not shown; use --top")


def _term_row(group: "TermGroup") -> Mapping[str, object]:
    row = dict(_row("term", group))
    return {"term": row.pop("term"), "list": group.list_id, "category": group.category, **row}


def _row(by: str, group: "Group | TermGroup") -> Mapping[str, object]:
    tally = group.tally
    return {
        by: tally.value,
        "records": tally.records,
        "approved": tally.approved,
        "disapproved": tally.disapproved,
        "approved_share": None if tally.approved_share is None else round(tally.approved_share, 4),
        "likely_false_positives": group.likely_false_positives,
        "reason": group.reason,
    }


def _group_columns(by: str, output: Output) -> list[Column]:
    in_table = format_for(output) is OutputFormat.TABLE

    def share(row: Mapping[str, object]) -> object:
        value = row["approved_share"]
        return f"{value:.0%}" if in_table and isinstance(value, float) else value

    def value_of(row: Mapping[str, object]) -> object:
        return "(no value)" if in_table and row[by] is None else row[by]

    of_list = [Column(title="List", value=lambda row: row["list"], width=16, spare=True)] if by == "term" else []
    columns = [
        Column(title=by.capitalize(), value=value_of, least=16, style="bold"),
        *of_list,
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


@command(
    group,
    examples=[
        'cometchat-desk reviewed sql "select rule_name, count(*) as n from reviewed group by all" reviewed.jsonl',
        'cometchat-desk reviewed sql "describe reviewed" reviewed.jsonl -o table',
    ],
)
def sql(
    target: Target,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One SELECT statement of DuckDB's SQL.")],
    files: Files = None,
    since: Since = None,
    limit: Limit = None,
    memory_limit: MemoryLimit = "1GB",
    output: Output = None,
) -> None:
    """Query the view reviewed, which has one row for each record.

    The query can only read: it has no access to any other file, and to no network. `describe reviewed` shows the
    columns.
    """
    with opened(target, files, since, limit, memory_limit) as records:
        result = records.query(query)
        names = _distinct(result.columns)
        columns = [_column(name) for name in names]
        show(({n: _plain(v) for n, v in zip(names, row, strict=True)} for row in result.rows), columns, output)


def _column(name: str) -> Column:
    # A query may name a column with any characters.
    return Column(title=visible(name), value=lambda row: row[name])


def _distinct(names: tuple[str, ...]) -> list[str]:
    """Column names that are all different: n, n_2, n_3."""
    distinct: list[str] = []
    for name in names:
        number, free = 1, name
        while free in distinct:
            number += 1
            free = f"{name}_{number}"
        distinct.append(free)
    return distinct


def _plain(value: object) -> object:
    """A value that JSON can hold; a time becomes text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        # JSON has neither infinity nor NaN.
        return value if value - value == 0 else str(value)
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    return str(value)
