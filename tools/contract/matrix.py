"""The conformance matrix: each promise of service.md with its places, tests, evidence, and the rule
of the simulator.

conformance.yaml has the rows. It repeats neither the types of fields, which are in service.md, nor
the confidence and the test of an entry of deviations.yaml.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import yaml
from attrs import field, frozen

from tools.description import ROOT, Document, Node, operations

from .deviations import CONTRACT, Confidence, Ledger, contract_part, two_columns

MATRIX = ROOT / "contract" / "conformance.yaml"
SIMULATOR = "cometchat_testing"

#: Keywords that limit nothing. A type is compared with the tables of service.md.
_TEXTS = (
    "description",
    "summary",
    "title",
    "example",
    "examples",
    "operationId",
    "tags",
    "type",
    "$ref",
    "links",
)
#: Keywords that hold other nodes: by name, in a list, or directly. The value is the addition to the
#: place.
_BY_NAME = (
    "properties",
    "patternProperties",
    "variables",
    "headers",
    "encoding",
    "responses",
    "content",
)
_IN_A_LIST = ("allOf", "anyOf", "oneOf", "prefixItems", "parameters")
_DIRECT = {
    "items": "[]",
    "additionalProperties": ".*",
    "schema": "",
    "requestBody": ".body",
    "not": ".not",
}


@frozen(kw_only=True)
class Row:
    """One row.

    `constraints` are the expected keywords of each place; a place may have `*` for any text.
    `fields` are the schemas of the tables of the section, in order. `constants` are values in the
    simulator. `evidence` is an entry of the ledger, or a text with a `confidence` in the same row;
    without it, the contract is the evidence.
    """

    section: str
    promise: str
    constraints: Mapping[str, Node] = field(factory=dict)
    fields: Sequence[str] = ()
    simulator: str = ""
    constants: Node = field(factory=dict)
    evidence: str = "contract"
    confidence: str = ""
    tests: Sequence[str] = ()


@frozen
class Constraint:
    """One keyword of the description: its place in short form, its name and its value."""

    place: str
    keyword: str
    value: Any

    def applies_to(self, place: str) -> bool:
        """Whether the place of this constraint, in which `*` is any text, is or includes another
        place."""
        return fnmatchcase(place, self.place.replace("[", "[[]"))

    def __str__(self) -> str:
        value = self.value
        if not isinstance(value, str):
            value = json.dumps(value, ensure_ascii=False)
        return f"{self.place}: {self.keyword}: {value}"


def read(path: Path = MATRIX) -> list[Row]:
    """Read the rows; a ValueError names a row with a missing or unknown field."""
    rows = []
    content = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
    for number, fields in enumerate(content, 1):
        try:
            rows.append(Row(**fields))
        except TypeError as error:
            raise ValueError(f"{path.name}: row {number}: {error}") from error
    return rows


def constraints(document: Document) -> Iterator[Constraint]:
    """Yield every keyword that limits a request or a response, and for each place one constraint
    without a keyword."""
    for server in document["servers"]:
        yield from _keywords("server", server)
    for operation in operations(document):
        yield Constraint(operation.id, "request", f"{operation.method.upper()} {operation.path}")
        yield from _keywords(operation.id, operation.node)
    for components in document["components"].values():
        for name, component in components.items():
            yield from _keywords(name, component)
    for name, scheme in document["components"].get("securitySchemes", {}).items():
        for keyword in ("type", "description"):
            yield Constraint(name, keyword, scheme[keyword])


def _keywords(place: str, node: Node) -> Iterator[Constraint]:
    if "$ref" not in node:
        yield Constraint(place, "", None)
    for key, value in node.items():
        if key in ("responses", "headers", "content"):
            yield Constraint(place, key, list(value))
        if _holds_nodes(key, value):
            for below, inner in _below(place, key, value):
                yield from _keywords(below, inner)
        elif key not in _TEXTS and not key.startswith("x-"):
            yield Constraint(place, key, value)


def _holds_nodes(key: str, value: Any) -> bool:
    if key in _DIRECT:
        return isinstance(value, dict)
    return key in _BY_NAME or key in _IN_A_LIST


def _below(place: str, key: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The nodes below a keyword, with their places."""
    if key == "content":
        for media in value.values():
            yield place, media
    elif key in _BY_NAME:
        for name, inner in value.items():
            yield f"{place}.{name}", inner
    elif key in _IN_A_LIST:
        for inner in value:
            yield f"{place}.{inner['name']}" if "name" in inner else place, inner
    else:
        yield place + _DIRECT[key], value


def problems(rows: list[Row], document: Document, ledger: Ledger) -> list[str]:
    """Return every disagreement between the rows and the files that they describe."""
    lines = list(constraint_problems(rows, document))
    for row in rows:
        lines += _row_problems(row, ledger)
    return [*lines, *_uncovered(rows)]


def _uncovered(rows: list[Row]) -> Iterator[str]:
    """Sections of the contract without a row, and details that it leaves open and no row names."""
    for section, text in contract().items():
        promises = [row.promise for row in rows if row.section == section]
        if not promises:
            yield f"service.md, section {section}: no row in conformance.yaml"
        elif " ".join(promises).count("not shown") < text.count("not shown"):
            yield (
                f"service.md, section {section}: a detail is not shown, and has no row in"
                " conformance.yaml"
            )


def constraint_problems(rows: list[Row], document: Document) -> Iterator[str]:
    """Yield each limit of the description that has no row or another value, and each limit that
    only a row has.

    An operation that service.md does not know needs no row.
    """
    expected = [limit for row in rows for limit in _limits(row)]
    described: dict[str, dict[str, Any]] = {}
    for constraint in constraints(contract_part(document)):
        described.setdefault(constraint.place, {})[constraint.keyword] = constraint.value
    for place, keywords in described.items():
        applying = [limit for limit in expected if limit.applies_to(place)]
        yield from _disagreements(place, keywords, applying)
    for limit in expected:
        if not any(map(limit.applies_to, described)):
            yield f"conformance.yaml has {limit}; openapi.yaml has no such place"


def _disagreements(place: str, described: Node, expected: list[Constraint]) -> Iterator[str]:
    """The limits of one place that differ from those of the rows."""
    limits = {keyword: value for keyword, value in described.items() if keyword}
    if not expected:
        # An optional parameter without a limit needs only a line of the ledger.
        if limits.keys() - {"in", "name", "type"}:
            yield (
                f"openapi.yaml has {place}; add it to a row of conformance.yaml: {place}:"
                f" {json.dumps(limits)}"
            )
        return
    wanted = {limit.keyword: limit.value for limit in expected}
    for keyword in sorted(wanted.keys() | limits.keys()):
        ours = _shown(place, keyword, limits)
        theirs = _shown(place, keyword, wanted)
        if ours != theirs:
            yield f"openapi.yaml has {ours}; conformance.yaml has {theirs}"


def _shown(place: str, keyword: str, values: Node) -> str:
    return str(Constraint(place, keyword, values[keyword])) if keyword in values else "nothing"


def _limits(row: Row) -> list[Constraint]:
    return [
        Constraint(place, keyword, value)
        for place, keywords in row.constraints.items()
        for keyword, value in keywords.items()
    ]


def _row_problems(row: Row, ledger: Ledger) -> Iterator[str]:
    start = f"conformance.yaml: {row.promise}: "
    if row.section not in contract():
        yield f"{start}service.md has no section {row.section}"
    has_evidence = row.evidence == "contract" or row.evidence in ledger
    if not has_evidence and row.confidence not in get_args(Confidence):
        yield f"{start}the evidence is no entry of deviations.yaml, and has no confidence"
    tests = tests_of(row, ledger)
    if not tests:
        yield f"{start}no test"
    for test in tests:
        if not _exists(test):
            yield f"{start}{test} does not exist"
    for name, value in row.constants.items():
        module, _, constant = name.rpartition(".")
        current = getattr(import_module(f"{SIMULATOR}.{module}"), constant, None)
        if current != value:
            yield f"{start}{name} is {current!r} in the simulator, not {value!r}"


def _exists(test: str) -> bool:
    file, _, name = test.partition("::")
    path = ROOT / file
    return path.is_file() and f"def {name.rpartition('::')[2]}(" in path.read_text("utf-8")


def tests_of(row: Row, ledger: Ledger) -> list[str]:
    """Return the tests of a row, and the test of its entry in the ledger."""
    entry = ledger.get(row.evidence)
    if entry is None or entry.test is None:
        return [*row.tests]
    return [*row.tests, entry.test]


@cache
def contract() -> dict[str, str]:
    """Return the text of each section of service.md, by its number."""
    text = CONTRACT.read_text("utf-8")
    _, *parts = re.split(r"^#{2,3} (\d(?:\.\d)?)\.? .*$", text, flags=re.MULTILINE)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    return {number: section for number, section in sections.items() if section.strip()}


def rendered(rows: list[Row], ledger: Ledger) -> str:
    """Render the rows as Markdown, by section of service.md."""
    parts = []
    for section in contract():
        parts.append(f"## service.md, section {section} {{ #section-{section.replace('.', '-')} }}")
        parts += [_rendered(row, ledger) for row in rows if row.section == section]
    return "\n\n".join(parts)


def _rendered(row: Row, ledger: Ledger) -> str:
    entry = ledger.get(row.evidence)
    if entry is None:
        evidence = row.evidence.replace("contract", "service.md")
        confidence = row.confidence or "high"
    else:
        evidence = f"[{entry.id}](deviations.md#{entry.id})"
        confidence = entry.confidence
    places = [f"`{limit}`" for limit in _limits(row)]
    places += [f"`{schema}`: its fields and types" for schema in row.fields]
    constants = [f"`{name}` is {value}" for name, value in row.constants.items()]
    cells = {
        "openapi.yaml": "<br>".join(places),
        "Simulator": "<br>".join(filter(None, [row.simulator, *constants])),
        "Evidence": evidence,
        "Confidence": confidence,
        "Tests": "<br>".join(f"`{test}`" for test in tests_of(row, ledger)),
    }
    return f"**{row.promise}**\n\n{two_columns(cells)}"
