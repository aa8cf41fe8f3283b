"""Lint: find damaged and unusual entries of keyword lists, offline.

`lint_content` checks a file, `lint_entries` the entries of any list. Each finding belongs to a rule of `RULES`.
"""

from .catalogue import RULES
from .engine import check_title, lint_content, lint_entries, skipped_row
from .findings import Finding, Severity, blocking, describe, shown
from .settings import TOO_LONG, LintSettings, accept, check_rule, find_settings, remember_category

__all__ = [
    "RULES",
    "TOO_LONG",
    "Finding",
    "LintSettings",
    "Severity",
    "accept",
    "blocking",
    "check_rule",
    "check_title",
    "describe",
    "find_settings",
    "lint_content",
    "lint_entries",
    "remember_category",
    "shown",
    "skipped_row",
]
