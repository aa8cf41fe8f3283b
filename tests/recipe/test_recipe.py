"""The recipe for a new operation works: get-role.patch contains everything that a person must write."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATCH = Path(__file__).with_name("get-role.patch")
#: The Python files that the patch changes.
PATCHED = re.findall(r"^\+\+\+ b/(.*\.py)$", PATCH.read_text("utf-8"), re.MULTILINE)
# The files that git ignores, except compiled files and the caches of mypy and Hypothesis, which make the checks fast.
NOT_COPIED = (".git", ".venv*", ".pytest_cache", ".ruff_cache", ".environments", "dist", "site")

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed; it applies the patch"),
]


class Tree:
    """A copy of this repository with a new operation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*NOT_COPIED))
        # A new repository, so that git does not use a repository in a parent folder.
        self.run("git", "init", "--quiet")
        self.run(
            "git", "apply", str(PATCH), hint=f"{PATCH.name} cannot be applied any more. Try: git apply --reject {PATCH}"
        )
        self.python("tools/generate.py")
        self.python("-m", "tools.portable")

    def run(self, *command: str, hint: str = "") -> str:
        """Run a command in the copy; the test fails if the command fails."""
        path = os.pathsep.join(str(self.folder / name) for name in ("overlays", "generated"))
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(  # noqa: S603
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{done.stdout}{done.stderr}\n{hint}"
        return done.stdout

    def python(self, *arguments: str) -> str:
        return self.run(sys.executable, *arguments)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The repository after all steps of the recipe."""
    return Tree(tmp_path_factory.mktemp("recipe") / "tree")


def docstrings(source: str) -> set[int]:
    """The numbers of the lines that contain a docstring."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, documented) and ast.get_docstring(node)]
    return {line for node in nodes for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)}


def count_new_lines(old: str, new: str) -> tuple[int, int]:
    """Count the new lines of code and of docstrings, without blank lines."""
    before, after = old.splitlines(), new.splitlines()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changed = [range(start, end) for tag, _, _, start, end in blocks if tag != "equal"]
    numbers = {line + 1 for lines in changed for line in lines if after[line].strip()}
    documentation = docstrings(new)
    return len(numbers - documentation), len(numbers & documentation)


def test_new_operation_needs_few_lines(tree: Tree, record_property: Callable[[str, object], None]) -> None:
    """After the description, a new operation needs less than 25 lines of Python, with its tests."""
    counts = [
        count_new_lines((ROOT / name).read_text("utf-8"), (tree.folder / name).read_text("utf-8")) for name in PATCHED
    ]
    code, documentation = map(sum, zip(*counts, strict=True))
    size = f"{code} lines of Python in {len(PATCHED)} files, and {documentation} lines of docstrings"
    record_property("summary", f"A new operation needs {size}.")
    assert 5 < code < 25


def test_new_operation_passes_the_type_checker(tree: Tree) -> None:
    """The type checker accepts the new operation and its tests."""
    # All code of the package, and the changed tests with all that they import. No other file can have a new error.
    tests = [name for name in PATCHED if name.startswith("tests/")]
    assert "Success" in tree.python("-m", "mypy", "overlays", "generated", *tests)


#: The tests of a new operation: the tests with its name, because they run for each operation, and the common tests.
#: The command of test_compare starts Python several times, and reads the operations like the other tests of that file.
CHOSEN = (
    "get_role or (test_roles and test_get) or (test_parity and (test_every or test_the_resources))"
    " or (test_compare and not test_the_command)"
    " or (test_description and not test_breach_of_each_house_rule_is_reported)"
    " or test_difference or (test_each_kind_of_change and nothing)"
    " or (test_portable and not typescript) or test_wrong_method"
)
#: The files with these tests: collecting all files takes as long as the tests.
PLACES = (
    *("tests/contract", "tests/client/_call", "tests/client/test_parity.py", "tests/client/test_roles.py"),
    *("tests/portable", "tests/tools", "tests/unit/test_simulator.py"),
)


def test_new_operation_is_covered_by_the_common_tests(tree: Tree) -> None:
    """The simulator serves the new operation, both clients call it, and all common tests include it."""
    command = ("-m", "pytest", "-rA", "--quiet", "-p", "no:cacheprovider", "-k", CHOSEN)
    output = tree.python(*command, *PLACES)
    passed = set(re.findall(r"^PASSED (\S+)", output, re.MULTILINE))
    for test in (
        "tests/client/test_roles.py::test_get[sync]",
        "tests/client/test_roles.py::test_get[async]",
        "tests/contract/test_simulator.py::test_valid_request_gets_a_described_response[get_role]",
        "tests/contract/test_simulator.py::test_invalid_request_gets_a_described_error[get_role]",
        "tests/contract/test_requests.py::test_request_reaches_its_operation_or_is_refused[sync-get_role]",
        "tests/contract/test_responses.py::test_every_valid_response_is_read_completely[async-get_role]",
        "tests/client/test_parity.py::test_every_operation_has_a_method[async]",
    ):
        assert test in passed
    assert sum("get_role" in test for test in passed) > 30
