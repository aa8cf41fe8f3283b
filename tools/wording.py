"""What has changed in a description, part by part, and makes no difference on the wire."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from .difference import differences, pairs, template
from .openapi import METHODS, Document, Place, at, mapping

_TEXTS = ("description", "summary", "title", "example", "examples", "x-evidence")
#: What holds names of the service, which may be the same as these words.
_NAMES = ("properties", "variables")


def unfelt(before: Document, after: Document) -> dict[str, list[str]]:
    """The components that came or went, and the parts that are written otherwise and have the same effect, by title."""
    old, new = dict(_parts(before)), dict(_parts(after))
    both = [name for name in new if name in old and old[name].node != new[name].node]
    reworded = [name for name in both if _bare(old[name].node) == _bare(new[name].node)]
    found = {
        "New": [name for name in new if name not in old and _is_component(new[name])],
        "Gone": [name for name in old if name not in new and _is_component(old[name])],
        "Only texts, examples or evidence": reworded,
        "Without effect on the wire": [
            name for name in both if name not in reworded and not _is_felt(after, new[name].pointer, old[name].node)
        ],
    }
    return {title: names for title, names in found.items() if names}


def _parts(document: Document) -> Iterator[tuple[str, Place]]:
    """The operations, the components and what else there is at the top, each by what it is called."""
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
    """A node without what is for readers."""
    if isinstance(node, list):
        return [_bare(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _bare(value, names=not names and key in _NAMES)
        for key, value in node.items()
        if names or key not in _TEXTS
    }


def _is_felt(after: Document, pointer: str, node: Any) -> bool:
    """Whether it makes a difference that a part is no longer what it was."""
    otherwise = copy.deepcopy(dict(after))
    holder, _, key = pointer.rpartition("/")
    at(otherwise, holder)[key.replace("~1", "/").replace("~0", "~")] = node
    return any(differences(pair) for pair in pairs(otherwise, after))
