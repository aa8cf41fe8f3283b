"""New optional fields and parameters of the description: the lines that they need elsewhere."""

import json
from typing import Any

from attrs import evolve

from tools.contract import deviations
from tools.description import DESCRIPTION, at, read

from . import matrix
from .excerpts import lines_of_excerpts
from .matrix_rules import problems

LEDGER = deviations.read()
TEXT = {"type": "string"}


def changed() -> Any:
    """The description with two new fields and a new query parameter."""
    document = json.loads(json.dumps(read(DESCRIPTION)))
    for name in ("Role", "Message"):
        at(document, f"/components/schemas/{name}/properties").update(colour=TEXT)
    parameter = {"name": "scope", "in": "query", "description": "Text.", "schema": TEXT}
    at(document, "/paths/~1roles/get/parameters").append(parameter)
    return document


def test_one_line_of_the_ledger_is_enough() -> None:
    """For a new optional field, and for a new query parameter, one line of the ledger explains the
    difference from the vendor, and the matrix needs no row."""
    document = changed()
    names = ("Message.colour", "Role.colour", "listRoles.scope")
    fields = dict.fromkeys(names, "The vendor's page.")
    entry = LEDGER["optional-fields"]
    ledger = {**LEDGER, entry.id: evolve(entry, fields={**entry.fields, **fields})}
    unknown = [
        line for line in lines_of_excerpts(document) if deviations.entry_for(line, ledger) is None
    ]
    assert [*unknown, *problems(matrix.read(), document, ledger)] == []
