"""Gives attrs classes a constructor in the reference; griffe reads only the source.

griffe-fieldz lists the fields of attrs classes, which are not the arguments of their constructors.
"""

from __future__ import annotations

from typing import Any

from griffe import Class, Extension, inspect


class Constructors(Extension):
    """Adds the constructor that a class has at run time, if its docstring has `Args`."""

    def on_class(self, *, cls: Class, **_: Any) -> None:
        """Add the constructor."""
        if "__init__" in cls.members or cls.docstring is None:
            return
        if "\nArgs:\n" in cls.docstring.value:
            constructor = inspect(cls.module.path, filepath=None)[cls.name]["__init__"]
            # The docstring of the class describes it.
            constructor.docstring = None
            cls.set_member("__init__", constructor)
