"""Where the code written by hand deals with an operation: its methods, its handler in the simulator, its tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

from attrs import define, field, frozen

from .difference import template

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_TEST = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)


@frozen
class Method:
    """A public method of a resource."""

    module: str
    resource: str
    name: str
    arguments: frozenset[str]

    def __str__(self) -> str:
        return f"{self.module}.{self.resource}.{self.name}"


@define
class Traces:
    """What is to be found in a tree of this repository; operations go by their names in Python."""

    root: Path
    #: The source of each module, by its name.
    _overlays: dict[str, str] = field(init=False)
    _simulator: dict[str, str] = field(init=False)
    _tests: dict[str, str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        package = self.root / "overlays" / "cometchat_rest"
        self._overlays = _sources(package)
        self._simulator = _sources(package / "testing")
        self._tests = _sources(self.root / "tests" / "client")

    def methods(self, operation: str) -> list[Method]:
        """The public methods by which users reach an operation."""
        return [
            method
            for name, source in self._overlays.items()
            if operation in _read(source).operations
            for method in _reaching(name, _read(source), operation)
        ]

    def tests(self, module: str, method: str) -> list[str]:
        """The client tests that are named after a method of a resource, or that call it."""
        found = []
        for name, source in self._tests.items():
            _, *parts = _TEST.split(source)
            for test, body in zip(parts[::2], parts[1::2], strict=True):
                named = name == f"test_{module}" and f"{test}_".startswith(f"test_{method}_")
                if named or f".{module}.{method}(" in body:
                    found.append(f"{name}.py::{test}")
        return found

    def handlers(self, operation: str) -> list[str]:
        """The functions of the simulator that carry out an operation."""
        return [f"{name}._{operation}" for name, source in self._simulator.items() if f"_{operation}" in _parts(source)]

    def simulator_knows(self, name: str, operation: str) -> bool:
        """Whether a field or parameter of that name stands where the simulator carries out an operation.

        That is in the handler, in the functions, classes and records that it uses, in what those use, and so on.
        """
        modules = [_parts(source) for source in self._simulator.values()]
        wanted, seen = {f"_{operation}"}, set[str]()
        while wanted:
            reached = [node for parts in modules for each in wanted for node in parts.get(each, ())]
            if any(name in _texts(node) for node in reached):
                return True
            seen |= wanted
            wanted = {each for node in reached for each in _used(node)} - seen
        return False

    def takes(self, name: str, methods: Iterable[Method]) -> bool:
        """Whether one of the methods has an argument of that name, or one of the inputs beside them such a field."""
        modules = {sibling for each in methods for sibling in _read(self._overlays[each.module]).siblings}
        return any(name in each.arguments for each in methods) or any(
            name in _read(self._overlays.get(each, "")).inputs for each in modules
        )

    def builds(self, address: str) -> bool:
        """Whether such an address, whatever its variables are called, is put together where addresses are."""
        nodes = ast.walk(ast.parse(self._overlays["endpoint"]))
        return template(address) in (
            "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            for node in nodes
            if isinstance(node, ast.JoinedStr)
        )

    def choices(self, variable: str) -> set[str]:
        """What a variable of an address may be: the texts in the class of its name."""
        return {
            text
            for node in _parts(self._overlays["endpoint"]).get(variable.title(), ())
            for each in ast.walk(node)
            if isinstance(each, ast.Assign)
            for text in _texts(each)
        }


def _sources(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.py"))}


@frozen
class _Module:
    """What a module says."""

    #: The generated operations that it imports, and the modules beside it.
    operations: frozenset[str]
    siblings: frozenset[str]
    #: The fields of its classes of inputs.
    inputs: frozenset[str]
    #: The identifiers in each private class, function and method, by its name.
    private: dict[str, frozenset[str]]
    #: The public methods, each with the name of its class.
    public: list[tuple[str, _Function]]


@cache
def _read(source: str) -> _Module:
    tree = ast.parse(source)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    generated = (node for node in imports if (node.module or "").startswith("cometchat_openapi.api"))
    inputs = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name.endswith("Input")]
    private: dict[str, frozenset[str]] = {}
    public = []
    for node, owner in _definitions(tree):
        if isinstance(node, _Function) and owner and not node.name.startswith("_"):
            public.append((owner, node))
        else:
            private[node.name] = private.get(node.name, frozenset()) | _names(node)
    return _Module(
        operations=frozenset(each.name for node in generated for each in node.names),
        siblings=frozenset(node.module for node in imports if node.level == 1 and node.module),
        inputs=frozenset(
            field.target.id
            for node in inputs
            for field in node.body
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        ),
        private=private,
        public=public,
    )


def _definitions(tree: ast.Module) -> Iterator[tuple[_Function | ast.ClassDef, str]]:
    """The functions and private classes of a module, and the methods of public classes with the names of those."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from ((each, node.name) for each in node.body if isinstance(each, _Function))
        elif isinstance(node, _Function | ast.ClassDef):
            yield node, ""


def _names(node: ast.AST) -> frozenset[str]:
    found = set()
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                found.add(name)
    return frozenset(found)


def _texts(node: ast.AST) -> frozenset[str]:
    """The texts in a node, and the names of the arguments it gives, which may become keys of a record."""
    found = set()
    for each in ast.walk(node):
        match each:
            case ast.Constant(value=str(text)) | ast.keyword(arg=str(text)):
                found.add(text)
    return frozenset(found)


@cache
def _parts(source: str) -> dict[str, list[ast.AST]]:
    """The functions, methods and classes of a module, and its own variables, by their names."""
    tree = ast.parse(source)
    found: dict[str, list[ast.AST]] = {}
    for node in ast.walk(tree):
        if isinstance(node, _Function | ast.ClassDef):
            found.setdefault(node.name, []).append(node)
    for node in tree.body:
        for name in _names(ast.Tuple(node.targets)) if isinstance(node, ast.Assign) else ():
            found.setdefault(name, []).append(node)
    return found


def _used(node: ast.AST) -> set[str]:
    """The names of the simulator's own things in a node; what other attributes are attributes of, nobody knows."""
    found = set()
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name) | ast.Attribute(attr=name, value=ast.Attribute(attr="_state")):
                found.add(name)
            case ast.Attribute(attr=name) if name.startswith("_"):
                found.add(name)
    return found


def _reaching(name: str, module: _Module, operation: str) -> list[Method]:
    """The public methods that use an operation, directly or by way of what is private in their module."""
    reached = {operation}
    while more := {each for each, used in module.private.items() if used & reached} - reached:
        reached |= more
    return [
        Method(name, owner, method.name, _arguments(method))
        for owner, method in module.public
        if _names(method) & reached
    ]


def _arguments(function: _Function) -> frozenset[str]:
    return frozenset(each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg))
