"""Builds both sdists and both wheels reproducibly: the same commit gives the same bytes.

python -m tools.release.distributions [FOLDER]

`build` builds the archives. `git archive` cannot replace `tracked()`: it leaves out uncommitted
changes, which `make test-wheel` has to test.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: The archives, in the order in which `build` returns them.
_ARCHIVES = (
    "cometchat_rest-*.tar.gz",
    "cometchat_rest-*.whl",
    "cometchat_desk-*.tar.gz",
    "cometchat_desk-*.whl",
)
# The start of 1980, the earliest date in a wheel. An unpacked sdist has no commit, so it uses this
# date.
_NO_COMMIT = "315532800"


def time_of_commit() -> str:
    """Return the time of the last commit in seconds; all files in the archives get this date."""
    if not (ROOT / ".git").exists():
        return _NO_COMMIT
    return _git(ROOT, "log", "-1", "--pretty=%ct").strip()


def tracked(source: Path, folder: Path) -> Path:
    """Copy the files that git tracks from the working tree into a folder; other files must not be
    published.

    An unpacked sdist has no git folder; it is used unchanged.
    """
    if not (source / ".git").exists():
        return source
    for name in _git(source, "ls-files", "-z").split("\0"):
        file = source / name
        if file.is_file():
            copy = folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
    if _git(source, "status", "--porcelain"):
        message = "uncommitted changes: the build contains them, but no untracked files"
        print(message, file=sys.stderr)
    return folder


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "--no-optional-locks", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=True)
    return done.stdout


def build(folder: Path, source: Path = ROOT) -> list[Path]:
    """Build an sdist, and a wheel from this sdist, of the client and of the desk; older archives
    are deleted.

    Returns the archives in this order: sdist and wheel of the client, sdist and wheel of the desk.
    """
    for old in folder.glob("cometchat_*"):
        old.unlink()
    with tempfile.TemporaryDirectory() as name:
        tree = tracked(source, Path(name) / "tree")
        _build_project(tree, folder)
        _build_project(tree / "desk", folder)
    return [path for pattern in _ARCHIVES for path in folder.glob(pattern)]


def _build_project(project: Path, folder: Path) -> None:
    # Without isolation, the build uses the locked build backend.
    command = [sys.executable, "-m", "build", "--no-isolation"]
    command += ["--outdir", str(folder), str(project)]
    environment = {"SOURCE_DATE_EPOCH": time_of_commit(), **os.environ}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\nthe build failed")


def main() -> None:
    """Build into the folder that an argument names, by default `dist/`."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    for path in build(folder):
        print(f"{path.name}  {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
