"""Compares a conformance report with `openapi.yaml` and the ledger of deviations.

python -m tools.contract.conformance REPORT.json

`python -m cometchat_testing.conformance --save REPORT.json` writes a report. Prints every
difference as known or NEW. Exit code 1: there is a new difference. Exit code 2: the file is not a
report, or names an operation that `openapi.yaml` does not have; or the description or the ledger is
not readable.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from cometchat_testing.conformance import Difference, Exchange, Kind, Report, read_report
from tools.description import DESCRIPTION, Document, Operation, Place, operations, read

from . import deviations
from .deviations import Ledger
from .findings import Finding, marked, run
from .operations import applying, json_body
from .shapes import Choice, shapes

NO_EVIDENCE = (
    "The service ran on the machine of the probe, perhaps as a simulator, so the report is no"
    " evidence."
)


def findings(report: Report, document: Document, ledger: Ledger) -> list[Finding]:
    """Return every difference once, with its entry in the ledger; new differences first."""
    by_name = {operation.name: operation for operation in operations(document)}
    lines: dict[str, list[str]] = {}
    for exchange in report.exchanges:
        for difference in exchange.differences:
            place = _place(by_name[exchange.operation], exchange, difference)
            lines[f"{place}: service: {difference.found}, ours: {difference.expected}"] = []
    return marked(lines, ledger)


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
            field = next(_inner(holder, name), holder)
            return f"{field.pointer}: type"
    return f"{operation.pointer}: {difference.place or 'body'}"


def _described(operation: Operation, exchange: Exchange, template: str) -> Place:
    """The schema at a place of a body, as far as it is described."""
    place = _schema(operation, exchange)
    for part in template.split("/")[1:]:
        inner = next(_inner(place, part), None)
        if inner is None:
            break
        place = inner.followed()
    return place


def _schema(operation: Operation, exchange: Exchange) -> Place:
    """The schema of the body of a response."""
    responses = operation.place.named("responses")
    response = applying(str(exchange.status), responses) or responses.get("200")
    if response is not None:
        media = json_body(response)
        if media.node:
            return media.inner("schema").followed()
    return Place(operation.document, operation.pointer, {})


def _inner(place: Place, name: str) -> Iterator[Place]:
    """The schemas of a field, or of the items if the name is `*`."""
    for shape in shapes((Choice((place,)),)):
        schema = shape.other_properties
        if name in shape.properties:
            schema = shape.properties[name].schema
        elif shape.items and name in ("", "*"):
            schema = shape.items
        for choice in schema:
            yield choice.places[-1]


def _findings(path: Path) -> list[Finding]:
    document = read(DESCRIPTION)
    report = _read_report(path, document)
    if report.service == "this machine":
        print(NO_EVIDENCE)
    return findings(report, document, deviations.read_ledger())


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


def main() -> int:
    """Compare, print, and return the exit code."""
    return run(__doc__, "REPORT.json", _findings)


if __name__ == "__main__":
    sys.exit(main())
