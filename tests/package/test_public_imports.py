"""The public import paths and the dependencies: each path works by itself, and importing the
package loads little."""

import ast
import inspect
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import cometchat_rest

ROOT = Path(__file__).parents[2]
PACKAGE = cometchat_rest.__name__
#: The modules that users may import, and names in each of them.
MODULES = {
    "cometchat_rest.auth_tokens": (
        "AuthTokens",
        "AsyncAuthTokens",
        "Revocation",
        "TokenRevocation",
    ),
    "cometchat_rest.endpoint": ("Region",),
    "cometchat_rest.errors": (
        "CometChatError",
        "ApiError",
        "TransportError",
        "ConfigurationError",
    ),
    "cometchat_rest.keyword_input": (
        "WordListInput",
        "PatternListInput",
        "SentenceSimilarityListInput",
        "from_terms",
        "list_entries",
    ),
    "cometchat_rest.keywords": ("Keywords", "AsyncKeywords"),
    "cometchat_rest.reviewed_messages": ("ReviewedMessages", "AsyncReviewedMessages"),
    "cometchat_testing": ("ConnectionCutError", "History", "ReceivedRequest", "Simulator"),
    "cometchat_testing.conformance": (
        "Difference",
        "Exchange",
        "Kind",
        "Report",
        "openapi",
        "probe",
        "read_report",
    ),
}


def run(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("module", MODULES)
def test_a_public_module_is_imported_first(module: str) -> None:
    """Each public module has its names, and can be the first import, because no import cycle
    needs another order."""
    names = ", ".join(MODULES[module])
    assert run(f"from {module} import {names}; print('imported')") == "imported\n"


def test_importing_the_package_is_lazy() -> None:
    """`import cometchat_rest` loads neither the HTTP libraries nor another module of the
    package."""
    loaded = run(f"import {PACKAGE}, sys; print(*sys.modules)").split()
    packages = {name.partition(".")[0] for name in loaded}
    assert not packages & {
        "anyio",
        "attrs",
        "certifi",
        "cometchat_openapi",
        "cometchat_runtime",
        "cometchat_testing",
        "httpcore",
        "httpx",
        "ssl",
    }
    assert [name for name in loaded if name.startswith(f"{PACKAGE}.")] == []


def test_a_name_loads_only_its_modules() -> None:
    """A program that uses one error class loads neither a client nor the generated code."""
    loaded = run(f"from {PACKAGE} import CometChatError; import sys; print(*sys.modules)").split()
    assert f"{PACKAGE}.errors" in loaded
    assert not {f"{PACKAGE}.client", "cometchat_openapi", "httpx"} & set(loaded)


def test_httpx_is_loaded_with_the_first_client() -> None:
    """A program that imports the client and makes none, such as a command line that shows its
    help, loads no httpx."""
    code = (
        f"import sys; from {PACKAGE} import Client, WordListInput; print('httpx' in sys.modules); "
    )
    assert (
        run(f"{code}Client(app_id='app', api_key='key'); print('httpx' in sys.modules)")
        == "False\nTrue\n"
    )


def names_for_type_checkers() -> Iterator[str]:
    """The names that the package imports for type checkers; a `*` stands for all public names."""
    tree = ast.parse(inspect.getsource(cometchat_rest))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.col_offset > 0:
            for alias in node.names:
                if alias.name == "*":
                    module = import_module("." * node.level + str(node.module), PACKAGE)
                    yield from module.__all__
                else:
                    yield alias.name


def test_the_public_names() -> None:
    """The imports for type checkers name exactly the public names at run time, and each of them
    exists."""
    assert sorted(set(names_for_type_checkers())) == dir(cometchat_rest)
    assert all(hasattr(cometchat_rest, name) for name in dir(cometchat_rest))


def test_few_dependencies() -> None:
    """The package depends only on httpx, on attrs, on anyio and httpcore, which httpx needs too,
    and on sniffio, which saves time."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {dependency.split(">")[0] for dependency in project["dependencies"]}
    assert names == {"anyio", "attrs", "httpcore", "httpx", "sniffio"}
