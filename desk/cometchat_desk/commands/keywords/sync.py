"""`cometchat-desk keywords sync`: a folder of files as the source of truth."""

from pathlib import Path
from typing import Annotated

import typer

from cometchat_desk.commands.command import command
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.fleet import Outcome
from cometchat_desk.lists.files import ListFileError
from cometchat_desk.lists.folder import ListContent, list_files, plan_folder
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.shares import MaxRemoved
from cometchat_rest.keyword_input import Quotes

from . import gate
from .entry_input import FileOptions, read_file
from .rows import Row
from .update_options import UpdateOptions, find_journal
from .updates import Apps, Run

#: The argument that names the folder.
FOLDER = typer.Argument(
    metavar="FOLDER",
    exists=True,
    file_okay=False,
    help="The folder: the file LIST.txt, .csv, .json or .xlsx is the list LIST.",
)

_MISSING = "Create it in the dashboard, or remove its file from the folder"


@command()
def sync(
    target: Target,
    folder: Annotated[Path, FOLDER],
    max_removed: MaxRemoved = None,
    *,
    options: UpdateOptions,
) -> Code:
    """Update all lists to match the files of a folder; keywords undo undoes the updates.

    The command shows all plans on stderr and asks once. Each list has its own result in each app: a
    list that fails stops no other list. Lists without a file are not changed. The limits are the
    same as for keywords apply. If a list holds patterns or sentences, cometchat-lint.toml in the
    folder names its category.

    Examples:
      cometchat-desk keywords sync lists --dry-run
      cometchat-desk keywords sync lists --all-apps
      cometchat-desk keywords sync lists --app shop --max-removed 50% --yes
    """
    gate.check_rules(options.accept or ())
    with Apps(target, all_apps=options.all_apps, accepted=options.accept) as apps:
        rows = rows_of(apps, folder, options.quotes)
        return Run("sync", apps=apps, rows=rows, options=options, max_removed=max_removed).execute()


def rows_of(apps: Apps, folder: Path, quotes: Quotes | None) -> list[Row]:
    """A row with the plan or the error of each list of the folder in each app."""
    files, answer = list_files(folder), find_journal().answer(quotes)
    lists = {keyword_id: _content(path, keyword_id) for keyword_id, path in files.items()}
    with ProgressNote("Comparing lists", total=len(lists) * len(apps.addresses)) as note:
        jobs = dict.fromkeys(
            apps.names, lambda chat: plan_folder(chat, lists, answer, lambda _: note.advance())
        )
        planned = apps.run(jobs)
    rows: list[Row] = []
    for keyword_id, file in files.items():
        made = {
            app: of_app.result[keyword_id] if of_app.result else Outcome(error=of_app.error)
            for app, of_app in planned.items()
        }
        rows += apps.rows(keyword_id, made, file)
    for row in rows:
        if row.error is not None and is_missing(row):
            row.error.add_note(_MISSING)
    return rows


def _content(path: Path, keyword_id: str) -> ListContent:
    try:
        return read_file(path, FileOptions(), keyword_id).for_plan()
    except ListFileError as error:
        if "--" not in error.reason:
            raise
        advice = (
            "keywords sync takes no such option; convert the file once with keywords lint --fix"
            " --output FILE"
        )
        raise StopError(Code.USAGE, f"{error}; {advice}") from None


def is_missing(row: Row) -> bool:
    """Whether an app does not have the list."""
    return row.error is not None and code_for(row.error) == Code.NOT_FOUND
