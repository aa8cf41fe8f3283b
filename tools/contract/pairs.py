"""Pairs the operations of two descriptions."""

from __future__ import annotations

import re

from attrs import frozen

from tools.description import Document, Operation, operations


@frozen
class Pair:
    """One operation in both descriptions; `None` if a description lacks it."""

    old: Operation | None
    new: Operation | None

    @property
    def id(self) -> str:
        """The operationId in the newer description, else the one in the older description."""
        operation = self.new or self.old
        assert operation is not None
        return str(operation.node.get("operationId", f"{operation.method} {operation.path}"))


def pairs(old: Document, new: Document) -> list[Pair]:
    """Return each operation of the newer description with the older operation of the same method
    and path.

    Names of path parameters are ignored. A common prefix of all paths in the older description is
    ignored too. Operations that only the older description has come last.
    """
    older = {(each.method, _template(each.path)): each for each in operations(old)}
    newer = {(each.method, _template(each.path)): each for each in operations(new)}
    prefix = _common_prefix(set(older), set(newer))
    matched = [
        Pair(older.pop((method, prefix + path), None), operation)
        for (method, path), operation in newer.items()
    ]
    return matched + [Pair(operation, None) for operation in older.values()]


def _template(path: str) -> str:
    """A path without the names of its parameters and without a final slash."""
    return re.sub(r"\{[^}]*\}", "{}", path).rstrip("/")


def _common_prefix(older: set[tuple[str, str]], newer: set[tuple[str, str]]) -> str:
    """The prefix of the older paths, such as `/v3`, with which most operations match."""
    prefixes = {""}
    for _, old in older:
        prefixes |= {old.removesuffix(new) for _, new in newer if old.endswith(new)}

    def matching(prefix: str) -> int:
        return len(older & {(method, prefix + path) for method, path in newer})

    return max(sorted(prefixes, key=len), key=matching)
