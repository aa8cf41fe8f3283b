"""Findings of the linter: rules, severities, and texts that show damaged entries safely (pure)."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from attrs import field, frozen

from cometchat_desk.terminal.text import visible

#: The number of findings of one rule that a text shows by default.
SHOWN_FINDINGS = 20

_SHOWN_CHARACTERS = 60


class Severity(StrEnum):
    """How serious a finding is."""

    #: The entry is almost certainly damaged, or the vendor's pages forbid it. Errors stop an
    #: update.
    ERROR = "error"
    #: The entry is unusual. A person should look at it.
    WARNING = "warning"
    #: The entry is in order. A person may want to know it.
    NOTE = "note"


@frozen(kw_only=True)
class Finding:
    """A problem in a list."""

    rule: str  # the id of the rule
    severity: Severity  # how serious the problem is, after the settings
    message: str  # the problem and the entry, in one line without control characters
    entry: str = field(repr=False)  # the entry exactly as it is
    index: int  # the place of the entry in the list, counted from 0
    file: str | None = None  # the file as it was named; `None` without a file
    line: int | None = None  # the line of the entry in the file, counted from 1

    def __str__(self) -> str:
        """The finding in one line: `file:line: severity rule: message`."""
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        text = f"{self.severity} {self.rule}: {self.message}"
        return f"{place}: {text}" if place else text


def describe(findings: Sequence[Finding], limit: int | None = SHOWN_FINDINGS) -> tuple[str, ...]:
    """Findings as lines of text: at most `limit` of one rule in one file; a line gives the
    number of the others."""
    lines: list[str] = []
    counts = Counter[tuple[str | None, str]]()
    for finding in findings:
        counts[finding.file, finding.rule] += 1
        if limit is None or counts[finding.file, finding.rule] <= limit:
            lines.append(str(finding))
    for (file, rule), count in counts.items():
        if limit is not None and count > limit:
            place = "" if file is None else f"{file}: "
            lines.append(f"{place}... and {count - limit:,} more findings of {rule}")
    return tuple(lines)


def shown(text: str) -> str:
    """A text in quotes, in one line; a long text is cut."""
    if len(text) > _SHOWN_CHARACTERS:
        text = f"{text[: _SHOWN_CHARACTERS - 3]}..."
    return f"'{visible(text)}'"


def character_name(character: str) -> str:
    """The code point and the name of a character: `U+0455 CYRILLIC SMALL LETTER DZE`."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()
