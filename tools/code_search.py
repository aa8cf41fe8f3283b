"""Finds the hand-written code of an operation: in the client, the simulator and the client tests.

A search in the text needs no list of modules and no call graph. Tests check the rest at run time: every operation has
a method in both clients, every method has a test (`tests/client/test_parity.py`), and the simulator serves every
operation (`tests/contract/test_simulator.py`).
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import griffe

from .surface import PACKAGE, load, resources

CLIENT = f"overlays/{PACKAGE}"
SIMULATOR = f"{CLIENT}/testing"
#: Names in a piece of the simulator: plain names, attributes of the state, private attributes.
_USED = re.compile(r"(?<![.\w])[^\W\d]\w*|(?<=_state\.)\w+|(?<=\.)_\w+")


def mentions(tree: Path, file: str, operation: str) -> bool:
    """Whether a file names an operation."""
    return _names((tree / file).read_text("utf-8"), operation)


def _names(source: str, operation: str) -> bool:
    return re.search(rf"\b{operation}\b", source) is not None


def client_modules(tree: Path, operation: str) -> list[str]:
    """Return the modules of the resources that name an operation."""
    return [file for file, source in _resource_sources(tree).items() if _names(source, operation)]


@cache
def _resource_sources(tree: Path) -> dict[str, str]:
    """The source of each module of the resources, by file."""
    folders = {_folder(each.module.path) for each in resources(tree)}
    paths = ((path, path.relative_to(tree / CLIENT)) for path in sorted((tree / CLIENT).rglob("*.py")))
    return {
        f"{CLIENT}/{file.as_posix()}": path.read_text("utf-8")
        for path, file in paths
        if file.with_suffix("").parts[0] in folders
    }


def accepts(tree: Path, operation: str, argument: str) -> bool:
    """Whether a method of the operation's resource has this argument, or one of its inputs has this field."""
    folders = _folders(tree, operation)
    for each in load(tree).values():
        if each.parent is not None and _folder(each.module.path) in folders:
            if isinstance(each, griffe.Function) and each.parent in resources(tree) and argument in each.parameters:
                return True
            if isinstance(each, griffe.Attribute) and each.parent.name.endswith("Input") and each.name == argument:
                return True
    return False


def is_option(tree: Path, name: str) -> bool:
    """Whether a client has this option."""
    method = load(tree).get("Client.with_options")
    return isinstance(method, griffe.Function) and name in method.parameters


def holds_text(tree: Path, operation: str, text: str) -> bool:
    """Whether the resource of an operation has this text as a constant."""
    folders = _folders(tree, operation)
    files = (
        path
        for path in (tree / CLIENT).rglob("*.py")
        if path.relative_to(tree / CLIENT).with_suffix("").parts[0] in folders
    )
    return any(f'"{text}"' in path.read_text("utf-8") for path in files)


def _folders(tree: Path, operation: str) -> set[str]:
    """The folders or modules of the resources that name an operation."""
    files = (Path(file).relative_to(CLIENT) for file in client_modules(tree, operation))
    return {file.with_suffix("").parts[0] for file in files}


def _folder(module: str) -> str:
    """The folder or module directly below the package, such as `keywords` of `cometchat_rest.keywords.inputs`."""
    return module.split(".")[1]


def client_tests(tree: Path, operation: str) -> dict[str, int]:
    """Count, in each file of the client tests, the calls of the resource of an operation."""
    folders = _folders(tree, operation)
    calls = re.compile(rf"\b(?:chat|client)\.(?:{'|'.join(folders)})\.") if folders else re.compile(r"(?!)")
    counts = {
        path.name: len(calls.findall(path.read_text("utf-8")))
        for path in sorted((tree / "tests/client").glob("test_*"))
    }
    return {name: count for name, count in counts.items() if count}


def handlers(tree: Path, operation: str) -> list[str]:
    """Return the functions of the simulator that serve an operation."""
    return [
        f"{path.stem}._{operation}"
        for path in sorted((tree / SIMULATOR).glob("*.py"))
        if f"def _{operation}(" in path.read_text("utf-8")
    ]


def simulator_uses(tree: Path, operation: str, name: str) -> bool:
    """Whether the handler of an operation, or code that it uses, holds a field or parameter of this name as text."""
    pieces = _pieces(tree)
    wanted, seen = {f"_{operation}"}, set[str]()
    while wanted:
        text = "\n".join(pieces[each] for each in wanted if each in pieces)
        if re.search(rf"""(['"]){re.escape(name)}\1|\b{re.escape(name)}=""", text):
            return True
        seen |= wanted
        wanted = pieces.keys() & set(_USED.findall(text)) - seen
    return False


@cache
def _pieces(tree: Path) -> dict[str, str]:
    """The source of each function, class and variable of the simulator, by name, without comments and docstrings."""
    found: dict[str, str] = {}
    for path in sorted((tree / SIMULATOR).glob("*.py")):
        module = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                if ast.get_docstring(node) is not None:
                    node.body[0] = ast.Pass()
                found[node.name] = f"{found.get(node.name, '')}\n{ast.unparse(node)}"
        for node in module.body:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    for each in ast.walk(target):
                        if isinstance(each, ast.Name):
                            found[each.id] = ast.unparse(node)
    return found
