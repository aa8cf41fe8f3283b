"""The lines of the ledger that new fields and parameters need."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from tools.contract.deviations import CONTRACT, Ledger, read
from tools.description import Document, mapping, operations, sequence


def missing_lines(document: Document, ledger: Ledger | None = None) -> list[str]:
    """A heading, and the lines for `fields` of an entry, ready to paste: one for each optional
    field and each query parameter whose source is neither the contract nor an entry.

    A folder without the contract, such as that of a test, needs no lines.
    """
    if not CONTRACT.exists():
        return []
    entries = (read() if ledger is None else ledger).values()
    patterns = [pattern for entry in entries for pattern in entry.fields]
    contract = CONTRACT.read_text("utf-8")
    lines = [
        f"    {name}: its source, and why it can be absent"
        for name in _additions(document, patterns)
        if f"| {name.rpartition('.')[2]} |" not in contract
        and not any(fnmatchcase(name, pattern) for pattern in patterns)
    ]
    heading = "contract/deviations.yaml, `fields` of an entry such as optional-fields, needs:"
    return [heading, *lines] if lines else []


def _additions(document: Document, patterns: list[str]) -> Iterator[str]:
    """The optional fields and query parameters without a mark, with their holder."""
    holders = {pattern.partition(".")[0] for pattern in patterns}
    for name, schema in mapping(mapping(document, "components"), "schemas").items():
        # The mark of a schema covers its fields, unless the ledger lists some of them.
        if "x-evidence" in schema and not any(fnmatchcase(name, holder) for holder in holders):
            continue
        required = sequence(schema, "required")
        for field, described in mapping(schema, "properties").items():
            if "x-evidence" not in described and field not in required:
                yield f"{name}.{field}"
    yield from _parameters(document)


def _parameters(document: Document) -> Iterator[str]:
    for operation in operations(document):
        for parameter in operation.parameters:
            if parameter["in"] == "query" and "x-evidence" not in {**operation.node, **parameter}:
                yield f"{operation.id}.{parameter['name']}"
