"""Installs the tools into `.try-tools`, which git ignores, and runs them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from attrs import frozen

from tools.description import ROOT

HERE = Path(__file__).parent
WORK = ROOT / ".try-tools"
NODE = WORK / "node" / "node_modules"
PYTHON = WORK / "python" / "bin"
#: The generator, and the packages that its Python client needs, with hashes.
REQUIREMENTS = ROOT / "tools" / "benchmarks" / "requirements" / "openapi-generator.txt"


@frozen
class Result:
    """The version of a tool, the calls that had the expected effect, all calls, and the first problem."""

    version: str
    done: int
    calls: int
    problem: str = ""


class ToolError(Exception):
    """A tool failed; the text is the first line of its output that tells the reason."""


def run(*command: str | Path, cwd: Path = WORK) -> str:
    """Run a command and return its output. Raises ToolError if it fails."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        output = f"{done.stdout}\n{done.stderr}".replace(f"{WORK}/", "").replace(f"{ROOT}/", "")
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        raise ToolError(next((line for line in lines if "error" in line.lower()), "no output")[:160])
    return done.stdout


def node(script: str, *arguments: str | Path, cwd: Path = WORK) -> str:
    """Run a script of an installed npm package."""
    return run("node", NODE / script, *arguments, cwd=cwd)


def install() -> None:
    """Install the npm packages and the Python packages, unless they are there."""
    packages = WORK / "node"
    lock = HERE / "npm" / "package-lock.json"
    if not (packages / lock.name).is_file() or (packages / lock.name).read_bytes() != lock.read_bytes():
        shutil.rmtree(packages, ignore_errors=True)
        shutil.copytree(HERE / "npm", packages)
        run("npm", "ci", "--prefix", packages)
    if not (PYTHON / "openapi-generator-cli").exists():
        run(sys.executable, "-m", "venv", "--clear", PYTHON.parent)
        run(PYTHON / "python", "-m", "pip", "install", "--quiet", "--require-hashes", "-r", REQUIREMENTS)


def npm_version(package: str) -> str:
    """The installed version of an npm package."""
    version: str = json.loads((NODE / package / "package.json").read_text("utf-8"))["version"]
    return version
