"""Tests the built wheels in a new environment, without the checkout on the path: `make test-wheel
KIND=... ARGS=...`

bare      import every public name with only the wheel of the client installed
wheel     run the tests that a wrong wheel can fail; ARGS go to pytest
all       run all tests of the client and the desk
oldest    run all of them with the oldest dependencies that both projects allow
newest    run all of them with the newest dependencies
core      run the tests of the client without the desk and most extras
consumer  run the tests and type checks of examples/consumer and examples/service

The option `--python 3.13` before the command selects the interpreter of the environment. nox would
replace only the class `Environment`, and would bring eight more packages.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .distributions import ROOT, build

#: The options that pin the packages of all lock files.
LOCKED = tuple(
    part for path in sorted((ROOT / "requirements").glob("*.txt")) for part in ("-c", str(path))
)
CONSUMERS = ("consumer", "service")
TYPED = ROOT / "tests" / "typing" / "cases" / "results_right.py"
#: Packages that the tests need. They stay new when the dependencies of the package are old.
TEST_TOOLS = (
    *(
        "hypothesis",
        "openapi-python-client",
        "pexpect",
        "pyte",
        "pytest",
        "pytest-asyncio",
        "pytest-timeout",
        "pytest-xdist",
        "pyyaml",
    ),
    *(
        "rich",
        "socksio",
        "trio",
        "trustme",
        "truststore",
        "uvloop; sys_platform != 'win32'",
        "werkzeug",
    ),
)
#: Some of these have no wheels for each interpreter, and the tests of the core do not need them.
MORE_TOOLS = ("opentelemetry-instrumentation-httpx", "opentelemetry-sdk", "polars")
#: These tests are about the checkout, its tools and its pages, or about other tools for httpx.
LEFT_OUT = (
    *("__pycache__", "contract", "package", "tools", "typing"),
    "benchmarks",
    *(
        "test_readme_danger.py",
        "test_stored_reports.py",
        "test_tracing.py",
        "test_transport_custom.py",
        "test_transport_mocks.py",
    ),
)
#: Folders and files of the checkout that the tests need.
FOLDERS = ("tests", "desk/tests", "tools")
FILES = ("openapi.yaml", "pyproject.toml", "docs/desk/commands.md")
#: The tests that a wrong wheel can fail: a module, a data file, an entry point or a dependency may
#: be missing. These tests make every call with both clients, and run each command. `make test` runs
#: the others with the same code.
OF_THE_WHEEL = (
    *("-m", "not deep", "tests/test_origin.py", "tests/testing/conformance/test_description.py"),
    *(
        "tests/overlays/test_auth_tokens.py",
        "tests/overlays/test_parity.py",
        "tests/runtime/test_pages.py",
        "tests/overlays/keywords/test_resource.py",
    ),
    *(
        "tests/overlays/reviewed_messages/test_resource.py",
        "tests/testing",
        "desk/tests/commands/reviewed",
    ),
    *(f"desk/tests/commands/keywords/test_{name}.py" for name in ("content", "lint")),
    *(
        "desk/tests/commands/test_apps.py",
        "desk/tests/commands/test_check.py",
        "desk/tests/insight/test_parquet.py",
    ),
)
#: As in the Makefile.
ON_EVERY_CORE = ("--numprocesses", "auto", "--dist", "loadfile", "--max-worker-restart", "0")

#: Runs with nothing but the wheel of the client and its dependencies.
BARE = """
import importlib
import pkgutil
import sys
from importlib.metadata import distribution, distributions
from importlib.util import find_spec

import cometchat_rest

for name in cometchat_rest.__all__:
    assert getattr(cometchat_rest, name) is not None, name
found = {module.name for module in pkgutil.iter_modules(cometchat_rest.__path__)}
public = {name for name in found if not name.startswith("_")}
for name in public:
    importlib.import_module(f"cometchat_rest.{name}")
assert cometchat_testing.conformance.openapi().read_text("utf-8").count("openapi: 3.1.") == 1
assert [point.group for point in distribution("cometchat-rest").entry_points] == ["pytest11"]
for name in ("cometchat_desk", "duckdb", "rich", "typer"):
    assert find_spec(name) is None, name
installed = sorted(each.name for each in distributions())
print("imported", len(cometchat_rest.__all__), "names; installed:", *installed)
"""

#: A test that runs with the others and checks where they import the packages from.
ORIGIN = '''
import sys
from pathlib import Path

import cometchat_openapi
import cometchat_rest
import pytest


@pytest.mark.parametrize("package", [cometchat_rest, cometchat_openapi], ids=["rest", "openapi"])
def test_the_wheel_is_tested(package):
    """The tests import the installed wheel, not a checkout."""
    assert Path(sys.prefix).resolve() in Path(package.__file__).resolve().parents
'''


class Environment:
    """A new virtual environment in a folder."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder = folder
        self._home = folder / "environment"
        self._uv("venv", "--quiet", "--python", python, str(self._home))
        self.python = self._home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def _uv(self, *arguments: str) -> None:
        _run(sys.executable, "-m", "uv", *arguments, cwd=self.folder)

    def install(self, *requirements: str) -> None:
        """Install requirements; options of pip are allowed."""
        self._uv("pip", "install", "--quiet", "--python", str(self.python), *requirements)

    def compile_oldest(self, client: Path) -> Path:
        """Return a file with the oldest versions that both projects allow; the packages below
        them stay free."""
        pins = self.folder / "pins.txt"
        projects = (str(ROOT / "pyproject.toml"), str(ROOT / "desk" / "pyproject.toml"))
        command = (
            "pip",
            "compile",
            "--quiet",
            "--no-emit-index-url",
            "--python",
            str(self.python),
            "--all-extras",
        )
        options = (
            "--resolution",
            "lowest-direct",
            "--no-deps",
            "--no-emit-package",
            "cometchat-rest",
        )
        find = ("--find-links", str(client.parent), "--output-file", str(pins))
        self._uv(*command, *options, *find, *projects)
        return pins

    def run(self, *arguments: str, cwd: Path) -> None:
        """Run Python in the environment; exit with its exit code if that is not 0."""
        _run(self.python, *arguments, cwd=cwd)


def _run(program: str | Path, *arguments: str, cwd: Path) -> None:
    # Without compiled files, every test that starts Python would compile all packages of the new
    # environment.
    left_out = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "VIRTUAL_ENV")
    clean = {name: value for name, value in os.environ.items() if name not in left_out}
    done = subprocess.run([program, *arguments], cwd=cwd, env=clean)
    if done.returncode:
        sys.exit(done.returncode)


def _tests(environment: Environment) -> Path:
    """Copy the tests and the files they need into a folder without the packages."""
    place = environment.folder / "tests-of-the-wheel"
    for name in FOLDERS:
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for name in FILES:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, place / name)
    (place / "tests" / "test_origin.py").write_text(ORIGIN, "utf-8")
    return place


def check_bare(environment: Environment, client: Path) -> None:
    """Import every public name in an environment that has only the wheel of the client."""
    environment.install(str(client), *LOCKED)
    environment.run("-c", BARE, cwd=environment.folder)


def check_tests(
    environment: Environment, requirements: tuple[str, ...], arguments: list[str]
) -> None:
    """Run tests with installed wheels."""
    environment.install(*requirements, *TEST_TOOLS)
    environment.run("-m", "pytest", "-q", *ON_EVERY_CORE, *arguments, cwd=_tests(environment))


def check_consumer(environment: Environment, wheel: Path, arguments: list[str]) -> None:
    """Install the sample projects and the wheel, run the tests of the projects, and check their
    types."""
    for name in CONSUMERS:
        project = environment.folder / name
        shutil.copytree(
            ROOT / "examples" / name, project, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
        environment.install(
            "--group", f"{project / 'pyproject.toml'}:test", str(wheel), str(project), *LOCKED
        )
        (project / "tests" / "test_origin.py").write_text(ORIGIN, "utf-8")
        environment.run("-m", "pytest", "-q", *arguments, cwd=project)
        shutil.copy(TYPED, project / "src")
        # The type checkers of the checkout look for packages in the new environment.
        python = str(environment.python)
        _run(
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--python-executable",
            python,
            "src",
            cwd=project,
        )
        _run(sys.executable, "-m", "pyright", "--pythonpath", python, "src", cwd=project)


def main() -> None:
    """Create the environment, install, test, and delete the environment."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", default=sys.executable, help=argparse.SUPPRESS)
    parser.add_argument(
        "command", choices=["bare", "wheel", "all", "core", "oldest", "newest", "consumer"]
    )
    settings, arguments = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        _, client, _, desk = build(folder / "dist")
        environment = Environment(folder, settings.python)
        both = (f"{client}[fast,testing]", f"{desk}[insight]", *MORE_TOOLS)
        match settings.command:
            case "bare":
                check_bare(environment, client)
            case "wheel":
                check_tests(environment, (*both, *LOCKED), [*arguments, *OF_THE_WHEEL])
            case "all":
                check_tests(environment, (*both, *LOCKED), arguments)
            case "oldest":
                oldest = environment.compile_oldest(client)
                check_tests(environment, (*both, "-c", str(oldest)), arguments)
            case "newest":
                # As for `make lock`: new versions wait for a week.
                os.environ["UV_EXCLUDE_NEWER"] = "1 week"
                check_tests(environment, both, arguments)
            case "core":
                # Not every interpreter has wheels of all extras.
                check_tests(environment, (f"{client}[testing]", *LOCKED), [*arguments, "tests"])
            case "consumer":
                check_consumer(environment, client, arguments)


if __name__ == "__main__":
    main()
