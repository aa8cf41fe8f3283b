"""The recipe for a new operation, tested: get-role.patch holds all that a person writes for it."""

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
PATH_OF_PATCHED = re.compile(r"^\+\+\+ b/(.*)$", re.MULTILINE)
# The files that git ignores, except the cache of mypy, which makes the type check fast.
NOT_COPIED = (".git", ".venv*", "__pycache__", ".pytest_cache", ".hypothesis", ".environments", "dist", "site")

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed; it applies the patch"),
]


class Tree:
    """A copy of this repository, with a new operation in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*NOT_COPIED))
        # A new repository, so that git applies the patch to the copy and not to a repository above it.
        self.run("git", "init", "--quiet")
        self.run("git", "apply", str(PATCH), hint=f"{PATCH.name} does not apply; see: git apply --reject {PATCH}")
        self.python("tools/generate.py")

    def run(self, *command: str, hint: str = "") -> str:
        """Run a command in the copy; it must succeed."""
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
    """The repository after the recipe."""
    return Tree(tmp_path_factory.mktemp("recipe") / "tree")


def docstrings(source: str) -> set[int]:
    """The line numbers of the docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, documented) and ast.get_docstring(node)]
    return {line for node in nodes for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)}


def count_new_lines(old: str, new: str) -> tuple[int, int]:
    """Count the new lines of code and of docstrings, without blank lines."""
    before, after = old.splitlines(), new.splitlines()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changed = [range(start, end) for tag, _, _, start, end in blocks if tag != "equal"]
    numbers = {line + 1 for lines in changed for line in lines if after[line].strip()}
    documented = docstrings(new)
    return len(numbers - documented), len(numbers & documented)


def test_a_new_operation_takes_few_lines(tree: Tree, record_property: Callable[[str, object], None]) -> None:
    """A new operation takes less than 25 lines of Python after its description, tests included."""
    files = [name for name in PATH_OF_PATCHED.findall(PATCH.read_text("utf-8")) if name.endswith(".py")]
    counts = [
        count_new_lines((ROOT / name).read_text("utf-8"), (tree.folder / name).read_text("utf-8")) for name in files
    ]
    code, text = map(sum, zip(*counts, strict=True))
    taken = f"{code} lines of Python in {len(files)} files, and {text} lines of docstrings"
    record_property("told", f"A new operation takes {taken}.")
    assert 5 < code < 25


def test_the_types_are_valid(tree: Tree) -> None:
    """The code and the tests of the recipe pass the type checker."""
    assert "Success" in tree.python("-m", "mypy")


#: The tests of a new operation: tests with its name, and tests of all operations together.
CHOSEN = (
    "get_role or (test_roles and test_get) or (test_options and (test_every or test_the_resources))"
    " or test_compare or (test_description and not test_each_house_rule_bites)"
    " or test_difference or (test_each_kind_of_change and nothing)"
    " or (test_portable and not typescript) or test_wrong_method"
)
FOLDERS = ("tests/contract", "tests/client", "tests/portable", "tests/tools", "tests/unit")


def test_all_tests_cover_the_new_operation(tree: Tree) -> None:
    """The simulator serves the new operation, both clients call it, and all general tests cover it."""
    command = ("-m", "pytest", "-rA", "--quiet", "-p", "no:cacheprovider", "-k", CHOSEN)
    output = tree.python(*command, *FOLDERS)
    passed = set(re.findall(r"^PASSED (\S+)", output, re.MULTILINE))
    for test in (
        "tests/client/test_roles.py::test_get[sync]",
        "tests/client/test_roles.py::test_get[async]",
        "tests/contract/test_simulator.py::test_what_the_description_allows_is_answered_as_described[get_role]",
        "tests/contract/test_simulator.py::test_what_the_description_rules_out_is_refused_as_described[get_role]",
        "tests/contract/test_requests.py::test_a_request_goes_where_its_operation_says_or_nowhere[sync-get_role]",
        "tests/contract/test_answers.py::test_every_answer_of_the_contract_is_read_whole[async-get_role]",
        "tests/client/test_options.py::test_every_operation_has_a_method[async]",
    ):
        assert test in passed
    assert sum("get_role" in test for test in passed) > 30
