"""Where the code written by hand deals with an operation: its methods, its handler in the simulator, its tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

from attrs import define, field, frozen

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_TEST = re.compile(r"^(?:async )?def (test_\w+)", re.MULTILINE)


@frozen
class Method:
    """A public method of a resource."""

    module: str
    resource: str
    name: str

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
        """The modules of the simulator that name an operation."""
        return [f"{name}.py" for name, source in self._simulator.items() if operation in _read(source).texts]

    def simulator_knows(self, name: str) -> bool:
        """Whether a field or parameter of that name occurs in the simulator."""
        return any(name in _read(source).texts for source in self._simulator.values())

    def addresses_know(self, text: str) -> bool:
        """Whether what builds addresses has that text."""
        return text in _read(self._overlays["endpoint"]).texts

    def overlays_know(self, name: str, methods: Iterable[Method]) -> bool:
        """Whether a field or parameter of that Python name occurs where the methods are, or in what that imports."""
        modules = {each.module for each in methods}
        modules |= {name for each in modules for name in _read(self._overlays[each]).siblings}
        return any(name in _read(self._overlays.get(each, "")).names for each in modules)


def _sources(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.py"))}


@frozen
class _Module:
    """What a module says."""

    #: The generated operations that it imports, and the modules beside it.
    operations: frozenset[str]
    siblings: frozenset[str]
    #: Every identifier and every text in it.
    names: frozenset[str]
    texts: frozenset[str]
    #: The identifiers in each private class, function and method, by its name; and in each public method.
    private: dict[str, frozenset[str]]
    public: list[tuple[str, str, frozenset[str]]]


@cache
def _read(source: str) -> _Module:
    tree = ast.parse(source)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    generated = (node for node in imports if (node.module or "").startswith("cometchat_openapi.api"))
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    private: dict[str, frozenset[str]] = {}
    public = []
    for node, name, owner in _definitions(tree):
        if owner and not name.startswith("_"):
            public.append((owner, name, _names(node)))
        else:
            private[name] = private.get(name, frozenset()) | _names(node)
    return _Module(
        operations=frozenset(each.name for node in generated for each in node.names),
        siblings=frozenset(node.module for node in imports if node.level == 1 and node.module),
        names=_names(tree),
        texts=frozenset(value for value in constants if isinstance(value, str)),
        private=private,
        public=public,
    )


def _definitions(tree: ast.Module) -> Iterator[tuple[ast.AST, str, str]]:
    """The functions and private classes of a module, and the methods of public classes with the names of those."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from ((each, each.name, node.name) for each in node.body if isinstance(each, _Function))
        elif isinstance(node, _Function | ast.ClassDef):
            yield node, node.name, ""


def _names(node: ast.AST) -> frozenset[str]:
    found = set()
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                found.add(name)
    return frozenset(found)


def _reaching(name: str, module: _Module, operation: str) -> list[Method]:
    """The public methods that use an operation, directly or by way of what is private in their module."""
    reached = {operation}
    while more := {each for each, used in module.private.items() if used & reached} - reached:
        reached |= more
    return [Method(name, owner, method) for owner, method, used in module.public if used & reached]
