"""`cometchat-rest keywords`: moderation keyword lists, in one app or in several apps."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from . import prompts
from .command import Yes, command, open_client
from .escaping import visible
from .exit_codes import Code, StopError, code_for, print_error, reason_for, warn_if_interrupted
from .journal import JournalFile, NoJournal, apply_journaled, open_journal
from .output import Output, OutputFormat, as_json, format_for, show
from .progress import ProgressNote
from .target import Target
from .wording import many

if TYPE_CHECKING:
    from cometchat_rest import Fleet, KeywordList, KeywordListInput, KeywordPlan, KeywordUpdate, Outcome

T = TypeVar("T")

group = typer.Typer(name="keywords", help="Show moderation keyword lists, plan changes and apply them.")


def _categories() -> Sequence[str]:
    from cometchat_openapi.models.keyword_category import KEYWORD_CATEGORY_VALUES

    return sorted(KEYWORD_CATEGORY_VALUES)


ListId: TypeAlias = Annotated[str, typer.Argument(metavar="LIST", help="The list's identifier.")]
NewContent: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE", help="The new entries: .txt, .csv without a header, or .json.")
]
Category: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="word, pattern or sentence-similarity. Default: that of the file or the list.",
        autocompletion=_categories,
    ),
]
AllApps: TypeAlias = Annotated[bool, typer.Option("--all-apps", help="Use all apps of the profiles.")]
AllEntries: TypeAlias = Annotated[bool, typer.Option("--all", help="Show all entries, not only 50 of each kind.")]


@command(
    group,
    examples=["cometchat-rest keywords get profanity-list", "cometchat-rest keywords get profanity-list -o csv"],
)
def get(target: Target, list_id: ListId, output: Output = None) -> None:
    """Show a list with its entries.

    CSV output holds only the entries, in the format of the files for plan and apply.
    """
    from cometchat_rest import keyword_input

    found = _read(target, list_id)
    output_format = format_for(output)
    if output_format is OutputFormat.TABLE:
        from .keyword_view import show_list

        show_list(found, keyword_input.list_entries(found))
    elif output_format is OutputFormat.CSV:
        text = keyword_input.csv_text(_entries(list_id, found))
        sys.stdout.write(
            text if not sys.stdout.isatty() else "".join(f"{visible(each)}\n" for each in text.splitlines())
        )
    else:
        print(as_json(found.to_dict(), indent=2 if output_format is OutputFormat.JSON else None))


@command(
    group,
    examples=[
        "cometchat-rest keywords dump profanity-list words.txt",
        "cometchat-rest keywords dump profanity-list words.json --app shop --yes",
    ],
)
def dump(
    target: Target,
    list_id: ListId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write: .txt, .csv or .json.")],
    yes: Yes = False,
) -> None:
    """Write a list to a file, to edit and apply it.

    The file is written completely or not at all. An existing file is replaced only after confirmation, or with --yes.
    """
    from cometchat_rest import keyword_input

    found = _read(target, list_id)
    entries = _entries(list_id, found)
    if file.exists():
        prompts.confirm(f"Replace {visible(str(file))}?", yes=yes)
    keyword_input.dump(found, file)
    count = many(len(entries), "entry", "entries")
    print(f"Wrote {count} of {visible(list_id)} to {visible(str(file))}.", file=sys.stderr)


@command(
    group,
    examples=[
        "cometchat-rest keywords plan profanity-list words.txt",
        "cometchat-rest keywords plan profanity-list words.txt --all-apps --exit-code",
    ],
)
def plan(
    target: Target,
    list_id: ListId,
    file: NewContent,
    category: Category = None,
    all_apps: AllApps = False,
    all_entries: AllEntries = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 1 if the update may change the list.")
    ] = False,
    output: Output = None,
) -> Code:
    """Show what an update would change in a list, without changing it.

    The marks mean: - removed, + added, ~ modified, ! warning.
    """
    from . import keyword_view

    fleet, broken = _fleet(target, all_apps=all_apps)
    with fleet:
        outcomes = {**_plans(fleet, list_id, file, category), **broken}
    made = _results(outcomes)
    output_format = format_for(output)
    if output_format is OutputFormat.TABLE:
        keyword_view.show_plans(made, all_entries=all_entries)
    elif output_format is OutputFormat.CSV:
        show(keyword_view.changes(made), keyword_view.CHANGES, output_format)
    else:
        show(keyword_view.plan_records(made), (), output_format)
    changes = exit_code and any(map(keyword_view.may_change, made.values()))
    return max(_print_errors(outcomes, one_app=len(outcomes) == 1), Code.NO if changes else Code.DONE)


@command(
    group,
    examples=[
        "cometchat-rest keywords apply profanity-list words.txt",
        "cometchat-rest keywords apply profanity-list words.txt --all-apps",
        "cometchat-rest keywords apply profanity-list words.txt --max-removed 0.5",
    ],
)
def apply(
    target: Target,
    list_id: ListId,
    file: NewContent,
    category: Category = None,
    max_removed: Annotated[
        float,
        typer.Option(
            metavar="SHARE", min=0, max=1, help="The largest share of the entries that the update may remove."
        ),
    ] = 0.2,
    settle_within: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=0, help="How long to read the list again if the response to the update is lost."
        ),
    ] = 5.0,
    all_apps: AllApps = False,
    all_entries: AllEntries = False,
    yes: Yes = False,
    journal_file: JournalFile = None,
    no_journal: NoJournal = False,
    output: Output = None,
) -> Code:
    """Update a list to match a file; keywords rollback undoes it.

    Shows the plan on stderr and asks for confirmation. No update is sent if it would remove more than --max-removed of
    the entries, or if the list has changed since the plan. Then the list is read back, and differences are shown: - was
    sent but is missing, + was not sent but is there.
    """
    from . import keyword_view

    fleet, broken = _fleet(target, all_apps=all_apps)
    with fleet:
        plans = {**_plans(fleet, list_id, file, category), **broken}
        outcomes = {name: _check_removed(each, max_removed) for name, each in plans.items()}
        changing_something = {name: each for name, each in _results(plans).items() if keyword_view.may_change(each)}
        keyword_view.show_plans(changing_something, all_entries=all_entries, stderr=True)
        code = _print_errors(outcomes, one_app=len(plans) == 1)
        made = _results(outcomes)
        pending = {name: outcomes[name] for name in made if name in changing_something}
        updates: Mapping[str, Outcome[KeywordUpdate]] = {}
        if pending:
            journal = open_journal(journal_file, off=no_journal)
            prompts.confirm(_question(list_id, pending), yes=yes)
            with warn_if_interrupted(), ProgressNote(f"Updating {visible(list_id)}"):
                updates = apply_journaled(fleet, pending, journal, max_removed=max_removed, settle_within=settle_within)
    results = [
        keyword_view.Result(name, each, _results(updates).get(name))
        for name, each in made.items()
        if name not in updates or updates[name].result
    ]
    keyword_view.show_results(results, output, all_entries=all_entries)
    return max(code, _print_errors(updates, one_app=len(plans) == 1), *(each.code for each in results))


def _read(target: Target, list_id: str) -> "KeywordList":
    with open_client(target) as chat, ProgressNote(f"Reading {visible(list_id)}"):
        return chat.keywords.get(list_id)


def _entries(list_id: str, found: "KeywordList") -> Sequence[str]:
    from cometchat_rest import keyword_input

    from .keyword_view import HIDDEN

    entries = keyword_input.list_entries(found)
    if entries is None:
        raise StopError(Code.CONTRACT, f"{visible(list_id)}: {HIDDEN}")
    return entries


def _fleet(target: Target, *, all_apps: bool) -> "tuple[Fleet, Mapping[str, Outcome[KeywordPlan]]]":
    """A fleet of the apps that the options name, and the errors of the apps for which there is no client."""
    from cometchat_rest import Fleet, Outcome

    from . import connection

    clients = connection.make_clients(target, all_apps=all_apps)
    broken: dict[str, Outcome[KeywordPlan]] = {
        name: Outcome(error=each.error) for name, each in clients.items() if each.error is not None
    }
    return Fleet(_results(clients)), broken


def _plans(fleet: "Fleet", list_id: str, file: Path, category: str | None) -> "Mapping[str, Outcome[KeywordPlan]]":
    new = _new_content(file, category)
    with ProgressNote(f"Comparing {visible(list_id)}"):
        return fleet.plan(list_id, new)


def _new_content(file: Path, category: str | None) -> "KeywordListInput | tuple[str, ...]":
    from cometchat_rest import keyword_input

    if category is None and file.suffix.lower() != ".json":
        return keyword_input.load_terms(file)
    return keyword_input.load(file, category=category)


def _check_removed(outcome: "Outcome[KeywordPlan]", max_removed: float) -> "Outcome[KeywordPlan]":
    """The same outcome, or an error if the plan removes too much. The check comes before the question."""
    import cometchat_rest

    plan = outcome.result
    if plan is None:
        return outcome
    try:
        plan.check_removed(max_removed)
    except cometchat_rest.PlanRefusedError as error:
        refused = cometchat_rest.PlanRefusedError(
            f"{visible(plan.list_id)}: {_refusal(plan, max_removed)}. No update was sent.",
            removed=error.removed,
            share_removed=error.share_removed,
            max_removed=error.max_removed,
        )
        return cometchat_rest.Outcome(error=refused)
    return outcome


def _refusal(plan: "KeywordPlan", max_removed: float) -> str:
    if plan.current is None:
        return (
            "the service does not show the entries, so the number of removed entries is unknown; "
            "--max-removed 1 allows the update"
        )
    entries = many(len(plan.current), "entry", "entries")
    removed = f"{len(plan.removed):,} of {entries} ({plan.share_removed:.1%})"
    return f"the update would remove {removed}, and --max-removed allows {max_removed:.1%}"


def _results(outcomes: "Mapping[str, Outcome[T]]") -> dict[str, T]:
    return {name: outcome.result for name, outcome in outcomes.items() if outcome.result is not None}


def _question(list_id: str, pending: Mapping[str, object]) -> str:
    where = f" in {', '.join(map(visible, pending))}" if any(pending) else ""
    return f"Update {visible(list_id)}{where}?"


def _print_errors(outcomes: "Mapping[str, Outcome[T]]", *, one_app: bool) -> Code:
    """Print each error with the name of its app, and return the highest exit code. With one app, raise the error."""
    codes = [Code.DONE]
    for name, outcome in outcomes.items():
        if one_app:
            outcome.unwrap()
        elif outcome.error is not None:
            print_error(f"{visible(name)}: {reason_for(outcome.error)}")
            codes.append(code_for(outcome.error))
    return max(codes)
