"""The simulator as a context manager and as an application."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import yaml

from cometchat_testing import ConnectionCutError, Simulator
from cometchat_testing.faults import Cut

from .service_calls import LIST


async def _in_process(simulator: Simulator, path: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=simulator.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1/v3") as client:
        return await client.get(path, headers={"apikey": simulator.api_key})


def test_application_works_in_process() -> None:
    """The application works without a server, also with an invalid status."""
    simulator = Simulator()
    assert asyncio.run(_in_process(simulator, LIST)).json()["data"]["id"] == "profanity-list"
    assert asyncio.run(_in_process(simulator, "/users%2Falice")).status_code == 404
    simulator.fail(status=999, delay=0.01)
    assert asyncio.run(_in_process(simulator, LIST)).status_code == 999


@pytest.mark.parametrize("cut", ["before_headers", "in_headers", "in_body", "after_processing"])
def test_application_raises_an_error_instead_of_a_cut(cut: Cut) -> None:
    """Without a server, there is no connection to cut, so the application raises an error."""
    simulator = Simulator()
    simulator.fail(cut=cut)
    with pytest.raises(ConnectionCutError, match=cut):
        asyncio.run(_in_process(simulator, LIST))


@pytest.mark.parametrize("missing", ["uvicorn", "python_multipart"])
def test_missing_extra_is_named(missing: str) -> None:
    """Without the extra, import and run print one line that says which package to install."""
    program = f"""
import runpy, sys
sys.modules[{missing!r}] = None
try:
    from cometchat_testing import Simulator
except ImportError as error:
    print(error)
runpy._run_module_as_main("cometchat_testing")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert missing in done.stdout
    assert "install the extra 'testing'" in done.stdout
    assert "install the extra 'testing'" in done.stderr


def test_yaml_is_read_without_libyaml(tmp_path: Path) -> None:
    """The simulator runs with a PyYAML that was built without libyaml, as on Alpine."""
    only_python = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(Path(yaml.__file__).parent, tmp_path / "yaml", ignore=only_python)
    program = """
import yaml
assert not hasattr(yaml, "CSafeLoader")
from cometchat_testing import Simulator
with Simulator() as simulator:
    print(len(simulator.keyword_lists))
"""
    search_path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": search_path},
    )
    assert (done.stdout, done.stderr) == ("8\n", "")
