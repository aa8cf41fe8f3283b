"""`make contract`: schemathesis as anybody runs it, with the description and without hooks."""

import os
import subprocess
import sys

import pytest

from cometchat_testing import Simulator
from tools.contract.deviations import contract_part
from tools.contract.fuzz import main
from tools.description import DESCRIPTION, ROOT, operations, read


def contract(*arguments: object, key: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tools.contract.fuzz", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "API_KEY": key},
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


def test_app_is_only_read(simulator: Simulator) -> None:
    """Against an app, only reading requests are sent, each with valid data; the key is in no
    output."""
    done = contract(
        "--url",
        simulator.base_url,
        "--no-color",
        "--rate-limit",
        "10000/s",
        key=f"{simulator.api_key}\n",
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert {request.method for request in simulator.requests} == {"GET"}
    assert simulator.api_key not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("url", "key", "problem"),
    [
        ("{url}/roles", "{key}", "--url must be an address such as https://"),
        ("http://[::1/v3", "{key}", "--url must be an address such as https://"),
        ("http://otherhost/v3", "{key}", "--url must begin with https://"),
        ("http://127.0.0.1:9/v3", "{key}", "no connection to 127.0.0.1:9"),
        ("{url}", "", "API_KEY=... make contract URL=http"),
        ("foo", "", "API_KEY=... make contract URL=foo"),
        ("{url}", "{key}ключ", "API_KEY contains"),
        ("{url}", "a{key}\n{key}", "API_KEY must not contain white space"),
        ("{url}", "wrong", "the response has status 401"),
        ("{url}", "{auth_only}", "the response has status 403"),
    ],
)
def test_unusable_app_is_one_line(
    simulator: Simulator,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    url: str,
    key: str,
    problem: str,
) -> None:
    """An address or a key that cannot be used gives one line with the next step."""
    names = {
        "url": simulator.base_url,
        "key": simulator.api_key,
        "auth_only": simulator.auth_only_key,
    }
    monkeypatch.setenv("API_KEY", key.format(**names))
    assert main(["--url", url.format(**names)]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    (line,) = errors.splitlines()
    assert problem in line
    assert simulator.api_key not in line
