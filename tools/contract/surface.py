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

#: Special methods that every object has, and one that only attrs calls.
_NOT_PUBLIC = {*dir(object), "__attrs_post_init__"}

#: Public objects by their public names.
Names: TypeAlias = Mapping[str, Object]
Exports: TypeAlias = dict[str, Object]
#: Changes of one object, and whether each is breaking.
Changes: TypeAlias = Iterator[tuple[str, bool]]


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
    names: Exports = {}
    for name, target in exported.items():
        _add(names, name, target, exported)
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
    packages = tuple(f"{package}." for package in FOLDERS.values())
    names = []
    submodules = []
    for name, path in module.imports.items():
        if isinstance(module.members[name], Module):
            submodules.append(name)
        elif path.startswith(packages):
            names.append(name)
    # A class is listed under its shortest name.
    return names + submodules


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


def _exported(module: Object, prefix: str = "") -> Exports:
    exported: Exports = {}
    for name in exports(module):
        with suppress(KeyError, AliasResolutionError):
            exported[prefix + name] = _target(module[name])
    return exported


def _resources(modules: ModulesCollection) -> Exports:
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


def _add(names: Exports, name: str, target: Object, exported: Exports) -> None:
    """Add an object and its public members, without those of a public base class. A class with two
    names is added under the first name only."""
    if isinstance(target, Class) and target in names.values():
        return
    names[name] = target
    for key in _public_members(target):
        member = _target(target.all_members[key])
        is_own = member.parent is target
        if is_own or member.parent not in exported.values():
            _add(names, f"{name}.{key}", member, exported)


def _public_members(target: Object) -> list[str]:
    if isinstance(target, Module):
        return exports(target)
    if not isinstance(target, Class):
        return []
    return [key for key, member in target.all_members.items() if _is_public(key, member)]


def _is_public(name: str, member: Object | Alias) -> bool:
    """Whether a member of a class is public: so are its constructor, and the special methods that
    not every object has, such as `__iter__`."""
    if not name.startswith("_"):
        return True
    is_special = name.endswith("__") and name not in _NOT_PUBLIC
    # `__iter__ = None` takes a method away.
    return name == "__init__" or (is_special and member.is_function)


def changes(old: Names, new: Names, sent: Collection[str] = ()) -> list[NameChange]:
    """Return what changed about the public names; members of an added or removed object are not
    listed again.

    `sent` has the models that users construct, because only requests have them. Their fields are
    arguments.
    """
    removed = [name for name in old if name not in new and _has_owner(name, new)]
    changed = [NameChange(name, "removed", breaking=True) for name in removed]
    for name, target in new.items():
        if name in old:
            is_argument = _owner(name) in sent
            for change, breaking in _changes(old[name], target, is_argument=is_argument):
                changed.append(NameChange(name, change, breaking))
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
    owner = _owner(name)
    is_constructed = owner in sent or owner.endswith("Input")
    if is_constructed and _is_required(target):
        return NameChange(name, "added, and required", breaking=True)
    return NameChange(name, "added", breaking=False)


def _is_required(target: Object) -> bool:
    """Whether an attribute is an argument that every caller of the constructor has to pass."""
    if not isinstance(target, Attribute) or target.annotation is None:
        return False
    if target.value is None:
        return True
    value = str(target.value)
    has_default = "default" in value or "factory" in value
    return value.startswith("field(") and not has_default


# The changes of one object, and whether each is breaking.


def _changes(old: Object, new: Object, *, is_argument: bool) -> Changes:
    if old.kind is not new.kind:
        yield f"was a {old.kind.value}, is a {new.kind.value}", True
    elif isinstance(old, Attribute) and isinstance(new, Attribute):
        yield from _changes_of_attribute(old, new, is_argument=is_argument)
    elif isinstance(old, Function) and isinstance(new, Function):
        if _declaration(old) != _declaration(new):
            yield f"was {_declaration(old)}, is {_declaration(new)}", True
        yield from _changes_of_parameters(old, new)
        yield from _retyped("result", old.returns, new.returns, is_argument=False)
    elif isinstance(old, Class) and isinstance(new, Class):
        yield from _lost_bases(old, new)


def _declaration(function: Function) -> str:
    """The words that decide how a function is called."""
    decorators = [
        f"@{name} " for name in ("classmethod", "staticmethod") if name in function.labels
    ]
    keyword = "async def" if "async" in function.labels else "def"
    return "".join([*decorators, keyword])


def _lost_bases(old: Class, new: Class) -> Changes:
    kept = _bases(new)
    for base in _bases(old):
        if base not in kept and not base.startswith("_"):
            yield f"no longer a {base}", True


def _bases(target: Class) -> dict[str, None]:
    """The base classes of a class, and their base classes, without type arguments."""
    bases = [base for each in (target, *target.mro()) for base in each.bases]
    return dict.fromkeys(str(base).partition("[")[0] for base in bases)


def _changes_of_attribute(old: Attribute, new: Attribute, *, is_argument: bool) -> Changes:
    if old.annotation is None and new.annotation is None:
        # The set of known values. The description says whether it is closed.
        return _retyped("values", _values(old), _values(new), is_argument=True)
    return _retyped("type", old.annotation, new.annotation, is_argument=is_argument)


def _values(attribute: Attribute) -> str | None:
    """The values of a set such as `Category = Literal["word", "pattern"]`."""
    value = str(attribute.value)
    return value if value.startswith("Literal[") else None


def _changes_of_parameters(old: Function, new: Function) -> Changes:
    older = {parameter.name: parameter for parameter in old.parameters}
    for parameter in new.parameters:
        subject = f"parameter {parameter.name}"
        if parameter.name in older:
            before = older[parameter.name].annotation
            after = parameter.annotation
            yield from _retyped(subject, before, after, is_argument=True)
        elif not parameter.required:
            yield f"{subject} added", False
    for breakage in find_breaking_changes(_holder(old), _holder(new)):
        if breakage.kind.name.startswith("PARAMETER_"):
            parameter = breakage.old_value or breakage.new_value
            yield f"{breakage.kind.value.lower()}: {parameter.name}", True


def _holder(function: Function) -> Module:
    """A module with one function: griffe compares the members of two objects."""
    holder = Module("holder")
    holder.members["function"] = function
    return holder


# The changes of a type.


def _retyped(subject: str, old: object, new: object, *, is_argument: bool) -> Changes:
    """An argument may accept more, and a result may be less."""
    before = str(old)
    after = str(new)
    # Without an annotation nothing can be compared.
    if before == after or "None" in (before, after):
        return
    fits = _accepts(after, before) if is_argument else _accepts(before, after)
    yield f"{subject}: was {before}, is {after}", not fits


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
    members = set()
    for member in re.split(r" \| (?![^\[]*\])", annotation):
        literal = re.fullmatch(r"Literal\[(.*)\]", member)
        if literal is None:
            members.add(member)
        else:
            members |= {f"Literal[{value}]" for value in literal[1].split(", ")}
    return members
