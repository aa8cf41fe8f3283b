"""Changes the meaning of the description, the generated code or the simulator, and sees whether a test fails.

python -m tools.mutants --seed 1 --count 200 [--kind KIND] [--minutes M]

Each change is made in a copy of the repository: a description is changed before the code is generated from it. Then the
quick tests of the part run, until one fails. Prints each change that no test notices. Exit code 1: no test notices
2 % or more of the changes, or the tests fail without a change.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import logging
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, reduce
from pathlib import Path
from typing import Any, TypeAlias

from attrs import frozen

from .openapi_diff.document import DESCRIPTION, ROOT, at, escaped, nodes, parse

_FOLDERS = ("overlays", "generated", "desk", "tests", "tools", "contract", "docs", "generator-templates", "examples")
_FILES = ("openapi.yaml", "generator-config.yaml", "pyproject.toml", "Makefile", "README.md", "CHANGELOG.md")
#: The tests of each part, the fastest first: most changes fail one of the first files.
TESTS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "description": (
        ("tests/contract/test_description.py", "tests/contract/test_matrix.py"),
        ("tests/_call/test_response.py", "tests/test_auth_tokens.py", "tests/contract/test_responses.py"),
        ("tests/contract/test_requests.py", "tests/contract/test_simulator.py"),
    ),
    # Without test_generated.py, which would only notice that the code is not what the description makes.
    "generated": (
        ("tests/contract/test_frameworks.py", "tests/contract/test_responses.py"),
        ("tests/contract/test_requests.py", "tests/_call", "tests/test_client.py", "tests/keywords"),
    ),
    "simulator": (
        ("tests/testing", "tests/contract/test_matrix.py"),
        ("tests/contract/test_simulator.py", "tests/contract/test_requests.py", "tests/keywords"),
    ),
}
_LOWER = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.In: "not in"}
_REMOVED = ("security", "x-secret", "x-repeated-at", "parameters", "headers", "encoding", "if")
#: Files of the simulator that have invented records, or no rule of the service.
_WITHOUT_MEANING = ("data.py", "history.py", "server.py", "__main__.py")
#: Lines of the generated code that count absent fields. With another number, the same result is found more slowly.
_ONLY_SLOWER = "matched += 1"
#: Statements of a text, and their opposite.
_SAID = {
    "Unix seconds": "milliseconds",
    "new values are possible": "no other value exists",
    "New codes are possible": "There are no other codes",
    "counted from 1": "counted from 0",
}


def _said_differently(text: str) -> str:
    return reduce(lambda found, said: found.replace(*said), _SAID.items(), text)


_OTHER_TYPE = {"string": "integer", "integer": "string", "number": "string", "boolean": "string", "array": "string"}
#: Keywords, the type of their value, and its change.
Row: TypeAlias = tuple[tuple[str, ...], type, Callable[[Any], object]]
_IN_SCHEMAS: tuple[Row, ...] = (
    (("type",), str, lambda value: _OTHER_TYPE.get(value)),
    (("minimum", "maximum", "minLength", "minItems"), int, lambda value: value + 1),
    (("required", "enum"), list, lambda value: value[:-1]),
    (("additionalProperties", "explode", "required"), bool, lambda value: not value),
    (("in",), str, lambda _: "query"),
    (("name", "const", "default", "contentType", "pattern"), str, lambda value: f"{value}x"),
    (("description",), str, _said_differently),
)
_IN_EXAMPLES: tuple[Row, ...] = (
    (("count", "total", "total_pages", "current_page"), int, lambda value: value + 1),
    (("createdAt", "updatedAt", "sentAt"), int, lambda value: value * 1000),
)
log = logging.getLogger(__name__)


@frozen
class Mutant:
    """One change: its kind, its place, and how to make the new content of a file."""

    kind: str
    place: str
    file: Path
    make: Callable[[], str]


# The description.


def of_the_description() -> Iterator[Mutant]:
    """Every change of the description in meaning."""
    document = dict(parse(DESCRIPTION.read_text("utf-8")))
    for pointer, node in nodes(document):
        if isinstance(node, dict) and not pointer.startswith("/info"):
            for key, change in _changes(pointer, node):
                place = f"{pointer}/{escaped(key)}: {json.dumps(node[key])[:60]}"
                make = partial(_changed, document, pointer, change)
                yield Mutant("description", place, Path("openapi.yaml"), make)


def _changed(document: Mapping[str, Any], pointer: str, change: Callable[[Any], object]) -> str:
    changed = copy.deepcopy(document)
    change(at(changed, pointer))
    return json.dumps(changed, indent=1)


def _changes(pointer: str, node: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[Any], object]]]:
    is_example = "/example" in pointer
    for key, value in node.items():
        other = _other_value(key, value, _IN_EXAMPLES if is_example else _IN_SCHEMAS)
        if not is_example and (key in _REMOVED or pointer.endswith("/properties")):
            yield key, partial(_without, key)
        elif other is not None:
            yield key, _to(key, other)


def _other_value(key: str, value: Any, table: Iterable[Row]) -> object:
    for keys, kind, change in table:
        if key in keys and type(value) is kind and (other := change(value)) != value:
            return other
    return None


def _without(key: str, node: dict[str, Any]) -> None:
    del node[key]


def _to(key: str, value: object) -> Callable[[Any], object]:
    return lambda node: node.update({key: value})


# Python.


def of_python(kind: str, folder: Path) -> Iterator[Mutant]:
    """Every small change of the Python files in a folder."""
    for path in sorted(each for each in folder.rglob("*.py") if each.name not in _WITHOUT_MEANING):
        text = path.read_text("utf-8")
        lines = text.splitlines(keepends=True)
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line.encode()))
        content = text.encode()
        for node, new in _swaps(ast.parse(text), text):
            if lines[node.lineno - 1].strip().startswith(_ONLY_SLOWER):
                continue
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            changed = (content[:start] + new.encode() + content[end:]).decode()
            old = content[start:end].decode()
            place = f"{path.name}:{node.lineno}: {old[:50]} -> {new[:50]}"
            yield Mutant(kind, place, path.relative_to(ROOT), partial(str, changed))


def _swaps(tree: ast.Module, text: str) -> Iterator[tuple[ast.expr, str]]:
    """Expressions, and the text in place of each."""
    for function in ast.walk(tree):
        # Outside functions there are mostly tables, types and texts.
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for statement in function.body:
            for node in ast.walk(statement):
                yield from _swap(node, text)


def _swap(node: ast.AST, text: str) -> Iterator[tuple[ast.expr, str]]:
    def source(part: ast.expr) -> str | None:
        return ast.get_source_segment(text, part)

    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _LOWER:
            yield node, f"{source(left)} {_LOWER[type(operator)]} {source(right)}"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"bool({source(operand)})"
        case ast.BoolOp(op=operator, values=values):
            word = " or " if isinstance(operator, ast.And) else " and "
            yield node, word.join(f"({source(value)})" for value in values)
        case ast.Constant(value=bool() as value):
            yield node, str(not value)
        case ast.Constant(value=int() as value):
            yield node, str(value + 1)


# The runs.


def sample(seed: int, count: int, kinds: tuple[str, ...]) -> list[Mutant]:
    """Choose changes, equally many of each kind."""
    every: dict[str, Callable[[], Iterator[Mutant]]] = {
        "description": of_the_description,
        "generated": lambda: of_python("generated", ROOT / "generated" / "cometchat_openapi"),
        "simulator": lambda: of_python("simulator", ROOT / "overlays" / "cometchat_rest" / "testing"),
    }
    chosen = random.Random(seed)  # noqa: S311 - the same changes for the same seed
    pools = [[*every[kind]()] for kind in kinds]
    found = [chosen.sample(pool, min(len(pool), -(-count // len(kinds)))) for pool in pools]
    return [each for group in zip(*found, strict=False) for each in group][:count]


def survives(mutant: Mutant, folder: Path) -> bool:
    """Whether all tests pass with a change."""
    path = folder / mutant.file
    before = path.read_bytes()
    path.write_text(mutant.make(), "utf-8")
    try:
        return generated(mutant.kind, folder) and all(passes(tests, folder) for tests in TESTS[mutant.kind])
    finally:
        path.write_bytes(before)
        if mutant.kind == "description":
            shutil.rmtree(folder / "generated")
            shutil.copytree(ROOT / "generated", folder / "generated")
            shutil.copytree(ROOT / "contract", folder / "contract", dirs_exist_ok=True)


def generated(kind: str, folder: Path) -> bool:
    """Generate, after a change of the description; false if that is refused."""
    commands = (["tools/generate.py"], ["-m", "tools.portable"], ["-m", "tools.overlay"])
    return kind != "description" or all(_run(folder, *each) for each in commands)


def passes(tests: tuple[str, ...], folder: Path) -> bool:
    """Whether tests pass."""
    options = (
        "-q",
        "-x",
        "-m",
        "not deep",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        "--hypothesis-profile",
        "first-failure",
    )
    return _run(folder, "-m", "pytest", *options, *(each for each in tests if (folder / each).exists()))


def _run(folder: Path, *arguments: str) -> bool:
    path = os.pathsep.join(str(folder / name) for name in ("overlays", "generated", "desk"))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=600, check=False)
    except subprocess.TimeoutExpired:
        return False
    log.debug(done.stdout.decode()[-2000:])
    return done.returncode == 0


def copied(folder: Path) -> None:
    """Copy the parts of the repository that the tests read."""
    ignored = shutil.ignore_patterns("__pycache__", "node_modules", ".*")
    for name in _FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in _FILES:
        shutil.copy(ROOT / name, folder)


def main() -> int:
    """Run, print the survivors, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--kind", choices=[*TESTS], action="append", help="only changes of this part; may be repeated")
    parser.add_argument("--minutes", type=float, default=120, help="stop after this time (default: 120)")
    parser.add_argument("--verbose", action="store_true", help="show the end of each run of the tests")
    given = parser.parse_args()
    logging.basicConfig(level=logging.DEBUG if given.verbose else logging.INFO)
    kinds = tuple(given.kind or TESTS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copied(folder)
        if "description" in kinds:
            # The changed descriptions are JSON as well.
            (folder / "openapi.yaml").write_text(json.dumps(parse(DESCRIPTION.read_text("utf-8"))), "utf-8")
        if not all(passes(tests, folder) for kind in kinds for tests in TESTS[kind]):
            print("the tests fail without a change; mend them first", file=sys.stderr)
            return 1
        survivors, tried = _tried(sample(given.seed, given.count, kinds), folder, given.minutes)
    print(f"{survivors} of {tried} changes survived")
    return 1 if survivors * 50 >= max(tried, 1) else 0


def _tried(mutants: Iterable[Mutant], folder: Path, minutes: float) -> tuple[int, int]:
    """Try changes, print the survivors, and return the number of both; on a slow machine, not all are tried."""
    survivors, tried, end = 0, 0, time.monotonic() + 60 * minutes
    for mutant in mutants:
        if time.monotonic() > end:
            break
        tried += 1
        if survives(mutant, folder):
            survivors += 1
            print(f"survived: {mutant.kind}: {mutant.place}", flush=True)
    return survivors, tried


if __name__ == "__main__":
    sys.exit(main())
