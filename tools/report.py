"""Tells what a change does to users, which version it asks for, and what is still missing.

python -m tools.report [REVISION]

Compares the working tree, committed or not, with a revision: unless told otherwise with the last release, a tag like
v1.2.3. Prints Markdown. Exits with 1 where something is missing, and with 2 where the description or the ledger cannot
be read.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml

from . import deviations
from .change import Change, Version, between, version_of
from .difference import Difference, Side
from .generate import faults
from .needs import missing, stale
from .openapi import DESCRIPTION, ROOT, snake_case
from .traces import Traces
from .wording import unfelt

_STEPS = {
    "major": "something breaks: a major step",
    "minor": "something is new: a minor step",
    "patch": "nothing that users can name has changed: a patch",
    "none": "nothing has changed",
}


def markdown(change: Change, since: str, needs: list[str]) -> str:
    """The whole report."""
    return "\n\n".join(
        [
            f"# What has changed since {since}",
            "\n".join(_verdict(change)),
            "## Missing",
            "\n".join(f"- {each}" for each in needs) or "Nothing.",
            "## openapi.yaml",
            *_description(change),
            "## Python names",
            _table(("name", "change", "breaking"), _names(change)) or "No public name has changed.",
            "## What it touches",
            _table(("operation", "methods", "simulator", "client tests", "deviations"), _touched(change))
            or "No operation has changed.",
        ]
    )


def _verdict(change: Change) -> Iterator[str]:
    for side, who in (("request", "requests"), ("answer", "answers")):
        count = len({_row(each) for each in change.differences if each.side == side and each.breaking})
        yield f"- Breaking in {who}: {count or 'nothing'}"
    yield f"- Breaking in Python: {sum(each.breaking for each in change.names) or 'nothing'}"
    was, says, asks = map(_text, (version_of(change.old), version_of(change.new), change.version))
    yield f"- Version: {_STEPS[change.step]}. It was {was}, a release needs {asks}, `version.py` says {says}."


def _text(version: Version) -> str:
    return ".".join(map(str, version))


def _description(change: Change) -> Iterator[str]:
    groups: dict[str, list[Difference]] = {}
    for each in change.differences:
        groups.setdefault(_title(each), []).append(each)
    for title, found in groups.items():
        users = ", ".join(dict.fromkeys(f"{each.operation} ({each.side})" for each in found))
        yield f"### {title}\n\nIn {users}."
        yield _table(("where", "change", "for requests", "for answers"), _rows(found))
    for title, parts in unfelt(change.before, change.after).items():
        if left := sorted(each for each in parts if f"Operation {each}" not in groups):
            yield f"{title}: {', '.join(left)}."
    if change.before == change.after:
        yield "Nothing has changed."


def _rows(found: list[Difference]) -> Iterator[list[str]]:
    """One row for a place and what became of it, whichever operations and sides it is in."""
    rows: dict[tuple[str, str], dict[Side, str]] = {}
    for each in found:
        rows.setdefault(_row(each), {})[each.side] = "**breaking**" if each.breaking else "fine"
    for (where, told), sides in rows.items():
        yield [f"`{where}`", told, sides.get("request", ""), sides.get("answer", "")]


def _row(difference: Difference) -> tuple[str, str]:
    told = f"{difference.subject}: {difference.old or 'nothing'} → {difference.new or 'nothing'}"
    return difference.pointer, told


def _title(difference: Difference) -> str:
    """The schema a difference is in, or the addresses, or else the operation."""
    _, *parts = difference.pointer.split("/")
    if parts == ["servers"]:
        return "Addresses"
    return f"Schema {parts[2]}" if parts[:2] == ["components", "schemas"] else f"Operation {difference.operation}"


def _names(change: Change) -> Iterator[list[str]]:
    for each in change.names:
        yield [f"`{each.name}`", each.change, "**breaking**" if each.breaking else ""]


def _touched(change: Change) -> Iterator[list[str]]:
    traces = Traces(change.new)
    ledger = deviations.read(change.new / "deviations.yaml")
    marks = [(place, name) for place, name in deviations.marks(change.after) if place]
    for operation in dict.fromkeys(each.operation for each in change.differences):
        name = snake_case(operation)
        methods = traces.methods(name)
        tests = sorted({test for each in methods for test in traces.tests(each.module, each.name)})
        files = Counter(test.partition("::")[0] for test in tests)
        pointers = [each.pointer for each in change.differences if each.operation == operation]
        entries = [entry for place, entry in marks if entry in ledger and any(_near(place, each) for each in pointers)]
        yield [
            operation,
            _list(map(str, methods)),
            _list(traces.handlers(name)),
            ", ".join(f"`{file}` ({count})" for file, count in files.items()) or "none",
            _list(entries),
        ]


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{each}`" for each in dict.fromkeys(names)) or "none"


def _near(one: str, other: str) -> bool:
    """Whether one of two places is inside the other."""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def _table(head: tuple[str, ...], rows: Iterable[list[str]]) -> str:
    lines = ["| " + " | ".join(each.replace("|", "\\|") for each in row) + " |" for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines]) if lines else ""


# Git.


def _git(*arguments: str, fault: str = "") -> bytes:
    command = ["git", "-C", str(ROOT), *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        sys.exit(fault or f"git {arguments[0]}: {done.stderr.decode().strip()}")
    return done.stdout


def _releases(*arguments: str) -> list[str]:
    tags = _git("tag", "--list", *arguments).decode().split()
    return [each for each in tags if re.fullmatch(r"v\d+\.\d+\.\d+", each)]


def _since(told: str | None) -> tuple[str, str, bool]:
    """The revision to compare with, how to call it, and whether it is a release."""
    if told:
        _git("rev-parse", "--verify", "--quiet", f"{told}^{{commit}}", fault=f"{told}: there is no such revision here")
        return told, told, bool(_releases("--points-at", told))
    if releases := _releases("--sort=-version:refname", "--merged", "HEAD"):
        return releases[0], releases[0], True
    return "HEAD", "the last commit, for there is no release yet (`make report SINCE=...` compares with another)", False


def _unreadable() -> list[str]:
    """What in the working tree keeps it from being compared."""
    try:
        deviations.read()
    except (TypeError, ValueError, yaml.YAMLError) as error:
        return [*faults(DESCRIPTION), f"{deviations.LEDGER.name}: {' '.join(str(error).split())}"]
    return faults(DESCRIPTION)


def main() -> int:
    """Report, and say whether something is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", nargs="?", help="what to compare with (default: the last release)")
    revision, since, released = _since(parser.parse_args().revision)
    if found := _unreadable():
        print("\n".join(found), file=sys.stderr)
        return 2
    packed = io.BytesIO(_git("archive", revision))
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=packed) as tree:
        # Which early releases of Python 3.11 do not have.
        tree.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        tree.extractall(folder)  # noqa: S202 - of our own making
        change = between(Path(folder), ROOT)
        needs = [*stale(ROOT), *missing(change, released=released)]
        print(markdown(change, since, needs))
    return 1 if needs else 0


if __name__ == "__main__":
    sys.exit(main())
