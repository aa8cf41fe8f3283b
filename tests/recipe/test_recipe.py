"""The recipe for a new operation, carried out: get-role.patch is what it asks a person to write, and no more."""

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
# All that git ignores, but for the cache of mypy, which makes the check of types quick.
NOT_COPIED = (".git", ".venv*", "__pycache__", ".pytest_cache", ".hypothesis", ".environments", "dist", "site")

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git applies the patch, and there is none")


class Tree:
    """A copy of this repository, with a new operation in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*NOT_COPIED))
        # Of its own, lest the patch be taken for one of a repository above it.
        self.run("git", "init", "--quiet")
        self.run("git", "apply", str(PATCH), hint=f"{PATCH.name} does not fit any more: git apply --reject {PATCH}")
        self.python("tools/generate.py")

    def run(self, *command: str, hint: str = "") -> str:
        """Run a command on the copy, which has to end well."""
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
    """The repository as the recipe leaves it."""
    return Tree(tmp_path_factory.mktemp("recipe") / "tree")


def docstrings(source: str) -> set[int]:
    """The numbers of the lines that a docstring stands on."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, documented) and ast.get_docstring(node)]
    return {line for node in nodes for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)}


def written(old: str, new: str) -> tuple[int, int]:
    """How many lines of code and how many of docstrings are new, blank ones aside."""
    before, after = old.splitlines(), new.splitlines()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changed = [range(start, end) for tag, _, _, start, end in blocks if tag != "equal"]
    numbers = {line + 1 for lines in changed for line in lines if after[line].strip()}
    told = docstrings(new)
    return len(numbers - told), len(numbers & told)


def test_it_takes_few_lines(tree: Tree, record_property: Callable[[str, object], None]) -> None:
    """A new operation takes a person who has described it less than 25 lines of Python, its tests included."""
    files = [name for name in PATH_OF_PATCHED.findall(PATCH.read_text("utf-8")) if name.endswith(".py")]
    counts = [written((ROOT / name).read_text("utf-8"), (tree.folder / name).read_text("utf-8")) for name in files]
    code, told = map(sum, zip(*counts, strict=True))
    taken = f"{code} lines of Python in {len(files)} files, and {told} of docstrings"
    record_property("told", f"A new operation takes {taken}.")
    assert 5 < code < 25


def test_its_types_are_right(tree: Tree) -> None:
    """What the recipe makes passes the type checker, tests included."""
    assert "Success" in tree.python("-m", "mypy")


#: What judges a new operation: the tests that are run for each one, and so carry its name, and those for all of them.
CHOSEN = (
    "get_role or (test_roles and test_get) or (test_options and (test_every or test_the_resources))"
    " or test_compare or (test_description and not test_each_house_rule_bites)"
    " or test_difference or test_each_kind_of_change or (test_portable and not typescript) or test_wrong_method"
)
FOLDERS = ("tests/contract", "tests/client", "tests/portable", "tests/tools", "tests/unit")


def test_it_is_tested_like_the_others(tree: Tree) -> None:
    """The new operation is served, called through both clients, and seen by every test that is for all of them."""
    command = ("-m", "pytest", "-rA", "--quiet", "-p", "no:cacheprovider", "-k", CHOSEN)
    told = tree.python(*command, *FOLDERS)
    passed = set(re.findall(r"^PASSED (\S+)", told, re.MULTILINE))
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
