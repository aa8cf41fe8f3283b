"""The generator: the lines of the ledger that a change of the description needs."""

import json
from typing import Any

from attrs import evolve

from tools.contract import deviations
from tools.description import DESCRIPTION, at, read
from tools.generate.evidence import missing_lines

from ..contract import matrix
from ..contract.excerpts import lines_of_excerpts
from ..contract.matrix_rules import problems
from .accepted_changes import TEXT

LEDGER = deviations.read()


def changed() -> Any:
    """The description with two new fields and a new query parameter."""
    document = json.loads(json.dumps(read(DESCRIPTION)))
    for name in ("Role", "Message"):
        at(document, f"/components/schemas/{name}/properties").update(colour=TEXT)
    parameter = {"name": "scope", "in": "query", "description": "Text.", "schema": TEXT}
    at(document, "/paths/~1roles/get/parameters").append(parameter)
    return document


def test_the_description_needs_no_line() -> None:
    """`make generate` prints nothing about a field that the contract or the ledger has."""
    assert missing_lines(read(DESCRIPTION), LEDGER) == []


def test_one_line_of_the_ledger_is_enough() -> None:
    """For a new optional field, and for a new query parameter, `make generate` prints one line;
    with it, the ledger explains the difference from the vendor, and the matrix needs no row."""
    document = changed()
    heading, *lines = missing_lines(document, LEDGER)
    assert heading.startswith("contract/deviations.yaml, `fields` of an entry")
    assert [line.partition(": ")[0] for line in lines] == [
        "    Message.colour",
        "    Role.colour",
        "    listRoles.scope",
    ]
    fields = {line.partition(": ")[0].strip(): "The vendor's page." for line in lines}
    entry = LEDGER["optional-fields"]
    ledger = {**LEDGER, entry.id: evolve(entry, fields={**entry.fields, **fields})}
    assert missing_lines(document, ledger) == []
    unknown = [
        line for line in lines_of_excerpts(document) if deviations.entry_for(line, ledger) is None
    ]
    assert [*unknown, *problems(matrix.read(), document, ledger)] == []
