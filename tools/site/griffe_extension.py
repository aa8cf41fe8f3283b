"""A griffe extension for the reference: constructors of attrs classes, `#:` comments, types of
attributes, links.

griffe-fieldz adds only the fields of attrs classes, as another section of the docstring, and needs
a package more.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from itertools import takewhile
from pydoc import locate
from typing import Any

import griffe

from tools.site.links import with_links

_COMMENT = re.compile(r"\s*#: ?(.*)")


class Additions(griffe.Extension):
    """Adds facts that griffe does not find in the source."""

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Give an attrs class with `Args` in its docstring its constructor of run time."""
        if (
            "__init__" not in cls.members
            and cls.docstring is not None
            and "\nArgs:\n" in cls.docstring.value
        ):
            signature = inspect.signature(locate(cls.path).__init__)  # type: ignore[misc]  # every class has a constructor
            parameters = griffe.Parameters(
                *(_parameter(each, cls) for each in signature.parameters.values())
            )
            cls.set_member(
                "__init__", griffe.Function("__init__", parameters=parameters, parent=cls)
            )

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Give an attribute without a type the type of the constructor argument of the same
        name."""
        init = cls.members.get("__init__")
        given = (
            {each.name: each.annotation for each in init.parameters}
            if isinstance(init, griffe.Function)
            else {}
        )
        for attribute in cls.attributes.values():
            if isinstance(attribute, griffe.Attribute) and attribute.annotation is None:
                attribute.annotation = given.get(attribute.name)

    def on_attribute(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Use the comment `#:` above an attribute as its docstring."""
        if (
            attr.docstring is None
            and attr.lineno is not None
            and isinstance(attr.parent, griffe.Module)
        ):
            above = reversed(attr.parent.lines[: attr.lineno - 1])
            comment = [
                found[1] for found in takewhile(bool, map(_COMMENT.fullmatch, above)) if found
            ]
            if comment:
                attr.docstring = griffe.Docstring("\n".join(reversed(comment)), parent=attr)

    def on_module_members(self, *, mod: griffe.Module, **_: Any) -> None:
        """Export the names that a module imports as themselves, as type checkers do."""
        if mod.exports is None:
            mod.exports = [name for name in mod.members if f" as {name}\n" in f"{mod.source}\n"]

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Give a method without a docstring that of the method it overrides, as `help()` and
        editors do."""
        for cls in _classes(pkg):
            for function in cls.functions.values():
                if function.docstring is None and not function.is_alias:
                    above = (
                        base.members[function.name]
                        for base in cls.mro()
                        if function.name in base.members
                    )
                    function.docstring = next(
                        (method.docstring for method in above if method.docstring), None
                    )

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Add links to a docstring."""
        if obj.docstring is not None:
            obj.docstring.value = with_links(obj.docstring.value)


def _classes(module: griffe.Module) -> Iterator[griffe.Class]:
    for member in module.members.values():
        if isinstance(member, griffe.Class):
            yield member
        elif isinstance(member, griffe.Module):
            yield from _classes(member)


def _parameter(given: inspect.Parameter, cls: griffe.Class) -> griffe.Parameter:
    nothing = inspect.Parameter.empty
    return griffe.Parameter(
        given.name,
        kind=griffe.ParameterKind(given.kind.description),
        annotation=None if given.annotation is nothing else _expression(str(given.annotation), cls),
        default=None if given.default is nothing else repr(given.default),
    )


def _expression(annotation: str, cls: griffe.Class) -> griffe.Expr | str | None:
    return griffe.safe_get_annotation(ast.parse(annotation, mode="eval").body, parent=cls)
