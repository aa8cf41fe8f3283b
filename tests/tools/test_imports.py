"""The rules about imports notice a wrong import."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.description import ROOT

SOURCES = ("overlays/cometchat_rest", "generated/cometchat_openapi", "desk/cometchat_desk")
CLIENT, GENERATED, DESK = (f"{source}/planted.py" for source in SOURCES)
CALL, SIMULATOR = (f"overlays/cometchat_rest/{folder}/planted.py" for folder in ("_call", "testing"))
#: A contract of pyproject.toml, a new module, and its import, which the contract forbids.
PLANTED = {
    "the client imports the desk": ("projects", CLIENT, "import cometchat_desk.fleet"),
    "the generated code imports the client": ("projects", GENERATED, "import cometchat_rest.errors"),
    "the generated code imports the desk": ("projects", GENERATED, "import cometchat_desk.fleet"),
    "the desk imports a private module": ("public", DESK, "import cometchat_rest._call.steps"),
    "a module of the client points up": ("client", CALL, "import cometchat_rest.client"),
    "the simulator imports the client": ("simulator", SIMULATOR, "import cometchat_rest.errors"),
    "the simulator imports generated code": ("simulator", SIMULATOR, "import cometchat_openapi.models"),
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the three packages and of the rules."""
    folder = tmp_path_factory.mktemp("imports")
    for source in SOURCES:
        shutil.copytree(ROOT / source, folder / source, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def lint(checkout: Path, contract: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(str((checkout / source).parent) for source in SOURCES)
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(  # noqa: S603 - our own tool
        [program, "--contract", contract, "--no-cache"],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("contract", "module", "statement"), PLANTED.values(), ids=PLANTED)
def test_a_wrong_import_is_an_error(checkout: Path, contract: str, module: str, statement: str) -> None:
    """`make lint` fails if the client imports the desk, the generated code the client, or the desk a private name."""
    before = lint(checkout, contract)
    assert before.returncode == 0, before.stdout
    planted = checkout / module
    planted.write_text(f"{statement}\n", "utf-8")
    try:
        done = lint(checkout, contract)
    finally:
        planted.unlink()
    assert done.returncode == 1
    assert "planted -> " in done.stdout
