"""The recipe for a new operation works: each patch contains everything that a person must write."""

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
from typing import TypeAlias

import pytest
from attrs import frozen

ROOT = Path(__file__).parents[2]
# The files that git ignores, except compiled files and the caches of mypy and Hypothesis, which make the checks fast.
NOT_COPIED = (".git", ".venv*", ".pytest_cache", ".ruff_cache", ".environments", "dist", "site")

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed; it applies the patch"),
]


@frozen
class Recipe:
    """A patch with new operations, and the largest number of lines of Python that it may need."""

    operations: tuple[str, ...]
    resource: str
    most_lines: int
    #: Tests that must run for these operations: only the quick run, and all.
    quick: tuple[str, ...]
    full: tuple[str, ...]

    @property
    def patch(self) -> Path:
        return Path(__file__).with_name(f"{self.operations[0].replace('_', '-')}.patch")

    @property
    def patched(self) -> list[str]:
        """The Python files that the patch changes or adds."""
        return re.findall(r"^\+\+\+ b/(.*\.py)$", self.patch.read_text("utf-8"), re.MULTILINE)


#: A GET with a path parameter; and a new tag with a POST, a JSON body, an input and a list with a cursor.
RECIPES = (
    Recipe(
        ("get_role",),
        "roles",
        30,
        ("tests/client/test_roles.py::test_get[sync]", "tests/client/test_roles.py::test_get[async]"),
        (
            "tests/contract/test_simulator.py::test_valid_request_gets_a_described_response[get_role]",
            "tests/contract/test_simulator.py::test_invalid_request_gets_a_described_error[get_role]",
            "tests/contract/test_requests.py::test_request_reaches_its_operation_or_is_refused[sync-get_role]",
            "tests/contract/test_responses.py::test_every_valid_response_is_read_completely[async-get_role]",
        ),
    ),
    Recipe(
        ("create_group", "list_groups"),
        "groups",
        250,
        ("tests/client/test_groups.py::test_create[sync]", "tests/client/test_groups.py::test_list_and_iter[async]"),
        (
            "tests/contract/test_simulator.py::test_valid_request_gets_a_described_response[create_group]",
            "tests/contract/test_simulator.py::test_invalid_request_gets_a_described_error[list_groups]",
            "tests/contract/test_requests.py::test_on_behalf_of_changes_only_one_header[sync-create_group]",
            "tests/contract/test_responses.py::test_every_valid_response_is_read_completely[async-list_groups]",
        ),
    ),
)
Lines: TypeAlias = tuple[int, int]


class Tree:
    """A copy of this repository with the new operations of a recipe."""

    def __init__(self, folder: Path, recipe: Recipe) -> None:
        self.folder = folder
        self.recipe = recipe
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*NOT_COPIED))
        # A new repository, so that git does not use a repository in a parent folder.
        self.run("git", "init", "--quiet")
        self.run("git", "add", ".")
        self.run("git", "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "-m", "x")
        patch = recipe.patch
        self.run(
            "git", "apply", str(patch), hint=f"{patch.name} cannot be applied any more. Try: git apply --reject {patch}"
        )
        self.python("tools/generate.py")
        self.python("-m", "tools.portable")
        self.python("-m", "tools.portable")

    def run(self, *command: str, hint: str = "") -> str:
        """Run a command in the copy; the test fails if the command fails."""
        done = self.start(*command)
        assert done.returncode == 0, f"{done.stdout}{done.stderr}\n{hint}"
        return done.stdout

    def start(self, *command: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(str(self.folder / name) for name in ("overlays", "generated"))
        environment = {**os.environ, "PYTHONPATH": path}
        return subprocess.run(  # noqa: S603
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )

    def python(self, *arguments: str) -> str:
        return self.run(sys.executable, *arguments)

    def passed(self, *arguments: str) -> set[str]:
        """Run tests, which must not fail, and return the names of those that passed."""
        output = self.python("-m", "pytest", "-rA", "--quiet", "-p", "no:cacheprovider", *arguments)
        return set(re.findall(r"^PASSED (\S+)", output, re.MULTILINE))


@pytest.fixture(scope="module", params=RECIPES, ids=lambda recipe: recipe.patch.stem)
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The repository after all steps of a recipe."""
    return Tree(tmp_path_factory.mktemp("recipe") / "tree", request.param)


def docstrings(source: str) -> set[int]:
    """The numbers of the lines that contain a docstring."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, documented) and ast.get_docstring(node)]
    return {line for node in nodes for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)}


def count_new_lines(old: str, new: str) -> Lines:
    """Count the new lines of code and of docstrings, without blank lines."""
    before, after = old.splitlines(), new.splitlines()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changed = [range(start, end) for tag, _, _, start, end in blocks if tag != "equal"]
    numbers = {line + 1 for lines in changed for line in lines if after[line].strip()}
    documentation = docstrings(new)
    return len(numbers - documentation), len(numbers & documentation)


def test_new_operation_needs_few_lines(tree: Tree, record_property: Callable[[str, object], None]) -> None:
    """After the description, a GET needs less than 30 lines of Python; a new resource, with all its parts, less than
    250. Both numbers include the tests and the simulator."""
    names = tree.recipe.patched
    old = [ROOT / name for name in names]
    counts = [
        count_new_lines(path.read_text("utf-8") if path.exists() else "", (tree.folder / name).read_text("utf-8"))
        for path, name in zip(old, names, strict=True)
    ]
    code, documentation = map(sum, zip(*counts, strict=True))
    size = f"{code} lines of Python in {len(names)} files, and {documentation} lines of docstrings"
    record_property("summary", f"{tree.recipe.patch.stem}: a person writes {size}.")
    assert 5 < code < tree.recipe.most_lines


#: The recipe with more parts has all parts of the other one.
larger_recipe = pytest.mark.parametrize(
    "tree",
    [pytest.param(RECIPES[0], marks=pytest.mark.deep), RECIPES[1]],
    ids=lambda recipe: recipe.patch.stem,
    indirect=True,
)


@larger_recipe
def test_report_misses_nothing(tree: Tree) -> None:
    """After all steps, `make report` lists no missing work."""
    assert "\n## Missing\n\nNothing.\n" in tree.python("-m", "tools.report", "HEAD")


@larger_recipe
def test_new_operation_is_covered_by_the_common_tests(tree: Tree) -> None:
    """The simulator serves the new operations, and both clients have methods for them."""
    parity = "tests/client/test_parity.py::test_every_operation_has_a_method"
    wanted = {*tree.recipe.quick, f"{parity}[async]"}
    assert wanted <= tree.passed(*tree.recipe.quick, parity)


@pytest.mark.deep
def test_new_operation_passes_the_type_checker(tree: Tree) -> None:
    """The type checker accepts the new operation and its tests."""
    # All code of the package, and the changed tests with all that they import. No other file can have a new error.
    tests = [name for name in tree.recipe.patched if name.startswith("tests/")]
    assert "Success" in tree.python("-m", "mypy", "overlays", "generated", *tests)


#: The files with tests that run for each operation, or read the description: collecting all files takes too long.
PLACES = (
    *("tests/contract", "tests/client/_call", "tests/client/test_parity.py", "tests/package/test_surface.py"),
    *("tests/portable", "tests/tools", "tests/unit/test_simulator.py"),
)


#: The tests that read the description as a whole. The other tests of the files above run once for each operation.
CHOSEN = (
    "(test_parity and (test_every or test_the_resources)) or test_compare or test_difference"
    " or (test_deviations and not passing)"
    " or (test_description and not test_breach_of_each_house_rule_is_reported)"
    " or (test_each_kind_of_change and nothing) or (test_portable and not typescript)"
    " or test_wrong_method or test_unknown_path or test_surface"
)


@pytest.mark.deep
def test_new_operation_passes_all_common_tests(tree: Tree) -> None:
    """All tests of the new operations, and all tests that read the whole description, pass."""
    names = " or ".join((*tree.recipe.operations, f"test_{tree.recipe.resource}"))
    files = {test.partition("::")[0] for test in tree.recipe.quick}
    workers = ("--numprocesses", "2", "--dist", "loadfile")
    passed = tree.passed(*workers, *files, *PLACES, "-k", f"{names} or {CHOSEN}")
    assert {*tree.recipe.quick, *tree.recipe.full} <= passed
    assert all(sum(name in test for test in passed) > 30 for name in tree.recipe.operations)
