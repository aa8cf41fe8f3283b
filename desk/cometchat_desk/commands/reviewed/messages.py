"""`cometchat-desk reviewed`: the messages that moderation has reviewed."""

import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from attrs import evolve

from cometchat_desk.commands.command import Since, command, open_client, output_option
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.insight.export import ReviewedExport, ReviewedFile, export_latest, write_csv
from cometchat_desk.insight.latest import read_latest
from cometchat_desk.insight.parquet import ParquetFolder
from cometchat_desk.insight.record import COLUMNS, SHORT
from cometchat_desk.insight.record import Record as Reviewed
from cometchat_desk.insight.records import open_records, records_of
from cometchat_desk.insight.since import since_time
from cometchat_desk.messages import print_error, write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record, time_of, within
from cometchat_desk.terminal.live import LiveTable, can_show
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import say, visible
from cometchat_rest import Client, ReviewedMessage
from cometchat_rest.review_times import utc

from .records import Limit, MostRecords, RecordFiles, missing_older

Interval: TypeAlias = Annotated[float, typer.Option(metavar="SECONDS", help="Seconds to wait between two requests.")]


def _exported(name: str) -> Callable[[Record], object]:
    """The value of a column of the export, as it is in a record."""

    def value(record: Record) -> object:
        return getattr(Reviewed.of(record), name)

    return value


def _cell(name: str) -> Callable[[Record], object]:
    """The cell of a column of the export."""
    return lambda record: Reviewed.of(record).cell(name)


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


@command()
def list_(target: Target, limit: Limit = None, *, output_format: Format) -> None:
    """Show the latest records, newest first.

    Examples:
      cometchat-desk reviewed list
      cometchat-desk reviewed list --limit 100 -f csv > today.csv
    """
    with open_client(target) as chat, ProgressNote("Reading reviewed messages"):
        found = chat.reviewed_messages.list(limit=limit).data
    show((record.to_dict() for record in found), _columns(output_format), output_format)


def _columns(output_format: Format) -> Sequence[Column]:
    """The columns of a table; in CSV, the columns and cells of an exported file."""
    if output_format is not OutputFormat.CSV:
        return _COLUMNS
    return [Column(title=name, value=_cell(name), is_cell=True) for name in COLUMNS]


@command()
def watch(
    target: Target,
    interval: Interval = 30.0,
    limit: Limit = None,
    new: Annotated[bool, typer.Option("--new", help="Skip the records that exist at the start.")] = False,
    *,
    output_format: Format,
) -> None:
    """Show each new record once, until Ctrl-C.

    A terminal shows a live table: counts for each rule, and the newest records on top. With another format or with
    --debug, and in a file or a pipe, each record is one more line or row, oldest first.

    The command continues after a temporary error, and shows it in the live table, or on stderr.

    Examples:
      cometchat-desk reviewed watch
      cometchat-desk reviewed watch --new --interval 5 -f jsonl | jq .ruleName
    """
    if output_format is OutputFormat.JSON:
        raise StopError(
            Code.USAGE, "--format json does not work here, because the document would never end: use --format jsonl"
        )
    if output_format is OutputFormat.TABLE and not target.debug and can_show():
        with open_client(target) as chat:
            records = chat.reviewed_messages.watch(interval=interval, limit=limit, skip_existing=new)
            with LiveTable(_COLUMNS, interval=interval) as live:
                for record in records:
                    live.add(record.to_dict())
        return
    with open_client(target) as chat:
        show(
            (record.to_dict() for record in _watched(chat, interval, limit, new=new)),
            _columns(output_format),
            output_format,
        )


@command()
def export(
    target: Target,
    file: Annotated[Path, output_option("The file to add to: .jsonl, .csv or .parquet.")],
    limit: MostRecords = None,
    follow: Annotated[bool, typer.Option("--follow", help="Continue with each new record, until Ctrl-C.")] = False,
    interval: Interval = 30.0,
    source: RecordFiles = None,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Write a new .csv file with only these columns, such as created_utc,sender,text; short stands for "
            "time, sender, receiver, text, rule, status and action.",
        ),
    ] = None,
    since: Since = None,
) -> None:
    """Add the latest records to a file, if the file does not hold them yet. Only you can read a new file.

    You can repeat or interrupt this command: the file gets each record once, and no incomplete record stays in it.
    .parquet is a folder; each export adds one file to it, and it needs the extra "parquet".

    Examples:
      cometchat-desk reviewed export --output reviewed.jsonl
      cometchat-desk reviewed export --output week.csv --since 7d --columns short
      cometchat-desk reviewed export --output week.csv --records all.jsonl
    """
    start = None if since is None else since_time(since)
    _check_output(file, follow=follow, with_columns=columns is not None)
    names = _column_names(columns)
    if source:
        if follow or limit is not None:
            raise StopError(Code.USAGE, "--records reads files, so it does not work with --follow or --limit")
        if file.suffix.lower() == ".jsonl":
            raise StopError(Code.USAGE, f"{visible(str(file))}: with --records, the suffix must be .csv or .parquet")
        _convert(file, source, start, names)
        return
    with open_client(target) as chat:
        with ProgressNote("Exporting reviewed messages"):
            if columns is None:
                done = _export_latest(chat, file, limit, start)
            else:
                done = _export_columns(chat, file, limit, start, names)
        _report(done)
        if done.may_miss_older:
            write_note(missing_older(done.written, limit))
        if follow:
            _follow(chat, file, interval, limit, start)


def _check_output(file: Path, *, follow: bool, with_columns: bool) -> None:
    suffix = file.suffix.lower()
    if suffix not in (".jsonl", ".csv", ".parquet"):
        reason = "the suffix must be .jsonl, .csv or .parquet; Excel opens .csv"
        raise StopError(Code.USAGE, f"{visible(str(file))}: {reason}")
    if follow and suffix == ".parquet":
        reason = "--follow writes .jsonl and .csv; add the .jsonl file to the folder with --records, once a day"
        raise StopError(Code.USAGE, reason)
    if with_columns and (follow or suffix != ".csv"):
        raise StopError(Code.USAGE, "--columns is for a .csv file, and does not work with --follow")


def _export_latest(chat: Client, file: Path, limit: int | None, start: datetime | None) -> ReviewedExport:
    if file.suffix.lower() != ".parquet":
        return export_latest(chat, file, limit=limit, since=start)
    latest = read_latest(chat, limit).since(start)
    with ParquetFolder(file) as folder:
        done = folder.append(records_of(latest.records))
    return evolve(done, may_miss_older=latest.is_full and not done.skipped)


def _column_names(given: str | None) -> Sequence[str]:
    """The columns that `--columns` names; by default all of them."""
    names = COLUMNS if given is None else SHORT if given == "short" else [name.strip() for name in given.split(",")]
    if unknown := [name for name in names if name not in COLUMNS]:
        raise StopError(Code.USAGE, f"--columns: there is no column {visible(unknown[0])}; use {', '.join(COLUMNS)}")
    return names


def _export_columns(
    chat: Client, file: Path, limit: int | None, start: datetime | None, names: Sequence[str]
) -> ReviewedExport:
    """Write some columns of the latest records to a new CSV file."""
    latest = read_latest(chat, limit).since(start)
    done = write_csv(records_of(latest.records), file, names)
    return evolve(done, may_miss_older=latest.is_full)


def _convert(file: Path, source: Sequence[str], start: datetime | None, names: Sequence[str]) -> None:
    """Write the records of exported files to a CSV file or a Parquet folder."""
    with ProgressNote("Reading exported records"):
        records = open_records(source, since=start)
        if file.suffix.lower() == ".csv":
            done = write_csv(records, file, names)
        else:
            with ParquetFolder(file) as folder:
                done = folder.append(records)
    _report(done)
    for note in records.notes:
        write_note(note)


def _report(done: ReviewedExport) -> None:
    say(f"{visible(str(done.path))}: {done.written:,} added, {done.skipped:,} already there.")


def _follow(chat: Client, file: Path, interval: float, limit: int | None, start: datetime | None) -> None:
    with ReviewedFile(file) as records_file:
        for record in _watched(chat, interval, limit, new=False):
            created = utc(record.created_at)
            if start is None or (created is not None and created >= start):
                records_file.append([record])


def _watched(chat: Client, interval: float, limit: int | None, *, new: bool) -> Iterator[ReviewedMessage]:
    # The library logs temporary errors, and the command shows the log.
    records = chat.reviewed_messages.watch(interval=interval, limit=limit, skip_existing=new)
    if sys.stderr.isatty():
        print_error("waiting for new records; press Ctrl-C to stop")
    return records
