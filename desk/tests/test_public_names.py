"""The names of the client that the desk uses."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import cometchat_desk

CODE = Path(cometchat_desk.__file__).parent


def used(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The module and the name of each use of the client."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((one.name, "") for one in node.names if one.name.startswith("cometchat_"))
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((node.module or "", one.name) for one in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.value.id, node.attr


def is_public(module: str, name: str) -> bool:
    """Whether a module of the client and a name in it, if there is one, are for everybody."""
    if module.startswith("cometchat_openapi") or any(
        part.startswith("_") for part in module.split(".")
    ):
        return False
    public = getattr(import_module(module), "__all__", [name])
    return name in ("", "__version__") or (name in public and not name.startswith("_"))


@pytest.mark.parametrize(
    "path", [str(path.relative_to(CODE)) for path in sorted(CODE.rglob("*.py"))]
)
def test_only_public_names_of_the_client(path: str) -> None:
    """The desk uses only names that the client shows to everybody: no private module, and what
    `__all__` lists."""
    names = used(ast.parse((CODE / path).read_text("utf-8")))
    of_client = [
        each
        for each in names
        if each[0].partition(".")[0] in ("cometchat_rest", "cometchat_openapi")
    ]
    assert [each for each in of_client if not is_public(*each)] == []
