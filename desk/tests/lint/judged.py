"""The rules that report an entry, for the tests of the linter."""

from collections.abc import Iterable
from pathlib import Path

from cometchat_desk.lint import Finding, LintSettings, find_settings, lint_content, lint_entries
from cometchat_desk.lists.reading import read_list
from cometchat_desk.lists.tables import Layout


def lint_file(path: Path, settings: LintSettings | None = None) -> tuple[Finding, ...]:
    """The findings in a file, with the settings beside it."""
    chosen = settings or find_settings(path)
    return lint_content(
        lambda: read_list(path.read_bytes(), path, layout=Layout(header=chosen.header)), str(path), settings=chosen
    )


def rules_for(entry: str, category: str = "word") -> set[str]:
    """The rules that report an entry, which is last in a list."""
    return {finding.rule for finding in lint_entries(["spam", "zzz", entry], category=category) if finding.index == 2}


def reported_alone(rule: str, entries: Iterable[str], category: str = "word") -> list[str]:
    """The entries that a rule reports. Each entry is judged as the last one of a separate list."""
    return [entry for entry in entries if rule in rules_for(entry, category)]


def reported(rule: str, entries: list[str], category: str = "word", before: list[str] | None = None) -> list[str]:
    """The entries of a list that a rule reports, in order."""
    findings = lint_entries(entries, category=category, before=before)
    return [finding.entry or "" for finding in findings if finding.rule == rule]
