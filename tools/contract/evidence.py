"""The lines of the ledger that a change of the description needs."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from tools.description import ROOT, Document, mapping, read, sequence

from . import deviations
from .deviations import Ledger, additions, entry_for, matches
from .difference import Difference
from .findings import line_of
from .operations import differences
from .pairs import pairs

#: Excerpts of the vendor's documents, with the operations of the contract.
EXCERPTS = ROOT / "contract" / "vendor"


def missing_lines(document: Document, ledger: Ledger | None = None) -> list[str]:
    """The lines that the ledger lacks, ready to paste, below headings.

    An optional field, and a query parameter that the vendor lacks, need a line of `fields`; any
    other new difference from the vendor needs one of `differences`.
    """
    entries = deviations.read_ledger() if ledger is None else ledger
    fields = list(_optional_fields(document, entries))
    others = []
    for difference in _new_differences(document, entries):
        line = line_of(difference)
        name = _name(difference)
        if any(matches(pattern, line) for pattern in additions(name)):
            fields.append(name)
        else:
            others.append("- '" + line.replace("'", "''") + "'")
    explained = [f"{name}: its source, and why it can be absent" for name in fields]
    return [
        *_below("`fields` of an entry such as optional-fields", explained),
        *_below("`differences` of the entry that explains it", others),
    ]


def _below(part: str, texts: list[str]) -> Iterator[str]:
    """A heading, and each text once below it; nothing without a text."""
    if texts:
        yield f"contract/deviations.yaml, {part}, needs:"
    for text in dict.fromkeys(texts):
        yield f"    {text}"


def _optional_fields(document: Document, ledger: Ledger) -> Iterator[str]:
    """The optional fields without a reason in the ledger."""
    patterns = [pattern for entry in ledger.values() for pattern in entry.fields]
    holders = [pattern.partition(".")[0] for pattern in patterns]
    for name, schema in mapping(mapping(document, "components"), "schemas").items():
        # The mark of a schema covers its fields, unless the ledger lists some of them.
        if "x-evidence" in schema and not _fits(name, holders):
            continue
        optional = mapping(schema, "properties").keys() - sequence(schema, "required")
        for field in sorted(optional):
            if not _fits(f"{name}.{field}", patterns):
                yield f"{name}.{field}"


def _fits(name: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _new_differences(document: Document, ledger: Ledger) -> Iterator[Difference]:
    """The differences from the excerpts that no entry explains, in the operations of both."""
    for path in sorted(EXCERPTS.glob("*.yaml")):
        # A new region is not a change of the vendor's operations.
        excerpt = {**read(path), "servers": document["servers"]}
        both = [pair for pair in pairs(excerpt, document) if pair.old and pair.new]
        noticed = [difference for pair in both for difference in differences(pair)]
        for difference in noticed:
            if entry_for(line_of(difference), ledger) is None:
                yield difference


def _name(difference: Difference) -> str:
    """The name of a field, or of a query parameter, in `fields`."""
    kind, _, name = difference.subject.partition(' "')
    schema = difference.pointer.removeprefix("/components/schemas/")
    holder = schema if kind == "property" else difference.operation
    return f"{holder}.{name[:-1]}"
