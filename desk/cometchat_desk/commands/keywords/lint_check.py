"""The linter in plans: show its findings, and stop an update with damaged entries."""

import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from cometchat_desk import lint
from cometchat_desk.lint import Finding
from cometchat_desk.lint.cleaning import REPAIRS
from cometchat_desk.wording import many
from cometchat_rest import KeywordPlan

from .entry_input import STDIN

#: The option of commands that update lists.
Accept: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE", help="Update the list although keywords lint finds errors of this rule."
    ),
]


# Rules about texts that are something else than entries of this list. Words that a user types may
# look odd.
_NO_ENTRIES = ["file-name", "joined-words", "pattern-as-word", "spreadsheet-doubt"]


def find(
    plan: KeywordPlan, file: Path | None = None, additions: Sequence[str] = ()
) -> Sequence[Finding]:
    """The findings in the new entries of a plan; those in entries that the list does not have
    yet come first."""
    settings = lint.LintSettings() if file is None else lint.find_settings(file)
    check = partial(lint.lint_entries, category=plan.new.category, settings=settings)
    # Damage of a file, such as a title or marks in each line, does not show between the entries of
    # the list.
    findings = {(one.rule, one.entry): one for one in (*check(additions), *check(plan.entries))}
    live = frozenset(plan.current or ())
    return sorted(findings.values(), key=lambda finding: finding.entry in live)


def damage(
    plan: KeywordPlan,
    findings: Sequence[Finding],
    accept: Sequence[str],
    file: Path | None,
    unseen: Sequence[str] = (),
) -> str:
    """The reason not to send a plan that adds damaged entries, with what repairs it; empty if it
    adds none.

    Without a question, nobody sees that half of the `unseen` entries are something else: this is
    damage.
    """
    new = frozenset(plan.entries if plan.current is None else plan.added)
    of_new = [one for one in findings if one.rule not in accept and one.entry in new]
    no_entries = _NO_ENTRIES if file else ["joined-words"]
    others = {one.entry for one in of_new if one.rule in no_entries}.intersection(unseen)
    doubtful = no_entries if 2 * len(others) >= len({*unseen}) > 0 else ()
    errors = [one for one in of_new if one.severity == "error" or one.rule in doubtful]
    if not errors:
        return ""
    rules = list(dict.fromkeys(finding.rule for finding in errors))
    kinds = [str(one.severity) for one in errors]
    counts = " and ".join(many(kinds.count(kind), kind, f"{kind}s") for kind in sorted({*kinds}))
    reason = f"{counts} in the new entries ({', '.join(rules)})."
    can_repair = file not in (None, STDIN) and not REPAIRS.keys().isdisjoint(rules)
    repair = (
        f"Run cometchat-desk keywords lint --fix {shlex.quote(str(file))}"
        if can_repair
        else "Correct the entries"
    )
    options = " ".join(f"--accept {rule}" for rule in rules)
    return f"{reason} {repair}. To send the entries as they are, add {options}."
