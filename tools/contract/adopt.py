"""Takes the new differences of a conformance report over into `openapi.yaml`, the ledger and the
matrix.

python -m tools.contract.adopt REPORT.json

Describes new fields and other types, and makes missing fields optional; comments, quotes and the
order of keys stay. Prints the changes as a diff, and names each difference that it cannot express.
Exit code 1: there is such a difference, or the report is no evidence. Exit code 2: the file is not
a report. A new value of an open set is no difference.
"""

from __future__ import annotations

import difflib
import json
import re
import sys
from collections.abc import Mapping
from io import StringIO
from typing import Any

from attrs import astuple, define, field, frozen
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedBase, CommentedMap, CommentedSeq

from cometchat_rest.conformance import Kind, Report
from tools.description import DESCRIPTION, Document, at, nodes, parse

from . import deviations, matrix
from .compare import lines_of_excerpts
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
_EXAMPLES = {
    "a string": "text",
    "an integer": 1,
    "a number": 0.5,
    "a boolean": True,
    "an array": [],
}
#: The parts that the client itself reads; the result of a call depends on them.
_FRAME = ("", "/data", "/data/*", "/meta", "/meta/current", "/meta/pagination", "/error")
_WORDS = re.compile("[A-Z]?[a-z]+|[A-Z]+")
_PATHS = (DESCRIPTION, deviations.LEDGER, matrix.MATRIX)


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
        return parse(self.description)


def _yaml() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes, yaml.width, yaml.brace_single_entry_mapping_in_flow_sequence = (
        True,
        10**6,
        True,
    )
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _dumped(tree: CommentedBase) -> str:
    written = StringIO()
    _yaml().dump(tree, written)
    text = written.getvalue()
    # A list at the top begins at the margin.
    return text if isinstance(tree, CommentedMap) else re.sub("(?m)^  ", "", text)


def _node(value: object) -> object:
    """A value as a node: each entry of a mapping has its line, and a list stands in one line."""
    if isinstance(value, Mapping):
        return CommentedMap((key, _node(each)) for key, each in value.items())
    if isinstance(value, list):
        sequence = CommentedSeq(map(_node, value))
        sequence.fa.set_flow_style()
        return sequence
    return value


def _put(holder: CommentedMap, key: str, value: object) -> None:
    """Set a key. A new one stands before the last one, because comments behind a node belong to
    its last key."""
    if key in holder:
        holder[key] = _node(value)
    else:
        holder.insert(max(len(holder) - 1, 0), key, _node(value))


def adopt(report: Report, files: Files) -> tuple[Files, list[str]]:
    """Return the changed files, and a line for each difference that cannot be expressed."""
    entries = deviations.parse(files.ledger)
    found = [each for each in findings(report, files.document, entries) if each.entry is None]
    adoption = _Adoption(
        report, *map(_yaml().load, (files.description, files.ledger, files.matrix))
    )
    names = confirmed(report, files.document, entries)
    for entry in adoption.ledger:
        if entry["id"] in names:
            entry["confidence"] = "high"
    refused = []
    for finding in found:
        try:
            adoption.add(finding)
        except RefusalError as reason:
            refused.append(f"{finding.line}\n    not adopted: {reason}")
    if adoption.added:
        adoption.explain(lines_of_excerpts(files.document))
    elif not names:
        return files, refused
    return Files(*map(_dumped, (adoption.description, adoption.ledger, adoption.matrix))), refused


@define
class _Adoption:
    """The trees of the three files; `add` changes them for one difference."""

    report: Report
    description: CommentedMap
    ledger: CommentedSeq
    matrix: CommentedSeq
    #: The beginning of the lines of `make compare` about each new entry.
    added: dict[str, str] = field(factory=dict)

    def add(self, finding: Finding) -> None:
        """Change the description for a difference, and add an entry to the ledger; RefusalError
        says why not."""
        difference = finding.difference
        parent, _, name = difference.place.rpartition("/")
        repeated = {
            each["x-repeated-at"] for _, each in nodes(self.description) if "x-repeated-at" in each
        }
        if difference.place in {*_FRAME, *repeated} or (
            not parent and difference.kind is Kind.UNKNOWN_FIELD
        ):
            raise RefusalError(
                "the result of the call depends on this part; change openapi.yaml by hand"
            )
        words = _WORDS.findall(f"{difference.operation} {difference.place} {difference.kind}")
        entry = "-".join(each.lower() for each in ("service", *words))
        if difference.kind is Kind.UNKNOWN_FIELD:
            self._describe(finding.pointer, name, difference.found, entry)
        elif difference.kind is Kind.MISSING_FIELD:
            self._make_optional(finding.pointer, name, entry)
        elif difference.kind is Kind.WRONG_TYPE:
            self._allow(finding.pointer, difference.found, entry)
        else:
            raise RefusalError(
                "openapi.yaml cannot express it; change the client, or add an entry to the ledger"
            )
        is_type = difference.kind is Kind.WRONG_TYPE
        self.added[entry] = finding.pointer if is_type else f'{finding.pointer}: property "{name}"'
        if any(each["id"] == entry for each in self.ledger):
            # Adopted before, perhaps with another type, and not generated since.
            return
        evidence = (
            f"A conformance report of {self.report.date}, made with cometchat-rest"
            f" {self.report.client}."
        )
        schema = finding.pointer.rpartition("/")[2]
        is_optional = difference.kind is not Kind.WRONG_TYPE and finding.pointer.startswith(
            _SCHEMAS
        )
        self.ledger.append(
            CommentedMap(
                {
                    "id": entry,
                    "theirs": f"The service sends {difference.found} at {difference.place}.",
                    "ours": "The same, beside what the contract says.",
                    "evidence": evidence,
                    "confidence": "high",
                    "structure": True,
                    "test": TEST,
                    **({"fields": {f"{schema}.{name}": evidence}} if is_optional else {}),
                }
            )
        )
        self.ledger.yaml_set_comment_before_after_key(len(self.ledger) - 1, before="\n")

    def _describe(self, holder: str, name: str, kind: str, entry: str) -> None:
        """Describe a field of an object, or another type of such a field."""
        if not name.strip("*"):
            raise RefusalError(
                "the report hides the name of the field, because it may be an identifier"
            )
        properties = at(self.description, holder).get("properties")
        if properties is None:
            raise RefusalError("the object is free-form; describe it by hand")
        if name in properties:
            self._allow(f"{holder}/properties/{name}", kind, entry)
            return
        schema = self._schema(holder, name, kind, entry)
        described = {"description": "A field that the service sends.", **schema}
        if "$ref" not in schema:
            described["examples"] = [_EXAMPLES[kind]]
        _put(properties, name, {**described, "x-evidence": entry})

    def _schema(self, holder: str, name: str, kind: str, entry: str) -> Mapping[str, Any]:
        """The schema of a type; an object is a new component, because each class needs a name."""
        if kind == "null":
            raise RefusalError(
                "null is not a type of this description: a field without a value is absent"
            )
        if kind != "an object":
            return _TYPES[kind]
        component = holder.rpartition("/")[2] + "".join(
            each[:1].upper() + each[1:] for each in re.split(r"\W|_", name)
        )
        schemas = at(self.description, _SCHEMAS)
        if component in schemas:
            raise RefusalError(
                f"there is another component {component}; describe the field by hand"
            )
        described = {
            "type": "object",
            "description": "An object that the service sends.",
            "examples": [{}],
        }
        _put(schemas, component, {**described, "x-evidence": entry})
        schemas.yaml_set_comment_before_after_key([*schemas][-1], before="\n")
        return {"$ref": f"#{_SCHEMAS}/{component}"}

    def _allow(self, place: str, kind: str, entry: str) -> None:
        """Allow another type beside the described ones."""
        # Items and alternatives belong to a field.
        field = re.sub(
            r"(/properties/[^/]+)(/(items|additionalProperties|anyOf/\d+))*$", r"\1", place
        )
        properties, _, name = field.rpartition("/")
        schema = self._schema(properties.removesuffix("/properties"), name, kind, entry)
        node = at(self.description, place)
        if all(node.get(key) == value for key, value in schema.items()) or schema in node.get(
            "anyOf", ()
        ):
            return
        if "anyOf" in node:
            node["anyOf"].append(_node(schema))
        else:
            own = {key: node[key] for key in ("type", "items", "$ref") if key in node}
            _put(node, "anyOf", [own, schema])
            for key in own:
                _drop(node, key)
        self._mark(field, entry)

    def _mark(self, place: str, entry: str) -> None:
        """Name an entry of the ledger at a place."""
        node = at(self.description, place)
        names = node.get("x-evidence", [])
        names = list(dict.fromkeys([*([names] if isinstance(names, str) else names), entry]))
        _put(node, "x-evidence", names if len(names) > 1 else entry)

    def _make_optional(self, holder: str, name: str, entry: str) -> None:
        if name not in at(self.description, holder).get("required", ()):
            return
        schema = holder.rpartition("/")[2]
        limits = (
            row["constraints"][schema]
            for row in self.matrix
            if schema in row.get("constraints", {})
        )
        row = next((each for each in limits if name in each.get("required", ())), None)
        if row is None:
            raise RefusalError(
                "a row of the matrix for several schemas requires the field; change it by hand"
            )
        for node in (at(self.description, holder), row):
            node["required"].remove(name)
            if not node["required"]:
                _drop(node, "required")
        self._mark(holder, entry)

    def explain(self, before: list[str]) -> None:
        """Let the new entries list the new differences from the vendor's documents; drop
        patterns without any."""
        # JSON is YAML, and much faster to write and to read.
        lines = lines_of_excerpts(parse(json.dumps(self.description)))
        known = deviations.parse(json.dumps(self.ledger)).values()
        new = [line for line in lines if line not in before]
        for line in (line for line in new if not any(each.accounts_for(line) for each in known)):
            name = next(
                (entry for entry, start in self.added.items() if line.startswith(start)),
                [*self.added][-1],
            )
            (entry,) = (each for each in self.ledger if each["id"] == name)
            entry.setdefault("differences", CommentedSeq()).append(line)
        for entry in self.ledger:
            unused = [
                p
                for p in entry.get("differences", ())
                if not any(deviations.matches(p, line) for line in lines)
            ]
            for pattern in unused:
                entry["differences"].remove(pattern)
            if unused and not entry["differences"]:
                _drop(entry, "differences")


def _drop(holder: CommentedMap, key: str) -> None:
    """Remove a key; a comment behind the last key stays."""
    comment = holder.ca.items.pop(key, None) if key == [*holder][-1] else None
    del holder[key]
    if comment is not None and holder:
        holder.ca.items.setdefault([*holder][-1], comment)


def main() -> int:
    """Change the files, print the changes, and return the exit code."""
    report = given_report(__doc__)
    if report.service == "this machine":
        print(NO_EVIDENCE, "Nothing was changed.", file=sys.stderr)
        return 1
    old = Files.read()
    new, refused = adopt(report, old)
    for file, before, after in zip(_PATHS, astuple(old), astuple(new), strict=True):
        one, other = before.splitlines(keepends=True), after.splitlines(keepends=True)
        print("".join(difflib.unified_diff(one, other, f"a/{file.name}", f"b/{file.name}")), end="")
        if after != before:
            file.write_text(after, "utf-8")
    for line in refused:
        print(line, file=sys.stderr)
    if new != old:
        folder = TEST.partition("test_stored")[0]
        print(
            f"Copy the report into {folder}reports/ as a test, and run: make generate test",
            file=sys.stderr,
        )
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
