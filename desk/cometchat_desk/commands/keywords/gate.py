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
        f"{' and '.join(counts)} in the new entries ({', '.join(rules)}). Correct the entries, or"
        f" leave out --yes to decide. To send them as they are, add {options}"
    )


def secret_problem(
    plan: KeywordPlan, keys: Collection[str], accepted: Collection[str]
) -> InvalidRequestError | None:
    """The error for a plan that holds a known API key, or whose new entries look like secrets."""
    if SECRET in accepted:
        return None
    new = "\n".join(new_entries(plan))
    text = "\n".join(plan.entries)
    if any(key in text for key in keys):
        fault = "holds the API key of an app"
    elif holds_key(new, ()):
        fault = "looks like an API key"
    elif LIKE_A_TOKEN.search(new):
        fault = "looks like an auth token of a user"
    else:
        return None
    advice = f"remove the entry, or, if it is not a secret, add --accept {SECRET}"
    return InvalidRequestError(
        f"an entry {fault}; {advice}. No update was sent.",
        path_values={"keyword_id": plan.keyword_id},
    )
