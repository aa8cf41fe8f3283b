"""The texts that `help()` and `--help` show, which people read without a checkout."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

import pytest

import cometchat_desk
import cometchat_openapi
import cometchat_rest
from tools.site.commands import commands


def modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            yield importlib.import_module(module.name)


def documented(package: ModuleType) -> Iterator[tuple[str, str]]:
    """The name and the docstring of each module, class, function, method and property of a package."""
    for module in modules(package):
        yield module.__name__, inspect.getdoc(module) or ""
        own = [value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__]
        for value in own:
            name = f"{module.__name__}.{getattr(value, '__qualname__', '')}"
            yield name, inspect.getdoc(value) or ""
            if inspect.isclass(value):
                yield from ((f"{name}.{key}", inspect.getdoc(part) or "") for key, part in vars(value).items())


@pytest.mark.parametrize("package", [cometchat_rest, cometchat_openapi, cometchat_desk], ids=lambda each: each.__name__)
def test_docstrings_name_only_files_of_the_package(package: ModuleType) -> None:
    """No docstring points to `service.md` or its sections, which users do not have; `openapi.yaml` is in the wheel."""
    texts = dict(documented(package))
    assert len(texts) > 100
    assert [name for name, text in texts.items() if re.search(r"service\.md|section \d", text)] == []


def test_help_of_commands_names_only_files_of_the_package() -> None:
    """No `--help` points to `service.md`."""
    texts = commands()
    assert "--max-removed" in texts
    assert "service.md" not in texts
