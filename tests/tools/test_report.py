"""`make report`: what it shows, and its command."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.contract.change import between
from tools.contract.report import markdown

from ..contract.generation import Done, Edit, append, regenerate, replace, run
from .repository import (
    NO_ENTRY,
    TEXT,
    VERSION,
    badges,
    commit,
    describe,
    git,
    regions,
    rename_error,
    roles,
    schema,
)

RISES = "something breaks, so the major part rises"


def test_the_report_names_what_it_found(release: Path, scratch: Path) -> None:
    """The report shows each change with its place and verdict, the version, and the affected
    code and entries."""
    edits = [
        lambda d: schema(d, "Condition")["properties"]["message"].update(anyOf=[TEXT]),
        lambda d: roles(d)["parameters"][1]["schema"].update(maximum=500),
        lambda d: schema(d, "Role").update(description="Other words."),
        badges,
    ]
    for each in edits:
        describe(each)(scratch)
    rename_error("PlanRefusedError", "RefusedPlanError")(scratch)
    change = between(release, scratch)
    shown = markdown(change, "v1.2.3", ["a line"]).splitlines()
    assert shown[0] == "# What has changed since v1.2.3"
    for line in (
        "- Breaking in requests: 1",
        "- Breaking in responses: nothing",
        "- Breaking in Python: 1",
        f"- Version: {RISES}. The old version is 1.2.3. A release needs 2.0.0. `version.py` has 1.2.3.",
        "- a line",
        "### Operation listRoles",
        "| `/paths/~1roles/get/parameters/1/schema` | maximum: 1000 → 500 | **breaking** |  |",
        "### Schema Condition",
        "In listReviewedMessages (response).",
        '| `/components/schemas/Condition/properties/message` | alternative "array": present → nothing |  | fine |',
        "### Operation getBadge",
        "| `/paths/~1badge/get` | operation: nothing → present | fine |  |",
        "| `PlanRefusedError` | removed | **breaking** |",
    ):
        assert line in shown, line


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (
            lambda d: d["info"].update(version="4"),
            "Only texts, examples, evidence or unused parts have changed.",
        ),
        (lambda _: None, "Nothing has changed."),
    ],
    ids=["the version of the document", "nothing"],
)
def test_a_change_without_effect_is_reported(
    release: Path, scratch: Path, edit: Callable[[Any], object], line: str
) -> None:
    """A change of the description is reported, also one without effect on the wire."""
    describe(edit)(scratch)
    shown = markdown(between(release, scratch), "v1.2.3", [])
    section = shown.partition("## openapi.yaml")[2].partition("## Python names")[0]
    assert section.strip() == line


def test_a_shared_change_counts_once(release: Path, scratch: Path) -> None:
    """A change in a shared field or address counts once, not once for each operation."""
    describe(lambda d: schema(d, "KeywordList")["properties"].pop("active"))(scratch)
    describe(lambda d: regions(d).remove("in"))(scratch)
    shown = markdown(between(release, scratch), "v1.2.3", [])
    assert "- Breaking in requests: 1\n- Breaking in responses: 1\n" in shown


def report(folder: Path, *arguments: str) -> Done:
    return run("-m", "tools.contract.report", *arguments, folder=folder)


@pytest.mark.deep
def test_the_command_from_an_edit_to_a_release(scratch: Path) -> None:
    """The report compares any change with the last release, and succeeds if a release needs
    nothing more."""
    done = report(scratch)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Nothing has changed." in done.stdout

    describe(lambda d: schema(d, "Role")["properties"].update(emblem=TEXT))(scratch)
    done = report(scratch)
    assert done.returncode == 1
    assert (
        f"## Before a release\n\n- version.py: the version is 1.2.3, the change needs 1.3.0\n- {NO_ENTRY}\n"
        in done.stdout
    )

    regenerate(scratch)
    replace(
        "CHANGELOG.md", "## [Unreleased]\n", "## [1.3.0] - 2026-02-02\n\n### Added\n\n- Emblems.\n"
    )(scratch)
    replace(VERSION, "1.2.3", "1.3.0")(scratch)
    commit(scratch)
    done = report(scratch)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "| `Role.emblem` | added |  |" in done.stdout
    assert "The old version is 1.2.3. A release needs 1.3.0. `version.py` has 1.3.0." in done.stdout

    done = report(scratch, "HEAD")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "# What has changed since HEAD")


def test_the_command_without_a_release(scratch: Path) -> None:
    """Before the first release, the report compares with an earlier commit. A wrong revision is
    one line."""
    git(scratch, "tag", "--delete", "v1.2.3")
    describe(lambda d: schema(d, "Role")["required"].append("updatedAt"))(scratch)
    commit(scratch)
    done = report(scratch)
    assert done.returncode == 0
    assert "the commit before the last one (no release yet" in done.stdout.splitlines()[0]
    assert 'property "updatedAt": optional → required' in done.stdout
    done = report(scratch, "v9.9.9")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("v9.9.9: no such revision; ")


#: Files that the report cannot read, and the error line for each.
UNREADABLE: dict[str, tuple[Edit, str]] = {
    "a reference without a target": (
        describe(lambda d: d["components"]["schemas"].pop("RoleListMeta")),
        "openapi.yaml: $ref '#/components/schemas/RoleListMeta' has no target; add it",
    ),
    "an incomplete entry": (
        append("contract/deviations.yaml", "\n- id: half\n"),
        "deviations.yaml: entry ",
    ),
}


@pytest.mark.parametrize(("edit", "line"), UNREADABLE.values(), ids=UNREADABLE)
def test_an_unreadable_file_is_one_error_line(scratch: Path, edit: Edit, line: str) -> None:
    """An unreadable description or ledger is named in one line, and the exit code is 2."""
    edit(scratch)
    done = report(scratch)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith(line)


#: Files of an older revision that the report cannot read, and the error line for each.
UNREADABLE_BEFORE: dict[str, tuple[Edit, str]] = {
    "a description": (append("openapi.yaml", "{"), "openapi.yaml: neither JSON nor YAML"),
    "a version": (
        replace(VERSION, "1.2.3", "first"),
        'version.py: no line like __version__ = "1.2.3"',
    ),
}


@pytest.mark.parametrize(("edit", "line"), UNREADABLE_BEFORE.values(), ids=UNREADABLE_BEFORE)
def test_an_unreadable_revision_is_named(scratch: Path, edit: Edit, line: str) -> None:
    """An older description or version that the report cannot read is one line with its
    revision."""
    edit(scratch)
    commit(scratch)
    git(scratch, "tag", "broken")
    git(scratch, "checkout", "--quiet", "v1.2.3")
    done = report(scratch, "broken")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith(f"broken: {line}")
    assert done.stderr.endswith("; compare with another revision: make report SINCE=...\n")
