"""`cometchat-desk reviewed`: the messages that moderation has reviewed."""

import builtins
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cometchat_desk.commands.command import command, open_client
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.messages import print_error, write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record, time_of, within
from cometchat_desk.terminal.output import Output, OutputFormat, format_for, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import visible

if TYPE_CHECKING:
    from cometchat_desk.insight.export import ReviewedExport
    from cometchat_rest import Client, ReviewedMessage

group = typer.Typer(name="reviewed", help="Show and export the messages that moderation has reviewed.")

Limit: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, help="The number of records to ask for, all in one response. Default: the service decides."
    ),
]

Interval: TypeAlias = Annotated[float, typer.Option(metavar="SECONDS", help="Seconds to wait between two requests.")]


Since: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="TIME",
        help="Only records that were created since then: 24h, 7d, 2w, or a date such as 2025-09-15.",
    ),
]


def _exported(name: str) -> Callable[[Record], object]:
    """The value of a column of the export, as it is in a record."""

    def value(record: Record) -> object:
        from cometchat_desk.insight.columns import COLUMNS

        return next(column for column in COLUMNS if column.name == name).value(record)

    return value


def _time(record: Record) -> object:
    return time_of(record.get("createdAt"))


def _text(record: Record) -> object:
    # A picture has an address and no text.
    return _exported("text")(record) or within(record, "message", "data", "url")


# At 80 columns, a record has two lines: the message is below the sender, and the status is below the action.
_COLUMNS = (
    Column(title="Created UTC", value=_time, width=19, narrow=10),
    Column(title="Sender", value=_exported("sender"), width=10, style="bold"),
    Column(title="Message", value=_exported("message_id"), width=8, stacks=True),
    Column(title="Rule", value=_exported("rule_name"), width=16, narrow=11),
    Column(title="Action", value=_exported("action"), width=13),
    Column(title="Status", value=_exported("status"), width=11, stacks=True, styles={"approved": "green"}),
    Column(title="Receiver", value=_exported("receiver"), width=10, spare=True),
    Column(title="Text", value=_text, least=40, narrow=24),
)


@command(
    group, examples=["cometchat-desk reviewed list", "cometchat-desk reviewed list --limit 100 -o csv > today.csv"]
)
def list(target: Target, limit: Limit = None, output: Output = None) -> None:  # noqa: A001 - the command's name
    """Show the latest records, newest first."""
    with open_client(target) as chat, ProgressNote("Reading reviewed messages"):
        found = chat.reviewed_messages.list(limit=limit).data
    show((record.to_dict() for record in found), _columns(output), output)


def _columns(output: Output) -> Sequence[Column]:
    """The columns of a table; in CSV, the columns and cells of an exported file."""
    if output is not OutputFormat.CSV:
        return _COLUMNS
    from cometchat_desk.insight.columns import COLUMNS

    return [Column(title=column.name, value=column.cell, is_cell=True) for column in COLUMNS]


@command(
    group,
    examples=[
        "cometchat-desk reviewed watch",
        "cometchat-desk reviewed watch --new --interval 5 -o jsonl | jq .ruleName",
    ],
)
def watch(
    target: Target,
    interval: Interval = 30.0,
    limit: Limit = None,
    new: Annotated[bool, typer.Option("--new", help="Skip the records that exist at the start.")] = False,
    output: Output = None,
) -> None:
    """Show each new record once, until Ctrl-C.

    A terminal shows a live table: counts for each rule, and the newest records on top. With another format or with
    --debug, and in a file or a pipe, each record is one more line or row, oldest first.

    The command continues after a temporary error, and shows it in the live table, or on stderr.
    """
    if output is OutputFormat.JSON:
        raise StopError(
            Code.USAGE, "--output json does not work here, because the document would never end: use --output jsonl"
        )
    if format_for(output) is OutputFormat.TABLE and not target.debug:
        from cometchat_desk.terminal.live import LiveTable, can_show

        if can_show():
            with open_client(target) as chat:
                records = chat.reviewed_messages.watch(interval=interval, limit=limit, skip_existing=new)
                with LiveTable(_COLUMNS, interval=interval) as live:
                    for record in records:
                        live.add(record.to_dict())
            return
    with open_client(target) as chat:
        show((record.to_dict() for record in _watched(chat, interval, limit, new=new)), _columns(output), output)


@command(
    group,
    examples=[
        "cometchat-desk reviewed export reviewed.jsonl",
        "cometchat-desk reviewed export week.csv --from reviewed.jsonl --since 7d",
        "cometchat-desk reviewed export reviewed.parquet --from 'reviewed-*.jsonl.gz'",
    ],
)
def export(
    target: Target,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to add to: .jsonl, .csv or .parquet.")],
    limit: Limit = None,
    follow: Annotated[bool, typer.Option("--follow", help="Continue with each new record, until Ctrl-C.")] = False,
    interval: Interval = 30.0,
    source: Annotated[
        builtins.list[str] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Take the records from an exported file, not from the service; FILE is then .csv or .parquet.",
        ),
    ] = None,
    since: Since = None,
) -> None:
    """Add the latest records to a file, if the file does not hold them yet.

    You can repeat or interrupt this command: the file gets each record once, and no incomplete record stays in it.
    .parquet is a folder; each export adds one file to it, and it needs the extra "insight".
    """
    if source:
        if follow or limit is not None:
            raise StopError(Code.USAGE, "--from reads files, so it does not work with --follow or --limit")
        _convert(file, source, since)
        return
    if since is not None:
        raise StopError(
            Code.USAGE,
            "--since works with --from, because the service cannot select records by time: export to a .jsonl file "
            "first, then write the records of that time with --from",
        )
    suffix = file.suffix.lower()
    if suffix not in (".jsonl", ".csv", ".parquet"):
        raise StopError(
            Code.USAGE, f"{visible(str(file))}: the suffix must be .jsonl, .csv or .parquet; Excel opens .csv"
        )
    if suffix == ".parquet":
        if follow:
            reason = "--follow writes .jsonl and .csv; add the .jsonl file to the folder with --from, once a day"
            raise StopError(Code.USAGE, reason)
        _export_parquet(target, file, limit)
        return
    from cometchat_desk.insight.export import ReviewedFile, export_latest

    first = not file.exists() or file.stat().st_size == 0
    with open_client(target) as chat:
        with ProgressNote("Exporting reviewed messages"):
            done = export_latest(chat, file, limit=limit)
        _report(done, limit, first=first)
        if follow:
            with ReviewedFile(file) as records_file:
                for record in _watched(chat, interval, limit, new=False):
                    records_file.append([record])


def _report(done: "ReviewedExport", limit: int | None, *, first: bool) -> None:
    name = visible(str(done.path))
    if first and limit is not None and done.written < limit:
        print(
            f"{name}: {done.written:,} added. --limit asks for {limit:,} records, and the service lists no older ones: "
            "--follow adds each new record.",
            file=sys.stderr,
        )
    elif first:
        print(
            f"{name}: {done.written:,} added. The service lists only its latest records: --limit 1000 asks for more of "
            "them, and --follow adds each new one.",
            file=sys.stderr,
        )
    else:
        print(f"{name}: {done.written:,} added, {done.skipped:,} already there.", file=sys.stderr)


def _export_parquet(target: Target, file: Path, limit: int | None) -> None:
    from cometchat_desk.insight.parquet import ParquetFolder

    with ParquetFolder(file) as folder, open_client(target) as chat:
        first = folder.is_empty
        with ProgressNote("Exporting reviewed messages"):
            done = folder.append(chat.reviewed_messages.list(limit=limit).data)
        _report(done, limit, first=first)


def _convert(file: Path, source: Sequence[str], since: str | None) -> None:
    """Write the records of exported files to a CSV file or a Parquet folder."""
    from cometchat_desk.insight.parquet import ParquetFolder
    from cometchat_desk.insight.records import note_of_beginning, open_records
    from cometchat_desk.insight.since import since_time
    from cometchat_desk.insight.spreadsheet import write_csv

    start = None if since is None else since_time(since)
    with ProgressNote("Reading exported records"):
        if file.suffix.lower() == ".parquet":
            with ParquetFolder(file) as folder:
                done = folder.append_files(source, since=start)
                begins = folder.begins
        elif file.suffix.lower() == ".csv":
            with open_records(source, since=start) as records:
                done = write_csv(records, file)
                begins = records.begins
        else:
            raise StopError(
                Code.USAGE, f"{visible(str(file))}: with --from, the suffix must be .csv or .parquet; Excel opens .csv"
            )
    print(f"{visible(str(file))}: {done.written:,} added, {done.skipped:,} already there.", file=sys.stderr)
    for note in note_of_beginning(begins):
        write_note(note)


def _watched(chat: "Client", interval: float, limit: int | None, *, new: bool) -> "Iterator[ReviewedMessage]":
    # The library logs temporary errors, and the command shows the log.
    records = chat.reviewed_messages.watch(interval=interval, limit=limit, skip_existing=new)
    if sys.stderr.isatty():
        print_error("waiting for new records; press Ctrl-C to stop")
    return records
