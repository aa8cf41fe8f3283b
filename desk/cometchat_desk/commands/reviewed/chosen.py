"""The records that a command reads, from exported files or from the service, and the lists that
their rules name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any, TypeAlias

import typer

from cometchat_desk.commands.command import label_of, open_client
from cometchat_desk.commands.records import keep_apps
from cometchat_desk.commands.shown_lists import read_list
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
            "Exported records: .jsonl, .jsonl.gz or .csv. For several files, repeat the option, or"
            " write 'day-*.jsonl'. Default: the latest records of the service."
        ),
    ),
]


def missing_older(count: int, limit: int | None = None) -> str:
    """A sentence for people: the response was full, so the service may have older records."""
    reason = (
        "as many as the service gives at once" if limit is None else "as many as --limit asks for"
    )
    return (
        f"these are the latest {count:,} records, {reason}: older records may be missing; reviewed"
        " export --follow collects each new record"
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
    raw_records: list[Mapping[str, Any]] = []
    apps = connection.app_targets(target, all_apps=False)
    for name, of_app in apps.items():
        latest = read_app(of_app, start=start)
        raw_records += latest.records
        if latest.is_full:
            place = f"{visible(name)}: " if len(apps) > 1 else ""
            write_note(place + missing_older(len(latest.messages)))
    return records_of(raw_records, names)


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


def count_terms(target: Target, records: Records) -> TermStats:
    """Count the terms of the lists that the rules of the records name."""
    missing: dict[ListName, str] = {}
    lists: dict[ListName, ListTerms] = {}
    apps = connection.app_targets(target, all_apps=False)
    for names, of_app in _lists_of_apps(target, apps, named_lists(records)):
        with open_client(of_app) as chat, ProgressNote("Reading the lists of the rules"):
            of_lists, without_terms = read_lists(names, partial(read_list, chat))
        lists |= of_lists
        missing |= without_terms
    with ProgressNote("Counting terms"):
        return term_stats(records, lists, missing=missing)


def _lists_of_apps(
    target: Target, apps: Mapping[str, Target], names: Sequence[ListName]
) -> Iterator[tuple[Sequence[ListName], Target]]:
    """The lists of each app, if it has any."""
    of_records = {app for app, _ in names}
    for name, of_app in apps.items():
        label = name or label_of(of_app)
        # The records of one app need not say its name, but they must not name another app.
        is_only = len(apps) == len(of_records) == 1
        is_only = is_only and of_records.isdisjoint({*app_names(target.config)} - {label})
        of_label = [named for named in names if is_only or named[0] == label]
        if of_label:
            yield of_label, of_app
