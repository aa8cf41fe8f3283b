"""Compares two trees of this repository: description, public names, and the version that the
change needs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import frozen

from tools.description import Document, read

from .difference import Difference
from .operations import differences
from .pairs import Pair, pairs
from .surface import NameChange, changes, load, sources

Step: TypeAlias = Literal["major", "minor", "patch", "none"]
Version: TypeAlias = tuple[int, int, int]


@frozen
class Change:
    """Two trees, and their differences."""

    old: Path
    new: Path
    before: Document
    after: Document
    differences: list[Difference]
    names: list[NameChange]

    @property
    def step(self) -> Step:
        """The part of the version that must rise (semantic versioning; see CONTRIBUTING.md)."""
        if any(each.breaking for each in self.differences) or any(
            each.breaking for each in self.names
        ):
            return "major"
        if self.differences or self.names:
            return "minor"
        return "none" if sources(self.old) == sources(self.new) else "patch"

    @property
    def version(self) -> Version:
        """The lowest version that the newer tree may have."""
        major, minor, patch = version_of(self.old)
        if self.step == "none":
            return major, minor, patch
        # Before 1.0.0 each part has the meaning of the part on its left.
        if self.step == "major":
            return (major + 1, 0, 0) if major else (0, minor + 1, 0)
        return (
            (major, minor + 1, 0) if major and self.step == "minor" else (major, minor, patch + 1)
        )

    @property
    def part(self) -> str:
        """The part of the version that rises; before 1.0.0 it is not the part that the step is
        named after."""
        parts = zip(("major", "minor", "patch"), version_of(self.old), self.version, strict=True)
        return next((name for name, old, needed in parts if old != needed), "none")


def between(old: Path, new: Path) -> Change:
    """Compare two trees."""
    before, after = read(old / "openapi.yaml"), read(new / "openapi.yaml")
    found = [
        each for pair in pairs(before, after) for each in (*_renamed(pair), *differences(pair))
    ]
    public = load(new if sources(old) != sources(new) else old)
    return Change(old, new, before, after, found, changes(load(old), public))


def version_of(tree: Path) -> Version:
    """Read the version of a tree."""
    text = (tree / "overlays" / "cometchat_rest" / "version.py").read_text("utf-8")
    found = re.search(r'__version__ = "(\d+)\.(\d+)\.(\d+)', text)
    assert found, "version.py holds no version such as 1.2.3"
    return int(found[1]), int(found[2]), int(found[3])


def _renamed(pair: Pair) -> list[Difference]:
    """Changes of names that the generated code has; such changes do not reach the wire."""
    if pair.old is None or pair.new is None:
        return []
    old, new = (
        {
            "operationId": each.node.get("operationId"),
            "tag": ", ".join(each.node.get("tags", ())),
            "path": each.path,
        }
        for each in (pair.old, pair.new)
    )
    return [
        Difference(
            pair.id, "request", f"{pair.new.pointer}/{key}", key, old[key], new[key], breaking=True
        )
        for key in old
        if old[key] != new[key]
    ]
