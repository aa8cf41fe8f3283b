"""`cometchat-desk keywords add` and `remove`: change single entries of a list, in one app or in several apps."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cometchat_desk.commands.command import command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.text import visible

from . import lint_check
from .content import ListId, group
from .entry_input import Header, InputFormat, StdinFormat, read_entries
from .journal import advise_without
from .update_options import UpdateOptions

if TYPE_CHECKING:
    from cometchat_desk.fleet import Fleet, Outcome
    from cometchat_desk.journal import Journal
    from cometchat_desk.lint import Finding
    from cometchat_desk.lists.changes import AppliedChanges
    from cometchat_rest import Client, KeywordPlan, KeywordUpdate

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
    options: UpdateOptions,
) -> Code:
    """Add entries to a list. Each app keeps its other entries.

    The command shows the plan on stderr and asks for confirmation. If a list changes after that, the same additions are
    planned again, without another question.
    """
    lint_check.check_accepted(options.accept)
    entries, category = _entries(terms, from_file, input_format, header)
    return _change(
        target,
        list_id,
        lambda fleet: fleet.plan_changes(list_id, add=entries),
        options,
        category=category,
        file=from_file,
        additions=entries[len(terms or ()) :],
    )


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
    *,
    options: UpdateOptions,
) -> Code:
    """Remove entries from a list. Each app keeps its other entries.

    An entry must be written exactly as the list has it. There is no limit such as --max-removed, because you name each
    entry. The command shows the plan on stderr and asks for confirmation. If a list changes after that, the same
    removals are planned again, without another question.
    """
    entries, category = _entries(terms, from_file, input_format, header)
    return _change(
        target,
        list_id,
        lambda fleet: fleet.plan_changes(list_id, remove=entries),
        options,
        category=category,
        file=from_file,
    )


def _entries(
    terms: list[str] | None, from_file: Path | None, input_format: InputFormat, header: bool | None
) -> tuple[tuple[str, ...], str | None]:
    """The entries of the arguments and of the file, and the category that the file names."""
    if not terms and from_file is None:
        raise StopError(Code.USAGE, "no entry was given: write TERM arguments, or use --from FILE")
    for number, term in enumerate(terms or (), 1):
        if not term.strip():
            raise StopError(Code.USAGE, f"TERM {number} is blank: write an entry")
        if any("\ud800" <= each <= "\udfff" for each in term):
            raise StopError(Code.USAGE, f"TERM {number} is not valid UTF-8: {visible(term)}")
    found, category = ((), None) if from_file is None else read_entries(from_file, input_format, header)
    return (*(terms or ()), *found), category


def _change(
    target: Target,
    list_id: str,
    planning: "Callable[[Fleet], Mapping[str, Outcome[KeywordPlan]]]",
    options: UpdateOptions,
    *,
    category: str | None,
    file: Path | None,
    additions: Sequence[str] = (),
) -> Code:
    from cometchat_desk.lists.changes import apply_changes

    from . import updates as keyword_update

    with keyword_update.Apps(target, all_apps=options.all_apps) as apps:
        plans = apps.plans(list_id, planning)
        if category is not None:
            plans = {name: _with_category(each, category) for name, each in plans.items()}

        def send(
            pending: "Mapping[str, KeywordPlan]", journal: "Journal | None"
        ) -> "Mapping[str, Outcome[AppliedChanges]]":
            def job(name: str) -> "Callable[[Client], AppliedChanges]":
                def apply(chat: "Client", plan: "KeywordPlan") -> "KeywordUpdate":
                    if plan is not pending[name]:
                        found = lint_check.find({name: plan}, file, apps.lint_files, additions)
                        _check_new_plan(name, plan, found, options.accept)
                    if journal is None:
                        return chat.keywords.apply(plan, settle_within=options.settle_within)
                    with advise_without():
                        return journal.apply(chat, plan, app=name, settle_within=options.settle_within)

                return lambda chat: apply_changes(chat, pending[name], send=partial(apply, chat))

            return apps.fleet.run({name: job(name) for name in pending})

        return keyword_update.update_lists(
            apps,
            [keyword_update.ListPlans(list_id=list_id, plans=plans, file=file, additions=additions)],
            send,
            options,
            goal="the request",
            advice=keyword_update.CHANGES_UNKNOWN,
        )


def _check_new_plan(
    app: str, plan: "KeywordPlan", found: "Mapping[str, Sequence[Finding]]", accept: Sequence[str] | None
) -> None:
    """Check the entries of a plan that was made again: an entry that was in the list before may be new now.

    Raises:
        InvalidRequestError: an entry is damaged; no update was sent.
    """
    from cometchat_rest import InvalidRequestError

    try:
        lint_check.stop_if_damaged({app: plan}, found, accept)
    except StopError as error:
        raise InvalidRequestError(str(error)) from None


def _with_category(outcome: "Outcome[KeywordPlan]", category: str) -> "Outcome[KeywordPlan]":
    """The same outcome, or an error if the entries of the file are of another category than the list."""
    from cometchat_desk.fleet import Outcome
    from cometchat_rest import InvalidRequestError

    plan = outcome.result
    if plan is None or plan.category == category:
        return outcome
    return Outcome(
        error=InvalidRequestError(
            f"{visible(plan.list_id)} is a list of category {visible(str(plan.category))}, and the file holds entries "
            f"of category {category}. No update was sent."
        )
    )
