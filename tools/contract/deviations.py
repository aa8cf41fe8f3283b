"""The ledger of deviations: where `openapi.yaml` differs from the vendor's documents, or adds to
service.md.

A place in the description names its entry in `x-evidence`. The entry states the vendor's version,
our version and the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import yaml
from attrs import field, frozen
from attrs.validators import and_, in_, instance_of, matches_re, min_len, optional

from tools.description import ROOT, Document, Node, mapping, nodes

LEDGER = ROOT / "contract" / "deviations.yaml"
CONTRACT = ROOT / "docs" / "service.md"

Confidence = Literal["high", "medium", "low"]
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
    confidence: Confidence = field(validator=in_(get_args(Confidence)))
    test: str | None = field(default=None, validator=_TEST)
    fields: Mapping[str, str] = field(factory=dict)
    differences: tuple[str, ...] = field(default=(), converter=tuple)

    def accounts_for(self, line: str) -> bool:
        """Whether the entry lists a difference, or has evidence of the addition that it shows."""
        additions = [pattern for name in self.fields for pattern in _additions(name)]
        return any(matches(pattern, line) for pattern in (*self.differences, *additions))


def _additions(name: str) -> Iterator[str]:
    """The lines of `make compare` about a field, or a query parameter, that the vendor lacks."""
    holder, _, part = name.rpartition(".")
    added = f'"{part}": vendor: nothing, ours: optional'
    yield f"/components/schemas/{holder}: property {added}"
    yield f"/paths/*/parameters/*: query parameter {added}"


#: The entries by id.
Ledger: TypeAlias = Mapping[str, Deviation]


@frozen
class Finding:
    """A line of a comparison, the entry of the ledger that lists it, if there is one, and the
    operations that have it."""

    line: str
    entry: str | None
    operations: Sequence[str]

    def __str__(self) -> str:
        state = f"known: {self.entry}" if self.entry else "NEW"
        users = f"; {', '.join(self.operations)}" if self.operations else ""
        return f"{self.line}\n    {state}{users}"


def findings(lines: Mapping[str, Sequence[str]], ledger: Ledger) -> list[Finding]:
    """Return each line, with its operations, as a finding; new ones first."""
    findings = [Finding(line, entry_for(line, ledger), lines[line]) for line in lines]
    return sorted(findings, key=lambda finding: finding.entry is not None)


def show(findings: Sequence[Finding]) -> int:
    """Print findings, and return the exit code: 1 if one of them is new."""
    new = [finding for finding in findings if finding.entry is None]
    for finding in findings:
        print(finding)
    print(f"{len(findings)} differences, {len(new)} of them new")
    return 1 if new else 0


def entry_for(line: str, ledger: Ledger) -> str | None:
    """Return the id of the first entry that lists a difference."""
    return next((entry.id for entry in ledger.values() if entry.accounts_for(line)), None)


def matches(pattern: str, line: str) -> bool:
    """Whether a line of the comparison is equal to a pattern, in which `*` is any text."""
    parts = [re.escape(part) for part in pattern.split("*")]
    return re.fullmatch(".*".join(parts), line) is not None


def read(path: Path = LEDGER) -> dict[str, Deviation]:
    """Read the entries of a file; a ValueError names the file."""
    try:
        return parse(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path.name}: {error}") from error


def parse(text: str) -> dict[str, Deviation]:
    """Return the entries by id, in the order of the text.

    Raises:
        ValueError: the text is not YAML, two entries have the same id, or a field of an entry is
            missing or unknown.
    """
    try:
        content = yaml.load(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error
    if not isinstance(content, list):
        raise ValueError("not a list of entries")  # noqa: TRY004 - the content of a file
    entries = [_entry(number, fields) for number, fields in enumerate(content, 1)]
    ledger = {entry.id: entry for entry in entries}
    if len(ledger) < len(entries):
        raise ValueError("two entries have the same id")
    return ledger


def _entry(number: int, fields: Node) -> Deviation:
    try:
        return Deviation(**fields)
    except (TypeError, ValueError) as error:
        fault = str(error.args[0]).removeprefix("Deviation.__init__() ")
        raise ValueError(f"entry {number}: {fault}") from error


def marks(document: Document) -> Iterator[tuple[str, str]]:
    """Yield every place with `x-evidence`, and the id of the entry that it names."""
    for pointer, node in nodes(document):
        if isinstance(node, dict) and "x-evidence" in node:
            evidence = node["x-evidence"]
            for name in evidence if isinstance(evidence, list) else [evidence]:
                yield pointer, str(name)


def places(document: Document) -> dict[str, list[str]]:
    """Return the places of each entry, as JSON pointers."""
    pointers: dict[str, list[str]] = {}
    for pointer, name in marks(document):
        pointers.setdefault(name, []).append(pointer)
    return pointers


def used_components(document: Document, part: Any) -> set[str]:
    """Return the components, such as `schemas/Role`, that a part refers to, and those that they
    refer to."""
    used: set[str] = set()
    waiting = [part]
    while waiting:
        targets = re.findall(r'"#/components/(\w+/[^"/]+)"', json.dumps(waiting.pop()))
        for target in set(targets) - used:
            used.add(target)
            kind, name = target.split("/")
            waiting.append(mapping(document["components"], kind).get(name))
    return used


def rendered(ledger: Ledger, document: Document) -> str:
    """Render the ledger as Markdown, one section for each entry."""
    pointers = places(document)
    sections = [_section(entry, pointers.get(entry.id, [])) for entry in ledger.values()]
    return "\n\n".join(sections)


def _section(entry: Deviation, pointers: list[str]) -> str:
    where = ", ".join(f"`{pointer or '/'}`" for pointer in pointers)
    rows = {
        "The vendor": entry.theirs,
        "This project": entry.ours,
        "Evidence": entry.evidence,
        "Confidence": entry.confidence,
        "Where in openapi.yaml": where,
        "Test": f"`{entry.test}`" if entry.test else "",
        **{f"`{name}`": reason for name, reason in entry.fields.items()},
    }
    title = entry.id.replace("-", " ").capitalize()
    return f"## {title} {{ #{entry.id} }}\n\n{_two_columns(rows)}"


def _two_columns(rows: Mapping[str, str]) -> str:
    """Render names and texts as a table in Markdown; an empty text has no row."""
    lines = ["| | |", "|---|---|"]
    for name, text in rows.items():
        if text:
            cell = " ".join(text.split()).replace("|", "\\|")
            lines.append(f"| {name} | {cell} |")
    return "\n".join(lines)
