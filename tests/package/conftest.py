"""The documentation site, built for all who look at it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The site, built twice, at a time, without a warning."""
    folders = [tmp_path_factory.mktemp("site") for _ in range(2)]
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    builds = [
        subprocess.Popen(  # noqa: S603
            [*command, str(folder)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for folder in folders
    ]
    told = [build.communicate()[0] for build in builds]
    assert not any(build.returncode for build in builds), "\n".join(told)
    return folders


@pytest.fixture(scope="session")
def site(sites: list[Path]) -> Path:
    return sites[0]
