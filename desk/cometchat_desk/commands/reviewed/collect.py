"""`cometchat-desk reviewed`: the messages that moderation has reviewed."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from operator import itemgetter
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from cometchat_desk.commands.command import Since, command, label_of, open_client, output_option
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.insight.export import ReviewedExport, ReviewedFile, write_table
from cometchat_desk.insight.latest import raw_of
from cometchat_desk.insight.matcher import RULES, ListTerms, Matcher
from cometchat_desk.insight.reviewed import COLUMNS, Reviewed, within
from cometchat_desk.messages import write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.times import start_of, utc
from cometchat_desk.wording import many
from cometchat_rest import Client, ReviewedMessage
from cometchat_rest.reviewed_messages import oldest_first

from .chosen import Limit, RecordFiles, missing_older, read_app, read_files

Interval: TypeAlias = Annotated[
    float, typer.Option(metavar="SECONDS", help="Seconds to wait between two requests.")
]

_COLUMNS = (
    Column(title="Time (UTC)", value=itemgetter("created_utc"), width=10),
    Column(title="Message", value=itemgetter("message_id"), width=8),
    Column(title="From", value=itemgetter("sender"), width=8, style="bold"),
    Column(title="To", value=itemgetter("receiver"), width=8, spare=True),
    Column(title="Text", value=itemgetter("text"), least=20),
    Column(title="Rule", value=itemgetter("rule_name"), width=10),
    Column(title="Status", value=itemgetter("status"), width=11, styles={"approved": "green"}),
    Column(title="Action", value=itemgetter("action"), width=13, spare=True),
)


@command()
def list_(
    target: Target,
    limit: Limit = None,
    entry: Annotated[
        str | None,
        typer.Option(
            metavar="WORD", help="Show only messages whose text contains this word or phrase."
        ),
    ] = None,
    sender: Annotated[
        str | None, typer.Option(metavar="UID", help="Show only messages that this user wrote.")
    ] = None,
    since: Since = None,
    *,
    output_format: Format,
) -> None:
    """Show the latest records, newest first.

    The service shows its latest records only. To keep records, use `reviewed export`: only you can
    read its file.

    Examples:
      cometchat-desk reviewed list
      cometchat-desk reviewed list --entry strip --since 7d
      cometchat-desk reviewed list --sender alice
      cometchat-desk reviewed list --limit 100 --format json
    """
    start = start_of(since)
    if entry is None and sender is None and start is None:
        with open_client(target) as chat, ProgressNote("Reading reviewed messages"):
            # The service does not document its order.
            messages = oldest_first(chat.reviewed_messages.list(limit=limit).data)
        _show(messages[::-1], target, output_format)
        return
    latest = read_app(target, limit)
    chosen: Sequence[ReviewedMessage] = [
        message
        for message in latest.since(start).messages
        if sender is None or Reviewed.of(message.to_dict()).sender == sender
    ]
    if entry is not None:
        chosen = _with_entry(chosen, entry)
    _show(chosen[::-1], target, output_format)
    count = many(len(latest.messages), "record", "records")
    write_note(
        f"these are {len(chosen):,} of {count}. The service shows its latest records only;"
        " reviewed export --follow collects each new record"
    )


def _with_entry(messages: Sequence[ReviewedMessage], entry: str) -> Sequence[ReviewedMessage]:
    """The messages whose text contains an entry of a list of words."""
    matcher = Matcher(ListTerms(category="word", terms=(entry,)))
    write_note(RULES)
    return [
        message
        for message in messages
        if matcher.matching(Reviewed.of(message.to_dict()).text or "")
    ]


def _show(records: Iterable[ReviewedMessage], target: Target, output_format: OutputFormat) -> None:
    """Show records: to people in a short table, in CSV with the columns of an export, otherwise
    as they are."""
    if output_format is OutputFormat.TABLE:
        show(map(_row, records), _COLUMNS, output_format)
    elif output_format is OutputFormat.CSV:
        app = label_of(target)
        flat = (Reviewed.of(raw_of(record, app)) for record in records)
        show(
            ({name: getattr(record, name) for name in COLUMNS} for record in flat),
            (),
            output_format,
        )
    else:
        show((record.to_dict() for record in records), (), output_format)


def _row(record: ReviewedMessage) -> Record:
    """The values that people see. A picture has an address and no text."""
    raw = record.to_dict()
    flat = Reviewed.of(raw)
    row = {name: getattr(flat, name) for name in COLUMNS}
    return {**row, "text": flat.text or within(raw, "message", "data", "url")}


@command()
def watch(
    target: Target,
    interval: Interval = 30.0,
    limit: Limit = None,
    new: Annotated[
        bool, typer.Option("--new", help="Skip the records that exist at the start.")
    ] = False,
    *,
    output_format: Format,
) -> None:
    """Show each new record once, oldest first, until Ctrl-C. The command continues after a
    temporary error.

    Examples:
      cometchat-desk reviewed watch
      cometchat-desk reviewed watch --new --format jsonl | jq .ruleName
    """
    with open_client(target) as chat:
        _show(
            _watched(chat, interval, limit, "each new record appears here", new=new),
            target,
            output_format,
        )


@command()
def export(
    target: Target,
    file: Annotated[
        Path,
        output_option(
            "The file: .jsonl, .xlsx or .csv. Excel in another language than English needs .xlsx."
        ),
    ],
    limit: Limit = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Continue with each new record, until Ctrl-C.")
    ] = False,
    interval: Interval = 30.0,
    source: RecordFiles = None,
    since: Since = None,
) -> None:
    """Add the latest records to a .jsonl file, if it does not hold them yet. Only you can read a
    new file.

    You can repeat or interrupt this command: the file gets each record once, and no incomplete
    record stays in it. A file for spreadsheets, .xlsx or .csv, is written once.

    Examples:
      cometchat-desk reviewed export --output reviewed.jsonl
      cometchat-desk reviewed export --output week.xlsx --since 7d
      cometchat-desk reviewed export --output week.xlsx --records all.jsonl
    """
    start = start_of(since)
    _check_output(file, follow=follow, has_source=bool(source))
    if source:
        if limit is not None:
            raise StopError(Code.USAGE, "--records reads files, so it does not work with --limit")
        _report(write_table(read_files(target, source, start), file))
        return
    latest = read_app(target, limit, start)
    if file.suffix.lower() == ".jsonl":
        with ReviewedFile(file) as records_file:
            done = records_file.append(latest.records)
    else:
        done = write_table(map(Reviewed.of, latest.records), file)
    _report(done)
    # Nothing is missing between these records and those that the file has.
    if latest.is_full and not done.skipped:
        write_note(missing_older(done.written, limit))
    if follow:
        with open_client(target) as chat:
            _follow(chat, label_of(target), file, interval, limit, start)


def _check_output(file: Path, *, follow: bool, has_source: bool) -> None:
    suffix = file.suffix.lower()
    reason = ""
    if suffix not in (".jsonl", ".xlsx", ".csv"):
        reason = "the suffix must be .jsonl, .xlsx or .csv"
    elif file.exists() and not file.is_file():
        reason = f"is not a regular file; name another file, such as messages{suffix}"
    elif has_source and suffix == ".jsonl":
        reason = "with --records, the suffix must be .xlsx or .csv"
    elif follow and suffix != ".jsonl":
        reason = (
            f"--follow writes a .jsonl file; write a {suffix} file from it with --records, for"
            " example once a day"
        )
    if reason:
        raise StopError(Code.USAGE, f"{visible(str(file))}: {reason}")


def _report(done: ReviewedExport) -> None:
    say(f"{visible(str(done.path))}: {done.written:,} added, {done.skipped:,} already there.")


def _follow(
    chat: Client, app: str, file: Path, interval: float, limit: int | None, start: datetime | None
) -> None:
    with ReviewedFile(file) as records_file:
        for record in _watched(
            chat, interval, limit, f"waiting for new records for {file}", new=False
        ):
            created = utc(record.created_at)
            if start is None or (created is not None and created >= start):
                records_file.append([raw_of(record, app)])


def _watched(
    chat: Client, interval: float, limit: int | None, note: str, *, new: bool
) -> Iterator[ReviewedMessage]:
    # The library logs temporary errors, and the command shows the log.
    records = chat.reviewed_messages.watch(interval=interval, limit=limit, skip_existing=new)
    write_note(f"{visible(note)}; press Ctrl-C to stop")
    return records
