"""The rules that report an entry, for the tests of the linter."""

from collections.abc import Iterable
from pathlib import Path

from cometchat_desk.lint import Finding, find_settings, lint_entries
from cometchat_desk.lint import lint_file as lint_content
from cometchat_desk.lists.reading import read_list


def lint_file(path: Path) -> tuple[Finding, ...]:
    """The findings in a file, with the settings beside it."""
    return lint_content(read_list(path.read_bytes(), path), str(path), settings=find_settings(path))


def rules_for(entry: str, category: str = "word") -> set[str]:
    """The rules that report an entry, which is last in a list."""
    return {
        finding.rule
        for finding in lint_entries(["spam", "zzz", entry], category=category)
        if finding.index == 2
    }


def reported_alone(rule: str, entries: Iterable[str], category: str = "word") -> list[str]:
    """The entries that a rule reports. Each entry is judged as the last one of a separate list."""
    return [entry for entry in entries if rule in rules_for(entry, category)]


def reported(rule: str, entries: list[str], category: str = "word") -> list[str]:
    """The entries of a list that a rule reports, in order."""
    return [
        finding.entry
        for finding in lint_entries(entries, category=category)
        if finding.rule == rule
    ]
