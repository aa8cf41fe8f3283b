"""Builds the documentation site for the tests of this folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str | Path) -> None:
    """Run a Python module; a warning of a generator is an error."""
    command = [sys.executable, "-m", *map(str, arguments)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def build_site(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """A function that writes the pages and builds the site with MkDocs; `pages/` is beside the site."""

    def build() -> Path:
        folder = tmp_path_factory.mktemp("docs")
        run("tools.docs_pages", folder / "pages")
        config = folder / "pages" / "mkdocs.yml"
        run("mkdocs", "build", "--strict", "--config-file", config, "--site-dir", folder / "site")
        return folder / "site"

    return build


@pytest.fixture(scope="session")
def site(build_site: Callable[[], Path]) -> Path:
    return build_site()


@pytest.fixture(scope="session")
def zensical_site(site: Path) -> Path:
    """The site of Zensical, from the same pages."""
    pages = site.parent / "pages"
    run("zensical", "build", "--strict", "--config-file", pages / "mkdocs.yml")
    return pages / "site"
