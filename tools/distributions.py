"""Builds the sdist and the wheel, the same bytes from the same commit: python -m tools.distributions [FOLDER]"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


# 1980, before which no member of a wheel can be dated: for an unpacked sdist, which has no commit.
_NO_COMMIT = "315532800"


def time_of_commit() -> str:
    """When the last commit was made, in seconds: what all files in the archives are dated."""
    if not (ROOT / ".git").exists():
        return _NO_COMMIT
    command = ["git", "log", "-1", "--pretty=%ct"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def build(folder: Path, source: Path = ROOT) -> tuple[Path, Path]:
    """Put an sdist, and a wheel made from that sdist, into a folder, in place of those that are there."""
    for old in folder.glob("cometchat_rest-*"):
        old.unlink()
    environment = {"SOURCE_DATE_EPOCH": time_of_commit(), **os.environ}
    # Without isolation, the build backend is the locked one.
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(source)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\nthe build failed")
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


if __name__ == "__main__":
    for path in build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist")):
        print(f"{path.name}  {path.stat().st_size:,} bytes")
