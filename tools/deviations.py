"""The ledger of deviations: where `openapi.yaml` departs from what the vendor publishes, or goes beyond service.md.

A place of the description names its entry in `x-evidence`; the entry says what the vendor says, what we say, and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import yaml
from attrs import field, frozen, validators

from .openapi import ROOT, Document, nodes

LEDGER = ROOT / "deviations.yaml"

Confidence = Literal["high", "medium", "low"]
_TEXT = validators.and_(validators.instance_of(str), validators.min_len(1))


@frozen(kw_only=True)
class Deviation:
    """One entry.

    `test` is the node id of a test that fails where we no longer do as we say. Each of `differences` is a line of
    `tools.compare` that the entry accounts for; `*` in it stands for any text.
    """

    id: str = field(validator=validators.matches_re("[a-z]+(-[a-z]+)*"))
    theirs: str = field(validator=_TEXT)
    ours: str = field(validator=_TEXT)
    evidence: str = field(validator=_TEXT)
    confidence: Confidence = field(validator=validators.in_(get_args(Confidence)))
    test: str = field(validator=validators.matches_re(r"tests/[\w/]+\.py(::\w+)+"))
    differences: tuple[str, ...] = field(default=(), converter=tuple)

    def accounts_for(self, line: str) -> bool:
        """Whether a difference is one of those that are known."""
        return any(re.fullmatch(".*".join(map(re.escape, each.split("*"))), line) for each in self.differences)


def read(path: Path = LEDGER) -> dict[str, Deviation]:
    """The entries by id, in their order.

    Raises:
        ValueError: two entries have the same id, or one is not complete, or says more than an entry says.
    """
    entries = [_entry(*each) for each in enumerate(yaml.safe_load(path.read_text("utf-8")), 1)]
    found = {each.id: each for each in entries}
    if len(found) < len(entries):
        raise ValueError("an id is used twice")
    return found


def _entry(number: int, told: Mapping[str, Any]) -> Deviation:
    try:
        return Deviation(**told)
    except (TypeError, ValueError) as error:
        fault = str(error.args[0]).removeprefix("Deviation.__init__() ")
        raise ValueError(f"entry {number}: {fault}") from error


def marks(document: Document) -> Iterator[tuple[str, str]]:
    """Every place that rests on something else than service.md, with the id of the entry that says on what."""
    for pointer, node in nodes(document):
        if isinstance(node, dict) and "x-evidence" in node:
            named = node["x-evidence"]
            for each in named if isinstance(named, list) else [named]:
                yield pointer, str(each)


def places(document: Document) -> dict[str, list[str]]:
    """The places of each entry, as JSON pointers."""
    found: dict[str, list[str]] = {}
    for pointer, name in marks(document):
        found.setdefault(name, []).append(pointer)
    return found


def complaints(ledger: Mapping[str, Deviation], document: Document) -> list[str]:
    """Where the ledger and the marks of the description do not fit."""
    found = places(document)
    return [
        *(
            f"openapi.yaml{p}/x-evidence: {name!r} is not in the ledger"
            for p, name in marks(document)
            if name not in ledger
        ),
        *(f"deviations.yaml: {name!r} points nowhere: no x-evidence names it" for name in ledger if name not in found),
    ]


def rendered(ledger: Mapping[str, Deviation], document: Document) -> str:
    """The ledger in Markdown, one section an entry."""
    found = places(document)
    return "\n\n".join(_section(each, found.get(each.id, [])) for each in ledger.values())


def _section(entry: Deviation, pointers: list[str]) -> str:
    where = ", ".join(f"`{pointer or '/'}`" for pointer in pointers)
    rows = {
        "The vendor": entry.theirs,
        "This project": entry.ours,
        "Evidence": entry.evidence,
        "Confidence": entry.confidence,
        "Where in openapi.yaml": where,
        "Test": f"`{entry.test}`",
    }
    title = entry.id.replace("-", " ").capitalize()
    body = "\n".join(f"| {name} | {_cell(text)} |" for name, text in rows.items())
    return f"## {title} {{ #{entry.id} }}\n\n| | |\n|---|---|\n{body}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
