"""Tests the installed wheel in a new environment, without the checkout on the path.

python -m tools.installed wheel [ARGS]       run the tests that a wrong wheel can fail; ARGS go to pytest
python -m tools.installed wheel --all        run all tests of the client and the command line
python -m tools.installed core [ARGS]        run the tests of the client without the extras `cli` and `insight`
python -m tools.installed oldest [ARGS]      run all of them with the oldest dependencies that pyproject.toml allows
python -m tools.installed newest [ARGS]      run all of them with the newest dependencies
python -m tools.installed consumer [ARGS]    run the tests and type checks of examples/consumer and examples/service

The option `--python 3.13` before the command selects the interpreter of the environment. nox would replace only the
class `Environment`, and would bring eight more packages.
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

LOCK = ROOT / "requirements" / "dev.txt"
CONSUMERS = ("consumer", "service")
TYPED = ROOT / "tests" / "typing" / "cases" / "results_right.py"
#: Packages that the tests need. They stay new when the dependencies of the package are old.
TEST_TOOLS = (
    *("hypothesis", "pexpect", "pyte", "pytest", "pytest-asyncio", "pytest-timeout", "pytest-xdist"),
    *("rich", "socksio", "trio", "trustme", "uvloop; sys_platform != 'win32'", "werkzeug"),
)
#: Some of these have no wheels for each interpreter, and the tests of the core do not need them.
MORE_TOOLS = (
    *("httpx-aiohttp", "httpx2", "opentelemetry-instrumentation-httpx", "opentelemetry-sdk", "polars", "pyreqwest"),
    "truststore",
)
FOLDERS = ("tests/cli", "tests/client", "tests/unit", "tests/desk/spreadsheets", "tools")
FILES = (
    *("README.md", "docs/command-line.md", "pyproject.toml"),
    *("tests/conftest.py", "tests/package/test_pytest_plugin.py"),
)
#: The tests that a wrong wheel can fail: a module, a data file, an entry point or a dependency may be missing. These
#: tests import every module and make every call with both clients. `make test` runs the others with the same code.
OF_THE_WHEEL = (
    *("-m", "not deep", "tests/test_origin.py", "tests/package"),
    *(f"tests/cli/test_{name}.py" for name in ("apps", "auth_tokens", "check", "conformance", "keywords", "reviewed")),
    *(f"tests/cli/test_keywords_{name}.py" for name in ("change", "folder", "history", "lint", "try")),
    *("tests/cli/test_reviewed_explain.py", "tests/cli/test_reviewed_stats.py", "tests/cli/test_roles.py"),
    *(f"tests/client/test_{name}.py" for name in ("auth_tokens", "client", "errors", "fleet", "keywords", "parity")),
    *("tests/client/test_reviewed_messages.py", "tests/client/test_roles.py", "tests/unit/test_simulator.py"),
)
#: The tests of sockets, threads and pure functions. Not every interpreter has wheels of all extras.
OF_THE_CORE = (
    *("tests/test_origin.py", "tests/client/_call", "tests/client/_support", "tests/client/_wire"),
    *("tests/client/test_client.py", "tests/client/test_parity.py", "tests/unit"),
    *("--ignore=tests/client/_call/test_tracing.py", "--ignore=tests/client/_wire/test_connect.py"),
    "--ignore=tests/client/_wire/test_httpx_transport.py",
)
#: The screens are drawn with the locked version of rich; other versions draw them differently.
LEFT_OUT = ("__pycache__", "test_screens.py")

#: A test that runs with the others and checks where they import the packages from.
ORIGIN = '''
import sys
from pathlib import Path

import cometchat_openapi
import cometchat_rest
import pytest


@pytest.mark.parametrize("package", [cometchat_rest, cometchat_openapi], ids=lambda package: package.__name__)
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

    def compile(self, *options: str) -> Path:
        """Resolve the dependencies of the package, and return the file with the versions."""
        pins = self.folder / "pins.txt"
        command = ("pip", "compile", "--quiet", "--no-emit-index-url", "--python", str(self.python), "--all-extras")
        self._uv(*command, *options, "--output-file", str(pins), str(ROOT / "pyproject.toml"))
        return pins

    def run(self, *arguments: str, cwd: Path) -> None:
        """Run Python in the environment; exit with its exit code if that is not 0."""
        _run(self.python, *arguments, cwd=cwd)


def _run(program: str | Path, *arguments: str, cwd: Path) -> None:
    # Without compiled files, every test that starts Python would compile all packages of the new environment.
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
        (place / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, place / name)
    (place / "tests" / "test_origin.py").write_text(ORIGIN, "utf-8")
    return place


def check_client(environment: Environment, requirements: tuple[str, ...], arguments: list[str]) -> None:
    """Run tests with the wheel and its extras."""
    environment.install(*requirements, *TEST_TOOLS)
    environment.run("-m", "pytest", "-q", *arguments, cwd=_tests(environment))


def check_consumer(environment: Environment, wheel: Path, arguments: list[str]) -> None:
    """Install the sample projects and the wheel, run the tests of the projects, and check their types."""
    for name in CONSUMERS:
        project = environment.folder / name
        shutil.copytree(ROOT / "examples" / name, project, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        environment.install("--group", f"{project / 'pyproject.toml'}:test", str(wheel), str(project), "-c", str(LOCK))
        (project / "tests" / "test_origin.py").write_text(ORIGIN, "utf-8")
        environment.run("-m", "pytest", "-q", *arguments, cwd=project)
        shutil.copy(TYPED, project / "src")
        # The type checkers of the checkout look for packages in the new environment.
        python = str(environment.python)
        _run(sys.executable, "-m", "mypy", "--strict", "--python-executable", python, "src", cwd=project)
        _run(sys.executable, "-m", "pyright", "--pythonpath", python, "src", cwd=project)


def main() -> None:
    """Create the environment, install, test, and delete the environment."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help=argparse.SUPPRESS)
    parser.add_argument("command", choices=["wheel", "core", "oldest", "newest", "consumer"])
    parser.add_argument("--all", action="store_true", help=argparse.SUPPRESS)
    settings, arguments = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        _, wheel = build(folder / "dist")
        environment = Environment(folder, settings.python)
        complete = (f"{wheel}[cli,fast,insight,otel,testing,words]", *MORE_TOOLS)
        if settings.command == "consumer":
            check_consumer(environment, wheel, arguments)
        elif settings.command == "core":
            check_client(environment, (f"{wheel}[testing]", "-c", str(LOCK)), [*arguments, *OF_THE_CORE])
        elif settings.command == "oldest":
            oldest = environment.compile("--resolution", "lowest-direct")
            check_client(environment, (*complete, "-c", str(oldest)), arguments)
        else:
            constraints = ("-c", str(LOCK)) if settings.command == "wheel" else ()
            chosen = OF_THE_WHEEL if settings.command == "wheel" and not settings.all else ()
            check_client(environment, (*complete, *constraints), [*arguments, *chosen])


if __name__ == "__main__":
    main()
