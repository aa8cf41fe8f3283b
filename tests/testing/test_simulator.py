"""The simulator as a context manager and as an application."""

import asyncio
import subprocess
import sys

import httpx
import pytest

from cometchat_rest.testing import ConnectionCutError, Simulator

from .service_calls import LIST


async def _in_process(simulator: Simulator, path: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=simulator.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1/v3") as client:
        return await client.get(path, headers={"apikey": simulator.api_key})


def test_application_works_in_process() -> None:
    """The application works without a server, also with an invalid status, and raises an error instead of a cut."""
    simulator = Simulator()
    assert asyncio.run(_in_process(simulator, LIST)).json()["data"]["id"] == "profanity-list"
    assert asyncio.run(_in_process(simulator, "/users%2Falice")).status_code == 404
    simulator.fail(status=999, delay=0.01)
    assert asyncio.run(_in_process(simulator, LIST)).status_code == 999
    for cut in ("before_headers", "in_headers", "in_body", "after_processing"):
        simulator.fail(cut=cut)
        with pytest.raises(ConnectionCutError, match=cut):
            asyncio.run(_in_process(simulator, LIST))


@pytest.mark.parametrize("missing", ["uvicorn", "python_multipart"])
def test_missing_extra_is_named(missing: str) -> None:
    """Without the extra, import and run print one line that says which package to install."""
    hint = "install the extra 'testing'"
    block = f"import runpy, sys; sys.modules[{missing!r}] = None; "
    ask = "\ntry:\n from cometchat_rest.testing import Simulator\nexcept ImportError as error:\n print(error)"
    imported = subprocess.run([sys.executable, "-c", block + ask], capture_output=True, text=True, check=True)  # noqa: S603
    assert hint in imported.stdout
    assert missing in imported.stdout
    run = block + "runpy._run_module_as_main('cometchat_rest.testing')"
    ran = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False)  # noqa: S603
    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert hint in ran.stderr
