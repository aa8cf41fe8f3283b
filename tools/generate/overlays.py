"""What the overlays use of the generated package: names that are not generated any more, and
operations that are deprecated.

Both are read as source, because a package that lacks a name cannot be imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tools.description import ROOT

from .source import Code, Definition, Found, Function, Module, arguments, methods

_RUNTIME = "cometchat_runtime"
_GENERATED = "cometchat_openapi"
_CLIENT = "cometchat_rest"
_GONE = "which is not generated any more"


def public_names() -> set[str]:
    """The names that users can import from the client, without those of the models."""
    modules = Code.read({_CLIENT: ROOT / "overlays" / _CLIENT}).modules
    exporting = [modules[name] for name in (_CLIENT, f"{_CLIENT}.errors") if name in modules]
    return {name for module in exporting for name in module.names}


def problems(generated: Path) -> list[str]:
    """One line for each place in an overlay that does not fit the generated package."""
    folders = {
        _RUNTIME: ROOT / "runtime" / _RUNTIME,
        _GENERATED: generated,
        _CLIENT: ROOT / "overlays" / _CLIENT,
    }
    code = Code.read(folders)
    lines = [
        f"{module.path.relative_to(ROOT)}: {text}"
        for module in code.package(_CLIENT)
        for text in (*_absences(code, module), *_missing_marks(code, module))
    ]
    return [*dict.fromkeys(lines)]


def _is_generated(found: Found | None) -> bool:
    return found is not None and found.module.name.split(".")[0] == _GENERATED


def _generated(code: Code, module: Module, node: ast.AST | None) -> Found | None:
    """What an expression names, if it is a part of the generated package."""
    found = code.resolve(module, node)
    return found if _is_generated(found) else None


# Names that are not generated any more.


def _absences(code: Code, module: Module) -> Iterator[str]:
    for origin, name in module.imports.values():
        if origin.split(".")[0] == _GENERATED and not code.has(origin, name):
            yield f"uses {origin}.{name}, {_GONE}"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute):
            yield from _absent_attribute(code, module, node)
        elif isinstance(node, ast.Call):
            yield from _absent_arguments(code, module, node)
        elif isinstance(node, Function):
            yield from _absent_fields(code, module, node)
        elif isinstance(node, ast.ClassDef):
            yield from _changed_methods(code, module, node)


def _absent_attribute(code: Code, module: Module, node: ast.Attribute) -> Iterator[str]:
    found = _generated(code, module, node.value)
    if found and found.definition is None and not code.has(found.module.name, node.attr):
        yield f"uses {found.module.name}.{node.attr}, {_GONE}"


def _absent_arguments(code: Code, module: Module, node: ast.Call) -> Iterator[str]:
    found = _generated(code, module, node.func)
    if found is None or found.definition is None:
        return
    names = _argument_names(code, found.module, found.definition)
    for keyword in node.keywords:
        if keyword.arg is not None and keyword.arg not in names:
            place = f"{found.module.name}.{found.definition.name}"
            yield f"passes {keyword.arg} to {place}, which has no such argument"


def _argument_names(code: Code, module: Module, definition: Definition) -> set[str]:
    if isinstance(definition, ast.ClassDef):
        return code.members(module, definition)
    return {*arguments(definition)}


def _absent_fields(code: Code, module: Module, function: Function) -> Iterator[str]:
    """Yield the fields that a function uses of a model, and that the model lacks."""
    classes = dict(_variables(code, module, function))
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner, model = classes.get(node.value.id, (None, None))
            if owner and model and node.attr not in code.members(owner, model):
                yield f"uses {model.name}.{node.attr}, {_GONE}"


def _variables(
    code: Code, module: Module, function: Function
) -> Iterator[tuple[str, tuple[Module, ast.ClassDef]]]:
    """The arguments and variables whose class a function names, if it is a generated one."""
    parameters = (*function.args.args, *function.args.kwonlyargs)
    kinds = [(parameter.arg, parameter.annotation) for parameter in parameters]
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            kinds += [(name, node.value.func) for name in names]
    for name, kind in kinds:
        found = _generated(code, module, kind)
        if found is not None and isinstance(found.definition, ast.ClassDef):
            yield name, (found.module, found.definition)


def _changed_methods(code: Code, module: Module, node: ast.ClassDef) -> Iterator[str]:
    """Yield the arguments of a generated method that the method in its place lacks."""
    own = methods(node)
    for _, base in _generated_bases(code, module, node):
        for name, method in methods(base).items():
            missing = {*arguments(method)} - {*arguments(own.get(name, method))}
            for argument in sorted(missing):
                yield f"{node.name}.{name} lacks {argument}, an argument of the generated method"


def _generated_bases(
    code: Code, module: Module, node: ast.ClassDef
) -> list[tuple[Module, ast.ClassDef]]:
    found = code.bases(module, node)
    return [(owner, base) for owner, base in found if _is_generated(Found(owner, base))]


# Operations that are deprecated.


def _missing_marks(code: Code, module: Module) -> Iterator[str]:
    """Yield the public methods that type checkers do not know to be deprecated."""
    for cls in module.definitions.values():
        if not isinstance(cls, ast.ClassDef) or not _is_resource(code, module, cls):
            continue
        for name, method in methods(cls).items():
            texts = map(_deprecated, _operations(code, module, method, set()))
            text = next(filter(None, texts), None)
            if text is not None and not name.startswith("_") and not _is_marked(method):
                yield (
                    f"{cls.name}.{name} uses a deprecated operation; import `deprecated` from"
                    f" {_RUNTIME}.operation, and write above it: @deprecated({text!r})"
                )


def _is_resource(code: Code, module: Module, cls: ast.ClassDef) -> bool:
    """Whether a class extends the generated methods of a tag."""
    tags = f"{_GENERATED}.api."
    return any(owner.name.startswith(tags) for owner, _ in code.bases(module, cls))


def _is_marked(method: Function) -> bool:
    calls = [each.func for each in method.decorator_list if isinstance(each, ast.Call)]
    return any(isinstance(call, ast.Name) and call.id == "deprecated" for call in calls)


def _operations(code: Code, module: Module, node: ast.AST, seen: set[ast.AST]) -> Iterator[Module]:
    """The modules of the operations that some code uses, also through other overlays."""
    seen.add(node)
    for each in ast.walk(node):
        found = code.resolve(module, each)
        if found is None:
            continue
        if "OPERATION" in found.module.names:
            yield found.module
        elif (
            found.definition is not None
            and found.definition not in seen
            and not _is_generated(found)
        ):
            yield from _operations(code, found.module, found.definition, seen)


def _deprecated(operation: Module) -> str | None:
    """The text about what replaces an operation, if it is deprecated."""
    for node in ast.walk(operation.tree):
        if isinstance(node, ast.keyword) and node.arg == "deprecated":
            return str(ast.literal_eval(node.value))
    return None
