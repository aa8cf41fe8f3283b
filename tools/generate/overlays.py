"""What the overlays use of the generated package: names that are not generated any more, and
operations that are deprecated.

The overlays are read as source, because a module that imports an absent name cannot be imported.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from attrs import frozen

from tools.description import ROOT

_GENERATED = "cometchat_openapi"
_OVERLAYS = ROOT / "overlays" / "cometchat_rest"

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@frozen
class Overlay:
    """The source of one module.

    Attributes:
        used: the generated objects that it imports, by their names in the module.
        absent: the names that it imports, and that the generated package lacks.
        definitions: its functions and classes.
    """

    path: Path
    tree: ast.Module
    used: dict[str, Any]
    absent: list[str]
    definitions: dict[str, ast.AST]

    def value(self, node: ast.AST) -> Any:
        """The generated object that an expression such as `module.name` stands for, or `None`."""
        if isinstance(node, ast.Name):
            return self.used.get(node.id)
        if isinstance(node, ast.Attribute):
            return getattr(self.value(node.value), node.attr, None)
        return None

    @property
    def resources(self) -> Iterator[tuple[ast.ClassDef, type]]:
        """The classes that extend the generated methods of a tag, and the generated classes."""
        for node in self.definitions.values():
            for base in getattr(node, "bases", ()):
                original = self.value(base)
                if original is not None and original.__module__ != f"{_GENERATED}.api":
                    assert isinstance(node, ast.ClassDef)
                    yield node, original


def problems(generated: Path) -> list[str]:
    """One line for each place in an overlay that does not fit the generated package."""
    sys.path[:0] = [str(generated.parent), str(ROOT / "runtime")]
    overlays = [_read(path) for path in sorted(_OVERLAYS.rglob("*.py"))]
    lines = [
        f"{overlay.path.relative_to(ROOT)}: {text}"
        for overlay in overlays
        for text in (*_absences(overlay), *_missing_marks(overlay, overlays))
    ]
    return [*dict.fromkeys(lines)]


def _read(path: Path) -> Overlay:
    tree = ast.parse(path.read_text("utf-8"))
    used: dict[str, Any] = {}
    absent = []
    for origin, name in _imports(tree):
        value = _imported(origin, name.name)
        if value is None:
            absent.append(f"{origin}.{name.name}")
        else:
            used[name.asname or name.name] = value
    definitions: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef):
            definitions[node.name] = node
    return Overlay(path, tree, used, absent, definitions)


def _imports(tree: ast.Module) -> Iterator[tuple[str, ast.alias]]:
    """Yield each name that is imported from the generated package, after its module."""
    for node in ast.walk(tree):
        origin = node.module if isinstance(node, ast.ImportFrom) else None
        if origin is not None and origin.partition(".")[0] == _GENERATED:
            for name in getattr(node, "names", ()):
                yield origin, name


def _imported(origin: str, name: str) -> Any:
    """A module or another object of the generated package; `None` if it is absent."""
    with suppress(ImportError):
        return import_module(f"{origin}.{name}")
    with suppress(ImportError, AttributeError):
        module = import_module(origin)
        return module if name == "*" else getattr(module, name)
    return None


# Names that are not generated any more.


def _absences(overlay: Overlay) -> Iterator[str]:
    for name in overlay.absent:
        yield f"uses {name}, which is not generated any more"
    for node in ast.walk(overlay.tree):
        if isinstance(node, ast.Call):
            yield from _absent_arguments(overlay, node)
    for cls, original in overlay.resources:
        for method in _methods(cls):
            generated = _arguments(getattr(original, method.name, None))
            args = method.args
            own = {each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
            for name in sorted(generated - own):
                yield f"{cls.name}.{method.name} lacks {name}, an argument of the generated method"


def _absent_arguments(overlay: Overlay, call: ast.Call) -> Iterator[str]:
    value = overlay.value(call.func)
    arguments = _arguments(value)
    for keyword in call.keywords:
        if arguments and keyword.arg not in (None, *arguments):
            place = f"{value.__module__}.{value.__qualname__}"
            yield f"passes {keyword.arg} to {place}, which has no such argument"


def _arguments(value: Any) -> set[str]:
    """The names of the arguments of a function or a class; none for another object."""
    if inspect.isfunction(value) or inspect.isclass(value):
        return {*inspect.signature(value).parameters}
    return set()


def _methods(cls: ast.ClassDef) -> list[Function]:
    return [node for node in cls.body if isinstance(node, Function)]


# Operations that are deprecated.


def _missing_marks(overlay: Overlay, overlays: list[Overlay]) -> Iterator[str]:
    """Yield the public methods that type checkers do not know to be deprecated."""
    for cls, _ in overlay.resources:
        for method in _methods(cls):
            is_marked = any("deprecated" in ast.dump(each) for each in method.decorator_list)
            texts = _deprecations(method, overlay, overlays, set())
            text = None if is_marked or method.name.startswith("_") else next(texts, None)
            if text is not None:
                yield (
                    f"{cls.name}.{method.name} uses a deprecated operation; import `deprecated`"
                    f" from cometchat_runtime.operation, and write above it: @deprecated({text!r})"
                )


def _deprecations(
    node: ast.AST, overlay: Overlay, overlays: list[Overlay], seen: set[ast.AST]
) -> Iterator[str]:
    """The texts of the deprecated operations that some code uses, also through other overlays."""
    seen.add(node)
    for name in [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]:
        operation = getattr(overlay.used.get(name), "OPERATION", None)
        if operation is not None and operation.deprecated is not None:
            yield operation.deprecated
        # A name that is not defined here is imported from another overlay.
        for other in (overlay,) if name in overlay.definitions else overlays:
            definition = other.definitions.get(name)
            if definition is not None and definition not in seen:
                yield from _deprecations(definition, other, overlays, seen)
