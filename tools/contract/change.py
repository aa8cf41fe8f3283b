"""Compares two trees of this repository: description, public names, and the version that the
change needs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from attrs import frozen
from packaging.version import Version

from tools.description import Document, Operation, operations, read, sequence
from tools.release.changelog import version

from .comparison import Comparison
from .deviations import used_components
from .difference import Difference, Effect, text
from .operations import differences
from .pairs import Pair, pairs
from .surface import NameChange, changes, load, sources

Step: TypeAlias = Literal["major", "minor", "patch", "none"]


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
        verdicts = [difference.breaking for difference in self.differences]
        verdicts += [name.breaking for name in self.names]
        if any(verdicts):
            return "major"
        if verdicts:
            return "minor"
        has_same_code = sources(self.old) == sources(self.new)
        return "none" if has_same_code else "patch"

    @property
    def part(self) -> Step:
        """The part of the version that rises; before 1.0.0 it is not the part that the step is
        named after."""
        if version(self.old).major:
            return self.step
        # Before 1.0.0 each part has the meaning of the part on its left.
        lower: dict[Step, Step] = {
            "major": "minor",
            "minor": "patch",
        }
        return lower.get(self.step, self.step)

    @property
    def version(self) -> Version:
        """The lowest version that the newer tree may have."""
        old = version(self.old)
        versions: dict[Step, str] = {
            "major": f"{old.major + 1}.0.0",
            "minor": f"{old.major}.{old.minor + 1}.0",
            "patch": f"{old.major}.{old.minor}.{old.micro + 1}",
            "none": str(old),
        }
        return Version(versions[self.part])


def between(old: Path, new: Path) -> Change:
    """Compare two trees."""
    before = read(old / "openapi.yaml")
    after = read(new / "openapi.yaml")
    noticed = []
    for pair in pairs(before, after):
        noticed += _renamed(pair)
        noticed += differences(pair)
    # Loading a tree takes seconds, and equal sources have the same names.
    names = []
    if sources(old) != sources(new):
        sent = _only_sent(after)
        names = changes(load(old), load(new), sent)
    return Change(old, new, before, after, noticed, names)


def _only_sent(document: Document) -> set[str]:
    """The names of the schemas that requests have, and no response."""
    bodies = [operation.node.get("requestBody") for operation in operations(document)]
    responses = [operation.node.get("responses") for operation in operations(document)]
    sent = used_components(document, bodies) - used_components(document, responses)
    return {component.removeprefix("schemas/") for component in sent}


def _renamed(pair: Pair) -> list[Difference]:
    """Changes of names and marks that the generated code has; they do not reach the wire."""
    renamed: list[Difference] = []
    if pair.old and pair.new:
        before = _names(pair.old)
        after = _names(pair.new)
        place = Comparison(pair.id, "request", pair.new.pointer, renamed)
        for key in before:
            if before[key] != after[key]:
                place.below(key).record(key, before[key], after[key], Effect.OTHER)
    return renamed


def _names(operation: Operation) -> dict[str, str | None]:
    return {
        "operationId": operation.node.get("operationId"),
        "tag": ", ".join(sequence(operation.node, "tags")),
        "path": operation.path,
        # How the client goes over all pages.
        "x-pages": text(operation.node.get("x-pages")),
    }
