"""Python modules, read as source: their names, and the definition that a name stands for."""

from __future__ import annotations

import ast
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from attrs import frozen

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Definition: TypeAlias = Function | ast.ClassDef


@frozen(eq=False)
class Module:
    """One module: its name with its package, and its code."""

    name: str
    path: Path
    is_package: bool
    tree: ast.Module

    @cached_property
    def imports(self) -> dict[str, tuple[str, str]]:
        """The module and the name that each imported name comes from."""
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.ImportFrom)]
        return {
            alias.asname or alias.name: (self._origin(node), alias.name)
            for node in nodes
            for alias in node.names
        }

    def _origin(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return str(node.module)
        parts = self.name.split(".")
        package = parts[: len(parts) + self.is_package - node.level]
        return ".".join([*package, *filter(None, [node.module])])

    @cached_property
    def definitions(self) -> dict[str, Definition]:
        """The functions and classes of the module."""
        return {node.name: node for node in self.tree.body if isinstance(node, Definition)}

    @cached_property
    def names(self) -> set[str]:
        """All names that others can import."""
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.Name)]
        assigned = {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
        return {*assigned, *self.imports, *self.definitions}


@frozen
class Found:
    """The module that a name leads to, and the definition in it; `None` for the module itself."""

    module: Module
    definition: Definition | None


@frozen(eq=False)
class Code:
    """The modules of several packages, by name."""

    modules: dict[str, Module]

    @classmethod
    def read(cls, folders: dict[str, Path]) -> Code:
        """Read packages, each in the folder under its name."""
        modules = [
            _module(package, folder, path)
            for package, folder in folders.items()
            for path in sorted(folder.rglob("*.py"))
        ]
        return cls({module.name: module for module in modules})

    def package(self, name: str) -> list[Module]:
        """The modules of one package."""
        return [module for module in self.modules.values() if module.name.split(".")[0] == name]

    def has(self, module: str, name: str) -> bool:
        """Whether a module has a name, or is a package with a module of this name."""
        if f"{module}.{name}" in self.modules:
            return True
        return module in self.modules and name in ("*", *self.modules[module].names)

    def resolve(self, module: Module, node: ast.AST | None) -> Found | None:
        """Find what an expression such as `name` or `module.name` stands for."""
        if isinstance(node, ast.Name):
            return self.find(module, node.id)
        if not isinstance(node, ast.Attribute):
            return None
        holder = self.resolve(module, node.value)
        is_module = holder is not None and holder.definition is None
        return self.find(holder.module, node.attr) if holder and is_module else None

    def find(self, module: Module, name: str) -> Found | None:
        """Find what a name of a module stands for."""
        if name in module.definitions:
            return Found(module, module.definitions[name])
        origin, original = module.imports.get(name, ("", ""))
        if f"{origin}.{original}" in self.modules:
            return Found(self.modules[f"{origin}.{original}"], None)
        return self.find(self.modules[origin], original) if origin in self.modules else None

    def bases(self, module: Module, node: ast.ClassDef) -> list[tuple[Module, ast.ClassDef]]:
        """The classes that a class extends, if this code has them."""
        found = [self.resolve(module, base) for base in node.bases]
        return [
            (each.module, each.definition)
            for each in found
            if each is not None and isinstance(each.definition, ast.ClassDef)
        ]

    def members(self, module: Module, node: ast.ClassDef) -> set[str]:
        """The fields, properties and methods of a class and of its bases."""
        fields = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
        names = {field.id for field in fields if isinstance(field, ast.Name)}
        inherited = [self.members(*base) for base in self.bases(module, node)]
        return names.union(methods(node), *inherited)


def _module(package: str, folder: Path, path: Path) -> Module:
    parts = [package, *path.relative_to(folder).with_suffix("").parts]
    is_package = parts[-1] == "__init__"
    name = ".".join(parts[:-1] if is_package else parts)
    return Module(name, path, is_package, ast.parse(path.read_text("utf-8")))


def methods(node: ast.ClassDef) -> dict[str, Function]:
    """The methods of a class."""
    return {each.name: each for each in node.body if isinstance(each, Function)}


def arguments(node: Function) -> list[str]:
    """The names of the arguments of a function."""
    args = node.args
    return [each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
