"""The client depends on public names of other libraries only: a release may rename every other name."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import cometchat_rest

ROOT = Path(__file__).parents[2]
PACKAGE = Path(cometchat_rest.__file__).parent
MODULES = sorted(path for folder in ("_call", "_support", "_wire") for path in (PACKAGE / folder).rglob("*.py"))
#: Public modules of Python whose name begins with an underscore.
PUBLIC = {"__future__", "_thread"}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def private_names(source: str) -> Iterator[str]:
    """The private names of other objects and modules that some code uses, each with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name) if is_private(name):
                yield f"{node.lineno}: .{name}"
            case ast.Import(names=names):
                for each in names:
                    if each.name not in PUBLIC and any(map(is_private, each.name.split("."))):
                        yield f"{node.lineno}: import {each.name}"
            case ast.ImportFrom(module=module, names=names, level=0) if module and module not in PUBLIC:
                outside = module.split(".")[0] not in ("cometchat_rest", "cometchat_openapi")
                if outside and any(map(is_private, [*module.split("."), *(each.name for each in names)])):
                    yield f"{node.lineno}: from {module}"
            case ast.Call(
                func=ast.Name(id="getattr" | "setattr" | "hasattr"), args=[_, ast.Constant(value=str(name)), *_]
            ):
                if is_private(name):
                    yield f"{node.lineno}: {name!r}"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_private_name_of_another_library_is_used(module: Path) -> None:
    """A call depends on no private attribute and on no private module of another library."""
    assert list(private_names(module.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "x._stream",
        "self._http._state",
        "getattr(x, '_stream', None)",
        "import h11._connection",
        "from h11._connection import X",
        "from anyio import _core",
    ],
)
def test_private_names_are_found(source: str) -> None:
    """The check above finds each way to use a private name."""
    assert len(list(private_names(source))) == 1


def copy_with_other_private_names(package: str, folder: Path) -> None:
    """Copy a package; each private module, class, function and attribute has another name in the copy."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    original = Path(spec.origin).parent
    for path in original.rglob("*.py"):
        parts = [re.sub(r"^_(?=[a-z])", "_renamed_", part) for part in path.relative_to(original.parent).parts]
        copy = folder.joinpath(*parts)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(re.sub(r"(?<!\w)_(?=[A-Za-z]\w*(?<!_)\b)", "_renamed_", path.read_text("utf-8")), "utf-8")


#: The tests that must pass with the renamed libraries, by what they guarantee.
GUARANTEES = {
    "the outcome of a change is known or unknown": [
        "_wire/test_connection.py",
        "_wire/test_tunnels.py::test_change_that_was_sent_through_the_tunnel_is_in_doubt",
    ],
    "bytes after a response are never the next response": [
        "_wire/test_pool.py::test_extra_bytes_after_a_response_are_not_the_next_response",
        "_wire/test_pool.py::test_bytes_after_the_content_length_are_dropped",
    ],
    "every call ends at its deadline": [
        "_wire/test_sockets.py::test_deadline_while_connecting",
        "_wire/test_pool.py::test_pool_timeout",
    ],
    "logs show no secrets": [
        "_call/redaction/test_log_records.py",
        "_wire/test_event_loops.py::test_logs_hide_the_secrets_of_every_call_of_a_context",
    ],
    "a transport of the caller can be used": ["_wire/test_httpx_transport.py"],
}


@pytest.mark.deep
@pytest.mark.timeout(240)
def test_guarantees_hold_with_other_private_names(tmp_path: Path) -> None:
    """If every private name of httpx and httpcore is another one, all guarantees of the connections still hold."""
    for package in ("httpx", "httpcore"):
        copy_with_other_private_names(package, tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        options: Any = {"cwd": ROOT, "env": environment, "capture_output": True, "text": True}
        return subprocess.run([sys.executable, *command], check=False, **options)  # noqa: S603 - our own program

    places = run("-c", "import httpcore, httpx; print(httpx.__file__, httpcore.__file__, hasattr(httpx, '_models'))")
    assert places.stdout.count(str(tmp_path)) == 2
    assert places.stdout.endswith("False\n")
    tests = [f"tests/client/{test}" for tests in GUARANTEES.values() for test in tests]
    options = ("-q", "-x", "-p", "pytest_timeout", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib")
    done = run("-m", "pytest", *options, *tests)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-1000:]
