"""Pairs the operations of two descriptions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from itertools import product
from typing import TypeAlias

from attrs import frozen

from tools.description import Document, Operation, operations

#: The method and the path of an operation.
Key: TypeAlias = tuple[str, str]


@frozen
class Pair:
    """One operation in both descriptions; `None` if a description lacks it."""

    old: Operation | None
    new: Operation | None

    @property
    def operation(self) -> Operation:
        """The operation in the newer description, else the one in the older description."""
        operation = self.new or self.old
        assert operation is not None
        return operation

    @property
    def id(self) -> str:
        """The operationId of the operation."""
        operation = self.operation
        return str(operation.node.get("operationId", f"{operation.method} {operation.path}"))


def pairs(old: Document, new: Document) -> list[Pair]:
    """Return each operation of the newer description with the older operation of the same method
    and path.

    Names of path parameters are ignored. A common prefix of all paths in the older description is
    ignored too. Operations that only the older description has come last.
    """
    older = _by_key(old)
    newer = _by_key(new)
    prefix = _common_prefix(older, newer)
    matched = []
    for (method, path), operation in newer.items():
        same = older.pop((method, prefix + path), None)
        matched.append(Pair(same, operation))
    return matched + [Pair(operation, None) for operation in older.values()]


def _by_key(document: Document) -> dict[Key, Operation]:
    """The operations by method and path, without the names of parameters and a final slash."""
    keyed = {}
    for operation in operations(document):
        path = re.sub(r"\{[^}]*\}", "{}", operation.path)
        keyed[operation.method, path.rstrip("/")] = operation
    return keyed


def _common_prefix(older: Collection[Key], newer: Collection[Key]) -> str:
    """The prefix of the older paths, such as `/v3`, with which most operations match; of several
    prefixes, the shortest one."""
    matches: Counter[str] = Counter()
    for (old_method, old), (new_method, new) in product(older, newer):
        if old_method == new_method and old.endswith(new):
            matches[old.removesuffix(new)] += 1
    return max(sorted(matches, key=len), key=lambda prefix: matches[prefix], default="")
