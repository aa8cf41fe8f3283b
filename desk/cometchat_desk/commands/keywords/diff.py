"""`cometchat-desk keywords diff`: the difference of two files or folders, or of one list in several apps."""

import re
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from cometchat_desk.commands.command import AllApps, command
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.failed_calls import FailedCall, with_call
from cometchat_desk.fleet import Outcome
from cometchat_desk.lists.difference import Difference, compare, compare_folders
from cometchat_desk.lists.files import ListFile
from cometchat_desk.lists.plan_text import SHOWN_ENTRIES, describe_difference
from cometchat_desk.messages import print_error, reason_for
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.output import as_json
from cometchat_desk.terminal.table import write
from cometchat_desk.terminal.text import Command, visible
from cometchat_rest import Client, InvalidRequestError, keyword_input
from cometchat_rest.keyword_input import Quotes

from .entry_input import FileOptions, read_file
from .rows import HIDDEN
from .update_options import AllEntries, QuotesAnswer
from .updates import Apps
from .view import write_marked

# GitHub takes comments of 65,536 characters. A longer difference has only the number of the entries of each list.
_LONGEST_COMMENT = 60_000


#: The format of the output of `diff`.
DiffFormat: TypeAlias = Literal["table", "json", "markdown"]


@command()
def diff(
    target: Target,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The file or the folder before the change; or a list.")],
    new: Annotated[Path | None, typer.Argument(metavar="NEW", help="The file or the folder after the change.")] = None,
    quotes: QuotesAnswer = None,
    all_apps: AllApps = False,
    all_entries: AllEntries = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if there is a difference.")] = False,
    *,
    output_format: Annotated[
        DiffFormat,
        typer.Option(
            "--format",
            "-f",
            help="The format of the output.",
            default_factory=lambda: "table" if sys.stdout.isatty() else "json",
            show_default="table on a terminal, else json",
        ),
    ],
) -> Code:
    """Show the difference of two files or two folders, or of one list in several apps.

    Files need no connection and no key. Of several apps, the first one is compared with each other one. Order and
    duplicates are ignored. Markdown is for a comment on a pull request: a block of code with at most 50 entries of
    each kind. For a file and an app, use keywords plan.

    Examples:
      cometchat-desk keywords diff old.txt new.txt
      cometchat-desk keywords diff ../main/lists lists --format markdown
      cometchat-desk keywords diff profanity-list --app shop --app forum
    """
    of_apps = all_apps or bool(target.app) or target.names_address
    if of_apps == (new is not None):
        raise StopError(
            Code.USAGE,
            "name OLD and NEW, or one list and its apps: LIST --app A --app B; for a file, use keywords plan",
        )
    if new is not None and Path(old).parts == (Path(old).stem,) and not Path(old).exists() and new.is_file():
        problem = f"there is no file {visible(old)}. To compare the list of this name with a file, use:"
        raise StopError(Code.FILE, problem, Command(shlex.join(["cometchat-desk", "keywords", "plan", old, str(new)])))
    if quotes is not None and new is not None:
        raise StopError(Code.USAGE, "--quotes is for a list in several apps: the entries of files have no such quotes")
    outcomes = _differences(Path(old), new) if new is not None else _of_apps(target, old, quotes, all_apps=all_apps)
    made = [(keyword_id, outcome.result) for keyword_id, outcome in outcomes.items() if outcome.result is not None]
    _show_differences(made, output_format, limit=None if all_entries else SHOWN_ENTRIES)
    errors = [outcome.error for outcome in outcomes.values() if outcome.error is not None]
    for error in errors:
        print_error(reason_for(error))
    is_no = exit_code and any(difference.status != "unchanged" for _, difference in made)
    return max([Code.NO if is_no else Code.DONE, *map(code_for, errors)])


def _of_apps(
    target: Target, keyword_id: str, quotes: Quotes | None, *, all_apps: bool
) -> dict[str, Outcome[Difference]]:
    with Apps(target, all_apps=all_apps) as apps:
        read = apps.run(dict.fromkeys(apps.names, partial(list_content, keyword_id, quotes)))
        for app, address in apps.addresses.items():
            if (error := read[app].error) is not None:
                read[app] = Outcome(error=with_call(error, FailedCall(app=app, base_url=address)))
    (first, before), *others = read.items()
    if not others:
        raise StopError(Code.USAGE, "one app was named; name the apps to compare with --app A --app B, or --all-apps")
    outcomes: dict[str, Outcome[Difference]] = {}
    for app, after in others:
        title = f"{keyword_id} in {app}, compared with {first}"
        if before.result is not None and after.result is not None:
            outcomes[title] = Outcome(result=compare(before.result, after.result))
        else:
            outcomes[title] = Outcome(error=before.error or after.error)
    return outcomes


def list_content(keyword_id: str, quotes: Quotes | None, chat: Client) -> ListFile:
    """A list of the service as the content of a file."""
    found = chat.keywords.get(keyword_id)
    if (entries := keyword_input.list_entries(found, quotes=quotes)) is None:
        raise InvalidRequestError(HIDDEN, path_values={"keyword_id": keyword_id})
    return ListFile(entries=entries, category=found.category, name=found.name, description=found.description)


def _differences(old: Path, new: Path) -> dict[str, Outcome[Difference]]:
    def read_list(path: Path) -> ListFile:
        return read_file(path, FileOptions())

    if old.is_dir() != new.is_dir() and old.exists() and new.exists():
        raise StopError(Code.USAGE, "OLD and NEW must be two files or two folders")
    if old.is_dir() or new.is_dir():
        return compare_folders(old, new, read_list)
    return {new.stem: Outcome(result=compare(read_list(old), read_list(new)))}


def _show_differences(made: Sequence[tuple[str, Difference]], output_format: DiffFormat, limit: int | None) -> None:
    if output_format == "markdown":
        print(_markdown(made))
    elif output_format == "json":
        names = ("status", "added", "removed", "unchanged", "share_removed", "changed_fields")
        shown = [{"keyword_id": keyword_id, **{name: getattr(one, name) for name in names}} for keyword_id, one in made]
        print(as_json(shown, indent=2))
    elif not made:
        write("No lists were compared.", stderr=True)
    else:
        for keyword_id, one in made:
            title, *lines = describe_difference(keyword_id, one, limit=limit)
            write(title, "bold")
            write_marked(lines)


def _markdown(made: Sequence[tuple[str, Difference]]) -> str:
    """The same lines as a block of code for a comment: no entry becomes markup, or ends the block."""
    for limit in (SHOWN_ENTRIES, 0):
        lines = [line for keyword_id, one in made for line in describe_difference(keyword_id, one, limit=limit)]
        text = "\n".join(lines) or "No lists were compared."
        if len(text) <= _LONGEST_COMMENT:
            break
    # The fence must be longer than every run of backticks in the text.
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}diff\n{text}\n{fence}"
