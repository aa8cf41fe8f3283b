"""Builds the documentation site for the tests of this folder."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str | Path) -> None:
    """Run a Python module; a warning is an error."""
    command = [sys.executable, "-m", *map(str, arguments)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site that MkDocs builds."""
    pytest.importorskip("mkdocs", reason="MkDocs is not installed: run make docs")
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        # All workers share one site, because building it takes long.
        folder = folder.parent
    with (folder / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "site").exists():
            run("mkdocs", "build", "--strict", "--site-dir", folder / "built")
            (folder / "built").rename(folder / "site")
    return folder / "site"
