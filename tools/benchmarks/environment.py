"""Makes the environment of the contenders, which holds the client alone, and the package of the
generator.

httpx loads its own command line if its packages are installed, as they are beside most tools.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def create(folder: Path, *, fast: bool) -> Path:
    """Install the wheel of this checkout with its locked dependencies, and perhaps its extra
    `fast`; return the Python."""
    # Each new process would compile its modules if Python did not keep the compiled files.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    dist = folder / "dist"
    _run("tools.release.distributions", dist)
    (wheel,) = dist.glob("cometchat_rest-*.whl")
    requirement = f"{wheel}[fast]" if fast else str(wheel)
    home = folder / "environment"
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    _run("uv", "venv", "--quiet", "--python", sys.executable, home)
    locked = ROOT / "requirements" / "dev.txt"
    _run("uv", "pip", "install", "--quiet", "--python", python, "--constraint", locked, requirement)
    return python


def generate(folder: Path) -> None:
    """Write the package `stock_client` with the unchanged generator, and let the contenders import
    it."""
    # The generator calls ruff by name.
    programs = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    os.environ["PATH"] = os.pathsep.join(programs)
    output = folder / "stock_client"
    command = ["generate", "--path", ROOT / "openapi.yaml", "--meta", "none"]
    _run("openapi_python_client", *command, "--output-path", output)
    os.environ["PYTHONPATH"] = str(folder)


def _run(module: str, *arguments: str | Path) -> None:
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}")
