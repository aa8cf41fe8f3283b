"""The rules that report an entry, for the tests of the linter."""

from __future__ import annotations

from cometchat_desk.lint import lint_entries


def rules_for(entry: str, category: str = "word") -> set[str]:
    """The rules that report an entry, which is last in a list."""
    return {finding.rule for finding in lint_entries(["spam", "zzz", entry], category=category) if finding.index == 2}


def rules_for_first(entry: str, category: str = "word") -> set[str]:
    """The rules that report an entry, which is first in a list."""
    return {finding.rule for finding in lint_entries([entry, "zzz"], category=category) if finding.index == 0}


def reported(rule: str, entries: list[str], category: str = "word", before: list[str] | None = None) -> list[str]:
    """The entries of a list that a rule reports, in order."""
    findings = lint_entries(entries, category=category, before=before)
    return [finding.entry or "" for finding in findings if finding.rule == rule]
