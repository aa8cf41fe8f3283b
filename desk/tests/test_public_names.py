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


@pytest.mark.parametrize("path", [str(path.relative_to(CODE)) for path in sorted(CODE.rglob("*.py"))])
def test_only_public_names_of_the_client(path: str) -> None:
    """The desk uses only names that the client shows to everybody: no private module, and what `__all__` lists."""
    for module, name in used(ast.parse((CODE / path).read_text("utf-8"))):
        package = module.partition(".")[0]
        assert package != "cometchat_openapi"
        if package == "cometchat_rest":
            public = getattr(import_module(module), "__all__", [name])
            assert not name or name in public or name == "__version__", f"{module}.{name}"
            assert not any(part.startswith("_") for part in module.split("."))
            assert name == "__version__" or not name.startswith("_")
