"""Builds the sdist and the wheel, the same bytes from the same commit: python -m tools.distributions [FOLDER]"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


# 1980, before which no member of a wheel can be dated: for an unpacked sdist, which has no commit.
_NO_COMMIT = "315532800"


def time_of_commit() -> str:
    """When the last commit was made, in seconds: what all files in the archives are dated."""
    if not (ROOT / ".git").exists():
        return _NO_COMMIT
    return _git(ROOT, "log", "-1", "--pretty=%ct").strip()


def tracked(source: Path, folder: Path) -> Path:
    """A copy of what git tracks, as it stands in the working tree: nothing else that lies there is for everybody.

    An unpacked sdist, which has no git, is taken as it is.
    """
    if not (source / ".git").exists():
        return source
    for name in _git(source, "ls-files", "-z").split("\0"):
        if (source / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, folder / name)
    if _git(source, "status", "--porcelain"):
        print("not all is committed: changes are built too, files that git does not track are not", file=sys.stderr)
    return folder


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "--no-optional-locks", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=True).stdout


def build(folder: Path, source: Path = ROOT) -> tuple[Path, Path]:
    """Put an sdist, and a wheel made from that sdist, into a folder, in place of those that are there."""
    for old in folder.glob("cometchat_rest-*"):
        old.unlink()
    environment = {"SOURCE_DATE_EPOCH": time_of_commit(), **os.environ}
    with tempfile.TemporaryDirectory() as name:
        tree = tracked(source, Path(name) / "tree")
        # Without isolation, the build backend is the locked one.
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(tree)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\nthe build failed")
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


if __name__ == "__main__":
    for path in build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist")):
        print(f"{path.name}  {path.stat().st_size:,} bytes")
