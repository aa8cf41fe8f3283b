"""`cometchat-desk keywords add` and `remove`: change single entries of a list, in one app or in several apps."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from cometchat_desk import lint
from cometchat_desk.commands.command import AFTER_DASHES, command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.lists.files import ListFile
from cometchat_desk.lists.plan_changes import Changes
from cometchat_desk.settings.profiles import app_names
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.shares import MaxRemoved
from cometchat_desk.terminal.text import visible
from cometchat_rest import Client, InvalidRequestError, KeywordPlan, keyword_input

from .content import ListId
from .entry_input import FileOptions, read_file
from .update_options import UpdateOptions
from .updates import RUN_AGAIN, Apps, Run


@dataclass(frozen=True, kw_only=True)
class Entries(FileOptions):
    """The options that name entries."""

    # the entries of the arguments
    terms: Annotated[
        list[str] | None,
        typer.Argument(metavar="TERM...", help="The entries. Write -- before an entry that begins with a hyphen."),
    ] = None
    # the file with more entries
    from_file: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Entries from a .txt, .csv, .json or .xlsx file, or - for stdin."),
    ] = None


@command()
def add(target: Target, list_id: ListId, *, given: Entries, options: UpdateOptions, context: typer.Context) -> Code:
    """Add entries to a list. Each app keeps its other entries.

    The command shows the plan on stderr and asks for confirmation. If a list changes after that, the same additions are
    planned again, without another question.

    Examples:
      cometchat-desk keywords add profanity-list phishing 'get rich quick'
      cometchat-desk keywords add profanity-list phishing --app shop --app forum
      cometchat-desk keywords add profanity-list --from words.txt --all-apps
    """
    lint.accept((), options.accept or ())
    return _change("add", target, list_id, given, options, context)


@command()
def remove(
    target: Target,
    list_id: ListId,
    max_removed: MaxRemoved = 0.2,
    *,
    given: Entries,
    options: UpdateOptions,
    context: typer.Context,
) -> Code:
    """Remove entries from a list. Each app keeps its other entries.

    An entry must be written exactly as the list has it. --max-removed limits the removals of a FILE; without a file,
    you name each entry, and there is no limit. The command shows the plan on stderr and asks for confirmation. If a
    list changes after that, the same removals are planned again, without another question.

    Examples:
      cometchat-desk keywords remove profanity-list malparido
      cometchat-desk keywords remove profanity-list malparido --app shop --app forum
      cometchat-desk keywords remove profanity-list --from words.txt --all-apps
    """
    return _change("remove", target, list_id, given, options, context, max_removed=max_removed)


def _check_texts(terms: Sequence[str]) -> None:
    for number, term in enumerate(terms, 1):
        if keyword_input.fault_in_text(term):
            fault = "is not valid UTF-8" if term.strip() else "is blank: write an entry"
            raise StopError(Code.USAGE, f"TERM {number} {fault}")


def _check_options(terms: Sequence[str], context: typer.Context) -> None:
    """Refuse an option as an entry: programs for texts, and phones, join its hyphens to a dash."""
    names = {name.lstrip("-"): name for option in context.command.params for name in option.opts}
    for term in terms:
        meant = names.get(term.lstrip("-\u2013\u2014").partition("=")[0])
        if meant is not None and term.startswith(("\u2013", "\u2014")):
            raise StopError(
                Code.USAGE, visible(f"{term} begins with a dash: write {meant}, or -- before such an entry")
            )


def _check_names(target: Target, terms: Sequence[str]) -> None:
    """Refuse the name of an app as an entry: it may belong to `--app`."""
    known = {name.casefold(): name for name in app_names(target.config)}
    names = list(dict.fromkeys(known[term.casefold()] for term in terms if term.casefold() in known))
    if not names:
        return
    options = " ".join(f"--app {shlex.quote(name)}" for name in dict.fromkeys([*(target.app or ()), *names]))
    named = f"{names[0]} is the name of an app" if len(names) == 1 else f"{', '.join(names)} are names of apps"
    advice = f"for several apps, use {options}; for an entry of that name, write -- before the entries"
    raise StopError(Code.USAGE, visible(f"{named}: {advice}"))


def _change(
    command: Literal["add", "remove"],
    target: Target,
    list_id: str,
    given: Entries,
    options: UpdateOptions,
    context: typer.Context,
    *,
    max_removed: float = 1.0,
) -> Code:
    terms, file = given.terms or (), given.from_file
    if not terms and file is None:
        raise StopError(Code.USAGE, "no entry was given: write TERM arguments, or use --from FILE")
    _check_texts(terms)
    before_dashes = [term for term in terms if term not in context.meta[AFTER_DASHES]]
    _check_options(before_dashes, context)
    _check_names(target, before_dashes)
    content = None if file is None else read_file(file, given)
    of_file = () if content is None else content.entries
    changes = Changes(**{command: (*terms, *of_file)})
    with Apps(target, all_apps=options.all_apps) as apps:
        return Run(
            command,
            apps=apps,
            rows=apps.plan(list_id, partial(_planned, changes, list_id, content), file),
            options=options,
            max_removed=1.0 if file is None else max_removed,
            changes=changes,
            additions=of_file if changes.add else (),
            advice=RUN_AGAIN,
        ).execute()


def _planned(changes: Changes, list_id: str, content: ListFile | None, chat: Client) -> KeywordPlan:
    planned = changes.plan(chat, list_id)
    if content is not None and content.category not in (None, planned.category):
        raise InvalidRequestError(
            f"it is a list of category {planned.category}, and the file holds entries of category {content.category}. "
            "No update was sent.",
            path_values={"keyword_id": list_id},
        )
    return planned
