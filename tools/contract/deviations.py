"""The ledger of deviations: where `openapi.yaml` differs from the vendor's documents, or adds to
service.md.

A place in the description names its entry in `x-evidence`. The entry states the vendor's version,
our version and the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import yaml
from attrs import field, frozen
from attrs.validators import (
    and_,
    in_,
    instance_of,
    matches_re,
    min_len,
    optional,
)

from tools.description import ROOT, Document, Node, mapping, nodes

LEDGER = ROOT / "contract" / "deviations.yaml"
CONTRACT = ROOT / "docs" / "service.md"

Confidence = Literal["high", "medium", "low"]
_CONFIDENCE = in_(get_args(Confidence))
_TEXT = and_(instance_of(str), min_len(1))
_ID = matches_re("[a-z]+(-[a-z]+)*")
_TEST = optional(matches_re(r"tests/[\w/]+\.py(::\w+)+"))


@frozen(kw_only=True)
class Deviation:
    """One entry.

    `test` is the node id of a test that fails if this project no longer does what `ours` states; an
    entry whose marks are checked by the tests of every operation needs no other test. `differences`
    are lines of `make compare` that the entry explains; `*` matches any text. `fields` has the
    evidence of single fields and query parameters.
    """

    id: str = field(validator=_ID)
    theirs: str = field(validator=_TEXT)
    ours: str = field(validator=_TEXT)
    evidence: str = field(validator=_TEXT)
    confidence: Confidence = field(validator=_CONFIDENCE)
    test: str | None = field(default=None, validator=_TEST)
    fields: Mapping[str, str] = field(factory=dict)
    differences: tuple[str, ...] = field(default=(), converter=tuple)

    def accounts_for(self, line: str) -> bool:
        """Whether the entry lists a difference, or has evidence of the addition that it shows."""
        patterns = list(self.differences)
        for name in self.fields:
            patterns += additions(name)
        return any(matches(pattern, line) for pattern in patterns)


def additions(name: str) -> Iterator[str]:
    """Yield the lines of `make compare` about an optional field, or a query parameter, that the
    vendor lacks."""
    holder, _, part = name.rpartition(".")
    added = f'"{part}": vendor: nothing, ours: optional'
    yield f"/components/schemas/{holder}: property {added}"
    yield f"/paths/*/parameters/*: query parameter {added}"


#: The entries by id.
Ledger: TypeAlias = Mapping[str, Deviation]


def entry_for(line: str, ledger: Ledger) -> str | None:
    """Return the id of the first entry that lists a difference."""
    return next((entry.id for entry in ledger.values() if entry.accounts_for(line)), None)


def matches(pattern: str, line: str) -> bool:
    """Whether a line of the comparison is equal to a pattern, in which `*` is any text."""
    parts = [re.escape(part) for part in pattern.split("*")]
    return re.fullmatch(".*".join(parts), line) is not None


def read_ledger(path: Path = LEDGER) -> dict[str, Deviation]:
    """Read the entries of a file, by id and in the order of the file.

    Raises:
        ValueError: the file cannot be read or is not YAML, two entries have the same id, or a field
            of an entry is missing or unknown; the error names the file.
    """
    try:
        entries = _entries(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path.name}: {error}") from error
    ledger = {entry.id: entry for entry in entries}
    if len(ledger) < len(entries):
        raise ValueError(f"{path.name}: two entries have the same id")
    return ledger


def _entries(text: str) -> list[Deviation]:
    try:
        content = yaml.load(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError as error:
        line = " ".join(str(error).split())
        raise ValueError(line) from error
    if not isinstance(content, list):
        raise ValueError("not a list of entries")  # noqa: TRY004 - the content of a file
    return [_entry(number, fields) for number, fields in enumerate(content, 1)]


def _entry(number: int, fields: Node) -> Deviation:
    try:
        return Deviation(**fields)
    except (TypeError, ValueError) as error:
        fault = str(error.args[0]).removeprefix("Deviation.__init__() ")
        raise ValueError(f"entry {number}: {fault}") from error


def places(document: Document) -> dict[str, list[str]]:
    """Return the places with `x-evidence`, as JSON pointers, by the entries that they name."""
    pointers: dict[str, list[str]] = {}
    for pointer, node in nodes(document):
        if isinstance(node, dict) and "x-evidence" in node:
            evidence = node["x-evidence"]
            names = evidence if isinstance(evidence, list) else [evidence]
            for name in names:
                pointers.setdefault(str(name), []).append(pointer)
    return pointers


def used_components(document: Document, part: Any) -> set[str]:
    """Return the components, such as `schemas/Role`, that a part refers to, and those that they
    refer to."""
    used: set[str] = set()
    waiting = [part]
    while waiting:
        text = json.dumps(waiting.pop())
        for kind, name in re.findall(r'"#/components/(\w+)/([^"/]+)"', text):
            component = f"{kind}/{name}"
            if component not in used:
                used.add(component)
                components = mapping(document["components"], kind)
                waiting.append(components.get(name))
    return used


def rendered(ledger: Ledger, document: Document) -> str:
    """Render the ledger as Markdown, one section for each entry."""
    pointers = places(document)
    sections = []
    for entry in ledger.values():
        title = entry.id.replace("-", " ").capitalize()
        table = _table(entry, pointers.get(entry.id, []))
        sections.append(f"## {title} {{ #{entry.id} }}\n\n{table}")
    return "\n\n".join(sections)


def _table(entry: Deviation, pointers: list[str]) -> str:
    """The fields of an entry, as a table of names and texts; an empty text has no row."""
    rows = {
        "The vendor": entry.theirs,
        "This project": entry.ours,
        "Evidence": entry.evidence,
        "Confidence": entry.confidence,
        "Where in openapi.yaml": ", ".join(f"`{pointer or '/'}`" for pointer in pointers),
        "Test": f"`{entry.test}`" if entry.test else "",
        **{f"`{name}`": reason for name, reason in entry.fields.items()},
    }
    lines = ["| | |", "|---|---|"]
    for name, text in rows.items():
        if text:
            words = text.replace("|", "\\|").split()
            lines.append(f"| {name} | {' '.join(words)} |")
    return "\n".join(lines)
