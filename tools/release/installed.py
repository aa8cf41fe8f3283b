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
from pathlib import Path
from typing import Literal, NamedTuple

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


class Kind(NamedTuple):
    """What a kind installs, and the tests that it runs."""

    tests: tuple[str, ...] = ()
    versions: Literal["locked", "oldest", "newest"] = "locked"
    extras: str = "fast,testing"
    has_desk: bool = True


_QUICK = ("-m", "not deep")
#: The kinds that run tests of the checkout.
TESTED = {
    "wheel": Kind((*_QUICK, *OF_THE_WHEEL)),
    "all": Kind(),
    "oldest": Kind(
        (*_QUICK, *OF_THE_CORE, *(f"--ignore={name}" for name in OF_OWN_CODE)),
        versions="oldest",
        has_desk=False,
    ),
    "oldest_all": Kind(versions="oldest"),
    "newest": Kind(versions="newest"),
    # Not every interpreter has wheels of all extras.
    "core": Kind(("tests",), extras="testing", has_desk=False),
}


def run(program: str | Path, *arguments: str | Path, cwd: Path) -> None:
    """Run a program; exit with its exit code if that is not 0."""
    environment = {name: os.environ[name] for name in os.environ if name not in NOT_INHERITED}
    done = subprocess.run([program, *arguments], cwd=cwd, env=environment)
    if done.returncode:
        sys.exit(done.returncode)


def locked() -> list[str]:
    """Return the options that pin the packages of all lock files."""
    return [f"--constraint={path}" for path in (ROOT / "requirements").glob("*.txt")]


def _pinned(path: Path) -> dict[str, str]:
    """Return the lines that pin a package, such as `httpx==0.28.1 ; marker`, by its name."""
    lines = [line.rstrip(" \\") for line in path.read_text("utf-8").splitlines()]
    return {line.partition("==")[0]: line for line in lines if re.match(r"[a-z0-9]", line)}


class Environment:
    """A new virtual environment in a folder, and the built wheels."""

    def __init__(self, folder: Path, python: str) -> None:
        _, self.client, _, self.desk = build(folder / "dist")
        self.folder = folder
        home = folder / "environment"
        self._uv("venv", "--quiet", "--python", python, home)
        self.python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def _uv(self, *arguments: str | Path) -> None:
        run(sys.executable, "-m", "uv", *arguments, cwd=self.folder)

    def install(self, *requirements: str | Path) -> None:
        """Install requirements; options of pip are allowed."""
        self._uv("pip", "install", "--quiet", "--python", self.python, *requirements)

    def oldest(self, *projects: Path) -> list[str]:
        """Return the options that pin the oldest versions that the projects allow. The packages
        below them, and the packages of the tests, are as in the lock files."""
        pins = self.folder / "pins.txt"
        command = ["pip", "compile", "--quiet", "--no-emit-index-url", "--all-extras"]
        command += ["--resolution", "lowest-direct", "--no-deps"]
        command += ["--no-emit-package", "cometchat-rest", "--find-links", str(self.client.parent)]
        command += ["--python", str(self.python), "--output-file", str(pins)]
        self._uv(*command, *(project / "pyproject.toml" for project in projects))
        rest: dict[str, str] = {}
        for path in (ROOT / "requirements").glob("*.txt"):
            rest |= _pinned(path)
        # ftfy 6.2 needs an older wcwidth than the locked one.
        for name in (*_pinned(pins), "wcwidth"):
            rest.pop(name, None)
        others = self.folder / "rest.txt"
        others.write_text("\n".join(rest.values()), "utf-8")
        return [f"--constraint={pins}", f"--constraint={others}"]

    def run(self, *arguments: str, cwd: Path) -> None:
        """Run Python in the environment; exit with its exit code if that is not 0."""
        run(self.python, *arguments, cwd=cwd)


def check_bare(environment: Environment) -> None:
    """Import every public name in an environment that has only the wheel of the client, and start
    the program that needs no more."""
    environment.install(environment.client, *locked())
    environment.run("-c", BARE, cwd=environment.folder)
    environment.run("-m", "cometchat_testing.conformance", "--help", cwd=environment.folder)


def check_tests(environment: Environment, kind: Kind, arguments: list[str]) -> None:
    """Run tests of the checkout in a folder that has no package of ours."""
    wheels = [f"{environment.client}[{kind.extras}]"]
    projects = [ROOT]
    if kind.has_desk:
        wheels += [f"{environment.desk}[insight]", *MORE_TOOLS]
        projects.append(ROOT / "desk")
    options = environment.oldest(*projects) if kind.versions == "oldest" else []
    if kind.versions == "locked":
        options = locked()
    if kind.versions == "newest":
        # As for `make lock`: new versions wait for a week.
        os.environ["UV_EXCLUDE_NEWER"] = "1 week"
    environment.install(*wheels, *TEST_TOOLS, *options)
    place = environment.folder / "tests-of-the-wheel"
    for name in FOLDERS:
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for name in FILES:
        copy = place / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy)
    (place / "tests" / "test_origin.py").write_text(ORIGIN, "utf-8")
    environment.run("-m", "pytest", "-q", *ON_EVERY_CORE, *kind.tests, *arguments, cwd=place)


def check_consumer(environment: Environment, arguments: list[str]) -> None:
    """Install the sample projects and the wheel, run the tests of the projects, and check their
    types with the type checkers of the checkout."""
    not_copied = shutil.ignore_patterns("__pycache__", ".*")
    python = str(environment.python)
    for name in CONSUMERS:
        project = environment.folder / name
        shutil.copytree(ROOT / "examples" / name, project, ignore=not_copied)
        group = f"--group={project / 'pyproject.toml'}:test"
        environment.install(group, environment.client, project, *locked())
        (project / "tests" / "test_origin.py").write_text(ORIGIN, "utf-8")
        environment.run("-m", "pytest", "-q", *arguments, cwd=project)
        shutil.copy(TYPED, project / "src")
        mypy = ("-m", "mypy", "--strict", "--python-executable", python, "src")
        pyright = ("-m", "pyright", "--pythonpath", python, "src")
        run(sys.executable, *mypy, cwd=project)
        run(sys.executable, *pyright, cwd=project)


def main() -> None:
    """Create the environment, install, test, and delete the environment."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", default=sys.executable, help=argparse.SUPPRESS)
    parser.add_argument("kind", choices=["bare", "consumer", *TESTED])
    options, arguments = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as name:
        environment = Environment(Path(name).resolve(), options.python)
        if options.kind == "bare":
            check_bare(environment)
        elif options.kind == "consumer":
            check_consumer(environment, arguments)
        else:
            check_tests(environment, TESTED[options.kind], arguments)


if __name__ == "__main__":
    main()
