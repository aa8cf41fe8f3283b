"""Runs the rules on entries and on files."""

from collections.abc import Iterable
from pathlib import Path

from attrs import evolve

from cometchat_desk.lists.files import ListFile
from cometchat_desk.terminal.text import visible

from .catalogue import RULES
from .checks import Listed
from .findings import Finding, shown
from .settings import LintSettings


def lint_entries(
    entries: Iterable[str], *, category: str = "word", settings: LintSettings | None = None
) -> tuple[Finding, ...]:
    """Find damaged and unusual entries in a list."""
    listed, settings = Listed(entries=tuple(entries), category=category), settings or LintSettings()
    findings: list[Finding] = []
    for rule in RULES.values():
        severity, accepted = (
            settings.severities.get(rule.id, rule.severity),
            settings.accepted.get(rule.id, ()),
        )
        if severity is None:
            continue
        for index, problem in rule.check(listed):
            entry = listed.entries[index]
            if entry not in accepted:
                message = f"{shown(entry)} {problem}"
                findings.append(
                    Finding(
                        rule=rule.id, severity=severity, message=message, entry=entry, index=index
                    )
                )
    # The sort is stable: findings in the same entry stay in the order of the rules.
    return tuple(sorted(findings, key=lambda finding: finding.index))


def lint_file(content: ListFile, name: str, *, settings: LintSettings) -> tuple[Finding, ...]:
    """Find damaged and unusual entries in the content of a file."""
    category = content.category or settings.category_for(Path(name)) or "word"
    findings = lint_entries(content.entries, category=category, settings=settings)
    return tuple(
        evolve(one, file=visible(name), line=content.lines[one.index] if content.lines else None)
        for one in findings
    )
