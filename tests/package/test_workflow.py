"""The workflow, .ci/run and the README call targets of the Makefile, so that a person can run
the same commands."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from check_jsonschema import main as check_jsonschema  # type: ignore[import-untyped]  # it has no type information

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(
    re.findall(r"^\.PHONY: ([\w-]+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
)
RELEASE = ROOT / ".github" / "workflows" / "release.yml"
EXAMPLE = ROOT / "examples" / "moderation-repo" / ".github" / "workflows" / "moderation.yml"
CLASSIFIERS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]

assert WORKFLOWS
assert "check" in TARGETS


def jobs(workflow: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]
    return found


def commands(job: dict[str, Any]) -> Iterator[str]:
    """Yield each command of a job, once for each value of the matrix."""
    matrix = job.get("strategy", {}).get("matrix", {})
    for command in (step["run"] for step in job.get("steps", ()) if "run" in step):
        if placeholder := re.search(r"\$\{\{ matrix\.(\w+) }}", command):
            values = matrix.get(placeholder[1]) or [
                each[placeholder[1]] for each in matrix["include"]
            ]
            yield from (command.replace(placeholder[0], value) for value in values)
        else:
            yield command


def test_every_workflow_is_valid() -> None:
    """Every workflow, also the one of the example, matches the schema for workflows."""
    files = map(str, (*WORKFLOWS, EXAMPLE))
    assert (
        check_jsonschema(
            ["--builtin-schema", "vendor.github-workflows", *files], standalone_mode=False
        )
        == 0
    )


@pytest.mark.parametrize(
    "command",
    sorted(
        {
            each
            for workflow in WORKFLOWS
            for job in jobs(workflow).values()
            for each in commands(job)
        }
    ),
)
def test_a_workflow_calls_make_targets(command: str) -> None:
    """Each command of a workflow is a make target with variables only, or a tool that `make
    setup` installs."""
    match = re.fullmatch(r'make ([\w-]+)((?: [A-Z]+=(?:\w+|"\$[A-Z]+"))*)', command)
    assert (match and match[1] in TARGETS) or command.startswith(".venv/bin/")


def test_every_version_is_tested_on_every_system() -> None:
    """The workflow tests every Python version of the classifiers, on three systems."""
    (found,) = [
        jobs(workflow)["wheel"]["strategy"]["matrix"]
        for workflow in WORKFLOWS
        if "wheel" in jobs(workflow)
    ]
    named = [
        re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", each) for each in CLASSIFIERS
    ]
    assert {match[1] for match in named if match} <= set(found["python"])
    assert found["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]


def test_a_release_needs_every_other_job() -> None:
    """A release waits for the whole CI and for its own build, and only the release job has write
    permissions."""
    release = jobs(RELEASE)
    assert release["ci"]["uses"] == "./.github/workflows/ci.yml"
    assert set(release["release"]["needs"]) == release.keys() - {"release"}
    every = {name: job for workflow in WORKFLOWS for name, job in jobs(workflow).items()}
    assert [name for name, job in every.items() if "write" in job["permissions"].values()] == [
        "release"
    ]


def test_release_uses_no_cache() -> None:
    """No cache can change the published files, and only a tag publishes."""
    assert "cache" not in re.sub(r"#.*", "", RELEASE.read_text("utf-8"))
    assert re.search(
        r'^on:\n  push:\n    tags: \["v\*"\]\n\n', RELEASE.read_text("utf-8"), re.MULTILINE
    )


def test_actions_are_pinned() -> None:
    """Each action is named by its commit, with its version in a comment, and each version
    belongs to one commit."""
    names = [*WORKFLOWS, EXAMPLE]
    used = [
        line for name in names for line in re.findall(r"uses: (?!\./)(.*)", name.read_text("utf-8"))
    ]
    assert len(used) > 10
    assert all(
        re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each) for each in used
    ), used
    assert len({each.partition("@")[0] for each in used}) == len(set(used))


def test_the_gate_calls_targets() -> None:
    """.ci/run calls make targets that the README describes."""
    called = re.findall(r"^make ([\w-]+)$", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE)
    readme = (ROOT / "README.md").read_text("utf-8")
    assert called
    assert set(called) <= TARGETS
    assert all(f"`make {name}`" in readme for name in called)


def test_every_target_is_listed() -> None:
    """`make` without a target lists every other target, at most 18, in at most 80 columns."""
    lines = re.findall(
        r"^([\w-]+):.*## (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
    )
    assert {name for name, _ in lines} == TARGETS - {"help"}
    assert len(lines) <= 18
    assert all(len(f"  make {name:<16} {text}") <= 80 for name, text in lines)
