"""`cometchat-desk keywords add` and `remove`: change single entries of a list, in one app or in
several apps."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from cometchat_desk import lint
from cometchat_desk.commands.command import AFTER_DASHES, command
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.lists.files import ListFile
from cometchat_desk.lists.plan_changes import Changes
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.shares import MaxRemoved
from cometchat_rest import Client, InvalidRequestError, KeywordPlan

from . import typed_entries
from .content import ListId
from .entry_input import FileOptions, merged, read_file
from .update_options import UpdateOptions, find_journal
from .updates import OTHER_LIST, Apps, Run


@dataclass(frozen=True, kw_only=True)
class Entries(FileOptions):
    """The options that name entries."""

    terms: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TERM...", help="The entries. With --yes, and before a hyphen, write -- TERM..."
        ),
    ] = None
    from_file: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help=(
                "Entries from a .txt, .csv, .json or .xlsx file, or - for stdin. Repeat it for"
                " several files."
            ),
        ),
    ] = None


@command()
def add(
    target: Target,
    keyword_id: ListId,
    *,
    given: Entries,
    options: UpdateOptions,
    context: typer.Context,
) -> Code:
    """Add entries to a list. Each app keeps its other entries.

    The command shows the plan on stderr and asks for confirmation. If a list changes after that,
    nothing is sent there.

    Examples:
      cometchat-desk keywords add profanity-list phishing 'get rich quick'
      cometchat-desk keywords add profanity-list --app shop --app forum --yes -- phishing doxxing
      cometchat-desk keywords add profanity-list --from words.txt --all-apps
    """
    lint.accept((), options.accept or ())
    return _change("add", target, keyword_id, given, options, context)


@command()
def remove(
    target: Target,
    keyword_id: ListId,
    max_removed: MaxRemoved = None,
    *,
    given: Entries,
    options: UpdateOptions,
    context: typer.Context,
) -> Code:
    """Remove entries from a list. Each app keeps its other entries.

    An entry must be written exactly as the list has it. One that the list does not have is named,
    and the exit code is 0 all the same. Without a file, you name each entry, so only --max-removed
    limits the removals. The command shows the plan on stderr and asks for confirmation. If a list
    changes after that, nothing is sent there.

    Examples:
      cometchat-desk keywords remove profanity-list malparido
      cometchat-desk keywords remove profanity-list --from words.txt --all-apps
    """
    return _change("remove", target, keyword_id, given, options, context, max_removed=max_removed)


def _change(
    command: Literal["add", "remove"],
    target: Target,
    keyword_id: str,
    given: Entries,
    options: UpdateOptions,
    context: typer.Context,
    *,
    max_removed: float | None = None,
) -> Code:
    terms, files = given.terms or (), given.from_file or ()
    before_dashes = terms[: max(0, len(terms) - context.meta[AFTER_DASHES])]
    typed_entries.check_files(command, keyword_id, before_dashes, files)
    if not (terms or files):
        raise StopError(Code.USAGE, "no entry was given: write TERM arguments, or use --from FILE")
    typed_entries.check_options(terms, before_dashes, context)
    typed_entries.check_apps(terms, before_dashes, target)
    if options.yes and not options.dry_run:
        typed_entries.check_number(before_dashes, files)
    parts = [read_file(file, given) for file in files]
    if others := [part.id for part in parts if part.id not in (None, keyword_id)]:
        raise StopError(Code.USAGE, OTHER_LIST.format(others[0]))
    content = merged(parts) if files else None
    of_file = () if content is None else content.entries
    changes = Changes(
        **{command: (*terms, *of_file)}, quotes=options.quotes or find_journal().quotes_of
    )
    check = partial(typed_entries.check_planned, before_dashes)
    with Apps(target, all_apps=options.all_apps) as apps:
        rows = apps.plan(
            keyword_id,
            partial(_planned, changes, keyword_id, content, check),
            next(iter(files), None),
        )
        for row in rows:
            if row.error is not None and code_for(row.error) == Code.NOT_FOUND:
                row.error.add_note("The LIST stands first, then the entries")
        return Run(
            command,
            apps=apps,
            rows=rows,
            options=options,
            max_removed=1.0 if max_removed is None and not files else max_removed,
            changes=changes,
            files=files,
            doubtful=() if content is None else content.doubtful,
            additions=(*of_file, *before_dashes) if changes.add else (),
            remarks=(
                [*typed_entries.remarks(before_dashes)] if any(row.plan for row in rows) else ()
            ),
        ).execute()


def _planned(
    changes: Changes,
    keyword_id: str,
    content: ListFile | None,
    check: Callable[[KeywordPlan, Client], None],
    chat: Client,
) -> KeywordPlan:
    planned = changes.plan(chat, keyword_id)
    check(planned, chat)
    if content is not None and content.category not in (None, planned.category):
        raise InvalidRequestError(
            f"it is a list of category {planned.category}, and the file holds entries of category"
            f" {content.category}. No update was sent.",
            path_values={"keyword_id": keyword_id},
        )
    return planned
