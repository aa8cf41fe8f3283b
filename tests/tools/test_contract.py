"""`make contract`: schemathesis as anybody runs it, with the description and without hooks."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tools.contract.fuzz import SETTINGS
from tools.description import DESCRIPTION, ROOT, operations, read

from ..contract.matrix import contract_part


def contract(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tools.contract.fuzz", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.parametrize(
    ("seed", "arguments"),
    [
        (1, ["--max-examples", 4]),
        # Without the setting for forms, these seeds make schemathesis report a false alarm.
        *(pytest.param(seed, [], marks=pytest.mark.deep) for seed in (7, 8, 9)),
    ],
)
def test_stock_tool_finds_nothing(seed: int, arguments: list[object]) -> None:
    """Between the description and the simulator, schemathesis finds no difference in any of its
    phases.

    A new operation has the same response whatever other calls change;
    `tests/contract/test_simulator.py` tests it.
    """
    document = contract_part(read(DESCRIPTION))
    included = [f"--include-operation-id={operation.id}" for operation in operations(document)]
    done = contract("--seed", seed, *arguments, "--no-color", *included)
    assert done.returncode == 0, done.stdout[-5000:]
    assert "No issues found" in done.stdout
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}" in done.stdout, phase


def test_page_has_the_settings() -> None:
    """The page shows users the settings with which this tool finds nothing."""
    page = Path(ROOT, "docs/how-to/contract-tests.md").read_text("utf-8")
    block = page.split('title="schemathesis.toml"\n')[1].split("```")[0]
    assert tomllib.loads(block) == tomllib.loads(SETTINGS.read_text("utf-8"))
