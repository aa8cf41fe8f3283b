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
        if (source / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, folder / name)
    if _git(source, "status", "--porcelain"):
        print(
            "uncommitted changes: the build contains them, but no untracked files", file=sys.stderr
        )
    return folder


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "--no-optional-locks", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, encoding="utf-8", check=True
    ).stdout


def build(folder: Path, source: Path = ROOT) -> list[Path]:
    """Build an sdist, and a wheel from this sdist, of the client and of the desk; older archives
    are deleted.

    Returns the archives in this order: sdist and wheel of the client, sdist and wheel of the desk.
    """
    for old in folder.glob("cometchat_*"):
        old.unlink()
    environment = {"SOURCE_DATE_EPOCH": time_of_commit(), **os.environ}
    with tempfile.TemporaryDirectory() as name:
        tree = tracked(source, Path(name) / "tree")
        for project in (tree, tree / "desk"):
            # Without isolation, the build uses the locked build backend.
            command = [
                sys.executable,
                "-m",
                "build",
                "--no-isolation",
                "--outdir",
                str(folder),
                str(project),
            ]
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{done.stdout}{done.stderr}\nthe build failed")
    names = ("cometchat_rest", "cometchat_desk")
    return [
        path
        for name in names
        for kind in ("tar.gz", "whl")
        for path in folder.glob(f"{name}-*.{kind}")
    ]


if __name__ == "__main__":
    for path in build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist")):
        print(f"{path.name}  {path.stat().st_size:,} bytes")
