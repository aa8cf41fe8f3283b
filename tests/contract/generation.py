"""Runs the generator in a copy of the repository, and changes files there."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from tools.description import ROOT

Done: TypeAlias = subprocess.CompletedProcess[str]
Edit: TypeAlias = Callable[[Path], object]


def run(*command: str | Path, path: tuple[Path, ...] = (), folder: Path | None = None) -> Done:
    """Run a Python command in a folder; the folders in `path` are searched first."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def copied(folder: Path, *more: str) -> Path:
    """Copy the input and the output of the generator into a new folder, and more folders; without
    the overlays, their folder has an empty module."""
    for name in ("contract", "generator-templates", "generated", "tools", *more):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("openapi.yaml", "generator-config.yaml"):
        shutil.copy(ROOT / name, folder)
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "service.md", folder / "docs")
    if "overlays" not in more:
        (folder / "overlays").mkdir()
        (folder / "overlays" / "empty.py").touch()
    return folder


def generate(folder: Path, *options: str) -> Done:
    """Run the generator of a copy."""
    return run("-m", "tools.generate", *options, folder=folder)


def regenerate(folder: Path) -> None:
    """Replace the output in a copy, whose overlays may be those of another description."""
    done = generate(folder)
    is_new = done.stderr.startswith("overlays do not fit generated/cometchat_openapi")
    assert is_new or done.returncode == 0, done.stdout + done.stderr


def append(name: str, text: str) -> Edit:
    """Append a text to a file."""

    def edit(folder: Path) -> None:
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(text)

    return edit


def replace(name: str, old: str, new: str) -> Edit:
    """Replace every occurrence of a text in a file."""

    def edit(folder: Path) -> None:
        path = folder / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    return edit
