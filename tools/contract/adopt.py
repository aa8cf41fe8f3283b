"""Takes the new differences of a conformance report over into `openapi.yaml`, the ledger and the matrix.

python -m tools.contract.adopt REPORT.json

Describes new fields and other types, and makes missing fields optional; the rest of each file stays as it is. Prints
the changes as a diff, and names each difference that it cannot express. Exit code 1: there is such a difference, or
the report is no evidence. Exit code 2: the file is not a report. A new value of an open set is no difference.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import yaml
from attrs import evolve, frozen

from cometchat_rest.conformance import Kind, Report
from tools.description import DESCRIPTION, Document, at, parse
from tools.yaml_text import flow, with_item, with_key, with_value, without_key

from . import deviations, matrix
from .compare import compare
from .conformance import NO_EVIDENCE, Finding, confirmed, findings, given_report

#: The test of the exchanges of all reports in the folder beside it.
TEST = "tests/conformance/test_stored_reports.py::test_exchanges_are_read_completely"
_SCHEMAS = "/components/schemas"
_TYPES: Mapping[str, Mapping[str, Any]] = {
    "a string": {"type": "string"},
    "an integer": {"type": "integer"},
    "a number": {"type": "number"},
    "a boolean": {"type": "boolean"},
    "an array": {"type": "array", "items": {}},
}
_EXAMPLES = {"a string": "text", "an integer": 1, "a number": 0.5, "a boolean": True, "an array": []}
#: The parts that the client itself reads; the result of a call depends on them.
_FRAME = ("", "/data", "/data/*", "/meta", "/meta/current", "/meta/pagination", "/error")
_WORDS = re.compile("[A-Z]?[a-z]+|[A-Z]+")


class RefusalError(Exception):
    """A difference cannot be expressed; the text says why."""


@frozen
class Files:
    """The texts of the three files."""

    description: str
    ledger: str
    matrix: str

    @classmethod
    def read(cls) -> Files:
        """Read the files of this repository."""
        return cls(*(path.read_text("utf-8") for path in _PATHS))

    @property
    def document(self) -> Document:
        """The description as data."""
        return _parsed(self.description)


@lru_cache(maxsize=4)
def _parsed(text: str) -> Document:
    return parse(text)


_PATHS = (DESCRIPTION, deviations.LEDGER, matrix.MATRIX)


def adopt(report: Report, files: Files) -> tuple[Files, list[str]]:
    """Return the changed files, and a line for each difference that cannot be expressed."""
    refused = []
    entries = {each["id"]: deviations.Deviation(**each) for each in yaml.safe_load(files.ledger)}
    for name in confirmed(report, files.document, entries):
        raised = re.sub(rf"(?ms)(^- id: {name}$.*?^  confidence: )\w+", r"\1high", files.ledger, count=1)
        files = evolve(files, ledger=raised)
    for finding in findings(report, files.document, entries):
        if finding.entry is None:
            try:
                files = _adopted(finding, report, files)
            except RefusalError as reason:
                refused.append(f"{finding.line}\n    not adopted: {reason}")
    return files, refused


def _adopted(finding: Finding, report: Report, files: Files) -> Files:
    difference = finding.difference
    parent, _, name = difference.place.rpartition("/")
    if difference.place in _FRAME or (not parent and difference.kind is Kind.UNKNOWN_FIELD):
        raise RefusalError("the result of the call depends on this part; change openapi.yaml by hand")
    entry = "-".join(
        each.lower()
        for each in ("service", *_WORDS.findall(f"{difference.operation} {difference.place} {difference.kind}"))
    )
    if difference.kind is Kind.UNKNOWN_FIELD:
        changed = _with_field(files.description, finding.pointer, name, difference.found, entry)
    elif difference.kind is Kind.MISSING_FIELD:
        changed = _with_optional_field(files.description, finding.pointer, name, entry)
        if changed != files.description:
            files = evolve(files, matrix=_matrix_with_optional_field(files.matrix, finding.pointer, name))
    elif difference.kind is Kind.WRONG_TYPE:
        changed = _with_type(files.description, finding.pointer, difference.found, entry)
    else:
        raise RefusalError("openapi.yaml cannot express it; change the client, or add an entry to the ledger")
    if changed == files.description:
        # Adopted before, and not generated since.
        return files
    added = _entry(entry, finding, report, files, changed)
    return evolve(files, description=changed, ledger=_with_entry(files.ledger, added))


def _with_field(text: str, holder: str, name: str, kind: str, entry: str) -> str:
    """Describe a field of an object, or another type of such a field."""
    if not name.strip("*"):
        raise RefusalError("the report hides the name of the field, because it may be an identifier")
    properties = f"{holder}/properties"
    if "properties" not in at(_parsed(text), holder):
        raise RefusalError("the object is free-form; describe it by hand")
    if name in at(_parsed(text), properties):
        return _with_type(text, f"{properties}/{name}", kind, entry)
    text, schema = _schema(text, properties, name, kind)
    described = {"description": "A field that the service sends.", **schema}
    if "$ref" not in schema:
        described["examples"] = [_EXAMPLES[kind]]
    return with_key(text, properties, name, flow({**described, "x-evidence": entry}))


def _schema(text: str, properties: str, name: str, kind: str) -> tuple[str, Mapping[str, Any]]:
    """The schema of a type; an object is a new component, because each class needs a name."""
    if kind == "null":
        raise RefusalError("null is no type of this description: a field without a value is absent")
    if kind != "an object":
        return text, _TYPES[kind]
    holder = properties.removesuffix("/properties").rpartition("/")[2]
    component = f"{holder}{name[:1].upper()}{name[1:]}"
    reference = {"$ref": f"#{_SCHEMAS}/{component}"}
    described = {"type": "object", "description": "An object that the service sends.", "examples": [{}]}
    if (existing := at(_parsed(text), _SCHEMAS).get(component)) is not None:
        if existing != described:
            raise RefusalError(f"there is another component {component}; describe the field by hand")
        return text, reference
    return with_key(text, _SCHEMAS, component, flow(described)), reference


def _with_type(text: str, place: str, kind: str, entry: str) -> str:
    """Allow another type beside the described ones."""
    # Items and alternatives belong to a field.
    field = re.sub(r"(/properties/[^/]+)(/(items|additionalProperties|anyOf/\d+))*$", r"\1", place)
    properties, _, name = field.rpartition("/")
    text, schema = _schema(text, properties, name, kind)
    node = at(_parsed(text), place)
    if all(node.get(key) == value for key, value in schema.items()) or schema in node.get("anyOf", ()):
        return text
    if "anyOf" in node:
        text = with_item(text, f"{place}/anyOf", flow(schema))
    else:
        own = {key: node[key] for key in ("type", "items", "$ref") if key in node}
        for key in own:
            text = without_key(text, place, key)
        text = (
            with_key(text, place, "anyOf", flow([own, schema]))
            if len(own) < len(node)
            else with_value(text, place, flow({"anyOf": [own, schema]}))
        )
    return _with_evidence(text, field, entry)


def _with_evidence(text: str, place: str, entry: str) -> str:
    names = at(_parsed(text), place).get("x-evidence", [])
    names = [*([names] if isinstance(names, str) else names), entry]
    if len(names) == 1:
        return with_key(text, place, "x-evidence", entry)
    return with_value(text, f"{place}/x-evidence", flow(names))


def _with_optional_field(text: str, holder: str, name: str, entry: str) -> str:
    required = at(_parsed(text), holder).get("required", [])
    return _with_evidence(_without_required(text, holder, required, name), holder, entry) if name in required else text


def _without_required(text: str, holder: str, required: list[str], name: str) -> str:
    left = [each for each in required if each != name]
    return with_value(text, f"{holder}/required", flow(left)) if left else without_key(text, holder, "required")


def _matrix_with_optional_field(text: str, holder: str, name: str) -> str:
    schema = holder.rpartition("/")[2]
    for index, row in enumerate(yaml.safe_load(text)):
        required = row.get("constraints", {}).get(schema, {}).get("required", ())
        if name in required:
            return _without_required(text, f"/{index}/constraints/{schema}", required, name)
    raise RefusalError("a row of the matrix for several schemas requires the field; change it by hand")


def _entry(entry: str, finding: Finding, report: Report, files: Files, changed: str) -> dict[str, Any]:
    difference = finding.difference
    lines = [each.line for each in compare(files.document, _parsed(changed), {})]
    return {
        "id": entry,
        "theirs": f"The service sends {difference.found} at {difference.place}.",
        "ours": "The same, beside what the contract says.",
        "evidence": f"A conformance report of {report.date}, made with cometchat-rest {report.client}.",
        "confidence": "high",
        "test": TEST,
        **({"differences": lines} if lines else {}),
    }


def _with_entry(ledger: str, entry: Mapping[str, Any]) -> str:
    if re.search(f"(?m)^- id: {entry['id']}$", ledger):
        return ledger
    return f"{ledger}\n{yaml.safe_dump([entry], sort_keys=False, allow_unicode=True, width=120)}"


def main() -> int:
    """Change the files, print the changes, and return the exit code."""
    report = given_report(__doc__)
    if report.service == "this machine":
        print(NO_EVIDENCE, "Nothing was changed.", file=sys.stderr)
        return 1
    old = Files.read()
    new, refused = adopt(report, old)
    texts = ((old.description, new.description), (old.ledger, new.ledger), (old.matrix, new.matrix))
    for file, (before, after) in zip(_PATHS, texts, strict=True):
        one, other = before.splitlines(keepends=True), after.splitlines(keepends=True)
        print("".join(difflib.unified_diff(one, other, f"a/{file.name}", f"b/{file.name}")), end="")
        if after != before:
            file.write_text(after, "utf-8")
    for line in refused:
        print(line, file=sys.stderr)
    if new != old:
        folder = TEST.partition("test_stored")[0]
        print(f"Copy the report into {folder}reports/ as a test, and run: make generate", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
