"""The lines of the ledger that a change of the description needs."""

import json
from typing import Any

import pytest
import yaml
from attrs import evolve

from tools.contract import deviations
from tools.contract.evidence import missing_lines
from tools.description import DESCRIPTION, read

from ..contract import matrix
from ..contract.excerpts import lines_of_excerpts
from ..contract.matrix_rules import problems
from .changes import Change, add_field, put, takes

LEDGER = deviations.read_ledger()
ROLE = "/components/schemas/Role"

#: Changes, and the lines for `fields` and for `differences`. The contract uses the word "sender" for
#: another field.
CHANGES: dict[str, tuple[Change, list[str], list[str]]] = {
    "nothing": (lambda _: None, [], []),
    "a field that the vendor lacks": (add_field("Role.colour"), ["Role.colour"], []),
    "a field inside an object that the vendor lacks": (
        add_field("Message.colour"),
        ["Message.colour"],
        [],
    ),
    "a field with a name of another one": (add_field("Role.sender"), ["Role.sender"], []),
    "an optional parameter": (takes("scope"), ["listRoles.scope"], []),
    "a parameter with the name of a field": (takes("sender"), ["listRoles.sender"], []),
    "a required parameter": (
        takes("scope", required=True),
        [],
        [
            '/paths/~1roles/get/parameters/2: query parameter "scope": vendor: nothing, ours: required'
        ],
    ),
    "another type": (
        put(f"{ROLE}/properties/createdAt", type="string"),
        [],
        [f"{ROLE}/properties/createdAt: type: vendor: integer, ours: string"],
    ),
}


def changed(change: Change) -> Any:
    document = json.loads(json.dumps(read(DESCRIPTION)))
    change(document)
    return document


def unexplained(document: Any, ledger: deviations.Ledger) -> list[str]:
    lines = lines_of_excerpts(document)
    return [line for line in lines if deviations.entry_for(line, ledger) is None]


@pytest.mark.parametrize(("change", "fields", "differences"), CHANGES.values(), ids=CHANGES)
def test_the_lines_of_the_ledger_can_be_pasted(
    change: Change, fields: list[str], differences: list[str]
) -> None:
    """`make generate` prints each line that the ledger lacks, and no other; with them, the ledger
    explains each difference from the vendor."""
    document = changed(change)
    parts: dict[str, list[Any]] = {"fields": [], "differences": []}
    name = ""
    for line in missing_lines(document, LEDGER):
        if line.startswith("contract/deviations.yaml, "):
            name = line.split("`")[1]
        else:
            parts[name].append(yaml.safe_load(line))
    pasted = {name: text for line in parts["fields"] for name, text in line.items()}
    lines = [line for listed in parts["differences"] for line in listed]
    assert (list(pasted), lines) == (fields, differences)
    entry = LEDGER["optional-fields"]
    more: dict[str, Any] = {
        "fields": {**entry.fields, **pasted},
        "differences": [*entry.differences, *lines],
    }
    ledger = {**LEDGER, entry.id: evolve(entry, **more)}
    assert unexplained(document, ledger) == missing_lines(document, ledger) == []


@pytest.mark.parametrize("change", [add_field("Role.colour"), takes("scope")])
def test_one_line_of_the_ledger_is_enough(change: Change) -> None:
    """A new optional field, or a new query parameter without limits, needs no row of the matrix."""
    assert problems(matrix.read(), changed(change), LEDGER) == []
