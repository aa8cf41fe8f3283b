"""`cometchat-rest reviewed`: the messages that moderation has reviewed."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

import cometchat_rest

from .columns import Column, Record, time_of, within
from .command import command, open_client
from .escaping import visible
from .exit_codes import Code, StopError, print_error
from .output import Output, OutputFormat, show
from .progress import ProgressNote
from .target import Target

if TYPE_CHECKING:
    from cometchat_rest import Client, ReviewedMessage

group = typer.Typer(name="reviewed", help="Show and export the messages that moderation has reviewed.")

Limit: TypeAlias = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="The number of records to request. Default: the service decides."),
]

Interval: TypeAlias = Annotated[float, typer.Option(metavar="SECONDS", help="Seconds to wait between two requests.")]


def _text(record: Record) -> object:
    data = ("message", "data")
    return within(record, *data, "text") or within(record, *data, "url")


# The rule is more important than the action and the status, so these are spare columns.
_COLUMNS = (
    Column(title="Created UTC", value=lambda record: time_of(record.get("createdAt")), width=19),
    Column(title="Sender", value=lambda record: within(record, "message", "sender"), width=10, style="bold"),
    Column(title="Rule", value=lambda record: record.get("ruleName"), width=16),
    Column(title="Action", value=lambda record: record.get("action"), width=13, spare=True),
    Column(
        title="Status",
        value=lambda record: within(record, "message", "data", "moderation", "status"),
        width=11,
        spare=True,
    ),
    Column(title="Receiver", value=lambda record: within(record, "message", "receiver"), width=10, spare=True),
    Column(title="Message", value=lambda record: within(record, "message", "id"), width=8, spare=True),
    Column(title="Text", value=_text, least=28),
)


@command(
    group, examples=["cometchat-rest reviewed list", "cometchat-rest reviewed list --limit 100 -o csv > today.csv"]
)
def list(target: Target, limit: Limit = None, output: Output = None) -> None:  # noqa: A001 - the command's name
    """Show the latest records, newest first."""
    with open_client(target) as chat, ProgressNote("Reading reviewed messages"):
        found = chat.reviewed_messages.list(limit=limit).data
    show((record.to_dict() for record in found), _COLUMNS, output)


@command(
    group,
    examples=[
        "cometchat-rest reviewed watch",
        "cometchat-rest reviewed watch --new --interval 5 -o jsonl | jq .ruleName",
    ],
)
def watch(
    target: Target,
    interval: Interval = 30.0,
    limit: Limit = None,
    new: Annotated[bool, typer.Option("--new", help="Skip the records that exist at the start.")] = False,
    output: Output = None,
) -> None:
    """Show each new record once, oldest first, until Ctrl-C.

    A temporary error is shown on stderr, and the command continues.
    """
    if output is OutputFormat.JSON:
        raise StopError(
            Code.USAGE, "--output json does not work here, because the document would never end: use --output jsonl"
        )
    with open_client(target) as chat:
        show((record.to_dict() for record in _watched(chat, interval, limit, new=new)), _COLUMNS, output)


@command(group, examples=["cometchat-rest reviewed export reviewed.jsonl", "cometchat-rest reviewed export today.csv"])
def export(
    target: Target,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to add to: .jsonl or .csv.")],
    limit: Limit = None,
    follow: Annotated[bool, typer.Option("--follow", help="Continue with each new record, until Ctrl-C.")] = False,
    interval: Interval = 30.0,
) -> None:
    """Add the latest records to a file, if the file does not hold them yet.

    You can repeat or interrupt this command: the file gets each record once, and no incomplete record stays in it.
    """
    with open_client(target) as chat:
        with ProgressNote("Exporting reviewed messages"):
            done = chat.reviewed_messages.export(file, limit=limit)
        print(f"{visible(str(file))}: {done.written:,} added, {done.skipped:,} already there.", file=sys.stderr)
        if follow:
            with cometchat_rest.ReviewedFile(file) as records_file:
                for record in _watched(chat, interval, limit, new=False):
                    records_file.append([record])


def _watched(chat: "Client", interval: float, limit: int | None, *, new: bool) -> "Iterator[ReviewedMessage]":
    # The library logs temporary errors, and the command shows the log.
    records = chat.reviewed_messages.watch(interval=interval, limit=limit, skip_existing=new)
    if sys.stderr.isatty():
        print_error("waiting for new records; press Ctrl-C to stop")
    return records
