"""Tests the built wheels in a new environment, without the checkout on the path: `make test-wheel
KIND=... ARGS=...`

bare       import every public name with only the wheel of the client installed
wheel      run the tests that a wrong wheel can fail; ARGS go to pytest
all        run all tests of the client and the desk
oldest     run the tests of the core with the oldest dependencies that the client allows
oldest_all run all tests with the oldest dependencies that both projects allow
newest     run all tests with the newest dependencies
core       run the tests of the client without the desk and most extras
consumer   run the tests and type checks of examples/consumer and examples/service

The option `--python 3.13` before the command selects the interpreter of the environment. nox would
replace only the class `Environment`, and would bring eight more packages.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from .distributions import ROOT, build

CONSUMERS = ("consumer", "service")
TYPED = ROOT / "tests" / "typing" / "cases" / "results_right.py"
#: Packages that the tests need. They stay new when the dependencies of the package are old.
TEST_TOOLS = (
    "hypothesis",
    "openapi-python-client",
    "pexpect",
    "pyte",
    "pytest",
    "pytest-asyncio",
    "pytest-timeout",
    "pytest-xdist",
    "pyyaml",
    "rich",
    "socksio",
    "trio",
    "trustme",
    "truststore",
    "uvloop; sys_platform != 'win32'",
    "werkzeug",
)
#: Some of these have no wheels for each interpreter, and the tests of the core do not need them.
MORE_TOOLS = (
    "opentelemetry-instrumentation-httpx",
    "opentelemetry-sdk",
    "polars",
)
#: These tests are about the checkout, its tools and its pages, or about other tools for httpx.
LEFT_OUT = (
    "__pycache__",
    "benchmarks",
    "contract",
    "package",
    "test_readme_danger.py",
    "test_stored_reports.py",
    "test_tracing.py",
    "test_transport_custom.py",
    "test_transport_mocks.py",
    "tools",
    "typing",
)
#: Folders and files of the checkout that the tests need.
FOLDERS = ("tests", "desk/tests", "tools")
FILES = ("openapi.yaml", "pyproject.toml", "docs/desk/commands.md")
#: The tests that a wrong wheel can fail: a module, a data file, an entry point or a dependency may
#: be missing. These tests make every call with both clients, and run each command. `make test` runs
#: the others with the same code.
OF_THE_WHEEL = (
    "tests/test_origin.py",
    "tests/overlays/test_auth_tokens.py",
    "tests/overlays/test_parity.py",
    "tests/overlays/keywords/test_resource.py",
    "tests/overlays/reviewed_messages/test_resource.py",
    "tests/runtime/test_pages.py",
    "tests/testing",
    "desk/tests/commands/reviewed",
    "desk/tests/commands/keywords/test_content.py",
    "desk/tests/commands/keywords/test_lint.py",
    "desk/tests/commands/test_apps.py",
    "desk/tests/commands/test_check.py",
    "desk/tests/insight/test_collected.py",
)
#: The tests that an old dependency of the client can fail.
OF_THE_CORE = ("tests/test_origin.py", "tests/runtime", "tests/overlays", "tests/testing")
#: These take half of their time, and test what our own code decides.
OF_OWN_CODE = (
    "tests/overlays/keywords/test_resource_plans.py",
    "tests/overlays/test_endpoint.py",
    "tests/runtime/test_api.py",
    "tests/runtime/test_arguments.py",
    "tests/runtime/test_pacing.py",
    "tests/runtime/test_paths.py",
    "tests/runtime/test_retries.py",
    "tests/runtime/test_retry_after.py",
    "tests/runtime/test_secrets.py",
    "tests/runtime/test_steps.py",
    "tests/testing/test_main.py",
)
#: As in the Makefile.
ON_EVERY_CORE = ("--numprocesses", "auto", "--dist", "loadfile", "--max-worker-restart", "0")
#: Each test that starts Python would compile all packages of the new environment, if Python did not
#: keep the compiled files. The other variables would name another environment.
NOT_INHERITED = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "VIRTUAL_ENV")

#: Runs with nothing but the wheel of the client and its dependencies.
BARE = """
import importlib
import pkgutil
from importlib.metadata import distribution, distributions
from importlib.util import find_spec

import cometchat_rest
import cometchat_testing.conformance

for name in cometchat_rest.__all__:
    assert getattr(cometchat_rest, name) is not None, name
for module in pkgutil.iter_modules(cometchat_rest.__path__):
    importlib.import_module(f"cometchat_rest.{module.name}")
assert cometchat_testing.conformance.openapi().read_text("utf-8").count("openapi: 3.1.") == 1
assert [point.group for point in distribution("cometchat-rest").entry_points] == ["pytest11"]
for name in ("cometchat_desk", "duckdb", "rich", "typer"):
    assert find_spec(name) is None, name
installed = sorted(package.name for package in distributions())
print("imported", len(cometchat_rest.__all__), "names; installed:", *installed)
"""

#: A test that runs with the others and checks where they import the packages from.
ORIGIN = '''
import sys
from importlib import import_module
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "name", ["cometchat_runtime", "cometchat_openapi", "cometchat_rest", "cometchat_testing"]
)
def test_the_wheel_is_tested(name):
    """The tests import the installed wheel, not a checkout."""
    file = Path(import_module(name).__file__).resolve()
    assert Path(sys.prefix).resolve() in file.parents
'''


def locked() -> list[str]:
    """Return the options that pin the packages of all lock files."""
    options = []
    for path in _lock_files():
        options += ["-c", str(path)]
    return options


def _lock_files() -> list[Path]:
    return sorted((ROOT / "requirements").glob("*.txt"))


def _pinned(path: Path) -> list[str]:
    """Return the lines of a lock file that pin a package, such as `httpx==0.28.1 ; marker`."""
    lines = path.read_text("utf-8").splitlines()
    return [line.rstrip(" \\") for line in lines if re.match(r"[a-z0-9]", line)]


def _names(path: Path) -> set[str]:
    """Return the names of the packages that a lock file pins."""
    return {line.partition("==")[0] for line in _pinned(path)}


def _locked_without(names: set[str]) -> list[str]:
    """Return the lines of all lock files, except those of these packages."""
    lines = [line for path in _lock_files() for line in _pinned(path)]
    return [line for line in lines if line.partition("==")[0] not in names]


class Wheels(NamedTuple):
    """The built wheels."""

    client: Path
    desk: Path

    @property
    def with_extras(self) -> list[str]:
        """The requirements for all tests."""
        return [f"{self.client}[fast,testing]", f"{self.desk}[insight]", *MORE_TOOLS]


class Environment:
    """A new virtual environment in a folder."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder = folder
        self._home = folder / "environment"
        self._uv("venv", "--quiet", "--python", python, str(self._home))
        self.python = self._home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def _uv(self, *arguments: str) -> None:
        run(sys.executable, "-m", "uv", *arguments, cwd=self.folder)

    def install(self, *requirements: str) -> None:
        """Install requirements; options of pip are allowed."""
        self._uv("pip", "install", "--quiet", "--python", str(self.python), *requirements)

    def compile_oldest(self, client: Path, *projects: Path) -> list[str]:
        """Return the options that pin the oldest versions that the projects allow. The packages
        below them, and the packages of the tests, are as in the lock files."""
        pins = self.folder / "pins.txt"
        command = ["pip", "compile", "--quiet", "--no-emit-index-url", "--all-extras"]
        command += ["--python", str(self.python)]
        command += ["--resolution", "lowest-direct", "--no-deps"]
        command += ["--no-emit-package", "cometchat-rest"]
        command += ["--find-links", str(client.parent)]
        command += ["--output-file", str(pins)]
        command += [str(project / "pyproject.toml") for project in projects]
        self._uv(*command)
        rest = self.folder / "rest.txt"
        # ftfy 6.2 needs an older wcwidth than the locked one.
        names = _names(pins) | {"wcwidth"}
        rest.write_text("\n".join(_locked_without(names)), "utf-8")
        return ["-c", str(pins), "-c", str(rest)]

    def run(self, *arguments: str, cwd: Path) -> None:
        """Run Python in the environment; exit with its exit code if that is not 0."""
        run(self.python, *arguments, cwd=cwd)


def run(program: str | Path, *arguments: str, cwd: Path) -> None:
    """Run a program; exit with its exit code if that is not 0."""
    environment = dict(os.environ)
    for name in NOT_INHERITED:
        environment.pop(name, None)
    done = subprocess.run([program, *arguments], cwd=cwd, env=environment)
    if done.returncode:
        sys.exit(done.returncode)


def check_bare(environment: Environment, wheels: Wheels, _: list[str]) -> None:
    """Import every public name in an environment that has only the wheel of the client, and start
    the program that needs no more."""
    environment.install(str(wheels.client), *locked())
    environment.run("-c", BARE, cwd=environment.folder)
    environment.run("-m", "cometchat_testing.conformance", "--help", cwd=environment.folder)


def check_wheel(environment: Environment, wheels: Wheels, arguments: list[str]) -> None:
    """Run the tests that a wrong wheel can fail."""
    environment.install(*wheels.with_extras, *locked())
    _test(environment, "-m", "not deep", *OF_THE_WHEEL, *arguments)


def check_all(environment: Environment, wheels: Wheels, arguments: list[str]) -> None:
    """Run all tests with the locked dependencies."""
    environment.install(*wheels.with_extras, *locked())
    _test(environment, *arguments)


def check_oldest(environment: Environment, wheels: Wheels, arguments: list[str]) -> None:
    """Run the tests of the core with the oldest dependencies of the client."""
    oldest = environment.compile_oldest(wheels.client, ROOT)
    environment.install(f"{wheels.client}[fast,testing]", *TEST_TOOLS, *oldest)
    left_out = [f"--ignore={name}" for name in OF_OWN_CODE]
    _test(environment, "-m", "not deep", *OF_THE_CORE, *left_out, *arguments)


def check_oldest_all(environment: Environment, wheels: Wheels, arguments: list[str]) -> None:
    """Run all tests with the oldest dependencies of both projects."""
    oldest = environment.compile_oldest(wheels.client, ROOT, ROOT / "desk")
    environment.install(*wheels.with_extras, *TEST_TOOLS, *oldest)
    _test(environment, *arguments)


def check_newest(environment: Environment, wheels: Wheels, arguments: list[str]) -> None:
    """Run all tests with the newest dependencies."""
    # As for `make lock`: new versions wait for a week.
    os.environ["UV_EXCLUDE_NEWER"] = "1 week"
    environment.install(*wheels.with_extras)
    _test(environment, *arguments)


def check_core(environment: Environment, wheels: Wheels, arguments: list[str]) -> None:
    """Run the tests of the client. Not every interpreter has wheels of all extras."""
    environment.install(f"{wheels.client}[testing]", *locked())
    _test(environment, "tests", *arguments)


def _test(environment: Environment, *arguments: str) -> None:
    """Run tests in a folder that has no package of ours."""
    environment.install(*TEST_TOOLS)
    place = environment.folder / "tests-of-the-wheel"
    for name in FOLDERS:
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for name in FILES:
        copy = place / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy)
    (place / "tests" / "test_origin.py").write_text(ORIGIN, "utf-8")
    environment.run("-m", "pytest", "-q", *ON_EVERY_CORE, *arguments, cwd=place)


def check_consumer(environment: Environment, wheels: Wheels, arguments: list[str]) -> None:
    """Install the sample projects and the wheel, run the tests of the projects, and check their
    types."""
    not_copied = shutil.ignore_patterns("__pycache__", ".*")
    for name in CONSUMERS:
        project = environment.folder / name
        shutil.copytree(ROOT / "examples" / name, project, ignore=not_copied)
        group = f"{project / 'pyproject.toml'}:test"
        environment.install("--group", group, str(wheels.client), str(project), *locked())
        (project / "tests" / "test_origin.py").write_text(ORIGIN, "utf-8")
        environment.run("-m", "pytest", "-q", *arguments, cwd=project)
        shutil.copy(TYPED, project / "src")
        _check_types(project, str(environment.python))


def _check_types(project: Path, python: str) -> None:
    """Run the type checkers of the checkout; they look for packages in another environment."""
    mypy = ("-m", "mypy", "--strict", "--python-executable", python, "src")
    pyright = ("-m", "pyright", "--pythonpath", python, "src")
    run(sys.executable, *mypy, cwd=project)
    run(sys.executable, *pyright, cwd=project)


KINDS: dict[str, Callable[[Environment, Wheels, list[str]], None]] = {
    "bare": check_bare,
    "wheel": check_wheel,
    "all": check_all,
    "oldest": check_oldest,
    "oldest_all": check_oldest_all,
    "newest": check_newest,
    "core": check_core,
    "consumer": check_consumer,
}


def main() -> None:
    """Create the environment, install, test, and delete the environment."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", default=sys.executable, help=argparse.SUPPRESS)
    parser.add_argument("kind", choices=KINDS)
    options, arguments = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        _, client, _, desk = build(folder / "dist")
        environment = Environment(folder, options.python)
        check = KINDS[options.kind]
        check(environment, Wheels(client, desk), arguments)


if __name__ == "__main__":
    main()
