"""What the overlays use of the generated package: names that are not generated any more, and
operations that are deprecated.

Both are read as source, because a package that lacks a name cannot be imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path
from typing import TypeAlias

from attrs import frozen

from tools.description import ROOT

_GENERATED = "cometchat_openapi"
_CLIENT = "cometchat_rest"
_OVERLAYS = ROOT / "overlays" / _CLIENT

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Definition: TypeAlias = Function | ast.ClassDef


@frozen(eq=False)
class Module:
    """The source of one module.

    Attributes:
        imports: the module and the name that each imported name comes from.
        definitions: its functions and classes.
    """

    name: str
    path: Path
    text: str
    tree: ast.Module
    imports: dict[str, tuple[str, str]]
    definitions: dict[str, Definition]

    @property
    def is_generated(self) -> bool:
        return self.name.split(".")[0] == _GENERATED


#: All modules that a name can lead to.
Modules: TypeAlias = dict[str, Module]
#: A module, and a definition in it; `None` for the module itself.
Found: TypeAlias = tuple[Module, Definition | None]


def _read(package: str, folder: Path) -> Modules:
    modules = [_module(package, folder, path) for path in sorted(folder.rglob("*.py"))]
    return {module.name: module for module in modules}


def _module(package: str, folder: Path, path: Path) -> Module:
    *parents, last = path.relative_to(folder).with_suffix("").parts
    holder = ".".join([package, *parents])
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    imports: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            origin = resolve_name("." * node.level + (node.module or ""), holder)
            imports |= {each.asname or each.name: (origin, each.name) for each in node.names}
    return Module(
        name=holder if last == "__init__" else f"{holder}.{last}",
        path=path,
        text=text,
        tree=tree,
        imports=imports,
        definitions={node.name: node for node in tree.body if isinstance(node, Definition)},
    )


def public_names() -> set[str]:
    """The names that users can import from the client, without those of the models."""
    modules = _read(_CLIENT, _OVERLAYS)
    exporting = [modules[name] for name in (_CLIENT, f"{_CLIENT}.errors") if name in modules]
    return {name for each in exporting for name in (*each.imports, *each.definitions)}


def problems(generated: Path) -> list[str]:
    """One line for each place in an overlay that does not fit the generated package."""
    overlays = _read(_CLIENT, _OVERLAYS)
    modules = {**overlays, **_read(_GENERATED, generated)}
    lines = [
        f"{module.path.relative_to(ROOT)}: {text}"
        for module in overlays.values()
        for text in (*_absences(modules, module), *_missing_marks(modules, module))
    ]
    return [*dict.fromkeys(lines)]


def _find(modules: Modules, module: Module, name: str) -> Found | None:
    """Find what a name of a module stands for."""
    if name in module.definitions:
        return module, module.definitions[name]
    origin, original = module.imports.get(name, ("", ""))
    if f"{origin}.{original}" in modules:
        return modules[f"{origin}.{original}"], None
    return _find(modules, modules[origin], original) if origin in modules else None


def _resolve(modules: Modules, module: Module, node: ast.AST) -> Found | None:
    """Find what an expression such as `name` or `module.name` stands for."""
    if isinstance(node, ast.Name):
        return _find(modules, module, node.id)
    if not isinstance(node, ast.Attribute):
        return None
    holder, definition = _resolve(modules, module, node.value) or (None, None)
    return None if holder is None or definition else _find(modules, holder, node.attr)


def _generated(modules: Modules, module: Module, node: ast.AST) -> Found | None:
    """What an expression stands for, if that is generated."""
    found = _resolve(modules, module, node)
    return found if found is not None and found[0].is_generated else None


def _arguments(definition: Definition) -> set[str]:
    """The names of the arguments of a function, or of a model."""
    if isinstance(definition, ast.ClassDef):
        fields = [node.target for node in definition.body if isinstance(node, ast.AnnAssign)]
        names = {name.id.removeprefix("_set_") for name in fields if isinstance(name, ast.Name)}
        return {"additional_properties", *names}
    args = definition.args
    return {each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)}


def _methods(cls: ast.ClassDef) -> dict[str, Function]:
    return {node.name: node for node in cls.body if isinstance(node, Function)}


def _resources(modules: Modules, module: Module) -> Iterator[tuple[ast.ClassDef, ast.ClassDef]]:
    """The classes that extend the generated methods of a tag, and the generated classes."""
    classes = [node for node in module.definitions.values() if isinstance(node, ast.ClassDef)]
    for cls in classes:
        for base in cls.bases:
            owner, original = _generated(modules, module, base) or (module, None)
            if isinstance(original, ast.ClassDef) and owner.name != f"{_GENERATED}.api":
                yield cls, original


# Names that are not generated any more.


def _absences(modules: Modules, module: Module) -> Iterator[str]:
    for origin, name in module.imports.values():
        if origin.split(".")[0] == _GENERATED and not _has(modules, origin, name):
            yield f"uses {origin}.{name}, which is not generated any more"
    for call in ast.walk(module.tree):
        if isinstance(call, ast.Call):
            yield from _absent_arguments(modules, module, call)
    yield from _changed_arguments(modules, module)


def _has(modules: Modules, origin: str, name: str) -> bool:
    if f"{origin}.{name}" in modules:
        return True
    return origin in modules and bool(re.search(rf"\b{re.escape(name)}\b", modules[origin].text))


def _changed_arguments(modules: Modules, module: Module) -> Iterator[str]:
    """Yield the arguments of generated methods that the methods in their place lack."""
    for cls, original in _resources(modules, module):
        own = _methods(cls)
        for name, method in _methods(original).items():
            for argument in sorted(_arguments(method) - _arguments(own.get(name, method))):
                yield f"{cls.name}.{name} lacks {argument}, an argument of the generated method"


def _absent_arguments(modules: Modules, module: Module, call: ast.Call) -> Iterator[str]:
    owner, definition = _generated(modules, module, call.func) or (module, None)
    if definition is not None:
        for keyword in call.keywords:
            if keyword.arg not in (None, *_arguments(definition)):
                place = f"{owner.name}.{definition.name}"
                yield f"passes {keyword.arg} to {place}, which has no such argument"


# Operations that are deprecated.


def _missing_marks(modules: Modules, module: Module) -> Iterator[str]:
    """Yield the public methods that type checkers do not know to be deprecated."""
    for cls, _ in _resources(modules, module):
        for name, method in _methods(cls).items():
            is_marked = any("deprecated" in ast.dump(each) for each in method.decorator_list)
            texts = _deprecations(modules, module, method, set())
            text = None if is_marked or name.startswith("_") else next(texts, None)
            if text is not None:
                yield (
                    f"{cls.name}.{name} uses a deprecated operation; import `deprecated` from"
                    f" cometchat_runtime.operation, and write above it: @deprecated({text})"
                )


def _deprecations(
    modules: Modules, module: Module, node: ast.AST, seen: set[ast.AST]
) -> Iterator[str]:
    """The texts of the deprecated operations that some code uses, also through other overlays."""
    seen.add(node)
    for each in ast.walk(node):
        owner, definition = _resolve(modules, module, each) or (module, None)
        if owner.is_generated:
            yield from re.findall(r"^    deprecated=(.*),$", owner.text, re.MULTILINE)
        elif definition is not None and definition not in seen:
            yield from _deprecations(modules, owner, definition, seen)
