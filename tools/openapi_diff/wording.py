"""Lists changes of a description that have no effect on the wire, part by part."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from .difference import differences, pairs, template
from .document import METHODS, Document, Place, at, mapping, parts

_TEXTS = ("description", "summary", "title", "example", "examples", "x-evidence")
#: Objects whose keys are names of the service. Such a name may equal one of the words above.
_NAMES = ("properties", "variables")

_TITLES = _NEW, _REMOVED, _REWORDED, _WITHOUT_EFFECT = (
    "New",
    "Removed",
    "Only texts, examples or evidence",
    "Without effect on the wire",
)


def without_effect(before: Document, after: Document) -> dict[str, list[str]]:
    """Return added and removed components, and parts with a new text and the same effect, grouped by title."""
    old, new = dict(_parts(before)), dict(_parts(after))
    titled: dict[str, list[str]] = {title: [] for title in _TITLES}
    for name in dict.fromkeys([*new, *old]):
        if title := _title(after, old.get(name), new.get(name)):
            titled[title].append(name)
    return {title: names for title, names in titled.items() if names}


def _title(after: Document, old: Place | None, new: Place | None) -> str | None:
    """The title for a part; `None` for a part that is equal, or differs on the wire."""
    if old is None:
        return _NEW if new and _is_component(new) else None
    if new is None:
        return _REMOVED if _is_component(old) else None
    if old.node == new.node:
        return None
    if _bare(old.node) == _bare(new.node):
        return _REWORDED
    return None if _has_effect(after, new.pointer, old.node) else _WITHOUT_EFFECT


def _parts(document: Document) -> Iterator[tuple[str, Place]]:
    """The operations, the components and the other top-level parts, by name."""
    whole = Place("", document)
    for path, item in mapping(document, "paths").items():
        for key in item:
            name = mapping(item, key).get("operationId") if key in METHODS else None
            yield name or f"{key} of {template(path)}", whole.below("paths", path, key)
    for kind, held in mapping(document, "components").items():
        for name in held:
            yield f"{kind.removesuffix('s')} {name}", whole.below("components", kind, name)
    for key in document.keys() - {"paths", "components"}:
        yield key, whole.below(key)


def _is_component(part: Place) -> bool:
    return part.pointer.startswith("/components/")


def _bare(node: Any, *, names: bool = False) -> Any:
    """A node without texts and examples."""
    if isinstance(node, list):
        return [_bare(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _bare(value, names=not names and key in _NAMES)
        for key, value in node.items()
        if names or key not in _TEXTS
    }


def _has_effect(after: Document, pointer: str, node: Any) -> bool:
    """Whether the description differs on the wire if this part is replaced by its older version."""
    changed = copy.deepcopy(dict(after))
    at(changed, pointer.rpartition("/")[0])[parts(pointer)[-1]] = node
    return any(differences(pair) for pair in pairs(changed, after))
