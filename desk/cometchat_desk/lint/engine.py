"""Runs the rules on entries and on files."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import evolve

from cometchat_desk.lists.files import ListFile
from cometchat_desk.terminal.text import visible

from .catalogue import RULES, Rule
from .checks import Listed
from .findings import Finding, shown
from .settings import LintSettings


def lint_entries(
    entries: Iterable[str],
    *,
    category: str = "word",
    settings: LintSettings | None = None,
    beside: Iterable[str] = (),
) -> tuple[Finding, ...]:
    """Find damaged and unusual entries in a list. The entries of `beside` are in the list too, but
    are not checked."""
    listed = Listed(entries=tuple(entries), category=category, beside=tuple(beside))
    settings = settings or LintSettings()
    findings = [finding for rule in RULES.values() for finding in _found(rule, listed, settings)]
    # The sort is stable: findings in the same entry stay in the order of the rules.
    return tuple(sorted(findings, key=lambda finding: finding.index))


def _found(rule: Rule, listed: Listed, settings: LintSettings) -> Iterator[Finding]:
    severity = settings.severities.get(rule.id, rule.severity)
    if severity is None or not listed.entries:
        return
    accepted = settings.accepted.get(rule.id, ())
    for index, problem in rule.check(listed):
        entry = listed.entries[index]
        if entry not in accepted:
            message = f"{shown(entry)} {problem}"
            yield Finding(
                rule=rule.id, severity=severity, message=message, entry=entry, index=index
            )


def lint_file(content: ListFile, name: str, *, settings: LintSettings) -> tuple[Finding, ...]:
    """Find damaged and unusual entries in the content of a file."""
    category = content.category or settings.category_for(Path(name)) or "word"
    findings = lint_entries(content.entries, category=category, settings=settings)
    return tuple(
        evolve(
            finding,
            file=visible(name),
            line=content.lines[finding.index] if content.lines else None,
        )
        for finding in findings
    )
