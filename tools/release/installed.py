"""Tests the built wheels in a new environment: `make test-wheel KIND=... ALL=1`

bare         import every public name with only the wheel of the client installed
wheel        run the tests with the locked dependencies
newest       run the tests with the newest dependencies
oldest       run the tests of the client with the oldest dependencies that it allows
oldest_desk  run the tests with the oldest dependencies that both projects allow
core         run the tests of the client, without the desk and the extra `fast`
consumer     run the tests and type checks of examples/consumer and examples/service

The tests are those that a wrong wheel can fail, and with `--all` all that a wheel can run. The
folders of the packages are not on the path. Further arguments go to pytest.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WITH_DESK = ("wheel", "newest", "oldest_desk")
WITHOUT_DESK = ("oldest", "core")
CONSUMERS = (ROOT / "examples" / "consumer", ROOT / "examples" / "service")
TYPED = ROOT / "tests" / "typing" / "cases" / "results_right.py"
#: These tests make every call with both clients, and run commands of the desk.
TESTS = ("tests/overlays", "tests/testing", "desk/tests/commands/reviewed")
ALL_TESTS = ("tests/frozen", "tests/overlays", "tests/runtime", "tests/testing", "desk/tests")
#: These tests are about other tools for httpx, which not every interpreter has.
LEFT_OUT = (
    "--ignore-glob=**/test_tracing.py",
    "--ignore-glob=**/test_transport_custom.py",
    "--ignore-glob=**/test_transport_mocks.py",
)
#: As in the Makefile.
ON_EVERY_CORE = ("--numprocesses", "auto", "--dist", "loadfile", "--max-worker-restart", "0")
#: Each test that starts Python would compile all packages of the new environment, if Python did not
#: keep the compiled files. The other variables would name another environment.
NOT_INHERITED = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "VIRTUAL_ENV")

#: Imports every public name, and checks that the packages are those of the environment.
IMPORTS = """
import sys

import cometchat_openapi
import cometchat_rest
import cometchat_runtime
import cometchat_testing.conformance

for package in (cometchat_openapi, cometchat_rest, cometchat_runtime, cometchat_testing):
    assert package.__file__.startswith(sys.prefix), package.__file__
for name in cometchat_rest.__all__:
    assert getattr(cometchat_rest, name) is not None, name
assert cometchat_testing.conformance.openapi().is_file()
"""


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a program; exit with its exit code if that is not 0."""
    environment = {name: os.environ[name] for name in os.environ if name not in NOT_INHERITED}
    code = subprocess.run(command, cwd=cwd, env=environment).returncode
    if code:
        sys.exit(code)


def uv(*arguments: str | Path) -> None:
    """Run uv."""
    run(sys.executable, "-m", "uv", *arguments)


def build(project: Path, folder: Path) -> Path:
    """Build the sdist and the wheel of a project with the locked build backend; return the
    wheel."""
    run(sys.executable, "-m", "hatchling", "build", "--directory", folder, cwd=project)
    (wheel,) = folder.glob("*.whl")
    return wheel


def locked() -> list[str]:
    """Return the options that pin the packages of all lock files."""
    return [f"--constraint={path}" for path in (ROOT / "requirements").glob("*.txt")]


class Environment:
    """A new virtual environment in a folder, and the built wheels."""

    def __init__(self, folder: Path, python: str) -> None:
        self.client = build(ROOT, folder / "client")
        self.desk = build(ROOT / "desk", folder / "desk")
        home = folder / "environment"
        uv("venv", "--quiet", "--python", python, home)
        self.python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def install(self, *requirements: str | Path) -> None:
        """Install requirements; options of pip are allowed."""
        uv("pip", "install", "--quiet", "--python", self.python, *requirements)

    def install_oldest(self, *projects: Path) -> None:
        """Replace the direct dependencies of projects by the oldest allowed versions."""
        pins = self.client.with_name("oldest.txt")
        uv(
            "pip",
            "compile",
            "--quiet",
            "--all-extras",
            "--no-deps",
            "--resolution=lowest-direct",
            # The desk needs the client, whose wheel no package index has.
            f"--find-links={self.client.parent}",
            "--no-emit-package=cometchat-rest",
            f"--python={self.python}",
            f"--output-file={pins}",
            *(project / "pyproject.toml" for project in projects),
        )
        self.install("--requirement", pins)

    def test(self, *arguments: str | Path, cwd: Path = ROOT) -> None:
        """Run pytest, after a check that it imports the wheels."""
        run(self.python, "-c", IMPORTS, cwd=cwd)
        run(self.python, "-m", "pytest", "-q", *arguments, cwd=cwd)


def check_bare(environment: Environment) -> None:
    """Import every public name in an environment that has only the wheel of the client, and start
    the program that needs no more."""
    environment.install(environment.client, *locked())
    run(environment.python, "-c", IMPORTS)
    run(environment.python, "-m", "cometchat_testing.conformance", "--help")


def check_tests(environment: Environment, kind: str, tests: Sequence[str]) -> None:
    """Run tests of the checkout."""
    wheels = [f"{environment.client}[testing]"]
    if kind != "core":
        wheels.append(f"{environment.client}[fast]")
    if kind in WITH_DESK:
        wheels.append(f"{environment.desk}[insight]")
    else:
        tests = [path for path in tests if not path.startswith("desk/")]
    # As for `make lock`: new versions wait for a week.
    versions = ["--exclude-newer=1 week"] if kind == "newest" else locked()
    environment.install(*wheels, f"--group={ROOT / 'pyproject.toml'}:test", *versions)
    if kind == "oldest":
        environment.install_oldest(ROOT)
    if kind == "oldest_desk":
        environment.install_oldest(ROOT, ROOT / "desk")
    environment.test("-m", "not deep", *ON_EVERY_CORE, *LEFT_OUT, *tests)


def check_consumer(environment: Environment, arguments: list[str]) -> None:
    """Install the sample projects and the wheel, run the tests of the projects, and check their
    types with the type checkers of the checkout."""
    python = environment.python
    for project in CONSUMERS:
        group = f"--group={project / 'pyproject.toml'}:test"
        environment.install(environment.client, group, "--editable", project, *locked())
        environment.test(*arguments, cwd=project)
        mypy = ("-m", "mypy", "--strict", "--python-executable", python)
        run(sys.executable, *mypy, "src", TYPED, cwd=project)
        pyright = ("-m", "pyright", "--pythonpath", python)
        run(sys.executable, *pyright, "src", TYPED, cwd=project)


def main() -> None:
    """Create the environment, install, test, and delete the environment."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", default=sys.executable, help="the interpreter to test with")
    parser.add_argument("--all", action="store_true", help="run all tests")
    parser.add_argument("kind", choices=["bare", "consumer", *WITHOUT_DESK, *WITH_DESK])
    options, arguments = parser.parse_known_args()
    tests = ALL_TESTS if options.all else TESTS
    with tempfile.TemporaryDirectory() as name:
        environment = Environment(Path(name), options.python)
        if options.kind == "bare":
            check_bare(environment)
        elif options.kind == "consumer":
            check_consumer(environment, arguments)
        else:
            check_tests(environment, options.kind, [*tests, *arguments])


if __name__ == "__main__":
    main()
