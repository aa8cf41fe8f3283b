"""`make contract`: schemathesis as anybody runs it, with the description and without hooks."""

import subprocess
import sys

import pytest

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
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.deep) for seed in (2, 3, 4))]
)
def test_stock_tool_finds_nothing(seed: int) -> None:
    """Between the description and the simulator, schemathesis finds no difference in any of its
    phases.

    A new operation has the same response whatever other calls change;
    `tests/contract/test_simulator.py` tests it.
    """
    document = contract_part(read(DESCRIPTION))
    included = [f"--include-operation-id={operation.id}" for operation in operations(document)]
    done = contract("--seed", seed, "--max-examples", 4, "--no-color", *included)
    assert done.returncode == 0, done.stdout[-5000:]
    assert "No issues found" in done.stdout
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}" in done.stdout, phase
