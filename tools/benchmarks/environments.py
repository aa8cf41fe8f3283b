"""Creates one environment for each contender, with the packages that a user would install.

python tools/benchmarks/environments.py --lock    update requirements/*.txt from requirements/*.in
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ENVIRONMENTS = HERE / ".environments"
REQUIREMENTS = HERE / "requirements"
DESCRIPTION = ROOT / "openapi.yaml"
# The time limit of an installation or a generator.
_SECONDS = 300


def _run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> None:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=_SECONDS,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\n{Path(command[0]).name} failed")


def _uv(*arguments: str | Path, cwd: Path = ROOT) -> None:
    _run(sys.executable, "-m", "uv", *arguments, cwd=cwd)


def _site_packages(environment: Path) -> Path:
    return next(environment.glob("lib/python*/site-packages"))


def _install_ours(environment: Path) -> None:
    """Install the wheel of this checkout."""
    with tempfile.TemporaryDirectory() as folder:
        _run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
        (wheel,) = Path(folder).glob("*.whl")
        install = ("pip", "install", "--quiet", "--python", environment)
        _uv(*install, "--no-deps", "--reinstall", "--compile-bytecode", wheel)


def _generate_stock(environment: Path) -> None:
    """Run openapi-python-client on our description, with its own templates and without configuration."""
    target = _site_packages(environment) / "stock_client"
    # It calls ruff by name to format its output.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(DESCRIPTION)]
    _run(*command, "--output-path", target, "--meta", "none", "--overwrite", PATH=path)
    _run(environment / "bin/python", "-m", "compileall", "-q", target)


def _generate_java(environment: Path) -> None:
    """Run openapi-generator on our description: the default library (urllib3), and asyncio (aiohttp)."""
    for name, library in (("java_client", "urllib3"), ("java_client_async", "asyncio")):
        with tempfile.TemporaryDirectory() as folder:
            command = [str(environment / "bin/openapi-generator-cli"), "generate", "-g", "python", "-o", folder]
            _run(*command, "-i", DESCRIPTION, "--library", library, "--package-name", name)
            target = _site_packages(environment) / name
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(Path(folder) / name, target)
        _run(environment / "bin/python", "-m", "compileall", "-q", target)


_AFTERWARDS: dict[str, Callable[[Path], None]] = {
    "cometchat-rest": _install_ours,
    "generated": _generate_stock,
    "openapi-generator": _generate_java,
}


def make(name: str) -> Path:
    """Create or update an environment, and return its interpreter."""
    environment = ENVIRONMENTS / name
    requirements = REQUIREMENTS / f"{name}.txt"
    sources = [requirements, Path(__file__), DESCRIPTION, ROOT / "requirements" / "dev.txt"]
    made_from = hashlib.sha256(sys.version.encode() + b"".join(source.read_bytes() for source in sources)).hexdigest()
    stamp = environment / "made-from"
    fresh = not stamp.exists() or stamp.read_text("ascii") != made_from
    if fresh:
        _uv("venv", "--quiet", "--clear", "--python", sys.executable, environment)
        install = ["pip", "install", "--quiet", "--python", str(environment), "--require-hashes", "--compile-bytecode"]
        _uv(*install, "-r", requirements)
    # The wheel is built on every run; slow steps run only after a change of their sources.
    if name in _AFTERWARDS and (fresh or name == "cometchat-rest"):
        _AFTERWARDS[name](environment)
    stamp.write_text(made_from, "ascii")
    return environment / "bin/python"


def missing(name: str) -> str | None:
    """Return the reason why this machine cannot create an environment, else `None`."""
    return "Java is not installed" if name == "openapi-generator" and shutil.which("java") is None else None


def lock() -> None:
    """Update the pinned requirements; httpx first, because the others use its version."""
    command = ["pip", "compile", "--quiet", "--upgrade", "--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--no-emit-index-url", "--no-annotate"]
    command += ["--custom-compile-command", "python tools/benchmarks/environments.py --lock"]
    for name in sorted((path.stem for path in REQUIREMENTS.glob("*.in")), key=lambda name: (name != "httpx", name)):
        _uv(*command, f"{name}.in", "--output-file", f"{name}.txt", cwd=REQUIREMENTS)


if __name__ == "__main__":
    if sys.argv[1:] != ["--lock"]:
        sys.exit(__doc__)
    lock()
