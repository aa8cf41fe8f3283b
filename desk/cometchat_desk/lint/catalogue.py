"""The rules of the linter: their ids, severities and texts."""

import inspect
from collections.abc import Mapping

from attrs import frozen

from . import (
    characters,
    encodings,
    headings,
    lengths,
    ordinary,
    other_tools,
    patterns,
    quotes,
    rows,
    separators,
    spreadsheets,
)
from .checks import Check
from .findings import Severity


@frozen(kw_only=True)
class Rule:
    """A rule of the linter."""

    id: str  # its name, for settings and for `--accept`
    severity: Severity  # the severity of its findings, if no setting changes it
    summary: str  # the problem, in one line
    advice: str  # the reason for the rule, and what to do
    check: Check  # the code that finds the problem


_ERRORS = (
    headings.header_row,
    headings.comment,
    rows.list_item,
    quotes.quotes,
    separators.separator,
    separators.line_break,
    encodings.mis_decoded,
    encodings.lost_characters,
    encodings.control_character,
    spreadsheets.spreadsheet_error,
    spreadsheets.spreadsheet_number,
    spreadsheets.spreadsheet_date,
    characters.invisible_character,
    characters.text_direction,
    characters.curly_apostrophe,
    characters.spaces,
    lengths.only_signs,
    lengths.too_long,
    patterns.unbounded_pattern,
    patterns.invalid_pattern,
    patterns.matches_everything,
)
_WARNINGS = (
    headings.heading,
    separators.comma,
    other_tools.other_tool,
    ordinary.ordinary_word,
    characters.mixed_scripts,
    characters.normalization,
    lengths.one_letter,
    patterns.pattern_as_word,
)


def _rule(check: Check, severity: Severity) -> Rule:
    summary, _, advice = (inspect.getdoc(check) or "").partition("\n\n")
    return Rule(
        id=check.__name__.replace("_", "-"),
        severity=severity,
        summary=" ".join(summary.split()),
        advice=" ".join(advice.split()),
        check=check,
    )


#: All rules by id.
RULES: Mapping[str, Rule] = {
    rule.id: rule
    for severity, checks in (
        (Severity.ERROR, _ERRORS),
        (Severity.WARNING, _WARNINGS),
        (Severity.NOTE, (lengths.duplicate,)),
    )
    for rule in (_rule(check, severity) for check in checks)
}
