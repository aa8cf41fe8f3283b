"""What the tests share: a running simulator, and one way to call either client."""

from __future__ import annotations

import inspect
import signal
import subprocess
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from cometchat_rest import AsyncClient, Client
from cometchat_rest.testing import Simulator

# A shell that starts something in the background has it ignore Ctrl-C, and programs that tests start would inherit it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


#: Starts a program with its output in pipes, unless told otherwise.
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """What starts programs, of which none outlives the test: one that fails would wait for them for ever."""
    with ExitStack() as ends:

        def start(*command: str, **options: Any) -> subprocess.Popen[str]:
            streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            program = ends.enter_context(subprocess.Popen(command, **{**streams, "encoding": "utf-8", **options}))  # noqa: S603
            ends.callback(program.kill)
            return program

        yield start


class AnyClient:
    """One of the two clients, called the same way: `any_client.call(lambda chat: chat.roles.list())`.

    What a call returns is waited for, and what it iterates over is collected into a list.
    """

    def __init__(self, kind: str, portal: BlockingPortal | None, simulator: Simulator) -> None:
        self.kind = kind
        self._portal = portal
        self._simulator = simulator
        self._closing = ExitStack()

    def client(self, **settings: Any) -> Any:
        """A client of this kind, for the simulator unless told otherwise; closed after the test."""
        if not {"base_url", "app_id", "region"} & settings.keys():
            settings["base_url"] = self._simulator.base_url
        settings.setdefault("api_key", self._simulator.api_key)
        client = (AsyncClient if self._portal else Client)(**settings)
        self._closing.callback(self.close, client)
        return client

    def close(self, client: Client | AsyncClient) -> None:
        if isinstance(client, AsyncClient):
            assert self._portal is not None
            self._portal.call(client.aclose)
        else:
            client.close()

    def call(self, action: Callable[[Any], Any], client: Any = None) -> Any:
        """Do something with a client, and wait for it."""
        client = client or self.client()
        if self._portal is None:
            result = action(client)
            return list(result) if isinstance(result, Iterator) else result

        async def run() -> Any:
            result = action(client)
            if isinstance(result, AsyncIterator):
                return [each async for each in result]
            return await result if inspect.isawaitable(result) else result

        return self._portal.call(run)

    def __enter__(self) -> AnyClient:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """An event loop in a thread of its own, for the awaited client."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture(scope="session")
def running_simulator() -> Iterator[Simulator]:
    with Simulator() as simulator:
        yield simulator


@pytest.fixture
def simulator(running_simulator: Simulator) -> Simulator:
    """The simulator over loopback HTTP, in its first state."""
    running_simulator.reset()
    return running_simulator


@pytest.fixture(params=["sync", "async"])
def any_client(request: pytest.FixtureRequest, simulator: Simulator, portal: BlockingPortal) -> Iterator[AnyClient]:
    """Each client in turn."""
    with AnyClient(request.param, portal if request.param == "async" else None, simulator) as any_client:
        yield any_client


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test depends on what the environment of whoever runs it says."""
    for name in ("APP_ID", "REGION", "API_KEY", "BASE_URL"):
        monkeypatch.delenv(f"COMETCHAT_{name}", raising=False)


@pytest.fixture(autouse=True)
def no_server_is_left_talking() -> Iterator[None]:
    """A server that goes on without its caller takes time from every test to come."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        if "process_request_thread" in thread.name:  # as socketserver starts one for each connection
            thread.join(timeout=30)
            assert not thread.is_alive(), "a server of this test still talks, though its callers have left"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what a test has to tell beside that it passed."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "told":
                terminalreporter.write_line(str(value))
