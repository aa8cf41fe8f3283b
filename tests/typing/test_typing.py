"""What mypy and pyright make of the public types: each case marks the lines that both must refuse."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))
#: At the end of a line that must be refused; with the checker's name where only one of them refuses it.
MARK = re.compile(r"# error(?:: (mypy|pyright))?$")

Refusals = dict[str, list[int]]


def run(*command: str) -> str:
    # Both exit with 1 when they find errors, which they are meant to.
    done = subprocess.run(  # noqa: S603 - our own tools on our own files
        [sys.executable, "-m", *command, *map(str, CASES)],
        cwd=ROOT,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def mypy(folder: Path) -> Iterator[tuple[str, int]]:
    for line in run("mypy", "--output=json", f"--cache-dir={folder}").splitlines():
        found = json.loads(line)
        if found["severity"] == "error":
            yield found["file"], found["line"]


def pyright(folder: Path) -> Iterator[tuple[str, int]]:
    # The project's settings without its `exclude`, which holds for files named on the command line too.
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]
    config = {name: settings[name] for name in ("pythonVersion", "typeCheckingMode")}
    config["extraPaths"] = [str(ROOT / each) for each in settings["extraPaths"]]
    project = folder / "pyrightconfig.json"
    project.write_text(json.dumps(config), "utf-8")
    output = run("pyright", "--outputjson", f"--project={project}", f"--pythonpath={sys.executable}")
    for found in json.loads(output)["generalDiagnostics"]:
        if found["severity"] == "error":
            yield found["file"], found["range"]["start"]["line"] + 1


@pytest.fixture(scope="module", params=["mypy", "pyright"])
def refusals(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Refusals]:
    """What one checker refuses, run once over all cases: line numbers by file."""
    check = {"mypy": mypy, "pyright": pyright}[request.param]
    lines: dict[str, set[int]] = {}
    for file, line in check(tmp_path_factory.mktemp(request.param)):
        lines.setdefault(Path(file).name, set()).add(line)
    return request.param, {name: sorted(each) for name, each in lines.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_exactly_the_marked_lines_are_refused(case: Path, refusals: tuple[str, Refusals]) -> None:
    """A checker refuses each line that is marked, and no line that is not."""
    checker, refused = refusals
    marks = ((number, MARK.search(line)) for number, line in enumerate(case.read_text("utf-8").split("\n"), 1))
    marked = [number for number, mark in marks if mark and mark[1] in (None, checker)]
    assert refused.get(case.name, []) == marked


def test_no_other_file_is_refused(refusals: tuple[str, Refusals]) -> None:
    """The checkers find nothing outside the cases, such as in what the cases import."""
    assert refusals[1].keys() <= {case.name for case in CASES}


def test_a_case_that_is_called_wrong_has_marks() -> None:
    """Files named wrong have marks and files named right have none, so that no case checks nothing."""
    for case in CASES:
        marked = any(MARK.search(line) for line in case.read_text("utf-8").split("\n"))
        assert case.stem.endswith("_wrong" if marked else "_right")
