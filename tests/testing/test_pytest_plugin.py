"""The pytest fixtures for users; each test starts a separate pytest run with only what a user
has installed."""

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from textwrap import dedent

import pytest

SYNC = """
    import asyncio
    import pytest

    @pytest.mark.parametrize("again", range(3))
    def test_simulator_is_reset_before_each_test(cometchat_client, cometchat_simulator, again):
        assert cometchat_simulator.requests == []
        assert cometchat_client.roles.list().meta.pagination.total == len(cometchat_simulator.roles) > 0
        cometchat_simulator.roles.clear()
        cometchat_simulator.fail(status=500, times=None)

    def test_both_clients_use_the_same_simulator(cometchat_client, async_cometchat_client, cometchat_simulator):
        assert cometchat_client.base_url == async_cometchat_client.base_url == cometchat_simulator.base_url

    @pytest.fixture(scope="module")
    def earlier():
        return []

    @pytest.mark.parametrize("again", range(2))
    def test_clients_are_closed_after_the_test(cometchat_client, async_cometchat_client, earlier, again):
        for client, async_client in earlier:
            with pytest.raises(ValueError, match="closed"):
                client.roles.list()
            with pytest.raises(ValueError, match="closed"):
                asyncio.run(async_client.reviewed_messages.list())
        earlier.append((cometchat_client, async_cometchat_client))

    def test_client_works_in_each_loop(async_cometchat_client, cometchat_simulator):
        async def ask():
            return await asyncio.gather(*(async_cometchat_client.roles.list() for _ in range(5)))

        assert len(asyncio.run(ask())) == len(cometchat_simulator.requests) == 5
        assert len(asyncio.run(ask())) == 5
"""
ANYIO = """
    import pytest

    @pytest.fixture
    def anyio_backend():
        return "asyncio"

    @pytest.mark.anyio
    async def test_iter(async_cometchat_client, cometchat_simulator):
        roles = [role async for role in async_cometchat_client.roles.list(per_page=5)]
        assert len(roles) == len(cometchat_simulator.roles) > 5
"""
ASYNCIO_STRICT = """
    import pytest

    @pytest.mark.asyncio
    async def test_delete(async_cometchat_client, cometchat_simulator):
        await async_cometchat_client.auth_tokens.delete("alice", cometchat_simulator.auth_tokens["alice"][0])
        assert [request.operation for request in cometchat_simulator.requests] == ["delete_auth_token"]
"""
ASYNCIO_AUTO = """
    import pytest

    async def test_list(async_cometchat_client):
        assert (await async_cometchat_client.reviewed_messages.list(limit=3)).meta.current.count == 3

    async def test_client_closed_by_the_test(async_cometchat_client):
        async with async_cometchat_client as chat:
            await chat.roles.list()
        with pytest.raises(ValueError, match="closed"):
            await chat.roles.list()
"""
#: A test before all others, which imports neither the client nor its dependencies.
UNUSED = """
    import sys

    def test_imported_modules():
        assert "cometchat_testing.pytest_plugin" in sys.modules
        imported = {name for name in sys.modules if name.startswith("cometchat")}
        assert imported == {"cometchat_testing", "cometchat_testing.pytest_plugin"}
        costly = {"anyio", "attr", "attrs", "httpcore", "httpx", "starlette", "uvicorn"}
        assert sorted(costly & set(sys.modules)) == []
"""


#: Plugins of this environment that a user may not have; each run disables those that it does not
#: need.
PLUGINS = entry_points(group="pytest11").names - {"cometchat_rest"}


def run(
    folder: Path, tests: str, *options: str, plugins: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run tests with these plugins; every warning is an error, including warnings about open
    sockets."""
    (folder / "test_it.py").write_text(dedent(tests), "utf-8")
    command = [sys.executable, "-Werror", "-m", "pytest", "-Werror", "-pno:cacheprovider"]
    command += [f"-pno:{name}" for name in PLUGINS.difference(plugins)]
    if "asyncio" in plugins:
        command.append("-oasyncio_default_fixture_loop_scope=function")
    return subprocess.run(
        [*command, *options], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize(
    ("tests", "passes", "plugins", "options"),
    [
        pytest.param(UNUSED + SYNC, 8, (), (), id="no plugin"),
        pytest.param(
            SYNC + ASYNCIO_STRICT + ANYIO,
            9,
            ("anyio", "asyncio", "xdist"),
            ("-n1",),
            id="asyncio, anyio and xdist",
        ),
        pytest.param(
            ASYNCIO_AUTO, 2, ("asyncio",), ("--asyncio-mode=auto",), id="asyncio in auto mode"
        ),
    ],
)
def test_fixtures(
    tmp_path: Path, tests: str, passes: int, plugins: tuple[str, ...], options: tuple[str, ...]
) -> None:
    """The fixtures work with every supported plugin; each test gets them in their initial state,
    and all is closed. A test without them loads nothing of the client."""
    done = run(tmp_path, tests, *options, plugins=plugins)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f" {passes} passed in " in done.stdout


WITHOUT = """
    import sys
    sys.modules["starlette"] = None

    def test_without_fixture():
        pass

    def test_with_fixture(cometchat_client):
        pass
"""


def test_without_the_extra(tmp_path: Path) -> None:
    """Without the extra, tests that use a fixture fail with one line that says what to install;
    other tests pass."""
    done = run(tmp_path, WITHOUT)
    assert "1 passed, 1 error" in done.stdout
    assert (
        "cometchat_testing needs starlette: install the extra 'testing' (in a checkout: pip install '.[testing]')"
        in done.stdout
    )
    assert "pytest_plugin.py" not in done.stdout
