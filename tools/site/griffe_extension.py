"""A griffe extension for the reference: constructors of attrs classes, `#:` comments, types of
attributes, links.

griffe-fieldz adds only the fields of attrs classes, as another section of the docstring, and needs
a package more.
"""

from __future__ import annotations

import ast
import inspect
import re
from pydoc import locate
from typing import Any

from griffe import (
    Attribute,
    Class,
    Docstring,
    Extension,
    Function,
    Module,
    Object,
    Parameter,
    ParameterKind,
    Parameters,
    safe_get_annotation,
)

from tools.site.links import with_links

_COMMENT = re.compile(r"\s*#: ?(.*)")


class Additions(Extension):
    """Adds facts that griffe does not find in the source."""

    def on_class(self, *, cls: Class, **_: Any) -> None:
        """Give an attrs class with `Args` in its docstring its constructor of run time."""
        if "__init__" in cls.members or cls.docstring is None:
            return
        if "\nArgs:\n" in cls.docstring.value:
            cls.set_member("__init__", _constructor(cls))

    def on_class_members(self, *, cls: Class, **_: Any) -> None:
        """Give an attribute without a type the type of the constructor argument of the same
        name."""
        constructor = cls.members.get("__init__")
        if not isinstance(constructor, Function):
            return
        types = {parameter.name: parameter.annotation for parameter in constructor.parameters}
        for attribute in cls.attributes.values():
            if isinstance(attribute, Attribute) and attribute.annotation is None:
                attribute.annotation = types.get(attribute.name)

    def on_attribute(self, *, attr: Attribute, **_: Any) -> None:
        """Use the comment `#:` above an attribute as its docstring."""
        if attr.docstring is None and isinstance(attr.parent, Module):
            comment = _comment_above(attr.parent.lines, attr.lineno or 1)
            if comment:
                attr.docstring = Docstring(comment, parent=attr)

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Add links to a docstring."""
        if obj.docstring is not None:
            obj.docstring.value = with_links(obj.docstring.value)


def _comment_above(lines: list[str], number: int) -> str:
    """The text of the comments `#:` directly above a line; lines count from 1."""
    comment: list[str] = []
    for line in reversed(lines[: number - 1]):
        match = _COMMENT.fullmatch(line)
        if match is None:
            break
        comment.insert(0, match[1])
    return "\n".join(comment)


def _constructor(cls: Class) -> Function:
    signature = inspect.signature(locate(cls.path).__init__)  # type: ignore[misc]  # every class has a constructor
    parameters = [_parameter(parameter, cls) for parameter in signature.parameters.values()]
    return Function("__init__", parameters=Parameters(*parameters), parent=cls)


def _parameter(parameter: inspect.Parameter, cls: Class) -> Parameter:
    annotation = None
    if parameter.annotation is not parameter.empty:
        expression = ast.parse(str(parameter.annotation), mode="eval").body
        annotation = safe_get_annotation(expression, parent=cls)
    default = None
    if parameter.default is not parameter.empty:
        default = repr(parameter.default)
    kind = ParameterKind(parameter.kind.description)
    return Parameter(parameter.name, kind=kind, annotation=annotation, default=default)
