"""Compares a conformance report with `openapi.yaml` and the ledger of deviations.

python -m tools.contract.conformance REPORT.json

`python -m cometchat_testing.conformance --save REPORT.json` writes a report. Prints every
difference as known or NEW, and the entries of the ledger that the service confirms. Exit code 1:
there is a new difference. Exit code 2: the file is not a report, or names an operation that
`openapi.yaml` does not have.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from cometchat_rest import InvalidRequestError
from cometchat_testing.conformance import Difference, Exchange, Kind, Report, read_report
from tools.description import DESCRIPTION, Document, Operation, Place, mapping, operations, read

from . import deviations

NO_EVIDENCE = (
    "The service ran on the machine of the probe, perhaps as a simulator, so the report is no"
    " evidence."
)


@frozen
class Finding:
    """One difference: its line, its place in `openapi.yaml`, and the entry of the ledger that
    lists it."""

    difference: Difference
    line: str
    pointer: str
    entry: str | None


def findings(
    report: Report, document: Document, ledger: Mapping[str, deviations.Deviation]
) -> list[Finding]:
    """Return every difference, with its entry in the ledger."""
    names = {each.name: each for each in operations(document)}
    found: dict[str, Finding] = {}
    for exchange in report.exchanges:
        operation = names[exchange.operation]
        for difference in exchange.differences:
            pointer, subject = _subject(operation, exchange, difference)
            line = f"{pointer}: {subject}: service: {difference.found}, ours: {difference.expected}"
            entry = next((each.id for each in ledger.values() if each.accounts_for(line)), None)
            found.setdefault(line, Finding(difference, line, pointer, entry))
    return list(found.values())


def _subject(operation: Operation, exchange: Exchange, difference: Difference) -> tuple[str, str]:
    """The JSON pointer of the described place, and the part of it that differs."""
    if difference.kind in (Kind.UNKNOWN_FIELD, Kind.MISSING_FIELD, Kind.WRONG_TYPE):
        parent, _, name = difference.place.rpartition("/")
        holder = _described(operation, exchange, parent)
        if difference.kind is Kind.WRONG_TYPE:
            # The place itself, even if it is a reference: another place may refer to the same
            # schema.
            return next(_inner(holder, name, operation.document), holder).pointer, "type"
        return holder.pointer, f'property "{name}"'
    return operation.pointer, difference.place or "body"


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
    responses = Place(operation.pointer, operation.node).below("responses")
    names = (str(exchange.status), f"{exchange.status // 100}XX", "200")
    given = [
        responses.below(each).followed(operation.document)
        for each in names
        if each in responses.node
    ]
    if not given or "content" not in given[0].node:
        return Place(operation.pointer, {})
    return given[0].below("content", "application/json", "schema").followed(operation.document)


def _inner(place: Place, name: str, document: Document) -> Iterator[Place]:
    """The schemas of a field, or of the items if the name is `*`."""
    if name in mapping(place.node, "properties"):
        yield place.below("properties", name)
    elif name.strip("*") == "" and mapping(place.node, "items"):
        yield place.below("items")
    elif mapping(place.node, "additionalProperties"):
        yield place.below("additionalProperties")
    for index, _ in enumerate(place.node.get("anyOf", ())):
        yield from _inner(place.below("anyOf", index).followed(document), name, document)


def confirmed(
    report: Report, document: Document, ledger: Mapping[str, deviations.Deviation]
) -> list[str]:
    """Return the entries that a structure can confirm, and whose places the service sent without
    a difference."""
    seen = set(_all_seen(report, document))
    different = {
        each.pointer for each in findings(report, document, ledger) if not each.difference.allowed
    }
    places = deviations.places(document)
    return [
        entry.id
        for entry in ledger.values()
        if entry.structure
        and entry.confidence != "high"
        and (marked := places.get(entry.id))
        and seen.issuperset(marked)
        and not any(f"{wrong}/".startswith(f"{place}/") for place in marked for wrong in different)
    ]


def _all_seen(report: Report, document: Document) -> Iterator[str]:
    """The pointers of all schemas that describe a part of a response."""
    names = {operation.name: operation for operation in operations(document)}
    for exchange in report.exchanges:
        if exchange.unread is None:
            yield from _seen(_schema(names[exchange.operation], exchange), exchange.body, document)


def _seen(place: Place, value: Any, document: Document) -> Iterator[str]:
    """The pointers of all schemas that describe a part of a body. Alternatives count if each of
    them was seen."""
    below = place.followed(document)
    if "anyOf" in below.node:
        return
    yield from (place.pointer, below.pointer)
    if isinstance(value, dict):
        for name in value.keys() & mapping(below.node, "properties").keys():
            yield from _seen(below.below("properties", name), value[name], document)
    elif isinstance(value, list) and mapping(below.node, "items"):
        for each in value:
            yield from _seen(below.below("items"), each, document)


def given_report(help_text: str | None) -> Report:
    """Read the report that the command line names; end with exit code 2 if it is not a report
    about `openapi.yaml`."""
    parser = argparse.ArgumentParser(
        description=help_text, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("report", type=Path, metavar="REPORT.json", help="a conformance report")
    path: Path = parser.parse_args().report
    try:
        report = read_report(path)
    except InvalidRequestError as error:
        parser.exit(2, f"{error}\n")
    except OSError as error:
        parser.exit(
            2,
            f"{path}: {error.strerror};"
            " make one with python -m cometchat_testing.conformance --save"
            " FILE\n",
        )
    described = {each.name for each in operations(read(DESCRIPTION))}
    if unknown := ", ".join(sorted({each.operation for each in report.exchanges} - described)):
        parser.exit(
            2,
            f"{path}: openapi.yaml does not describe {unknown}; run make generate, make another"
            " report\n",
        )
    return report


def main() -> int:
    """Compare, print, and return the exit code."""
    report = given_report(__doc__)
    document, ledger = read(DESCRIPTION), deviations.read()
    every = findings(report, document, ledger)
    new = sum(each.entry is None for each in every)
    for each in sorted(every, key=lambda each: each.entry is not None):
        print(f"{each.line}\n    {f'known: {each.entry}' if each.entry else 'NEW'}")
    print(f"{len(every)} differences, {new} of them new")
    if report.service == "this machine":
        print(NO_EVIDENCE)
    elif names := confirmed(report, document, ledger):
        print(f"confirmed: {', '.join(names)}")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
