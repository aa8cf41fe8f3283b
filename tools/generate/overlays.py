"""Checks that the overlays fit the generated package: mypy names what they use and the package does
not have."""

import os
import subprocess
import sys
import sysconfig

from tools.description import ROOT

_FOLDERS = ("runtime", "generated", "overlays")


def faults_of_overlays() -> str:
    """Return the lines of mypy about the overlays; an empty text if they fit.

    Raises:
        ValueError: mypy failed.
    """
    environment = {
        **os.environ,
        "MYPYPATH": os.pathsep.join(_FOLDERS),
        # With -S, an editable installation of this project adds no other generated package.
        "PYTHONPATH": sysconfig.get_path("purelib"),
    }
    options = ("--config-file=", "--follow-imports=silent", "--no-error-summary")
    command = [sys.executable, "-S", "-m", "mypy", *options, "overlays"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode > 1:
        raise ValueError(f"mypy failed: {done.stdout}{done.stderr}")
    return done.stdout.strip() if done.returncode else ""
