"""What became of one tree of this repository in another: description, public names, and the version that follows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import frozen

from .difference import Difference, Pair, differences, pairs
from .openapi import Document, read
from .surface import NameChange, changes, load

Step: TypeAlias = Literal["major", "minor", "patch", "none"]
Version: TypeAlias = tuple[int, int, int]


@frozen
class Change:
    """Two trees, and how they differ."""

    old: Path
    new: Path
    before: Document
    after: Document
    differences: list[Difference]
    names: list[NameChange]
    #: Everything that users of the newer tree can name.
    public: frozenset[str]

    @property
    def step(self) -> Step:
        """The part of the version that has to rise (semantic versioning; see CONTRIBUTING.md)."""
        if any(each.breaking for each in self.differences) or any(each.breaking for each in self.names):
            return "major"
        if self.differences or self.names:
            return "minor"
        return "none" if _sources(self.old) == _sources(self.new) else "patch"

    @property
    def version(self) -> Version:
        """The least version that the newer tree may have."""
        major, minor, patch = version_of(self.old)
        if self.step == "none":
            return major, minor, patch
        # Before 1.0.0 each part stands for the next larger one.
        if self.step == "major":
            return (major + 1, 0, 0) if major else (0, minor + 1, 0)
        return (major, minor + 1, 0) if major and self.step == "minor" else (major, minor, patch + 1)


def between(old: Path, new: Path) -> Change:
    """Compare two trees."""
    before, after = read(old / "openapi.yaml"), read(new / "openapi.yaml")
    found = [each for pair in pairs(before, after) for each in (*_renamed(pair), *differences(pair))]
    public = load(new if _sources(old) != _sources(new) else old)
    return Change(old, new, before, after, found, changes(load(old), public), frozenset(public))


def version_of(tree: Path) -> Version:
    """The version a tree says it has."""
    text = (tree / "overlays" / "cometchat_rest" / "version.py").read_text("utf-8")
    found = re.search(r'__version__ = "(\d+)\.(\d+)\.(\d+)', text)
    assert found, "version.py has no version of three numbers"
    return int(found[1]), int(found[2]), int(found[3])


def _renamed(pair: Pair) -> list[Difference]:
    """What changes the name of a generated function, its module or an argument, or when to use it; not what is sent."""
    if pair.old is None or pair.new is None:
        return []
    old, new = (
        {
            "operationId": each.node.get("operationId"),
            "tag": ", ".join(each.node.get("tags", ())),
            "path": each.path,
            "deprecated": "true" if each.node.get("deprecated") else None,
        }
        for each in (pair.old, pair.new)
    )
    return [
        Difference(
            pair.id, "request", f"{pair.new.pointer}/{word}", word, old[word], new[word], breaking=word != "deprecated"
        )
        for word in old
        if old[word] != new[word]
    ]


def _sources(tree: Path) -> dict[str, bytes]:
    """All that the package is made of."""
    paths = (path for part in ("overlays", "generated") for path in (tree / part).rglob("*.py"))
    return {str(path.relative_to(tree)): path.read_bytes() for path in paths}
