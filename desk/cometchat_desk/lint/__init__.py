"""Lint: find damaged and unusual entries of keyword lists, offline.

`lint_file` checks the content of a file, `lint_entries` the entries of any list.
Each finding belongs to a rule of `RULES`.
"""

from .catalogue import RULES
from .engine import lint_entries, lint_file
from .findings import Finding, Severity, describe, shown
from .settings import LintSettings, accept, check_rule, find_settings

__all__ = [
    "RULES",
    "Finding",
    "LintSettings",
    "Severity",
    "accept",
    "check_rule",
    "describe",
    "find_settings",
    "lint_entries",
    "lint_file",
    "shown",
]
