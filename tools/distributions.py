"""Builds the sdist and the wheel, the same bytes from the same commit: python -m tools.distributions [FOLDER]"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _time_of_commit() -> str | None:
    """When the last commit was made, in seconds: what the files in the archives are dated."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        return None  # in an unpacked sdist; the build backend then has a date of its own
    command = ["git", "log", "-1", "--pretty=%ct"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def build(folder: Path) -> tuple[Path, Path]:
    """Put an sdist, and a wheel made from that sdist, into a folder, in place of those that are there."""
    for old in folder.glob("cometchat_rest-*"):
        old.unlink()
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or _time_of_commit()
    environment = {**os.environ, **({"SOURCE_DATE_EPOCH": epoch} if epoch else {})}
    # Without isolation, the build backend is the locked one.
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\nthe build failed")
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


if __name__ == "__main__":
    for path in build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist")):
        print(f"{path.name}  {path.stat().st_size:,} bytes")
