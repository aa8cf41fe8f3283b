"""The records that a command reads, from exported files or from the service, and the lists that
their rules name."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Annotated, TypeAlias

import typer

from cometchat_desk.commands.command import label_of, open_client
from cometchat_desk.insight.collected import Records, open_records, records_of
from cometchat_desk.insight.latest import Latest, read_latest
from cometchat_desk.insight.matcher import ListTerms
from cometchat_desk.insight.reviewed import NAMES
from cometchat_desk.insight.term_stats import (
    ListName,
    TermStats,
    named_lists,
    read_lists,
    term_stats,
)
from cometchat_desk.messages import write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.profiles import app_names
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import visible
from cometchat_desk.times import start_of
from cometchat_desk.wording import many

Limit: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--limit",
        metavar="N",
        min=1,
        help="Ask the service for this number of records, all in one response.",
    ),
]
#: The option of all commands that read records.
RecordFiles: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--records",
        metavar="FILE",
        help=(
            "Exported records, .jsonl or .parquet. Repeat it for several files. Default: the"
            " service's latest ones."
        ),
    ),
]


def missing_older(count: int, limit: int | None = None) -> str:
    """A sentence for people: the response was full, so the service may have older records."""
    reason = (
        "as many as the service gives at once" if limit is None else "as many as --limit asks for"
    )
    return (
        f"these are the latest {count:,} records, {reason}: older ones may be missing; reviewed"
        " export --follow collects each new one"
    )


def read_app(target: Target, limit: int | None = None, start: datetime | None = None) -> Latest:
    """Read the latest records of one app."""
    with open_client(target) as chat, ProgressNote("Reading reviewed messages"):
        return read_latest(chat, limit, app=label_of(target)).since(start)


def read(
    target: Target, files: list[str] | None, since: str | None, *, names: Iterable[str] = NAMES
) -> Records:
    """Read exported files, or the latest records of each app if there is no file; notes go to
    stderr."""
    start = start_of(since)
    if files:
        return read_files(target, files, start, names=names)
    apps = connection.app_targets(target, all_apps=False)
    latest = {name: read_app(one, start=start) for name, one in apps.items()}
    for name, found in latest.items():
        if found.is_full:
            write_note(f"{visible(name)}: " * (len(apps) > 1) + missing_older(len(found.records)))
    return records_of((raw for found in latest.values() for raw in found.records), names)


def read_files(
    target: Target, files: list[str], start: datetime | None = None, *, names: Iterable[str] = NAMES
) -> Records:
    """Read exported files, of which --app leaves the records of other apps out; notes go to
    stderr."""
    connection.check_names(target)
    with ProgressNote("Reading exported records"):
        records = open_records(*files, since=start, names=("app", *names))
    keep_apps(target, records)
    return records


def keep_apps(target: Target, records: Records) -> None:
    """Leave out the records of other apps than those of --app; the notes about the records go to
    stderr."""
    for note in records.notes:
        write_note(note)
    if target.app and (others := records.keep_apps(target.app)):
        count = many(sum(others.values()), "record of another app is", "records of other apps are")
        options = " ".join(f"--app {name}" for name in (*target.app, *others))
        write_note(visible(f"{count} left out; to count all, use {options}"))


def count_terms(target: Target, records: Records) -> TermStats:
    """Count the terms of the lists that the rules of the records name."""
    from cometchat_desk.journal import Journal

    missing: dict[ListName, str] = {}
    lists: dict[ListName, ListTerms] = {}
    named = named_lists(records)
    of_records = {name for name, _ in named}
    apps = connection.app_targets(target, all_apps=False)
    for app, one in apps.items():
        label = app or label_of(one)
        # The records of one app need not say its name, but they must not name another app.
        is_only = len(apps) == len(of_records) == 1 and not of_records & (
            {*app_names(target.config)} - {label}
        )
        if of_app := [name for name in named if is_only or name[0] == label]:
            with open_client(one) as chat, ProgressNote("Reading the lists of the rules"):
                found, unknown = read_lists(of_app, partial(Journal().read_list, chat))
            lists |= found
            missing |= unknown
    with ProgressNote("Counting terms"):
        return term_stats(records, lists, missing=missing)
