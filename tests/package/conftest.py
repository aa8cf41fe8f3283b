"""Builds the documentation site for the tests of this folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def build_site(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """A function that builds the site into a new folder; a warning is an error."""

    def build() -> Path:
        folder = tmp_path_factory.mktemp("site")
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
        environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        assert done.returncode == 0, done.stdout + done.stderr
        return folder

    return build


@pytest.fixture(scope="session")
def site(build_site: Callable[[], Path]) -> Path:
    return build_site()
