"""A change of the repository: the verdict on it, and the version that it needs."""

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from tools.contract.change import Change, between
from tools.contract.difference import Difference
from tools.contract.report import unreleased
from tools.contract.surface import NameChange

from ..contract.generation import Edit, replace
from .repository import NO_ENTRY, VERSION, describe, file_with, rename_error, roles


def rename_variable(document: Any) -> None:
    document["components"]["parameters"]["KeywordId"]["name"] = "listId"
    document["paths"]["/moderation/keywords/{listId}"] = document["paths"].pop(
        "/moderation/keywords/{keywordId}"
    )


INPUT = "class WordListInput(_TermsInput):\n    language: str\n"
ROLES_FILE = "generated/cometchat_openapi/api/roles/__init__.py"

#: Changes that are not in `changes.py`: the edit; the step; how much breaks in requests, responses
#: and Python.
KINDS: dict[str, tuple[Edit, str, tuple[int, ...]]] = {
    "nothing": (lambda _: None, "none", (0, 0, 0)),
    "a path variable with a new name": (describe(rename_variable), "major", (2, 0, 0)),
    "another mark of a list": (
        describe(lambda d: roles(d).update({"x-pages": {"identity": "role"}})),
        "major",
        (1, 0, 0),
    ),
    "a renamed public name": (
        rename_error("PlanRefusedError", "RefusedPlanError"),
        "major",
        (0, 0, 1),
    ),
    "a required argument": (
        replace(ROLES_FILE, " page: int | None = None", " page: int | None"),
        "major",
        (0, 0, 2),
    ),
    "an optional argument": (
        replace(
            ROLES_FILE,
            "per_page: int | None = None",
            "per_page: int | None = None, sort: bool = False",
        ),
        "minor",
        (0, 0, 0),
    ),
    "an argument of a narrower type": (
        replace(ROLES_FILE, " page: int | None = None", " page: int = 1"),
        "major",
        (0, 0, 4),
    ),
    "an inherited base less": (
        replace(
            "runtime/cometchat_runtime/pages.py",
            "class _Page(Generic[ItemT, MetaT]):",
            "class _Page:",
        ),
        "major",
        (0, 0, 2),
    ),
    "a function that must be awaited": (
        replace(file_with("    def plan("), "    def plan(", "    async def plan("),
        "major",
        (0, 0, 1),
    ),
    "a method of objects instead of classes": (
        replace(
            file_with("    def compare("), "    @classmethod\n    def compare(", "    def compare("
        ),
        "major",
        (0, 0, 1),
    ),
    "a required field of an input": (
        replace(
            file_with("class WordListInput(_TermsInput):"),
            "class WordListInput(_TermsInput):",
            INPUT,
        ),
        "major",
        (0, 0, 1),
    ),
}
NEXT = {"major": "2.0.0", "minor": "1.3.0"}


def breaking(change: Change) -> tuple[int, int, int]:
    """Count the places that break requests and responses, and the names that break Python."""
    places = {
        (each.side, each.pointer, each.subject) for each in change.differences if each.breaking
    }
    sides = [side for side, _, _ in places]
    return (
        sides.count("request"),
        sides.count("response"),
        sum(each.breaking for each in change.names),
    )


#: Kinds that load the package again to reach code that other kinds also reach.
LONG = {
    "an argument of a narrower type",
    "a required field of an input",
    "a path variable with a new name",
}


@pytest.mark.parametrize(
    ("edit", "step", "broken"),
    [
        pytest.param(*KINDS[kind], id=kind, marks=pytest.mark.deep if kind in LONG else ())
        for kind in KINDS
    ],
)
def test_each_kind_of_change_has_its_verdict(
    release: Path, scratch: Path, edit: Edit, step: str, broken: tuple[int, ...]
) -> None:
    """Each kind of change has the right verdict, and a release of it needs a version and an
    entry in the changelog."""
    edit(scratch)
    change = between(release, scratch)
    assert (change.step, breaking(change)[: len(broken)]) == (step, broken)
    if step == "none":
        assert unreleased(change) == []
    else:
        version = f"version.py: the version is 1.2.3, the change needs {NEXT[step]}"
        assert unreleased(change) == [version, NO_ENTRY]


NEW = Difference("listRoles", "response", "/paths", "operation", None, "present", breaking=False)
NAME = NameChange("Role", "removed", breaking=True)
BREAKING = evolve(NEW, breaking=True)
ADDED = evolve(NAME, breaking=False)
#: A version, changes of the description, public names and sources; the step, and the version that
#: it needs, with the part that rises.
STEPS: list[tuple[str, list[Difference], list[NameChange], str, str, str, str]] = [
    ("1.2.3", [NEW], [NAME], "", "major", "2.0.0", "major"),
    ("1.2.3", [BREAKING], [], "", "major", "2.0.0", "major"),
    ("1.2.3", [NEW], [], "", "minor", "1.3.0", "minor"),
    ("1.2.3", [], [ADDED], "", "minor", "1.3.0", "minor"),
    ("1.2.3", [], [], "# Words.", "patch", "1.2.4", "patch"),
    ("1.2.3", [], [], "", "none", "1.2.3", "none"),
    ("0.2.3", [NEW], [NAME], "", "major", "0.3.0", "minor"),
    ("0.2.3", [BREAKING], [], "", "major", "0.3.0", "minor"),
    ("0.2.3", [NEW], [], "", "minor", "0.2.4", "patch"),
    ("0.2.3", [], [ADDED], "", "minor", "0.2.4", "patch"),
    ("0.2.3", [], [], "# Words.", "patch", "0.2.4", "patch"),
    ("0.2.3", [], [], "", "none", "0.2.3", "none"),
    ("0.2.0rc1", [NEW], [], "", "minor", "0.2.1", "patch"),
]


@pytest.mark.parametrize(
    ("version", "differences", "names", "source", "step", "needed", "part"), STEPS
)
def test_the_version_follows_from_what_has_changed(
    tmp_path: Path,
    version: str,
    differences: list[Difference],
    names: list[NameChange],
    source: str,
    step: str,
    needed: str,
    part: str,
) -> None:
    """The version rises by the step of the change; before 1.0.0 by the next smaller step."""
    old = tmp_path / "old"
    new = tmp_path / "new"
    for tree, more in ((old, ""), (new, source)):
        (tree / VERSION).parent.mkdir(parents=True)
        (tree / VERSION).write_text(f'__version__ = "{version}"\n{more}', "utf-8")
    change = Change(old, new, {}, {}, differences, names)
    assert (change.step, str(change.version), change.part) == (step, needed, part)
