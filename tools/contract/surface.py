"""Lists the public names of the Python packages, and compares two such lists. griffe reads them
from the source."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeAlias

from attrs import frozen
from griffe import (
    Alias,
    AliasResolutionError,
    Attribute,
    Class,
    Function,
    GriffeLoader,
    Module,
    ModulesCollection,
    Object,
    find_breaking_changes,
)

PACKAGE = "cometchat_rest"
TESTING = "cometchat_testing"
#: The folders of a tree, and the package in each. A tree may lack some of them.
FOLDERS = {
    "runtime": "cometchat_runtime",
    "generated": "cometchat_openapi",
    "overlays": PACKAGE,
    "testing": TESTING,
}

#: Public objects by their public names.
Names: TypeAlias = Mapping[str, Object]


@frozen
class NameChange:
    """A public name that was added, removed or changed."""

    name: str
    change: str
    breaking: bool


@cache
def load(root: Path) -> Names:
    """Return every public object of a tree, by its public name.

    These are the names that the client and the simulator export, their public members, and the
    resources of a client. An export without a target is left out.
    """
    modules = _modules(root)
    client = modules[PACKAGE]
    # `cometchat_rest` also exports the models and the errors.
    exported = _exported(modules["cometchat_openapi.models"])
    exported |= _exported(client["errors"]) | _exported(client)
    if TESTING in modules:
        exported |= _exported(modules[TESTING], prefix=f"{TESTING}.")
    resources = _resources(modules)
    # An overlay may have replaced a generated class.
    exported = resources | exported
    names: dict[str, Object] = {}
    for name, target in exported.items():
        _add(names, name, target, exported.values())
    for name in resources:
        # Clients create the resources.
        names.pop(f"{name}.__init__", None)
    return names


def exports(module: Object) -> list[str]:
    """Return the names that a module exports.

    `cometchat_rest` computes its `__all__`; its imports for type checkers name the same objects.
    """
    if module.exports:
        return [str(name) for name in module.exports]
    packages = {f"{package}." for package in FOLDERS.values()}
    names = [name for name, path in module.imports.items() if path.startswith(tuple(packages))]
    # Submodules come last, so that a class is listed under its shortest name.
    return sorted(names, key=lambda name: isinstance(module.members[name], Module))


def sources(root: Path) -> dict[str, bytes]:
    """Return the Python source files of the packages, by path in the tree."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for folder in FOLDERS
        for path in (root / folder).rglob("*.py")
    }


@cache
def _modules(root: Path) -> ModulesCollection:
    loader = GriffeLoader(
        search_paths=[root / folder for folder in FOLDERS],
        allow_inspection=False,
    )
    for folder, package in FOLDERS.items():
        if (root / folder / package).is_dir():
            loader.load(package)
    loader.resolve_aliases(external=False)
    return loader.modules_collection


def _exported(module: Object, prefix: str = "") -> dict[str, Object]:
    exported = {}
    for name in exports(module):
        with suppress(KeyError, AliasResolutionError):
            exported[prefix + name] = _target(module[name])
    return exported


def _resources(modules: ModulesCollection) -> dict[str, Object]:
    """The generated classes of the resources."""
    return {
        name: member
        for module in modules["cometchat_openapi.api"].modules.values()
        for name, member in module.classes.items()
        if isinstance(member, Class)
    }


def _target(member: Object | Alias) -> Object:
    target = member.final_target if isinstance(member, Alias) else member
    assert isinstance(target, Object)
    return target


def _add(names: dict[str, Object], name: str, target: Object, exported: Collection[Object]) -> None:
    """Add an object and its public members, without those of a public base class. A class with two
    names is added under the first name only."""
    if isinstance(target, Class) and target in names.values():
        return
    names[name] = target
    keys: list[str] = []
    if isinstance(target, Class):
        keys = [key for key in target.all_members if key == "__init__" or not key.startswith("_")]
    elif isinstance(target, Module):
        keys = exports(target)
    for key in keys:
        member = _target(target.all_members[key])
        if member.parent is target or member.parent not in exported:
            _add(names, f"{name}.{key}", member, exported)


def changes(old: Names, new: Names, sent: Collection[str] = ()) -> list[NameChange]:
    """Return what changed about the public names; members of an added or removed object are not
    listed again.

    `sent` has the models that users construct, because only requests have them. Their fields are
    arguments.
    """
    changed = [
        NameChange(name, "removed", breaking=True)
        for name in old
        if name not in new and _has_owner(name, new)
    ]
    for name, target in new.items():
        if name in old:
            is_argument = _owner(name) in sent
            changed += _changed(name, old[name], target, is_argument=is_argument)
        elif _has_owner(name, old):
            changed.append(_added(name, target, sent))
    return changed


def _owner(name: str) -> str:
    return name.rpartition(".")[0]


def _has_owner(name: str, names: Names) -> bool:
    """Whether some names have the object that a name belongs to."""
    owner = _owner(name)
    return owner in ("", TESTING) or owner in names


def _added(name: str, target: Object, sent: Collection[str]) -> NameChange:
    is_constructed = _owner(name).endswith("Input") or _owner(name) in sent
    if is_constructed and _is_required(target):
        return NameChange(name, "added, and required", breaking=True)
    return NameChange(name, "added", breaking=False)


def _is_required(target: Object) -> bool:
    """Whether an attribute is an argument that every caller of the constructor has to pass."""
    if not isinstance(target, Attribute) or target.annotation is None:
        return False
    value = str(target.value)
    has_default = "default" in value or "factory" in value
    return target.value is None or (value.startswith("field(") and not has_default)


def _changed(name: str, old: Object, new: Object, *, is_argument: bool) -> Iterator[NameChange]:
    if old.kind is not new.kind:
        yield NameChange(name, f"was a {old.kind.value}, is a {new.kind.value}", breaking=True)
        return
    match old, new:
        case Attribute(annotation=None), Attribute(annotation=None):
            # The set of known values. The description says whether it is closed.
            yield from _retyped(name, "values", _values(old), _values(new), is_argument=True)
        case Attribute(), Attribute():
            types = (old.annotation, new.annotation)
            yield from _retyped(name, "type", *types, is_argument=is_argument)
        case Function(), Function():
            yield from _parameters(name, old, new)
            yield from _retyped(name, "result", old.returns, new.returns, is_argument=False)
        case Class(), Class():
            bases = [str(base) for base in new.bases]
            for base in map(str, old.bases):
                if base not in bases:
                    yield NameChange(name, f"no longer a {base}", breaking=True)


def _values(attribute: Attribute) -> str | None:
    """The values of a set such as `Category = Literal["word", "pattern"]`."""
    value = str(attribute.value)
    return value if value.startswith("Literal[") else None


def _parameters(name: str, old: Function, new: Function) -> Iterator[NameChange]:
    older = {parameter.name: parameter for parameter in old.parameters}
    for parameter in new.parameters:
        subject = f"parameter {parameter.name}"
        if parameter.name in older:
            types = (older[parameter.name].annotation, parameter.annotation)
            yield from _retyped(name, subject, *types, is_argument=True)
        elif not parameter.required:
            yield NameChange(name, f"{subject} added", breaking=False)
    for breakage in find_breaking_changes(_holder(old), _holder(new)):
        if breakage.kind.name.startswith("PARAMETER_"):
            argument = breakage.old_value or breakage.new_value
            change = f"{breakage.kind.value.lower()}: {argument.name}"
            yield NameChange(name, change, breaking=True)


def _holder(function: Function) -> Module:
    """A module with one function: griffe compares the members of two objects."""
    holder = Module("holder")
    holder.members["function"] = function
    return holder


def _retyped(
    name: str, subject: str, old: object, new: object, *, is_argument: bool
) -> Iterator[NameChange]:
    """An argument may accept more, and a result may be less."""
    before = str(old)
    after = str(new)
    # Without an annotation nothing can be compared.
    if before == after or "None" in (before, after):
        return
    fits = _accepts(after, before) if is_argument else _accepts(before, after)
    yield NameChange(name, f"{subject}: was {before}, is {after}", breaking=not fits)


def _accepts(wide: str, narrow: str) -> bool:
    """Whether a type has every member of the union that another type is."""
    accepted = _members(wide)
    if "float" in accepted:
        # Type checkers accept an int wherever a float is expected.
        accepted.add("int")
    members = _members(narrow)
    if "str" in accepted:
        members = {member for member in members if not member.startswith("Literal['")}
    return members <= accepted


def _members(annotation: str) -> set[str]:
    """The members of a union, such as `list[A | B]` and `None`, and each value of a `Literal`."""
    members: set[str] = set()
    for member in re.split(r" \| (?![^\[]*\])", annotation):
        if member.startswith("Literal["):
            values = member.removeprefix("Literal[").removesuffix("]").split(", ")
            members |= {f"Literal[{value}]" for value in values}
        else:
            members.add(member)
    return members
