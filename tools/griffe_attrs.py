"""Tells Griffe, which only reads source, the parameters of the constructors that attrs makes."""

from __future__ import annotations

import ast
import inspect
from pydoc import locate
from typing import Any

import griffe


class AttrsConstructors(griffe.Extension):
    """Gives each attrs class that documents `Args` the signature it has at run time."""

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Add the constructor as a member."""
        if "__init__" in cls.members or cls.docstring is None or "\nArgs:\n" not in cls.docstring.value:
            return
        signature = inspect.signature(locate(cls.path).__init__)  # type: ignore[misc]  # a class has one
        parameters = (_parameter(each, cls) for each in signature.parameters.values())
        cls.set_member("__init__", griffe.Function("__init__", parameters=griffe.Parameters(*parameters), parent=cls))


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
