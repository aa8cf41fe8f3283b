"""Compares a document of the vendor with `openapi.yaml`, operation by operation.

python -m tools.contract.compare VENDOR.json

Accepts OpenAPI 3.0 or 3.1 in JSON or YAML, valid or not; it must be one file, because no other file
is read. Prints every difference of the schemas and of the response examples. A difference is known
if an entry of deviations.yaml lists it, else it is new. Exit code 1: there is a new difference.
Exit code 2: a file is not readable.
"""

from __future__ import annotations

import copy
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import evolve
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from tools.description import (
    DESCRIPTION,
    Document,
    Node,
    Operation,
    Place,
    at,
    examples,
    is_object,
    mapping,
    nodes,
    read,
)

from . import deviations
from .deviations import Ledger
from .difference import Difference
from .findings import Finding, line_of, marked, run
from .operations import differences, json_body
from .pairs import Pair, pairs
from .shapes import Choice, merged, shapes


def compare(theirs: Document, ours: Document, ledger: Ledger) -> list[Finding]:
    """Return every difference once, new differences first."""
    lines: dict[str, list[str]] = {}
    for pair in pairs(theirs, ours):
        if pair.new is not None:
            for difference in (*differences(pair), *_examples(pair)):
                users = lines.setdefault(line_of(difference), [])
                if difference.operation not in users:
                    users.append(difference.operation)
    return marked(lines, ledger)


#: The end of the pointer of a schema that describes only a part of a value.
_PART = re.compile(r"(?<!/properties)/(allOf/\d+|if|then|else|not)(/(anyOf|oneOf)/\d+)*$")


def _examples(pair: Pair) -> Iterator[Difference]:
    """Yield every mismatch between the vendor's response examples and our schemas.

    An example shows fields that the vendor's schemas omit. Our schemas forbid other properties for
    this comparison, so that a field without a description is noticed.
    """
    if pair.old is None or pair.new is None:
        return
    document = closed(pair.new.document)
    pointers = {id(node): pointer for pointer, node in nodes(document)}
    theirs = _responses(pair.old)
    operation = evolve(pair.new, document=document, node=at(document, pair.new.pointer))
    for status, ours in _responses(operation).items():
        schema = {**mapping(ours, "schema"), "components": document["components"]}
        validator = Draft202012Validator(schema)
        for example in examples(pair.old.document, theirs.get(status, {})):
            for error in validator.iter_errors(example):
                place = pointers.get(id(error.schema), pair.new.pointer)
                for subject, old, new in _mismatches(error):
                    yield Difference(pair.id, "response", place, subject, old, new, breaking=False)


def closed(document: Document) -> Document:
    """Return a copy of a description that allows only the described fields of each object.

    A part of an object, such as one of `allOf`, stays open, because the other parts describe
    further fields. The whole object names the fields of all its parts.
    """
    closed = copy.deepcopy(document)
    places = [Place(document, pointer, node) for pointer, node in nodes(document)]
    parts = [place for place in places if _PART.search(place.pointer)]
    open_nodes = {id(node) for part in parts for node in (part.node, part.followed().node)}
    for place in places:
        is_object_schema = is_object(place.node) and place.node.keys() & {"properties", "allOf"}
        if is_object_schema and id(place.node) not in open_nodes:
            fields = merged(shapes((Choice((place,)),))).properties
            schema = at(closed, place.pointer)
            schema["properties"] = {**dict.fromkeys(fields, True), **mapping(schema, "properties")}
            schema.setdefault("additionalProperties", False)
    return closed


def _responses(operation: Operation) -> dict[str, Node]:
    """The JSON media type of each response, by status."""
    return {
        status: json_body(response).node
        for status, response in operation.place.named("responses").items()
    }


def _mismatches(error: ValidationError) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield the content of the vendor's example, and the requirement of our schema."""
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
        requirement = f"{error.validator} {json.dumps(error.validator_value)}"
        yield "example", json.dumps(instance)[:80], requirement[:80]


def _findings(path: Path) -> list[Finding]:
    return compare(read(path), read(DESCRIPTION), deviations.read_ledger())


def main() -> int:
    """Compare, print, and return the exit code."""
    return run(__doc__, "VENDOR.json", _findings)


if __name__ == "__main__":
    sys.exit(main())
