"""Shows the effect of a change on users, the version it needs, and the work that remains.

python -m tools.report [REVISION]

Compares the working tree, committed or not, with a revision. The default is the last release, a tag such as v1.2.3.
Before the first release it is the merge base with the branch main, or on main itself the commit before the last one.
Prints Markdown. Exit code 1: work remains. Exit code 2: the revision, the description or the ledger is not readable.
"""

from __future__ import annotations

import argparse
import io
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from . import code_search, deviations
from .change import Change, Version, between, version_of
from .generate import faults
from .needs import missing, stale
from .openapi_diff.difference import Difference, Side
from .openapi_diff.document import DESCRIPTION, ROOT, read, snake_case
from .openapi_diff.wording import without_effect
from .revisions import Base, find_base, git

_STEPS = {
    "major": "something breaks, so the major part rises",
    "minor": "something is new, so the minor part rises",
    "patch": "no public name has changed, so the patch part rises",
    "none": "nothing has changed",
}


def markdown(change: Change, since: str, needs: list[str]) -> str:
    """Return the report."""
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
            "## Affected code",
            _table(("operation", "client", "simulator", "client tests", "deviations"), _affected(change))
            or "No operation has changed.",
        ]
    )


def _verdict(change: Change) -> Iterator[str]:
    for side, who in (("request", "requests"), ("response", "responses")):
        count = len({_row(each) for each in change.differences if each.side == side and each.breaking})
        yield f"- Breaking in {who}: {count or 'nothing'}"
    yield f"- Breaking in Python: {sum(each.breaking for each in change.names) or 'nothing'}"
    old, current, needed = map(_text, (version_of(change.old), version_of(change.new), change.version))
    yield (
        f"- Version: {_STEPS[change.step]}. The old version is {old}. A release needs {needed}. "
        f"`version.py` has {current}."
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
    for title, parts in without_effect(change.before, change.after).items():
        if left := sorted(each for each in parts if f"Operation {each}" not in groups):
            yield f"{title}: {', '.join(left)}."
    if change.before == change.after:
        yield "Nothing has changed."


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
    return f"Schema {parts[2]}" if parts[:2] == ["components", "schemas"] else f"Operation {difference.operation}"


def _names(change: Change) -> Iterator[list[str]]:
    for each in change.names:
        yield [f"`{each.name}`", each.change, "**breaking**" if each.breaking else ""]


def _affected(change: Change) -> Iterator[list[str]]:
    ledger = deviations.read(change.new / "contract" / "deviations.yaml")
    marks = [(place, name) for place, name in deviations.marks(change.after) if place]
    for operation in dict.fromkeys(each.operation for each in change.differences):
        name = snake_case(operation)
        pointers = [each.pointer for each in change.differences if each.operation == operation]
        near = [entry for place, entry in marks if any(_overlap(place, each) for each in pointers)]
        calls = code_search.client_tests(change.new, name)
        yield [
            operation,
            _list(code_search.client_modules(change.new, name)),
            _list(code_search.handlers(change.new, name)),
            ", ".join(f"`{file}` ({count} calls)" for file, count in calls.items()) or "none",
            _list(entry for entry in near if entry in ledger),
        ]


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{each}`" for each in dict.fromkeys(names)) or "none"


def _overlap(one: str, other: str) -> bool:
    """Whether two pointers are equal, or one place is inside the other."""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def _table(head: tuple[str, ...], rows: Iterable[list[str]]) -> str:
    lines = ["| " + " | ".join(each.replace("|", "\\|") for each in row) + " |" for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", "|---" * len(head) + "|", *lines]) if lines else ""


def _check_readable() -> None:
    """Raise ValueError if an error in the working tree prevents a comparison."""
    read(DESCRIPTION)
    deviations.read()
    if found := faults(DESCRIPTION):
        raise ValueError("\n".join(found))


def main() -> int:
    """Print the report, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", nargs="?", help="the revision to compare with (default: the last release)")
    revision = parser.parse_args().revision
    try:
        _check_readable()
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
        needs = [*stale(ROOT), *missing(change, released=base.released)]
        print(markdown(change, base.name, needs))
    return 1 if needs else 0


if __name__ == "__main__":
    sys.exit(main())
