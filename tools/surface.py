"""What users of the Python package can name, and what a change of it does to them; read from source with griffe."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import griffe
from attrs import frozen

PACKAGE = "cometchat_rest"
GENERATED = "cometchat_openapi"


@frozen
class NameChange:
    """One name that came, went, or is something else."""

    name: str
    change: str
    breaking: bool


def load(root: Path) -> dict[str, griffe.Object]:
    """Everything public in a tree of this repository, by the name users know it under.

    That is: what the package and the simulator export, with what is in it, and the resources that a client has. An
    export that leads nowhere is not there.
    """
    modules = _modules(root)
    package = modules[PACKAGE]
    found: dict[str, griffe.Object] = {}
    for holder, prefix in ((package, ""), (package["testing"], "testing.")):
        for name in holder.exports or ():
            with suppress(KeyError, griffe.AliasResolutionError):
                _enter(found, f"{prefix}{name}", _target(holder[str(name)]))
    for client in ("Client", "AsyncClient"):
        for member in _target(package[client]).attributes.values():
            kind = str(getattr(member.annotation, "canonical_path", ""))
            if "cached" in member.labels and kind.startswith(f"{PACKAGE}."):
                resource = _target(modules[kind])
                _enter(found, resource.name, resource)
                # Clients make them, not users.
                del found[f"{resource.name}.__init__"]
    return _own(found)


def gone(root: Path) -> Iterator[tuple[str, str]]:
    """Every import of generated code in the overlays that leads nowhere: the file, and what it asks for."""
    modules = _modules(root)
    for path in sorted((root / "overlays").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == GENERATED:
                for name in (f"{node.module}.{each.name}" for each in node.names):
                    try:
                        modules[name]
                    except KeyError:
                        yield path.relative_to(root).as_posix(), name


@cache
def _modules(root: Path) -> griffe.ModulesCollection:
    loader = griffe.GriffeLoader(search_paths=[root / "overlays", root / "generated"], allow_inspection=False)
    loader.load(GENERATED)
    loader.load(PACKAGE)
    loader.resolve_aliases(external=False)
    return loader.modules_collection


def _target(member: griffe.Object | griffe.Alias) -> griffe.Object:
    target = member.final_target if isinstance(member, griffe.Alias) else member
    assert isinstance(target, griffe.Object)
    return target


def _enter(found: dict[str, griffe.Object], name: str, there: griffe.Object) -> None:
    """Enter what is there and, of a class or module, what is public in it; a class with two names under the first."""
    if isinstance(there, griffe.Class) and there in found.values():
        return
    found[name] = there
    if isinstance(there, griffe.Class | griffe.Module):
        for key, member in there.all_members.items():
            imported = isinstance(member, griffe.Alias) and isinstance(there, griffe.Module)
            if key == "__init__" or not (key.startswith("_") or imported):
                _enter(found, f"{name}.{key}", _target(member))


def _own(found: dict[str, griffe.Object]) -> dict[str, griffe.Object]:
    """What is public, without the members of classes whose base, where they come from, is public as well."""
    owners = list(found.values())

    def is_own(name: str, there: griffe.Object) -> bool:
        owner = found.get(_owner(name))
        return owner is None or there.parent is owner or there.parent not in owners

    return {name: there for name, there in found.items() if is_own(name, there)}


def changes(old: dict[str, griffe.Object], new: dict[str, griffe.Object]) -> list[NameChange]:
    """What became of every public name; what is in something that came or went goes without saying."""
    gone = [name for name in old if name not in new and _owner(name) in ("", "testing", *new)]
    found = [NameChange(name, "removed", breaking=True) for name in gone]
    for name, there in new.items():
        if name in old:
            found += (NameChange(name, change, breaking) for change, breaking in _changed(old[name], there))
        elif _owner(name) in ("", "testing", *old):
            needed = _is_required(there)
            found.append(NameChange(name, "added, and required" if needed else "added", breaking=needed))
    return [*found, *dict.fromkeys(_arguments(old, new))]


def _owner(name: str) -> str:
    return name.rpartition(".")[0]


def _is_required(there: griffe.Object) -> bool:
    """Whether an attribute is an argument that every caller has to give: users make inputs, and we make the rest."""
    return (
        isinstance(there, griffe.Attribute)
        and there.path.startswith(f"{PACKAGE}.keyword_input.")
        and there.annotation is not None
        and (there.value is None or "default" not in str(there.value))
    )


def _changed(old: griffe.Object, new: griffe.Object) -> Iterator[tuple[str, bool]]:
    if old.kind is not new.kind:
        yield f"a {old.kind.value} is a {new.kind.value}", True
    elif isinstance(old, griffe.Attribute) and isinstance(new, griffe.Attribute):
        yield from _type("type", str(old.annotation), str(new.annotation), into=False)
    elif isinstance(old, griffe.Class) and isinstance(new, griffe.Class):
        gone = [str(each) for each in old.bases if str(each) not in map(str, new.bases)]
        yield from ((f"no longer a {each}", True) for each in gone)
    elif isinstance(old, griffe.Function) and isinstance(new, griffe.Function):
        known = {each.name: str(each.annotation) for each in old.parameters}
        for each in new.parameters:
            if each.name in known:
                yield from _type(f"parameter {each.name}", known[each.name], str(each.annotation), into=True)
            elif not each.required:
                yield f"parameter {each.name} added", False
        yield from _type("result", str(old.returns), str(new.returns), into=False)


def _arguments(old: dict[str, griffe.Object], new: dict[str, griffe.Object]) -> Iterator[NameChange]:
    """What griffe says of the arguments of functions and methods; it goes through classes and modules by itself."""
    names = {there.path: name for name, there in new.items()}
    for name, there in new.items():
        if name in old and isinstance(there, griffe.Class | griffe.Module):
            for breakage in griffe.find_breaking_changes(old[name], there):
                if breakage.obj.path in names and breakage.kind.name.startswith("PARAMETER_"):
                    argument = breakage.old_value or breakage.new_value
                    change = f"{breakage.kind.value.lower()}: {argument.name}"
                    yield NameChange(names[breakage.obj.path], change, breaking=True)


def _type(what: str, old: str, new: str, *, into: bool) -> Iterator[tuple[str, bool]]:
    """A change of a type: wider is fine for what goes into a call, narrower for what comes out."""
    # What has no annotation says nothing.
    if old != new and "None" not in (old, new):
        wide, narrow = (set(re.split(r" \| (?![^\[]*\])", each)) for each in ((new, old) if into else (old, new)))
        # Type checkers take an int wherever a float will do.
        fine = narrow <= wide | ({"int"} if "float" in wide else set())
        yield f"{what}: {old} is {new}", not fine
