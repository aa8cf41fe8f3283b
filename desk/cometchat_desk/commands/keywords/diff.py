"""`cometchat-desk keywords diff`: the difference of two files or folders, or of one list in
several apps."""

import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict, fields_dict

from cometchat_desk.commands.command import AllApps, command
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.failed_calls import CallError
from cometchat_desk.fleet import Outcome
from cometchat_desk.lists.difference import Difference, compare, compare_folders
from cometchat_desk.lists.files import ListFile
from cometchat_desk.lists.plan_text import SHOWN_ENTRIES, describe_difference
from cometchat_desk.messages import print_error, reason_for, write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import named_columns
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.table import write
from cometchat_desk.terminal.text import Command
from cometchat_desk.times import text_of
from cometchat_rest import Client, InvalidRequestError, keyword_input
from cometchat_rest.keyword_input import Quotes

from .entry_input import FileOptions, read_file
from .rows import HIDDEN
from .update_options import AllEntries, QuotesAnswer, find_journal
from .updates import Apps
from .view import write_marked


@command()
def diff(
    target: Target,
    old: Annotated[
        str,
        typer.Argument(metavar="OLD", help="The file or the folder before the change; or a list."),
    ],
    new: Annotated[
        Path | None, typer.Argument(metavar="NEW", help="The file or the folder after the change.")
    ] = None,
    quotes: QuotesAnswer = None,
    all_apps: AllApps = False,
    all_entries: AllEntries = False,
    *,
    output_format: Format,
    file_options: FileOptions,
) -> Code:
    """Show the difference of two files or two folders, or of one list in several apps.

    Files need no connection and no key. Of several apps, the first one is compared with each other
    one. Order and duplicates are ignored. For a file and an app, use keywords plan.

    Examples:
      cometchat-desk keywords diff old.txt new.txt
      cometchat-desk keywords diff ../main/lists lists
      cometchat-desk keywords diff profanity-list --app shop --app forum
    """
    of_apps = all_apps or bool(target.app) or target.names_address
    if of_apps == (new is not None):
        raise StopError(
            Code.USAGE,
            "name two files or folders; or a list and its apps, with --app or --all-apps",
        )
    if new is None:
        first, outcomes = _of_apps(target, old, quotes, all_apps=all_apps)
    else:
        first, outcomes = "", _of_files(Path(old), new, quotes, file_options)
    made = {app: outcome.result for app, outcome in outcomes.items() if outcome.result is not None}
    _show_differences(made, output_format, None if all_entries else SHOWN_ENTRIES, old, first)
    return _report(outcomes)


def _report(outcomes: Mapping[str, Outcome[Difference]]) -> Code:
    """Print the errors, and return the exit code."""
    errors = [outcome.error for outcome in outcomes.values() if outcome.error is not None]
    for error in errors:
        print_error(reason_for(error))
    return max([Code.DONE, *map(code_for, errors)])


def _of_apps(
    target: Target, keyword_id: str, quotes: Quotes | None, *, all_apps: bool
) -> tuple[str, dict[str, Outcome[Difference]]]:
    """The first app, and its difference to each other one."""
    with Apps(target, all_apps=all_apps) as apps:
        read = apps.run(dict.fromkeys(apps.names, partial(list_content, keyword_id, quotes=quotes)))
    (first, before), *others = read.items()
    if not others:
        raise StopError(
            Code.USAGE,
            "one app cannot be compared: name a second one with --app, or use --all-apps",
        )
    outcomes: dict[str, Outcome[Difference]] = {}
    for app, after in others:
        if before.result is not None and after.result is not None:
            outcomes[app] = Outcome(result=compare(before.result, after.result))
        else:
            failed, error = (
                (first, before.error) if before.error is not None else (app, after.error)
            )
            outcomes[app] = Outcome(
                error=error and CallError(error, failed, apps.addresses.get(failed, ""))
            )
    return first, outcomes


def list_content(keyword_id: str, chat: Client, quotes: Quotes | None = None) -> ListFile:
    """A list of the service as the content of a file."""
    keyword_list, answer = find_journal().read_list(chat, keyword_id, quotes)
    entries = keyword_input.list_entries(keyword_list, quotes=answer)
    if entries is None:
        raise InvalidRequestError(HIDDEN, path_values={"keyword_id": keyword_id})
    return ListFile(
        entries=entries,
        category=text_of(keyword_list.category),
        name=text_of(keyword_list.name),
        description=text_of(keyword_list.description),
    )


def _of_files(
    old: Path, new: Path, quotes: Quotes | None, options: FileOptions
) -> dict[str, Outcome[Difference]]:
    """The difference of two files, or of the files of two folders by their names."""
    if quotes is not None:
        raise StopError(
            Code.USAGE,
            "--quotes is for a list in several apps: the entries of files have no such quotes",
        )
    read = partial(read_file, options=options)
    if old.is_dir() != new.is_dir() and old.exists() and new.exists():
        raise StopError(Code.USAGE, "OLD and NEW must be two files or two folders")
    if old.is_dir() or new.is_dir():
        return compare_folders(old, new, read)
    return {new.stem: Outcome(result=compare(read(old), read(new)))}


def _show_differences(
    made: Mapping[str, Difference],
    output_format: Format,
    limit: int | None,
    keyword_id: str,
    first: str,
) -> None:
    """Show the differences of lists by their names; or by app those of one list, if there is a
    first app."""
    if output_format is not OutputFormat.TABLE:
        _show_records(made, output_format, keyword_id, first)
        return
    for name, difference in made.items():
        shown_name = f"{keyword_id} in {name}, compared with {first}" if first else name
        title, *lines = describe_difference(shown_name, difference, limit=limit)
        write(title, "bold")
        write_marked(lines)
    if first and any(difference.status != "unchanged" for difference in made.values()):
        _note_commands(keyword_id, first, list(made))


def _show_records(
    made: Mapping[str, Difference], output_format: Format, keyword_id: str, first: str
) -> None:
    records = [
        {
            "keyword_id": keyword_id if first else name,
            "app": first and name,
            "compared_with": first,
            **asdict(difference),
        }
        for name, difference in made.items()
    ]
    columns = named_columns("keyword_id", "app", "compared_with", *fields_dict(Difference))
    show(records, columns, output_format)


def _note_commands(keyword_id: str, first: str, apps: Sequence[str]) -> None:
    """Name the commands that make the list of other apps equal to that of the first one."""
    file = f"{keyword_id}.txt"
    get = ["cometchat-desk", "keywords", "get", keyword_id, "--output", file, "--app", first]
    apply = ["cometchat-desk", "keywords", "apply", keyword_id, file]
    for app in apps:
        apply += ["--app", app]
    commands = [Command(shlex.join(words)) for words in (get, apply)]
    write_note("to make the other lists equal to the first, use", commands)
