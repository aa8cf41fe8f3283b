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
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.description import DESCRIPTION, ROOT, read
from tools.generate.refusals import checked
from tools.release.changelog import categories, version

from . import deviations
from .change import Change, between
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
    paragraphs = [f"# What has changed since {since}", "\n".join(_verdict(change))]
    if problems:
        listed = [f"- {problem}" for problem in problems]
        paragraphs += ["## Before a release", "\n".join(listed)]
    paragraphs += ["## openapi.yaml", *_description(change), "## Python names"]
    if change.names:
        paragraphs.append(_table(("name", "change", "breaking"), _names(change)))
    else:
        paragraphs.append("No public name has changed.")
    return "\n\n".join(paragraphs)


def _verdict(change: Change) -> Iterator[str]:
    sides: dict[Side, str] = {"request": "requests", "response": "responses"}
    for side, name in sides.items():
        breaking = {
            _row(each) for each in change.differences if each.side == side and each.breaking
        }
        yield f"- Breaking in {name}: {len(breaking) or 'nothing'}"
    names = [each for each in change.names if each.breaking]
    yield f"- Breaking in Python: {len(names) or 'nothing'}"
    rises = "" if change.step == "none" else f", so the {change.part} part rises"
    yield (
        f"- Version: {_STEPS[change.step]}{rises}. The old version is {version(change.old)}."
        f" A release needs {change.version}. `version.py` has {version(change.new)}."
    )


def _description(change: Change) -> Iterator[str]:
    groups: dict[str, list[Difference]] = {}
    for difference in change.differences:
        groups.setdefault(_title(difference), []).append(difference)
    for title, differences in groups.items():
        users = [f"{each.operation} ({each.side})" for each in differences]
        yield f"### {title}\n\nIn {', '.join(dict.fromkeys(users))}."
        yield _table(("where", "change", "for requests", "for responses"), _rows(differences))
    if groups:
        return
    if change.before == change.after:
        yield "Nothing has changed."
    else:
        yield "Only texts, examples, evidence or unused parts have changed."


def _rows(differences: list[Difference]) -> Iterator[list[str]]:
    """One row for each place and change, with the verdict for requests and responses."""
    rows: dict[tuple[str, str], dict[Side, str]] = {}
    for each in differences:
        rows.setdefault(_row(each), {})[each.side] = "**breaking**" if each.breaking else "fine"
    for (where, change), verdicts in rows.items():
        yield [f"`{where}`", change, verdicts.get("request", ""), verdicts.get("response", "")]


def _row(difference: Difference) -> tuple[str, str]:
    old = difference.old or "nothing"
    new = difference.new or "nothing"
    return difference.pointer, f"{difference.subject}: {old} → {new}"


def _title(difference: Difference) -> str:
    """The heading of a difference: its schema, the addresses, else its operation."""
    match difference.pointer.split("/"):
        case [_, "servers"]:
            return "Addresses"
        case [_, "components", "schemas", name, *_]:
            return f"Schema {name}"
    return f"Operation {difference.operation}"


def _names(change: Change) -> Iterator[list[str]]:
    for each in change.names:
        yield [f"`{each.name}`", each.change, "**breaking**" if each.breaking else ""]


def _table(head: tuple[str, ...], rows: Iterable[list[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for row in rows:
        cells = [cell.replace("|", "\\|") for cell in row]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def unreleased(change: Change) -> list[str]:
    """Return what a release of the change still needs: a higher version, or an entry in
    CHANGELOG.md."""
    if change.step == "none":
        return []
    new = version(change.new)
    problems = []
    if new < change.version:
        problems.append(f"version.py: the version is {new}, the change needs {change.version}")
    headings = ["[Unreleased]"]
    if new > version(change.old):
        headings.append(f"[{new}]")
    entries = categories((change.new / "CHANGELOG.md").read_text("utf-8"), headings)
    if not entries:
        problems.append("CHANGELOG.md: no entry for the change")
    elif change.step == "major" and entries.isdisjoint({"Changed", "Removed"}):
        problems.append(
            "CHANGELOG.md: the change breaks something, so it needs an entry under Changed or"
            " Removed"
        )
    return problems


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
        deviations.read_ledger()
        checked(DESCRIPTION)
        return _report(find_base(ROOT, revision))
    except (OSError, ValueError, RecursionError) as error:
        print(error, file=sys.stderr)
        return 2


def _report(base: Base) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        git(ROOT, "archive", "--output", str(folder / "tree.zip"), base.revision)
        shutil.unpack_archive(folder / "tree.zip", folder)
        try:
            read(folder / "openapi.yaml")
            version(folder)
        except (OSError, ValueError) as error:
            raise ValueError(
                f"{base.revision}: {error}; compare with another revision: make report SINCE=..."
            ) from error
        change = between(folder, ROOT)
        problems = unreleased(change) if base.released else []
        print(markdown(change, base.name, problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
