"""Compares a document of the vendor's with `openapi.yaml`, operation by operation.

python -m tools.compare VENDOR.json

Takes OpenAPI 3.0 or 3.1 in JSON or YAML, sound or not. Prints every difference, of what is declared and of what the
examples of answers show, as known (an entry of deviations.yaml accounts for it) or new. Exits with 1 where one is new.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from attrs import frozen
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from . import deviations
from .difference import Difference, Pair, differences, pairs
from .openapi import DESCRIPTION, Document, Operation, Place, mapping, nodes, read


@frozen
class Finding:
    """One difference, the operations that show it, and the entry that accounts for it, if there is one."""

    line: str
    operations: tuple[str, ...]
    entry: str | None

    def __str__(self) -> str:
        known = f"known: {self.entry}" if self.entry else "NEW"
        return f"{self.line}\n    {known}; {', '.join(self.operations)}"


def compare(theirs: Document, ours: Document, ledger: dict[str, deviations.Deviation]) -> list[Finding]:
    """Every difference once, the new ones first."""
    found: dict[str, list[str]] = {}
    for pair in pairs(theirs, ours):
        if pair.new is not None:
            for each in (*differences(pair), *_examples(pair)):
                found.setdefault(_line(each), []).append(each.operation)
    findings = [
        Finding(line, tuple(dict.fromkeys(names)), next((e.id for e in ledger.values() if e.accounts_for(line)), None))
        for line, names in found.items()
    ]
    return sorted(findings, key=lambda finding: finding.entry is not None)


def _line(difference: Difference) -> str:
    theirs, ours = difference.old or "nothing", difference.new or "nothing"
    return f"{difference.pointer}: {difference.subject}: they say {theirs}, we say {ours}"


# Examples: an answer that is shown says more than a schema that nobody reads. Ours are closed for it, so that a field
# we do not describe is noticed.


def _examples(pair: Pair) -> Iterator[Difference]:
    """Where the examples of an operation's answers do not fit what we say of it."""
    if pair.old is None or pair.new is None:
        return
    document = _closed(pair.new.document)
    pointers = {id(node): pointer for pointer, node in nodes(document)}
    shown = _answers(pair.old, pair.old.document)
    for status, ours in _answers(pair.new, document).items():
        validator = Draft202012Validator({**mapping(ours, "schema"), "components": document["components"]})
        for value in _shown(shown.get(status, {})):
            for error in validator.iter_errors(value):
                place = pointers.get(id(error.schema), pair.new.pointer)
                for subject, theirs, own in _told(error):
                    yield Difference(pair.id, "answer", place, subject, theirs, own, breaking=False)


def _closed(document: Document) -> Document:
    closed = copy.deepcopy(document)
    for _, node in nodes(closed):
        if isinstance(node, dict) and isinstance(node.get("properties"), dict):
            node.setdefault("additionalProperties", False)
    return closed


def _answers(operation: Operation, document: Document) -> dict[str, Mapping[str, Any]]:
    """What is said of the JSON of each answer."""
    places = {
        status: Place("", each).followed(document) for status, each in mapping(operation.node, "responses").items()
    }
    return {status: mapping(mapping(place.node, "content"), "application/json") for status, place in places.items()}


def _shown(media: Mapping[str, Any]) -> Iterator[Any]:
    if "example" in media:
        yield media["example"]
    for each in mapping(media, "examples").values():
        if isinstance(each, dict) and "value" in each:
            yield each["value"]


def _told(error: ValidationError) -> Iterator[tuple[str, str | None, str | None]]:
    """What an example shows, and what we say of it."""
    schema: Any = error.schema
    instance: Any = error.instance
    if error.validator == "additionalProperties":
        for name in sorted(instance.keys() - schema["properties"].keys()):
            yield f"property {json.dumps(name)}", "an example", None
    elif error.validator == "required":
        for name in schema["required"]:
            if name not in instance:
                yield f"property {json.dumps(name)}", "an example without it", "required"
    else:
        yield "example", json.dumps(instance)[:80], f"{error.validator} {json.dumps(error.validator_value)}"[:80]


def main() -> int:
    """Compare, print, and say whether there is something new."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", type=Path, metavar="VENDOR.json", help="a document of the vendor's")
    path = parser.parse_args().document
    try:
        theirs = read(path)
    except OSError as error:
        parser.error(f"{path}: {error.strerror}")
    except (ValueError, yaml.YAMLError) as error:
        parser.error(f"{path}: {error}")
    found = compare(theirs, read(DESCRIPTION), deviations.read())
    for finding in found:
        print(finding)
    new = sum(finding.entry is None for finding in found)
    print(f"{len(found)} differences, {new} of them new")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
