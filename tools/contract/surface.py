"""Lists the public names of the Python package, and compares two such lists. griffe reads them
from the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

import griffe
from attrs import frozen

PACKAGE = "cometchat_rest"
GENERATED = "cometchat_openapi"


@frozen
class NameChange:
    """A public name that was added, removed or changed."""

    name: str
    change: str
    breaking: bool


@cache
def load(root: Path) -> Mapping[str, griffe.Object]:
    """Return every public object of a tree, by its public name.

    These are the names that the package and the simulator export, their public members, and the
    resources of a client. An export without a target is left out.
    """
    modules = _modules(root)
    package, models = modules[PACKAGE], modules[f"{GENERATED}.models"]
    found: dict[str, griffe.Object] = {}
    # `cometchat_rest` also exports the models and the errors.
    for holder, prefix in (
        (models, ""),
        (package["errors"], ""),
        (package, ""),
        (package["testing"], "testing."),
    ):
        for name in exports(holder):
            with suppress(KeyError, griffe.AliasResolutionError):
                _add(found, f"{prefix}{name}", _target(holder[name]))
    for resource in resources(root):
        _add(found, resource.name, resource)
        # Clients create the resources, so their constructors are not public.
        del found[f"{resource.name}.__init__"]
    return _without_inherited(found)


def exports(module: griffe.Object) -> list[str]:
    """Return the names that a module exports.

    `cometchat_rest` computes its `__all__`; its imports for type checkers name the same objects.
    """
    if module.exports:
        return [str(name) for name in module.exports]
    names = [
        name
        for name, path in module.imports.items()
        if path.startswith((f"{PACKAGE}.", f"{GENERATED}."))
    ]
    # Submodules come last, so that a class is listed under its shortest name.
    return sorted(names, key=lambda name: isinstance(module.members[name], griffe.Module))


@cache
def resources(root: Path) -> list[griffe.Object]:
    """Return the classes of the resources, such as `Roles` and `AsyncRoles`: the cached
    properties of both clients."""
    modules = _modules(root)
    package = modules[PACKAGE]
    paths = [
        str(getattr(member.annotation, "canonical_path", ""))
        for client in ("Client", "AsyncClient")
        for member in map(_target, _target(package[client]).all_members.values())
        if "cached" in member.labels and isinstance(member, griffe.Attribute)
    ]
    return [_target(modules[path]) for path in paths]


def sources(root: Path) -> dict[str, bytes]:
    """Return the Python source files of the package, by path in the tree."""
    paths = (path for part in ("overlays", "generated") for path in (root / part).rglob("*.py"))
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


@cache
def _modules(root: Path) -> griffe.ModulesCollection:
    loader = griffe.GriffeLoader(
        search_paths=[root / "overlays", root / "generated"], allow_inspection=False
    )
    loader.load(GENERATED)
    loader.load(PACKAGE)
    loader.resolve_aliases(external=False)
    return loader.modules_collection


def _target(member: griffe.Object | griffe.Alias) -> griffe.Object:
    target = member.final_target if isinstance(member, griffe.Alias) else member
    assert isinstance(target, griffe.Object)
    return target


def _add(found: dict[str, griffe.Object], name: str, target: griffe.Object) -> None:
    """Add an object and its public members. A class with two names is added under the first name
    only."""
    if isinstance(target, griffe.Class) and target in found.values():
        return
    found[name] = target
    if isinstance(target, griffe.Class):
        keys = [key for key in target.all_members if key == "__init__" or not key.startswith("_")]
    elif isinstance(target, griffe.Module):
        own = [
            key for key, member in target.members.items() if not isinstance(member, griffe.Alias)
        ]
        keys = (
            exports(target) if target.exports else [key for key in own if not key.startswith("_")]
        )
    else:
        return
    for key in keys:
        _add(found, f"{name}.{key}", _target(target.all_members[key]))


def _without_inherited(found: dict[str, griffe.Object]) -> dict[str, griffe.Object]:
    """Leave out the members that a class inherits from a public base class."""
    owners = list(found.values())

    def is_own(name: str, target: griffe.Object) -> bool:
        owner = found.get(_owner(name))
        return owner is None or target.parent is owner or target.parent not in owners

    return {name: target for name, target in found.items() if is_own(name, target)}


def changes(old: Mapping[str, griffe.Object], new: Mapping[str, griffe.Object]) -> list[NameChange]:
    """Return what changed about the public names; members of an added or removed object are not
    listed again."""
    removed = [name for name in old if name not in new and _owner(name) in ("", "testing", *new)]
    found = [NameChange(name, "removed", breaking=True) for name in removed]
    for name, target in new.items():
        if name in old:
            found += (
                NameChange(name, change, breaking)
                for change, breaking in _changed(old[name], target)
            )
        elif _owner(name) in ("", "testing", *old):
            needed = _is_required(target)
            found.append(
                NameChange(name, "added, and required" if needed else "added", breaking=needed)
            )
    return [*found, *dict.fromkeys(_arguments(old, new))]


def _owner(name: str) -> str:
    return name.rpartition(".")[0]


def _is_required(target: griffe.Object) -> bool:
    """Whether an attribute is an argument that every caller has to pass. Users construct only
    the inputs."""
    return (
        isinstance(target, griffe.Attribute)
        and target.parent is not None
        and target.parent.name.endswith("Input")
        and target.annotation is not None
        and (target.value is None or "default" not in str(target.value))
    )


def _changed(old: griffe.Object, new: griffe.Object) -> Iterator[tuple[str, bool]]:
    if old.kind is not new.kind:
        yield f"was a {old.kind.value}, is a {new.kind.value}", True
    elif isinstance(old, griffe.Attribute) and isinstance(new, griffe.Attribute):
        yield from _type("type", str(old.annotation), str(new.annotation), is_input=False)
    elif isinstance(old, griffe.Class) and isinstance(new, griffe.Class):
        removed = {str(base): None for base in old.bases}.keys() - set(map(str, new.bases))
        yield from ((f"no longer a {base}", True) for base in sorted(removed))
    elif isinstance(old, griffe.Function) and isinstance(new, griffe.Function):
        yield from _parameters(old, new)
        yield from _type("result", str(old.returns), str(new.returns), is_input=False)


def _parameters(old: griffe.Function, new: griffe.Function) -> Iterator[tuple[str, bool]]:
    known = {parameter.name: str(parameter.annotation) for parameter in old.parameters}
    for parameter in new.parameters:
        name = parameter.name
        if name in known:
            yield from _type(
                f"parameter {name}", known[name], str(parameter.annotation), is_input=True
            )
        elif not parameter.required:
            yield f"parameter {name} added", False


def _arguments(
    old: Mapping[str, griffe.Object], new: Mapping[str, griffe.Object]
) -> Iterator[NameChange]:
    """Yield the changed arguments that griffe finds in functions and methods."""
    names = {target.path: name for name, target in new.items()}
    for name, target in new.items():
        if name in old and isinstance(target, griffe.Class | griffe.Module):
            for breakage in griffe.find_breaking_changes(old[name], target):
                if breakage.obj.path in names and breakage.kind.name.startswith("PARAMETER_"):
                    argument = breakage.old_value or breakage.new_value
                    change = f"{breakage.kind.value.lower()}: {argument.name}"
                    yield NameChange(names[breakage.obj.path], change, breaking=True)


def _type(what: str, old: str, new: str, *, is_input: bool) -> Iterator[tuple[str, bool]]:
    """A change of a type: an argument may become wider, a result may become narrower."""
    # Without an annotation nothing can be compared.
    if old != new and "None" not in (old, new):
        wide, narrow = (
            set(re.split(r" \| (?![^\[]*\])", each))
            for each in ((new, old) if is_input else (old, new))
        )
        # Type checkers accept an int wherever a float is expected.
        compatible = narrow <= wide | ({"int"} if "float" in wide else set())
        yield f"{what}: was {old}, is {new}", not compatible
