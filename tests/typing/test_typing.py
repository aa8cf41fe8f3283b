"""The public types as mypy and pyright see them: each case marks its type errors, and no block
of a page has one."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from ..package.blocks import PAGES, blocks, named

ROOT = Path(__file__).parents[2]
CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))
#: The mark at the end of a line with a type error. It names the checker if only one of them reports
#: the error.
MARK = re.compile(r"# error(?:: (mypy|pyright))?$")

Refusals = dict[str, dict[int, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs on the pages, one file for each block."""
    folder = tmp_path_factory.mktemp("blocks")
    # mypy refuses a folder without files. Without the packages that the programs use, the checkers
    # would miss them.
    (folder / "no_block.py").touch()
    for block in (
        block
        for page in PAGES
        for block in blocks(page)
        if find_spec("pandas") and block.is_program
    ):
        file = folder / (
            block.file or f"{re.sub(r'[^a-z]', '_', named(block.page))}_{block.line}.py"
        )
        file.parent.mkdir(parents=True, exist_ok=True)
        assert not file.exists(), f"{block}: another page has a file of this name"
        # With empty lines before it, so that an error has the line number of the page.
        file.write_text("\n" * block.line + block.code, "utf-8")
    return folder


def run(*command: str | Path) -> str:
    # Both exit with 1 when they find errors, and the cases hold errors.
    done = subprocess.run(
        [sys.executable, "-m", *map(str, [*command, *CASES])],
        cwd=ROOT,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def mypy(folder: Path) -> Iterator[tuple[str, int, str]]:
    # With the options of `make mypy`, so that mypy uses what that has found out about the modules.
    for line in run("mypy", "--output=json", folder).splitlines():
        found = json.loads(line)
        if found["severity"] == "error":
            yield found["file"], found["line"], found["message"]


def pyright(folder: Path) -> Iterator[tuple[str, int, str]]:
    # The settings of the project without `exclude`, which would also exclude files on the command
    # line.
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]
    config = {name: settings[name] for name in ("pythonVersion", "typeCheckingMode")}
    config["extraPaths"] = [str(folder), *(str(ROOT / each) for each in settings["extraPaths"])]
    project = folder / "pyrightconfig.json"
    project.write_text(json.dumps(config), "utf-8")
    output = run(
        "pyright", "--outputjson", f"--project={project}", f"--pythonpath={sys.executable}", folder
    )
    for found in json.loads(output)["generalDiagnostics"]:
        if found["severity"] == "error":
            yield found["file"], found["range"]["start"]["line"] + 1, found["message"]


@pytest.fixture(scope="module", params=["mypy", "pyright"])
def refusals(request: pytest.FixtureRequest, folder: Path) -> tuple[str, Refusals]:
    """The errors of one checker, run once over all cases and blocks: lines with their messages,
    by file."""
    pytest.importorskip(request.param, reason=f"{request.param} is not installed: run make types")
    refused: Refusals = {}
    for file, line, message in {"mypy": mypy, "pyright": pyright}[request.param](folder):
        refused.setdefault(Path(file).name, {})[line] = message
    return request.param, refused


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_exactly_the_marked_lines_have_errors(case: Path, refusals: tuple[str, Refusals]) -> None:
    """A checker reports an error for each marked line, and for no other line."""
    checker, refused = refusals
    marks = (
        (number, MARK.search(line))
        for number, line in enumerate(case.read_text("utf-8").split("\n"), 1)
    )
    marked = [number for number, mark in marks if mark and mark[1] in (None, checker)]
    assert sorted(refused.get(case.name, {})) == marked


def test_no_other_file_has_errors(refusals: tuple[str, Refusals]) -> None:
    """A user who checks types can paste every block of a page, and the checkers report no error
    in our modules."""
    assert {
        name: found
        for name, found in refusals[1].items()
        if name not in {case.name for case in CASES}
    } == {}


def test_name_of_a_case_says_whether_it_has_marks() -> None:
    """A file named `_wrong` has marks, and a file named `_right` has no marks, so that every
    case checks something."""
    marked = {
        case.stem for case in CASES if any(map(MARK.search, case.read_text("utf-8").split("\n")))
    }
    assert marked == {case.stem for case in CASES if case.stem.endswith("_wrong")}
    assert {case.stem.rpartition("_")[2] for case in CASES} == {"right", "wrong"}
