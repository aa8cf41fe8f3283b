"""`cometchat-rest keywords`: moderation keyword lists, in one app or in several."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from . import prompts
from .command import Yes, command, opened
from .escaping import visible
from .exit_codes import Code, StopError, code_for, print_error, reason_for, warn_if_interrupted
from .output import Output, OutputFormat, as_json, chosen, show
from .progress import ProgressNote
from .target import Target

if TYPE_CHECKING:
    from cometchat_rest import Fleet, KeywordList, KeywordListInput, KeywordPlan, Outcome

T = TypeVar("T")

group = typer.Typer(name="keywords", help="Moderation keyword lists: see them, plan changes, apply them.")


def _categories() -> Sequence[str]:
    from cometchat_openapi.models.keyword_category import KEYWORD_CATEGORY_VALUES

    return sorted(KEYWORD_CATEGORY_VALUES)


ListId: TypeAlias = Annotated[str, typer.Argument(metavar="LIST", help="The list's identifier.")]
NewContent: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE", help="What it is to hold: .txt, .csv without a header, or .json.")
]
Category: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="word, pattern or sentence-similarity; the one that the list has, unless given.",
        autocompletion=_categories,
    ),
]
AllApps: TypeAlias = Annotated[bool, typer.Option("--all-apps", help="Every app of the profiles.")]
AllEntries: TypeAlias = Annotated[bool, typer.Option("--all", help="Show every entry, not just 50 of each kind.")]


@command(
    group,
    examples=["cometchat-rest keywords get profanity-list", "cometchat-rest keywords get profanity-list -o csv"],
)
def get(target: Target, list_id: ListId, output: Output = None) -> None:
    """Show a list with its entries.

    As CSV, it is the entries alone, as plan and apply read them from a file.
    """
    from cometchat_rest import keyword_input
    from cometchat_rest.keywords import files

    found = _read(target, list_id)
    form = chosen(output)
    if form is OutputFormat.TABLE:
        from .keyword_view import show_list

        show_list(found, keyword_input.list_entries(found))
    elif form is OutputFormat.CSV:
        text = files.csv_text(_entries(list_id, found))
        sys.stdout.write(
            text if not sys.stdout.isatty() else "".join(f"{visible(each)}\n" for each in text.splitlines())
        )
    else:
        print(as_json(found.to_dict(), indent=2 if form is OutputFormat.JSON else None))


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
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to: .txt, .csv or .json.")],
    yes: Yes = False,
) -> None:
    """Write a list to a file, to be edited and applied.

    The file is written whole or not at all. One that is there is replaced only after a question, or with --yes.
    """
    from cometchat_rest import keyword_input
    from cometchat_rest.keywords.plan import many

    found = _read(target, list_id)
    entries = _entries(list_id, found)
    if file.exists():
        prompts.confirm(f"Replace {visible(str(file))}?", yes=yes)
    keyword_input.dump(found, file)
    held = many(len(entries), "entry", "entries")
    print(f"{visible(str(file))} holds the {held} of {visible(list_id)}.", file=sys.stderr)


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
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if anything may change.")] = False,
    output: Output = None,
) -> Code:
    """Show what an update of a list would change; nothing is changed.

    - goes, + comes, ~ becomes different, ! is a warning.
    """
    from . import keyword_view

    fleet, broken = _fleet(target, all_apps=all_apps)
    with fleet:
        outcomes = {**_plans(fleet, list_id, file, category), **broken}
    made = _made(outcomes)
    form = chosen(output)
    if form is OutputFormat.TABLE:
        keyword_view.show_plans(made, whole=all_entries)
    elif form is OutputFormat.CSV:
        show(keyword_view.changes(made), keyword_view.CHANGES, form)
    else:
        show(keyword_view.plan_records(made), (), form)
    changes = exit_code and any(map(keyword_view.would_change, made.values()))
    return max(_complain_of(outcomes, alone=len(outcomes) == 1), Code.NO if changes else Code.DONE)


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
        float, typer.Option(metavar="SHARE", min=0, max=1, help="The largest share of the entries that may go.")
    ] = 0.2,
    all_apps: AllApps = False,
    all_entries: AllEntries = False,
    yes: Yes = False,
    output: Output = None,
) -> Code:
    """Make a list what a file says.

    The plan is shown on stderr, and a question asked. Nothing is sent where more than --max-removed of a list would
    go, or where it has changed since the plan. Then the list is read back, and what came of it is shown: - was sent
    and is not there, + is there and was not sent.
    """
    from . import keyword_view

    fleet, broken = _fleet(target, all_apps=all_apps)
    with fleet:
        plans = {**_plans(fleet, list_id, file, category), **broken}
        outcomes = {name: _allowed(each, max_removed) for name, each in plans.items()}
        changing_something = {name: each for name, each in _made(plans).items() if keyword_view.would_change(each)}
        keyword_view.show_plans(changing_something, whole=all_entries, stderr=True)
        code = _complain_of(outcomes, alone=len(plans) == 1)
        made = _made(outcomes)
        pending = {name: outcomes[name] for name in made if name in changing_something}
        if pending:
            prompts.confirm(_question(list_id, pending), yes=yes)
        with warn_if_interrupted("The update"), ProgressNote(f"Updating {visible(list_id)}"):
            updates = fleet.apply(pending, max_removed=max_removed)
    results = [
        keyword_view.Result(name, each, _made(updates).get(name))
        for name, each in made.items()
        if name not in updates or updates[name].result
    ]
    keyword_view.show_results(results, output, whole=all_entries)
    return max(code, _complain_of(updates, alone=len(plans) == 1), *(each.code for each in results))


def _read(target: Target, list_id: str) -> "KeywordList":
    with opened(target) as chat, ProgressNote(f"Reading {visible(list_id)}"):
        return chat.keywords.get(list_id)


def _entries(list_id: str, found: "KeywordList") -> Sequence[str]:
    from cometchat_rest import keyword_input

    from .keyword_view import HIDDEN

    entries = keyword_input.list_entries(found)
    if entries is None:
        raise StopError(Code.CONTRACT, f"{visible(list_id)}: {HIDDEN}")
    return entries


def _fleet(target: Target, *, all_apps: bool) -> "tuple[Fleet, Mapping[str, Outcome[KeywordPlan]]]":
    """The apps that are meant; and those of several for which there is no client, with the reason."""
    from cometchat_rest import Fleet, Outcome

    from . import connection

    clients = connection.the_clients(target, all_apps=all_apps)
    broken: dict[str, Outcome[KeywordPlan]] = {
        name: Outcome(error=each.error) for name, each in clients.items() if each.error is not None
    }
    return Fleet(_made(clients)), broken


def _plans(fleet: "Fleet", list_id: str, file: Path, category: str | None) -> "Mapping[str, Outcome[KeywordPlan]]":
    new = _new_content(file, category)
    with ProgressNote(f"Comparing {visible(list_id)}"):
        return fleet.plan(list_id, new)


def _new_content(file: Path, category: str | None) -> "KeywordListInput | tuple[str, ...]":
    from cometchat_rest import keyword_input
    from cometchat_rest.keywords import files

    if category is None and file.suffix.lower() != ".json":
        return files.read(file).terms
    return keyword_input.load(file, category=category)


def _allowed(outcome: "Outcome[KeywordPlan]", max_removed: float) -> "Outcome[KeywordPlan]":
    """The same, unless too much would go: better told before anybody is asked."""
    import cometchat_rest

    try:
        if outcome.result is not None:
            outcome.result.check_removed(max_removed)
    except cometchat_rest.PlanRefusedError as error:
        error.add_note("(--max-removed)")
        return cometchat_rest.Outcome(error=error)
    return outcome


def _made(outcomes: "Mapping[str, Outcome[T]]") -> dict[str, T]:
    return {name: outcome.result for name, outcome in outcomes.items() if outcome.result is not None}


def _question(list_id: str, pending: Mapping[str, object]) -> str:
    where = f" in {', '.join(map(visible, pending))}" if any(pending) else ""
    return f"Update {visible(list_id)}{where}?"


def _complain_of(outcomes: "Mapping[str, Outcome[T]]", *, alone: bool) -> Code:
    """Say what failed, by app unless it is alone; the gravest of the codes."""
    codes = [Code.DONE]
    for name, outcome in outcomes.items():
        if alone:
            outcome.unwrap()
        elif outcome.error is not None:
            print_error(f"{visible(name)}: {reason_for(outcome.error)}")
            codes.append(code_for(outcome.error))
    return max(codes)
