"""`cometchat-desk keywords add` and `remove`: change single entries of a list, in one app or in several apps."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cometchat_desk.commands.command import AFTER_DASHES, command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.settings.profiles import app_names
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.shares import MaxRemoved
from cometchat_desk.terminal.text import visible

from . import lint_check
from .content import ListId, group
from .entry_input import Header, InputFormat, StdinFormat, read_entries
from .update_options import UpdateOptions

if TYPE_CHECKING:
    from cometchat_desk.lists.plan_changes import Changes
    from cometchat_rest import Client, KeywordPlan


Terms: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(metavar="TERM...", help="The entries. Write -- before an entry that begins with a hyphen."),
]
FromFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--from", metavar="FILE", help="Entries from a .txt, .csv or .json file, or - for standard input."),
]


@command(
    group,
    examples=[
        "cometchat-desk keywords add profanity-list phishing 'get rich quick'",
        "cometchat-desk keywords add profanity-list phishing --app shop --app forum",
        "cometchat-desk keywords add profanity-list --from words.txt --all-apps",
    ],
)
def add(
    target: Target,
    list_id: ListId,
    terms: Terms = None,
    from_file: FromFile = None,
    input_format: StdinFormat = InputFormat.TXT,
    header: Header = None,
    *,
    context: typer.Context,
    options: UpdateOptions,
) -> Code:
    """Add entries to a list. Each app keeps its other entries.

    The command shows the plan on stderr and asks for confirmation. If a list changes after that, the same additions are
    planned again, without another question.
    """
    lint_check.check_accepted(options.accept)
    typed = _typed(target, terms or (), from_file, context.meta[AFTER_DASHES])
    of_file, category = ((), None) if from_file is None else read_entries(from_file, input_format, header)

    from cometchat_desk.lists.plan_changes import Changes

    changes = Changes(add=(*typed, *of_file))
    return _change(target, list_id, changes, options, category=category, file=from_file, additions=of_file)


@command(
    group,
    examples=[
        "cometchat-desk keywords remove profanity-list malparido",
        "cometchat-desk keywords remove profanity-list malparido --app shop --app forum",
        "cometchat-desk keywords remove profanity-list --from words.txt --all-apps",
    ],
)
def remove(
    target: Target,
    list_id: ListId,
    terms: Terms = None,
    from_file: FromFile = None,
    input_format: StdinFormat = InputFormat.TXT,
    header: Header = None,
    max_removed: MaxRemoved = 0.2,
    *,
    context: typer.Context,
    options: UpdateOptions,
) -> Code:
    """Remove entries from a list. Each app keeps its other entries.

    An entry must be written exactly as the list has it. --max-removed limits the removals of a FILE; without a file,
    you name each entry, and there is no limit. The command shows the plan on stderr and asks for confirmation. If a
    list changes after that, the same removals are planned again, without another question.
    """
    typed = _typed(target, terms or (), from_file, context.meta[AFTER_DASHES])
    of_file, category = ((), None) if from_file is None else read_entries(from_file, input_format, header)

    from cometchat_desk.lists.plan_changes import Changes

    changes = Changes(remove=(*typed, *of_file))
    limit = 1.0 if from_file is None else max_removed
    return _change(target, list_id, changes, options, category=category, file=from_file, max_removed=limit)


def _typed(target: Target, terms: Sequence[str], file: Path | None, after_dashes: Sequence[str]) -> Sequence[str]:
    """The entries of the arguments. The name of an app is one only after `--`: it may belong to `--app`."""
    if not terms and file is None:
        raise StopError(Code.USAGE, "no entry was given: write TERM arguments, or use --from FILE")
    apps = set(app_names(target.config)).difference(after_dashes)
    for number, term in enumerate(terms, 1):
        if not term.strip():
            raise StopError(Code.USAGE, f"TERM {number} is blank: write an entry")
        if any("\ud800" <= character <= "\udfff" for character in term):
            raise StopError(Code.USAGE, f"TERM {number} is not valid UTF-8: {visible(term)}")
        if term in apps:
            options = " ".join(f"--app {shlex.quote(name)}" for name in dict.fromkeys([*(target.app or ()), term]))
            raise StopError(
                Code.USAGE,
                f"TERM {number} is the name of an app: for several apps, use {visible(options)}; for the entry "
                f"{visible(term)}, write -- before the entries",
            )
    return terms


def _change(
    target: Target,
    list_id: str,
    changes: "Changes",
    options: UpdateOptions,
    *,
    category: str | None,
    file: Path | None,
    additions: Sequence[str] = (),
    max_removed: float = 1.0,
) -> Code:
    from cometchat_rest import InvalidRequestError

    from .updates import RUN_AGAIN, Apps, Run

    def plan(chat: "Client") -> "KeywordPlan":
        planned = changes.plan(chat, list_id)
        if category not in (None, planned.category):
            raise InvalidRequestError(
                f"it is a list of category {planned.category}, and the file holds entries of category {category}. No "
                "update was sent.",
                list_id=list_id,
            )
        return planned

    with Apps(target, all_apps=options.all_apps) as apps:
        return Run(
            apps=apps,
            rows=apps.plan(list_id, plan, file),
            options=options,
            max_removed=max_removed,
            changes=changes,
            additions=additions,
            advice=RUN_AGAIN,
        ).execute()
