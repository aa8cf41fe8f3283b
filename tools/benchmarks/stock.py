"""Runs openapi-python-client on our description, with its own templates and without
configuration."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

DESCRIPTION = Path(__file__).resolve().parents[2] / "openapi.yaml"


def generate(folder: Path) -> None:
    """Write the package `stock_client` into a folder, and let the processes of this program
    import it."""
    command = [sys.executable, "-m", "openapi_python_client", "generate"]
    command += ["--path", str(DESCRIPTION)]
    command += ["--meta", "none"]
    command += ["--output-path", str(folder / "stock_client")]
    # It calls ruff by name to format its output.
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": programs}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}")
    os.environ["PYTHONPATH"] = str(folder)
