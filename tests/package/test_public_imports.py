"""The public import paths: each one works in a fresh interpreter, and importing the package loads little."""

import subprocess
import sys
from pathlib import Path

import pytest

import cometchat_rest
from cometchat_openapi import models
from tools.contract.surface import PACKAGE, exports, load_package

ROOT = Path(__file__).parents[2]
#: The modules that users may import, and names in each of them.
MODULES = {
    "auth_tokens": ("AuthTokens", "AsyncAuthTokens", "Revocation", "TokenRevocation"),
    "conformance": ("Difference", "Exchange", "Kind", "Report", "probe", "read_report"),
    "description": ("openapi",),
    "endpoint": ("Region",),
    "errors": ("CometChatError", "ApiError", "TransportError", "ConfigurationError"),
    "keyword_input": ("WordListInput", "PatternListInput", "SentenceSimilarityListInput", "from_terms", "list_entries"),
    "keywords": ("Keywords", "AsyncKeywords"),
    "reviewed_messages": ("ReviewedMessages", "AsyncReviewedMessages"),
    "testing": ("Simulator",),
}
PATHS = [
    *((PACKAGE, name) for name in dir(cometchat_rest)),
    *((f"{PACKAGE}.{module}", name) for module, names in MODULES.items() for name in names),
]


def run(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603


def test_every_public_path_imports() -> None:
    """Every public name imports from its public path, and every public module imports by itself."""
    statements = [f"from {module} import {name}" for module, name in PATHS]
    run("\n".join([*(f"import {PACKAGE}.{module}" for module in MODULES), *statements]))


@pytest.mark.parametrize("module", MODULES)
def test_a_public_module_is_imported_first(module: str) -> None:
    """Each public module can be the first import of a program, because no import cycle needs another order."""
    names = ", ".join(MODULES[module])
    assert run(f"from {PACKAGE}.{module} import {names}; print('imported')") == "imported\n"


def test_importing_the_package_is_lazy() -> None:
    """`import cometchat_rest` loads neither the HTTP libraries nor another module of the package."""
    loaded = run(f"import {PACKAGE}, sys; print(*sys.modules)").split()
    packages = {name.partition(".")[0] for name in loaded}
    assert not packages & {"httpx", "httpcore", "anyio", "attrs", "certifi", "cometchat_openapi", "ssl"}
    assert [name for name in loaded if name.startswith(f"{PACKAGE}.")] == []


def test_a_name_loads_only_its_modules() -> None:
    """A program that uses one error class loads neither a client nor the generated code."""
    loaded = run(f"from {PACKAGE} import CometChatError; import sys; print(*sys.modules)").split()
    assert f"{PACKAGE}.errors" in loaded
    assert not {f"{PACKAGE}.client", f"{PACKAGE}._call", "httpx", "cometchat_openapi"} & set(loaded)


def test_type_checkers_see_the_same_names() -> None:
    """The imports for type checkers name exactly the public names at run time."""
    assert sorted({*exports(load_package(ROOT)), *models.__all__}) == dir(cometchat_rest)
