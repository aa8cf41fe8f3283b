"""The rules for `conformance.yaml`: the matrix agrees with the files that it describes."""

import json
from collections.abc import Iterator
from fnmatch import fnmatchcase
from importlib import import_module
from typing import Any, get_args

from tools.contract.deviations import Confidence, Ledger
from tools.description import ROOT, Document, Node, operations

from . import matrix
from .matrix import Constraint, Row, contract_part

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
    for section, text in matrix.contract().items():
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
    expected = [limit for row in rows for limit in matrix.limits(row)]
    described: dict[str, dict[str, Any]] = {}
    for constraint in constraints(contract_part(document)):
        described.setdefault(constraint.place, {})[constraint.keyword] = constraint.value
    for place, keywords in described.items():
        applying = [limit for limit in expected if _applies(limit, place)]
        yield from _disagreements(place, keywords, applying)
    for limit in expected:
        if not any(_applies(limit, place) for place in described):
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


def _applies(limit: Constraint, place: str) -> bool:
    """Whether the place of a constraint, in which `*` is any text, is or includes another place."""
    return fnmatchcase(place, limit.place.replace("[", "[[]"))


def _row_problems(row: Row, ledger: Ledger) -> Iterator[str]:
    start = f"conformance.yaml: {row.promise}: "
    if row.section not in matrix.contract():
        yield f"{start}service.md has no section {row.section}"
    has_evidence = row.evidence == "contract" or row.evidence in ledger
    if not has_evidence and row.confidence not in get_args(Confidence):
        yield f"{start}the evidence is no entry of deviations.yaml, and has no confidence"
    tests = matrix.tests_of(row, ledger)
    if not tests:
        yield f"{start}no test"
    for test in tests:
        if not _exists(test):
            yield f"{start}{test} does not exist"
    for name, value in row.constants.items():
        module, _, constant = name.rpartition(".")
        current = getattr(import_module(f"cometchat_testing.{module}"), constant, None)
        if current != value:
            yield f"{start}{name} is {current!r} in the simulator, not {value!r}"


def _exists(test: str) -> bool:
    file, _, name = test.partition("::")
    path = ROOT / file
    return path.is_file() and f"def {name.rpartition('::')[2]}(" in path.read_text("utf-8")
