"""The public types as mypy and pyright see them: each case marks the lines with a type error."""

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
#: The mark at the end of a line with a type error. It names the checker if only one of them reports the error.
MARK = re.compile(r"# error(?:: (mypy|pyright))?$")

Refusals = dict[str, list[int]]


def run(*command: str) -> str:
    # Both exit with 1 when they find errors, and the cases hold errors.
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


def mypy(_: Path) -> Iterator[tuple[str, int]]:
    # With a separate cache: another worker may run mypy at the same time.
    for line in run("mypy", "--output=json", f"--cache-dir={ROOT / '.mypy_cache' / 'cases'}").splitlines():
        found = json.loads(line)
        if found["severity"] == "error":
            yield found["file"], found["line"]


def pyright(folder: Path) -> Iterator[tuple[str, int]]:
    # The settings of the project without `exclude`, which would also exclude files on the command line.
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
    """The errors of one checker, run once over all cases: line numbers by file."""
    check = {"mypy": mypy, "pyright": pyright}[request.param]
    lines: dict[str, set[int]] = {}
    for file, line in check(tmp_path_factory.mktemp(request.param)):
        lines.setdefault(Path(file).name, set()).add(line)
    return request.param, {name: sorted(each) for name, each in lines.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_exactly_the_marked_lines_have_errors(case: Path, refusals: tuple[str, Refusals]) -> None:
    """A checker reports an error for each marked line, and for no other line."""
    checker, refused = refusals
    marks = ((number, MARK.search(line)) for number, line in enumerate(case.read_text("utf-8").split("\n"), 1))
    marked = [number for number, mark in marks if mark and mark[1] in (None, checker)]
    assert refused.get(case.name, []) == marked


def test_no_other_file_has_errors(refusals: tuple[str, Refusals]) -> None:
    """The checkers report no error outside the cases, for example in imported modules."""
    assert refusals[1].keys() <= {case.name for case in CASES}


def test_name_of_a_case_says_whether_it_has_marks() -> None:
    """A file named `_wrong` has marks, and a file named `_right` has no marks, so that every case checks something."""
    marked = {case.stem for case in CASES if any(map(MARK.search, case.read_text("utf-8").split("\n")))}
    assert marked == {case.stem for case in CASES if case.stem.endswith("_wrong")}
    assert {case.stem.rpartition("_")[2] for case in CASES} == {"right", "wrong"}
