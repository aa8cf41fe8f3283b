"""The conformance matrix: each promise of service.md with its places, tests, evidence, and the rule
of the simulator.

conformance.yaml has the rows. It repeats neither the types of fields, which are in service.md, nor
the confidence and the test of an entry of deviations.yaml.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from attrs import field, frozen

from tools.contract.deviations import CONTRACT, Ledger, used_components
from tools.description import METHODS, ROOT, Document, Node

MATRIX = ROOT / "contract" / "conformance.yaml"


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


def limits(row: Row) -> list[Constraint]:
    """Return the expected keywords of each place."""
    return [
        Constraint(place, keyword, value)
        for place, keywords in row.constraints.items()
        for keyword, value in keywords.items()
    ]


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


def contract_part(document: Document) -> Document:
    """Return the part of the description that section 4 of service.md knows.

    The result lacks all other operations, and the components that only they use.
    """
    text = CONTRACT.read_text("utf-8")
    paths = {}
    for path, item in document["paths"].items():
        absent = {key for key in METHODS if f" {key.upper()} {path} |" not in text}
        described = {key: value for key, value in item.items() if key not in absent}
        if not described.keys().isdisjoint(METHODS):
            paths[path] = described
    dropped = used_components(document, document["paths"]) - used_components(document, paths)
    components = {
        kind: {name: each for name, each in named.items() if f"{kind}/{name}" not in dropped}
        for kind, named in document["components"].items()
    }
    return {**document, "paths": paths, "components": components}
