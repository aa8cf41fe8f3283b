"""`cometchat-desk keywords apply`: update a list to match a file, in one app or in several
apps."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from attrs import evolve

from cometchat_desk.commands.command import command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.lists.files import ListFile
from cometchat_desk.lists.plan_changes import Changes, plan_content
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.shares import MaxRemoved
from cometchat_rest import Client, KeywordList, KeywordPlan

from . import gate
from .entry_input import TO_READ, Category, FileOptions, read_file
from .list_argument import ListId
from .update_options import UpdateOptions, find_journal
from .updates import Apps, Run, removal_problem

_NEW_CONTENT = typer.Argument(
    metavar="FILE",
    help="The new entries: .txt, .csv, .json, .xlsx, or - for standard input.",
    **TO_READ,
)


@command()
def apply(
    target: Target,
    keyword_id: ListId,
    file: Annotated[Path, _NEW_CONTENT],
    base: Annotated[
        Path | None,
        typer.Option(
            metavar="OLD",
            **TO_READ,
            help=(
                "The file that was applied before: only the difference from OLD to FILE is sent,"
                " and other entries of the list stay."
            ),
        ),
    ] = None,
    category: Category = None,
    max_removed: MaxRemoved = None,
    *,
    file_options: FileOptions,
    options: UpdateOptions,
) -> Code:
    """Update a list to match a file; keywords undo undoes the update.

    The command shows the plan on stderr and asks for confirmation. With --dry-run, it only shows
    the plan. The marks mean: - removed, + added, ~ changed, ! warning.

    No update is sent if it would remove more than --max-removed of the entries, or if the list has
    changed since the plan. With --yes, no update is sent if keywords lint finds an error or a
    warning in a new entry, unless --accept names the rule. After the update, the list is read
    back, and differences are shown: - was sent but is missing, + was not sent but is there.

    Examples:
      cometchat-desk keywords apply profanity-list words.txt --dry-run
      cometchat-desk keywords apply profanity-list words.txt
      cometchat-desk keywords apply profanity-list words.txt --all-apps
      cometchat-desk keywords apply profanity-list words.txt --max-removed 50%
      cometchat-desk keywords apply profanity-list new.txt --base old.txt
    """
    gate.check_rules(options.accept or ())
    answer = find_journal().answer(options.quotes)
    new = read_file(file, file_options, keyword_id)
    if base is None:
        changes = None
        job: Callable[[Client], KeywordPlan | None] = partial(
            plan_content, keyword_id=keyword_id, content=new.for_plan(category), quotes=answer
        )
    else:
        old = read_file(base, file_options, keyword_id)
        _check_download(keyword_id, old.entries, new.entries, max_removed)
        changes = evolve(_changes_since(old, new, category), quotes=answer)
        job = partial(changes.plan, keyword_id=keyword_id)
    with Apps(target, all_apps=options.all_apps, accepted=options.accept) as apps:
        return Run(
            "apply",
            apps=apps,
            rows=apps.plan(keyword_id, job, file if base is None else None),
            options=options,
            max_removed=max_removed,
            changes=changes,
            batches=[] if changes is None else [gate.Batch(changes.add, file)],
        ).execute()


def _check_download(
    keyword_id: str, old: Sequence[str], new: Sequence[str], max_removed: float | None
) -> None:
    """Refuse a new file that lacks much of the old one: a failed download is an error page, or is
    cut off, and the live list may be much longer than both files."""
    before = KeywordList.from_dict({"category": "word", "searchTerms": [*old]})
    plan = KeywordPlan.compare(keyword_id, before, new, quotes="literal")
    problem = removal_problem(plan, max_removed)
    if problem:
        raise StopError(Code.CONFLICT, f"from OLD to FILE, {problem}")


def _changes_since(old: ListFile, new: ListFile, category: str | None) -> Changes:
    """The difference of two states of a file, as changes of a list."""
    kept = {*old.entries}.intersection(new.entries)
    return Changes(
        add=[entry for entry in new.entries if entry not in kept],
        remove=[entry for entry in old.entries if entry not in kept],
        category=category or new.category,
    )
