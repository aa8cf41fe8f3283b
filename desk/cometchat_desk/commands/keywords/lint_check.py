"""The linter in plans: show its findings, and stop an update with damaged entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.terminal.columns import Record
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many

if TYPE_CHECKING:
    from cometchat_desk.lint import Finding, LintSettings
    from cometchat_rest import KeywordPlan

#: The option of commands that update lists.
Accept: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="RULE", help="Update the list although keywords lint finds errors of this rule."),
]

# `KeywordPlan.describe()` shows these problems itself. Errors are shown nevertheless, because the message that stops an
# update counts them by their rules.
_IN_PLANS = frozenset(("duplicate", "case-duplicate", "too-long", "unbounded-pattern", "invalid-pattern"))


def load_lint(command: str) -> None:
    """Make sure that the libraries of the linter are installed.

    Raises:
        StopError: the extra `desk` is not installed.
    """
    try:
        import cometchat_desk.lint  # noqa: F401
    except ImportError:
        raise StopError(
            Code.SETTINGS, f'{command} needs the extra "desk": pip install "cometchat-desk[desk]"'
        ) from None


def check_accepted(accept: Sequence[str] | None) -> None:
    """Make sure that each accepted rule exists.

    Raises:
        InvalidRequestError: there is no such rule, or it cannot be accepted.
    """
    if accept:
        from cometchat_desk import lint

        lint.accept((), accept)


def find(
    plans: Mapping[str, KeywordPlan],
    file: Path | None = None,
    of_apps: Mapping[str, Path] | None = None,
    additions: Sequence[str] = (),
) -> dict[str, Sequence[Finding]]:
    """The findings in the new entries of each plan.

    Args:
        plans: the plans by app.
        file: the file with the new entries; the settings beside it are used.
        of_apps: the settings that the profiles of apps name; they are used if there are no settings beside the file.
        additions: the entries of the file, if the plans add them to the entries that an app has.

    Raises:
        InvalidRequestError: the settings are invalid.
    """
    load_lint("keywords plan")
    from cometchat_desk import lint

    beside = None if file is None else lint.find_settings(file)
    found: dict[str, Sequence[Finding]] = {}
    for name, plan in plans.items():
        of_app = (of_apps or {}).get(name)
        settings = beside or (lint.LintSettings() if of_app is None else lint.read_settings(of_app))
        found[name] = _lint(plan, settings, additions)
    return found


def _lint(plan: KeywordPlan, settings: LintSettings, additions: Sequence[str]) -> Sequence[Finding]:
    from cometchat_desk import lint

    found = lint.lint_entries(plan.entries, category=plan.new.category, before=plan.current, settings=settings)
    if additions:
        # Damage of a file, such as a title or marks in each line, does not show between the entries of the list.
        alone = lint.lint_entries(additions, category=plan.new.category, before=plan.current, settings=settings)
        found = _most_severe((*found, *alone))
    # A plan needs no remark about libraries that are not installed. Findings in new entries come first.
    live = frozenset(plan.current or ())
    return sorted((each for each in found if each.entry is not None), key=lambda each: each.entry in live)


def _most_severe(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings without those that another one of the same rule and entry makes unnecessary."""
    from cometchat_desk.lint import Severity

    # The sort is stable, and a dictionary keeps the first one.
    by_severity = sorted(findings, key=lambda each: tuple(Severity).index(each.severity))
    kept: dict[tuple[str, str | None], Finding] = {}
    for each in by_severity:
        kept.setdefault((each.rule, each.entry), each)
    return tuple(kept.values())


def show(found: Mapping[str, Sequence[Finding]], *, all_entries: bool = False, stderr: bool = False) -> None:
    """Show the findings to people, as warnings below the plans."""
    from cometchat_desk import lint
    from cometchat_desk.terminal.table import write

    for name, findings in found.items():
        # Notes are for keywords lint.
        shown = [
            each
            for each in findings
            if each.severity == "error" or (each.severity == "warning" and each.rule not in _IN_PLANS)
        ]
        for line in lint.describe(shown, None) if all_entries else lint.describe(shown):
            write(f"! {f'{name}: ' if name else ''}{line}", "yellow", stderr=stderr)


def with_findings(records: Iterator[Record], found: Mapping[str, Sequence[Finding]]) -> Iterator[Record]:
    """The records of plans with the findings of each."""
    for record, findings in zip(records, found.values(), strict=True):
        yield {**record, "findings": [each.to_dict() for each in findings]}


def stop_if_damaged(
    plans: Mapping[str, KeywordPlan], found: Mapping[str, Sequence[Finding]], accept: Sequence[str] | None
) -> None:
    """Stop before an update that would add damaged entries to a list.

    Args:
        plans: the plans that would be applied.
        found: the findings in them.
        accept: the rules whose errors the user accepts.

    Raises:
        StopError: a plan has an error. The message names the rules.
    """
    from cometchat_desk import lint

    for name, plan in plans.items():
        added = None if plan.current is None else plan.added
        errors = lint.blocking(found.get(name, ()), accept or (), added=added)
        if errors:
            rules = [lint.RULES[rule] for rule in dict.fromkeys(each.rule for each in errors)]
            options = " ".join(f"--accept {rule.id}" for rule in rules if not rule.is_refused)
            advice = [f"Correct the entries, or add {options}." if options else "Correct the entries."]
            advice += [
                f"The service refuses entries that break {rule.id}. {rule.advice}" for rule in rules if rule.is_refused
            ]
            where = f" in {visible(name)}" if name else ""
            raise StopError(
                Code.USAGE,
                f"{visible(plan.list_id)}: {many(len(errors), 'error', 'errors')} in the new entries{where} "
                f"({', '.join(rule.id for rule in rules)}). {' '.join(advice)} No update was sent.",
            )
