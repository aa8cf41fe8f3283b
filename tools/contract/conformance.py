"""Compares a conformance report with `openapi.yaml` and the ledger of deviations.

python -m tools.contract.conformance REPORT.json

`python -m cometchat_testing.conformance --save REPORT.json` writes a report. Prints every
difference as known or NEW. Exit code 1: there is a new difference. Exit code 2: the file is not a
report, or names an operation that `openapi.yaml` does not have.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from cometchat_testing.conformance import Difference, Exchange, Kind, Report, read_report
from tools.description import DESCRIPTION, Document, Operation, Place, mapping, operations, read

from . import deviations
from .deviations import Ledger

NO_EVIDENCE = (
    "The service ran on the machine of the probe, perhaps as a simulator, so the report is no"
    " evidence."
)


@frozen
class Finding:
    """One difference at its place in `openapi.yaml`, and the entry of the ledger that lists it."""

    line: str
    entry: str | None


def findings(report: Report, document: Document, ledger: Ledger) -> list[Finding]:
    """Return every difference once, with its entry in the ledger."""
    by_name = {operation.name: operation for operation in operations(document)}
    findings: dict[str, Finding] = {}
    for exchange in report.exchanges:
        for difference in exchange.differences:
            place = _place(by_name[exchange.operation], exchange, difference)
            line = f"{place}: service: {difference.found}, ours: {difference.expected}"
            findings[line] = Finding(line, deviations.entry_for(line, ledger))
    return list(findings.values())


def _place(operation: Operation, exchange: Exchange, difference: Difference) -> str:
    """The JSON pointer of the described place, and the part of it that differs."""
    parent, _, name = difference.place.rpartition("/")
    holder = _described(operation, exchange, parent)
    match difference.kind:
        case Kind.UNKNOWN_FIELD | Kind.MISSING_FIELD:
            return f'{holder.pointer}: property "{name}"'
        case Kind.WRONG_TYPE:
            # The place itself, even if it is a reference: another place may refer to the same
            # schema.
            field = next(_inner(holder, name, operation.document), holder)
            return f"{field.pointer}: type"
    return f"{operation.pointer}: {difference.place or 'body'}"


def _described(operation: Operation, exchange: Exchange, template: str) -> Place:
    """The schema at a place of a body, as far as it is described."""
    place = _schema(operation, exchange)
    for part in template.split("/")[1:]:
        inner = next(_inner(place, part, operation.document), None)
        if inner is None:
            break
        place = inner.followed(operation.document)
    return place


def _schema(operation: Operation, exchange: Exchange) -> Place:
    """The schema of the body of a response."""
    document = operation.document
    responses = operation.place.named("responses")
    for status in (str(exchange.status), f"{exchange.status // 100}XX", "200"):
        if status in responses:
            response = responses[status].followed(document)
            if "content" not in response.node:
                break
            return response.below("content", "application/json", "schema").followed(document)
    return Place(operation.pointer, {})


def _inner(place: Place, name: str, document: Document) -> Iterator[Place]:
    """The schemas of a field, or of the items if the name is `*`."""
    if name in mapping(place.node, "properties"):
        yield place.below("properties", name)
    elif name.strip("*") == "" and mapping(place.node, "items"):
        yield place.below("items")
    elif mapping(place.node, "additionalProperties"):
        yield place.below("additionalProperties")
    for choice in place.listed("anyOf"):
        yield from _inner(choice.followed(document), name, document)


def main() -> int:
    """Compare, print, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("report", type=Path, metavar="REPORT.json", help="a conformance report")
    path = parser.parse_args().report
    document = read(DESCRIPTION)
    try:
        report = _read_report(path, document)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    differences = findings(report, document, deviations.read())
    for finding in sorted(differences, key=lambda finding: finding.entry is not None):
        state = f"known: {finding.entry}" if finding.entry else "NEW"
        print(f"{finding.line}\n    {state}")
    new = [finding for finding in differences if finding.entry is None]
    print(f"{len(differences)} differences, {len(new)} of them new")
    if report.service == "this machine":
        print(NO_EVIDENCE)
    return 1 if new else 0


def _read_report(path: Path, document: Document) -> Report:
    """Read a report about a description; a ValueError says why it is not one."""
    try:
        report = read_report(path)
    except OSError as error:
        raise ValueError(
            f"{path}: {error.strerror};"
            " make one with python -m cometchat_testing.conformance --save FILE"
        ) from error
    described = {operation.name for operation in operations(document)}
    unknown = {exchange.operation for exchange in report.exchanges} - described
    if unknown:
        raise ValueError(
            f"{path}: openapi.yaml does not describe {', '.join(sorted(unknown))}; run make"
            " generate, make another report"
        )
    return report


if __name__ == "__main__":
    sys.exit(main())
