"""`cometchat-desk keywords plan` and `apply`: update a list to match a file, in one app or in
several apps."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from attrs import evolve

from cometchat_desk.commands.command import AllApps, Yes, command, output_option
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.lists.files import ListFile
from cometchat_desk.lists.plan_changes import Changes, plan_content
from cometchat_desk.settings.connection import names_by_address
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.shares import MaxRemoved
from cometchat_desk.terminal.text import Command, visible
from cometchat_rest import Client, InvalidRequestError, KeywordList, KeywordPlan

from . import gate, stored_plans, view
from .entry_input import Category, FileOptions, read_content, read_file
from .gate import Accept
from .rows import Row, print_errors
from .update_options import AllEntries, QuotesAnswer, Reason, UpdateOptions, find_journal
from .updates import Apps, Run, removal_problem


def complete_list() -> Sequence[str]:
    """The lists in the journal, for completion in a shell."""
    try:
        return find_journal().known_lists()
    except InvalidRequestError:
        return ()


_LIST = typer.Argument(metavar="LIST", help="The list's identifier.", autocompletion=complete_list)
ListId: TypeAlias = Annotated[str, _LIST]
OneList: TypeAlias = Annotated[str | None, _LIST]
_NEW_CONTENT = typer.Argument(
    metavar="FILE", help="The new entries: .txt, .csv, .json, .xlsx, or - for standard input."
)


@command()
def plan(
    target: Target,
    keyword_id: ListId,
    file: Annotated[Path, _NEW_CONTENT],
    category: Category = None,
    max_removed: MaxRemoved = None,
    output: Annotated[
        Path | None, output_option("Write the plan to a .json file, for apply --plan.")
    ] = None,
    reason: Reason = "",
    accept: Accept = None,
    quotes: QuotesAnswer = None,
    all_apps: AllApps = False,
    all_entries: AllEntries = False,
    yes: Yes = False,
    *,
    output_format: Format,
    file_options: FileOptions,
) -> Code:
    """Show what an update would change in a list, without changing it.

    The marks mean: - removed, + added, ~ modified, ! warning. keywords lint checks a file without a
    connection. A file with the plan names you, the time, the reason, and the share that
    --max-removed allows; apply --plan shows it, also with --dry-run. An existing plan is replaced
    after a question, or with --yes.

    Examples:
      cometchat-desk keywords plan profanity-list words.txt
      cometchat-desk keywords plan profanity-list words.txt --output plan.json --reason 'new scam'
    """
    _check_output(output, reason)
    gate.check_rules(accept or ())
    new = read_content(file, file_options, category)
    with Apps(target, all_apps=all_apps, accepted=accept) as apps:
        answer = find_journal().answer(quotes)
        rows = apps.plan(keyword_id, lambda chat: plan_content(chat, keyword_id, new, answer), file)
    code = _show_plans(rows, max_removed, output_format, all_entries)
    print_errors(rows)
    if output is not None:
        stored_plans.write(output, rows, reason=reason, max_removed=max_removed, yes=yes)
    return code


def _check_output(output: Path | None, reason: str) -> None:
    if output is None and reason:
        raise StopError(Code.USAGE, "--reason is for a plan in a file: name it with --output")
    if output is not None and output.suffix.lower() != ".json":
        raise StopError(
            Code.USAGE,
            f"--output: the name of the file must end in .json, not {visible(str(output))}",
        )


def _show_plans(
    rows: Sequence[Row], max_removed: float | None, output_format: Format, all_entries: bool
) -> Code:
    for row in rows:
        row.findings = () if row.plan is None else gate.find(row.plan, row.file)
    planned = [(row, row.plan, removal_problem(row.plan, max_removed)) for row in rows if row.plan]
    if output_format is OutputFormat.TABLE:
        for row, _, refusal in planned:
            view.show_plan(row, all_entries=all_entries, refusal=refusal)
    else:
        show(
            (view.plan_record(row, plan, refusal) for row, plan, refusal in planned),
            (),
            output_format,
        )
    return max(row.code for row in rows)


@command()
def apply(
    target: Target,
    keyword_id: OneList = None,
    file: Annotated[Path | None, _NEW_CONTENT] = None,
    stored: Annotated[
        Path | None,
        typer.Option(
            "--plan", metavar="FILE", help="Apply a plan that plan --output wrote, not a FILE."
        ),
    ] = None,
    base: Annotated[
        Path | None,
        typer.Option(
            metavar="OLD",
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
    """Update a list to match a file; keywords undo undoes it.

    The command shows the plan on stderr and asks for confirmation. No update is sent if it would
    remove more than --max-removed of the entries, or if the list has changed since the plan. With
    --yes, none is sent if keywords lint finds an error or a warning in a new entry, unless --accept
    names the rule. Then the list is read back, and differences are shown: - was sent
    but is missing, + was not sent but is there.

    Examples:
      cometchat-desk keywords apply profanity-list words.txt
      cometchat-desk keywords apply profanity-list words.txt --all-apps
      cometchat-desk keywords apply profanity-list words.txt --max-removed 50%
      cometchat-desk keywords apply profanity-list new.txt --base old.txt
      cometchat-desk keywords apply --plan plan.json
    """
    gate.check_rules(options.accept or ())
    if stored is not None:
        if any((file, base, category, max_removed is not None, options.quotes, options.reason)):
            problem = (
                "--plan cannot be combined with FILE, --category, --max-removed, --quotes,"
                " --reason or --base"
            )
            raise StopError(
                Code.USAGE,
                f"{problem}: the plan holds what was approved. To change it, make a new plan",
            )
        return _apply_stored(stored, keyword_id, target, options)
    if keyword_id is None or file is None:
        help_of_apply = Command("cometchat-desk keywords apply --help")
        raise StopError(Code.USAGE, "give either LIST and FILE, or --plan; see:", help_of_apply)
    answer = find_journal().answer(options.quotes)
    if base is None:
        changes = None
        new = read_content(file, file_options, category)
        job: Callable[[Client], KeywordPlan] = partial(
            plan_content, keyword_id=keyword_id, content=new, quotes=answer
        )
    else:
        old, new_file = read_file(base, file_options), read_file(file, file_options)
        _check_download(keyword_id, old.entries, new_file.entries, max_removed)
        changes = evolve(_changes_since(old, new_file, category), quotes=answer)
        job = partial(changes.plan, keyword_id=keyword_id)
    with Apps(target, all_apps=options.all_apps, accepted=options.accept) as apps:
        return Run(
            "apply",
            apps=apps,
            rows=apps.plan(keyword_id, job, file),
            options=options,
            max_removed=max_removed,
            changes=changes,
            sources=[changes.add] if changes else [],
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


def _apply_stored(
    stored: Path, keyword_id: str | None, target: Target, options: UpdateOptions
) -> Code:
    keyword_id, kept, approval = stored_plans.read(stored, keyword_id)
    if not (target.app or target.names_address or options.all_apps or "" in kept):
        here = names_by_address(target)
        target = replace(
            target, app=[here.get(str(plan.base_url), name) for name, plan in kept.items()]
        )
    with Apps(target, all_apps=options.all_apps, accepted=options.accept) as apps:
        addresses = {name: apps.addresses.get(name) for name in apps.names}
        jobs = stored_plans.jobs(stored, kept, addresses)
        rows = apps.rows(keyword_id, apps.run(jobs))
        options = replace(options, reason=approval.reason)
        return Run(
            "apply", apps=apps, rows=rows, options=options, max_removed=approval.max_removed
        ).execute()
