"""The gate of all updates: the findings of the linter and secrets in the new entries of a plan."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from attrs import field, frozen

from cometchat_desk import lint
from cometchat_desk.lint import Finding
from cometchat_desk.settings.keys import holds_key
from cometchat_desk.settings.profiles import LIKE_A_TOKEN
from cometchat_desk.wording import many
from cometchat_rest import InvalidRequestError, KeywordPlan

from .entry_input import name_of

#: The rule about keys and tokens. It is not one of the linter, which knows no keys.
SECRET = "secret"  # noqa: S105 - the name of a rule

#: The option of commands that update lists.
Accept: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help=(
            "Send new entries although keywords lint reports them under this rule. The rule secret"
            " is for an entry that only looks like a key."
        ),
    ),
]


@frozen
class Batch:
    """Entries that came together, in a file or as typed words. Damage of a file, such as a title
    or marks in each line, shows only between its own entries."""

    entries: Sequence[str] = field(repr=False)  # the entries, as the file or the user gave them
    # the file: the settings of the linter are beside it; the current folder for typed words
    place: Path = Path()


def check_rules(rules: Sequence[str]) -> None:
    """Refuse a rule that does not exist, before any list is read."""
    for rule in rules:
        if rule != SECRET:
            lint.check_rule(rule)


def new_entries(plan: KeywordPlan) -> Sequence[str]:
    """The entries that a plan adds; all, if the service does not show those of the list."""
    return plan.entries if plan.current is None else plan.added


def find(
    plan: KeywordPlan, batches: Iterable[Batch], beside: Sequence[str] = ()
) -> Sequence[Finding]:
    """The findings in the new entries of a plan, each batch with its own settings. The entries of
    `beside` are in the list too, but are not checked."""
    new = frozenset(new_entries(plan))
    if not new:
        return ()
    findings: list[Finding] = []
    for batch in batches:
        findings += lint.lint_entries(
            batch.entries,
            category=plan.new.category,
            settings=lint.find_settings(batch.place),
            beside=beside,
        )
    return [finding for finding in findings if finding.entry in new]


def problem(findings: Sequence[Finding], accepted: Collection[str]) -> str:
    """Why entries that nobody has seen must not be added; an empty text if they may be."""
    stopping = [
        finding
        for finding in findings
        if finding.severity in ("error", "warning") and finding.rule not in accepted
    ]
    if not stopping:
        return ""
    kinds = [str(finding.severity) for finding in stopping]
    counts = [many(kinds.count(kind), kind, f"{kind}s") for kind in sorted(set(kinds))]
    rules = list(dict.fromkeys(finding.rule for finding in stopping))
    options = " ".join(f"--accept {rule}" for rule in rules)
    return (
        f"{' and '.join(counts)} in the new entries ({', '.join(rules)}). Correct the entries"
        " (keywords lint --fix repairs a file), or leave out --yes to decide. To send them as they"
        f" are, add {options}"
    )


def secret_problem(
    plan: KeywordPlan, keys: Collection[str], accepted: Collection[str], file: Path | None
) -> InvalidRequestError | None:
    """The error for a plan that holds a known API key, or whose new entries look like secrets. It
    has the number of the entry, which no message shows: in its file, if the plan has the entries of
    one, among the new entries, or else in the list."""
    if SECRET in accepted:
        return None
    new = dict.fromkeys(new_entries(plan))
    for number, entry in enumerate(plan.entries, 1):
        fault = _fault_of(entry, keys, is_new=entry in new)
        if not fault:
            continue
        place = f"entry {number} of {'the list' if file is None else name_of(file)}"
        if file is None and entry in new:
            place = f"new entry {list(new).index(entry) + 1}"
        advice = f"remove it, or, if it is not a secret, add --accept {SECRET}"
        return InvalidRequestError(
            f"{place} {fault}; {advice}. No update was sent.",
            path_values={"keyword_id": plan.keyword_id},
        )
    return None


def _fault_of(entry: str, keys: Collection[str], *, is_new: bool) -> str:
    if any(key in entry for key in keys):
        return "holds the API key of an app"
    if is_new and holds_key(entry, ()):
        return "looks like an API key"
    if is_new and LIKE_A_TOKEN.search(entry):
        return "looks like an auth token of a user"
    return ""
