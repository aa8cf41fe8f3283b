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
) -> tuple[Finding, ...]:
    """Find damaged and unusual entries in a list."""
    return _run(Listed(entries=tuple(entries), category=category), settings or LintSettings())


def lint_file(content: ListFile, name: str, *, settings: LintSettings) -> tuple[Finding, ...]:
    """Find damaged and unusual entries in the content of a file."""
    category = content.category or settings.category_for(Path(name)) or "word"
    findings = _run(Listed(entries=content.entries, category=category), settings)
    return tuple(
        evolve(one, file=visible(name), line=content.lines[one.index] if content.lines else None) for one in findings
    )


def _run(listed: Listed, settings: LintSettings) -> tuple[Finding, ...]:
    findings = [finding for rule in RULES.values() for finding in _findings(rule, listed, settings)]
    # The sort is stable: findings in the same entry stay in the order of the rules.
    return tuple(sorted(findings, key=lambda finding: finding.index))


def _findings(rule: Rule, listed: Listed, settings: LintSettings) -> Iterator[Finding]:
    severity, accepted = settings.severity_for(rule.id), settings.accepted.get(rule.id, frozenset())
    if severity is None:
        return
    for problem in rule.check(listed):
        entry = listed.entries[problem.index]
        if entry not in accepted:
            message = f"{shown(entry)} {problem.text}"
            yield Finding(rule=rule.id, severity=severity, message=message, entry=entry, index=problem.index)
