"""The lines of a comparison, as known or new, and the command that prints them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

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


def marked(lines: Mapping[str, Sequence[str]], ledger: Ledger) -> list[Finding]:
    """Return each line, with its operations, as a finding; new ones first."""
    findings = [Finding(line, entry_for(line, ledger), lines[line]) for line in lines]
    return sorted(findings, key=lambda finding: finding.entry is not None)


def run(description: str | None, metavar: str, compare: Callable[[Path], list[Finding]]) -> int:
    """Compare the file that the command line names, print the findings, and return the exit code:
    1 if one of them is new, 2 if a file is not readable."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path, metavar=metavar)
    path = parser.parse_args().path
    try:
        findings = compare(path)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except RecursionError:
        print(
            f"{path.name}: a chain of references is too long; remove the operation that uses it",
            file=sys.stderr,
        )
        return 2
    for finding in findings:
        print(finding)
    new = [finding for finding in findings if finding.entry is None]
    print(f"{len(findings)} differences, {len(new)} of them new")
    return 1 if new else 0
