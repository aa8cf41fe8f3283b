"""What the README shows a reader is what happens."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from pytest_examples import CodeExample, EvalExample, find_examples

from cometchat_rest.testing import Simulator

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
INSTALL, SIMULATE = (code.strip() for language, code in BLOCKS if language == "sh")


@pytest.mark.parametrize("example", list(find_examples(README)), ids=str)
def test_python_runs_as_shown(
    example: CodeExample, eval_example: EvalExample, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every Python block runs as it stands, given the settings in the environment."""
    monkeypatch.setenv("COMETCHAT_BASE_URL", simulator.base_url)
    monkeypatch.setenv("COMETCHAT_API_KEY", simulator.api_key)
    eval_example.run(example)


def test_every_block_is_executed() -> None:
    """No block of the README is left untried."""
    assert {language for language, _ in BLOCKS} == {"python", "sh"}
    assert len(list(find_examples(README))) + 2 == len(BLOCKS)


def test_install_as_shown(tmp_path: Path) -> None:
    """The line for installing makes the package importable in a new environment, without any of its extras."""
    venv.create(tmp_path / "new", with_pip=True)
    scripts = tmp_path / "new" / ("Scripts" if os.name == "nt" else "bin")
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(INSTALL, shell=True, check=True, cwd=ROOT, env=environment, capture_output=True)  # noqa: S602
    code = "import cometchat_rest, sys; print(cometchat_rest.Client.__name__, 'starlette' in sys.modules)"
    done = subprocess.run(  # noqa: S603
        [scripts / "python", "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["Client", "False"]


def test_simulator_as_shown() -> None:
    """The line for the simulator runs it until it is told to stop."""
    command = SIMULATE.replace("8080", "0").split()  # any free port: 8080 may be in use here
    with (
        subprocess.Popen(  # noqa: S603
            [sys.executable, *command[1:]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process
    ):
        assert process.stdout is not None
        assert "http://127.0.0.1:" in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
