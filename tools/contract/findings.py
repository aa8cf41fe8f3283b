"""The lines of a comparison, as known or new, and how they are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from .deviations import Ledger, entry_for
from .difference import Difference


@frozen
class Finding:
    """A line of a comparison, the entry of the ledger that lists it, if there is one, and the
    operations that have it."""

    line: str
    entry: str | None
    operations: Sequence[str]

    def __str__(self) -> str:
        state = f"known: {self.entry}" if self.entry else "NEW"
        users = f"; {', '.join(self.operations)}" if self.operations else ""
        return f"{self.line}\n    {state}{users}"


def line_of(difference: Difference) -> str:
    """Return the line of a difference from a document of the vendor."""
    vendor = difference.old or "nothing"
    ours = difference.new or "nothing"
    return f"{difference.pointer}: {difference.subject}: vendor: {vendor}, ours: {ours}"


def found(lines: Mapping[str, Sequence[str]], ledger: Ledger) -> list[Finding]:
    """Return each line, with its operations, as a finding; new ones first."""
    findings = [Finding(line, entry_for(line, ledger), lines[line]) for line in lines]
    return sorted(findings, key=lambda finding: finding.entry is not None)


def show(findings: Sequence[Finding]) -> int:
    """Print findings, and return the exit code: 1 if one of them is new."""
    for finding in findings:
        print(finding)
    new = [finding for finding in findings if finding.entry is None]
    print(f"{len(findings)} differences, {len(new)} of them new")
    return 1 if new else 0
