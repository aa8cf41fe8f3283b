"""`cometchat-rest reviewed`: the messages that moderation has looked at."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

import cometchat_rest

from .columns import Column, Record, time_of, within
from .command import command, opened
from .escaping import visible
from .exit_codes import Code, StopError, print_error
from .output import Output, OutputFormat, show
from .progress import ProgressNote
from .target import Target

if TYPE_CHECKING:
    from cometchat_rest import Client, ReviewedMessage

group = typer.Typer(name="reviewed", help="The messages that moderation has looked at.")

Limit: TypeAlias = Annotated[
    int | None,
    typer.Option(metavar="N", help="How many records to ask for; as many as the service sees fit, unless given."),
]

Interval: TypeAlias = Annotated[float, typer.Option(metavar="SECONDS", help="How long to wait between two looks.")]


def _text(record: Record) -> object:
    data = ("message", "data")
    return within(record, *data, "text") or within(record, *data, "url")


# Which rule a message broke matters more than what became of it; spare columns come in their order.
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
    with opened(target) as chat, ProgressNote("Reading reviewed messages"):
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
    new: Annotated[bool, typer.Option("--new", help="Leave out what is there at the beginning.")] = False,
    output: Output = None,
) -> None:
    """Show each new record once, oldest first, until Ctrl-C.

    Errors that may pass are told on stderr, and survived.
    """
    if output is OutputFormat.JSON:
        raise StopError(Code.USAGE, "a watch has no end, and JSON would be whole at its end only: take -o jsonl")
    with opened(target) as chat:
        show((record.to_dict() for record in _watched(chat, interval, limit, new=new)), _COLUMNS, output)


@command(group, examples=["cometchat-rest reviewed export reviewed.jsonl", "cometchat-rest reviewed export today.csv"])
def export(
    target: Target,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to: .jsonl or .csv.")],
    limit: Limit = None,
    follow: Annotated[bool, typer.Option("--follow", help="Go on with each new record, until Ctrl-C.")] = False,
    interval: Interval = 30.0,
) -> None:
    """Add the latest records to a file, those that it does not have.

    Run it as often as you like, and end it when you like: the file gets each record once, and whole.
    """
    with opened(target) as chat:
        with ProgressNote("Exporting reviewed messages"):
            done = chat.reviewed_messages.export(file, limit=limit)
        print(f"{visible(str(file))}: {done.written:,} added, {done.skipped:,} were there.", file=sys.stderr)
        if follow:
            with cometchat_rest.ReviewedFile(file) as kept:
                for record in _watched(chat, interval, limit, new=False):
                    kept.append([record])


def _watched(chat: "Client", interval: float, limit: int | None, *, new: bool) -> "Iterator[ReviewedMessage]":
    # What it survives is logged, and so shown.
    records = chat.reviewed_messages.watch(interval=interval, limit=limit, skip_existing=new)
    if sys.stderr.isatty():
        print_error("watching; Ctrl-C ends it")
    return records
