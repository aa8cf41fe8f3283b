"""Runs the generator in a copy of the repository."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TypeAlias

from tools.description import ROOT

Done: TypeAlias = subprocess.CompletedProcess[str]


def run(*command: str | Path, path: tuple[Path, ...] = (), folder: Path | None = None) -> Done:
    """Run a Python command in a folder; the folders in `path` are searched first."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "NO_COLOR": "1"}
    return subprocess.run(  # noqa: S603 - our own tools on our own files
        [sys.executable, *map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def copied(folder: Path) -> Path:
    """Copy the input and the output of the generator into a new folder."""
    for name in ("generator-templates", "generated", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("openapi.yaml", "generator-config.yaml"):
        shutil.copy(ROOT / name, folder)
    return folder


def generate(folder: Path, *options: str) -> Done:
    """Run the generator of a copy."""
    return run("-m", "tools.generate", *options, folder=folder)
