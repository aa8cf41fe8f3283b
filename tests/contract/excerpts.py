"""The stored excerpts of the vendor's documents: the operations of the contract."""

from tools.contract.compare import compare
from tools.description import ROOT, Document, read

from .matrix import contract_part

EXCERPTS = sorted((ROOT / "contract" / "vendor").glob("*.yaml"))


def lines_of_excerpts(ours: Document) -> list[str]:
    """Return each difference from the stored excerpts of the vendor's documents."""
    described = contract_part(ours)
    lines: dict[str, None] = {}
    for path in EXCERPTS:
        # A new region is not a change of the vendor's operations.
        excerpt = {**read(path), "servers": ours["servers"]}
        for finding in compare(excerpt, described, {}):
            lines[finding.line] = None
    return list(lines)
