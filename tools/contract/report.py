"""Shows the effect of a change on users, and the version it needs.

python -m tools.contract.report [REVISION]

Compares the working tree, committed or not, with a revision. The default is the last release, a tag
such as v1.2.3. Before the first release it is the merge base with the branch main, or on main
itself the commit before the last one. Prints Markdown. Exit code 1: after a release, the version or
the changelog does not fit the change. Exit code 2: the revision, the description or the ledger is
not readable.
"""

from __future__ import annotations

import argparse
import io
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.description import DESCRIPTION, ROOT
from tools.generate.refusals import checked
from tools.release import changelog

from . import deviations
from .change import Change, Version, between, version_of
from .difference import Difference, Side
from .revisions import Base, find_base, git

_STEPS = {
    "major": "something breaks",
    "minor": "something is new",
    "patch": "no public name has changed",
    "none": "nothing has changed",
}


def markdown(change: Change, since: str, problems: list[str]) -> str:
    """Return the report; `problems` stand between the change and a release."""
    return "\n\n".join(
        [
            f"# What has changed since {since}",
            "\n".join(_verdict(change)),
            *(
                ["## Before a release", "\n".join(f"- {problem}" for problem in problems)]
                if problems
                else []
            ),
            "## openapi.yaml",
            *_description(change),
            "## Python names",
            _table(("name", "change", "breaking"), _names(change)) or "No public name has changed.",
        ]
    )


def _verdict(change: Change) -> Iterator[str]:
    for side, who in (("request", "requests"), ("response", "responses")):
        count = len(
            {_row(each) for each in change.differences if each.side == side and each.breaking}
        )
        yield f"- Breaking in {who}: {count or 'nothing'}"
    yield f"- Breaking in Python: {sum(each.breaking for each in change.names) or 'nothing'}"
    old, current, needed = map(
        _text, (version_of(change.old), version_of(change.new), change.version)
    )
    rises = "" if change.step == "none" else f", so the {change.part} part rises"
    yield (
        f"- Version: {_STEPS[change.step]}{rises}. The old version is {old}. A release needs"
        f" {needed}. `version.py` has {current}."
    )


def _text(version: Version) -> str:
    return ".".join(map(str, version))


def _description(change: Change) -> Iterator[str]:
    groups: dict[str, list[Difference]] = {}
    for each in change.differences:
        groups.setdefault(_title(each), []).append(each)
    for title, found in groups.items():
        users = ", ".join(dict.fromkeys(f"{each.operation} ({each.side})" for each in found))
        yield f"### {title}\n\nIn {users}."
        yield _table(("where", "change", "for requests", "for responses"), _rows(found))
    if not groups:
        equal = change.before == change.after
        yield (
            "Nothing has changed."
            if equal
            else "Only texts, examples, evidence or unused parts have changed."
        )


def _rows(found: list[Difference]) -> Iterator[list[str]]:
    """One row for each place and change, with the verdict for requests and responses."""
    rows: dict[tuple[str, str], dict[Side, str]] = {}
    for each in found:
        rows.setdefault(_row(each), {})[each.side] = "**breaking**" if each.breaking else "fine"
    for (where, change), sides in rows.items():
        yield [f"`{where}`", change, sides.get("request", ""), sides.get("response", "")]


def _row(difference: Difference) -> tuple[str, str]:
    change = f"{difference.subject}: {difference.old or 'nothing'} → {difference.new or 'nothing'}"
    return difference.pointer, change


def _title(difference: Difference) -> str:
    """The heading of a difference: its schema, the addresses, else its operation."""
    _, *parts = difference.pointer.split("/")
    if parts == ["servers"]:
        return "Addresses"
    return (
        f"Schema {parts[2]}"
        if parts[:2] == ["components", "schemas"]
        else f"Operation {difference.operation}"
    )


def _names(change: Change) -> Iterator[list[str]]:
    for each in change.names:
        yield [f"`{each.name}`", each.change, "**breaking**" if each.breaking else ""]


def _table(head: tuple[str, ...], rows: Iterable[list[str]]) -> str:
    lines = ["| " + " | ".join(each.replace("|", "\\|") for each in row) + " |" for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines]) if lines else ""


def unreleased(change: Change) -> list[str]:
    """Return what a release of the change still needs: a higher version, or an entry in
    CHANGELOG.md."""
    if change.step == "none":
        return []
    version, released = version_of(change.new), version_of(change.old)
    found = []
    if version < change.version:
        found.append(
            f"version.py: the version is {_text(version)}, the change needs {_text(change.version)}"
        )
    names = ["[Unreleased]", *([f"[{_text(version)}]"] if version > released else [])]
    categories = changelog.categories((change.new / "CHANGELOG.md").read_text("utf-8"), names)
    if not categories:
        found.append("CHANGELOG.md: no entry for the change")
    elif change.step == "major" and not categories & {"Changed", "Removed"}:
        found.append(
            "CHANGELOG.md: the change breaks something, so it needs an entry under Changed or"
            " Removed"
        )
    return found


def main() -> int:
    """Print the report, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "revision", nargs="?", help="the revision to compare with (default: the last release)"
    )
    revision = parser.parse_args().revision
    try:
        deviations.read()
        checked(DESCRIPTION)
        return _report(find_base(ROOT, revision))
    except (OSError, ValueError, RecursionError) as error:
        print(error, file=sys.stderr)
        return 2


def _report(base: Base) -> int:
    packed = io.BytesIO(git(ROOT, "archive", base.revision))
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=packed) as tree:
        # Early releases of Python 3.11 lack `data_filter`.
        tree.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        tree.extractall(folder)  # noqa: S202 - git made the archive
        change = between(Path(folder), ROOT)
        problems = unreleased(change) if base.released else []
        print(markdown(change, base.name, problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
