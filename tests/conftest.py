"""Fixtures for all tests: a running simulator, and one way to call either client."""

import gc
import inspect
import os
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from hypothesis import HealthCheck, Phase, settings

from cometchat_rest import AsyncClient, Client
from cometchat_testing import Simulator

# A shell starts background programs with SIGINT ignored, and the programs that tests start would
# inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# jsonschema compiles 38 grammars when it can import this package, in each worker. They check IRIs,
# which no test needs.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment] # this is how Python marks a module that is missing

# No example fails because the machine is slow.
settings.register_profile(
    "deep", max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
# `make test` tries a seventh of the examples of each property, in every run the same ones.
settings.register_profile("quick", settings.get_profile("deep"), max_examples=15, derandomize=True)
# To see that a test fails, nobody needs the smallest example.
settings.register_profile(
    "first-failure", settings.get_profile("quick"), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("quick")


#: The files that take longest, the longest first.
LONGEST = (
    "tests/package/test_code_blocks.py",
    "tests/typing/test_typing.py",
    "tests/package/test_site.py",
    "tests/contract/test_responses.py",
    "tests/contract/test_simulator.py",
    "tests/package/test_moderation_repo.py",
    "tests/runtime/test_pacing.py",
    "tests/runtime/test_retry_after.py",
    "tests/tools/test_change.py",
    "tests/runtime/test_transport.py",
    "desk/tests/test_main.py",
)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Remove the variables of the clients, so that no test depends on them. Let tests of all
    operations call those that the description marks as deprecated.
    """
    for name in ("APP_ID", "REGION", "API_KEY", "BASE_URL"):
        os.environ.pop(f"COMETCHAT_{name}", None)
    journals = TemporaryDirectory()
    config.add_cleanup(journals.cleanup)
    config.stash[JOURNALS] = journals.name
    if "deprecated: true" in (Path(__file__).parents[1] / "openapi.yaml").read_text("utf-8"):
        from .described_calls import deprecated_methods  # noqa: PLC0415 - slow to load, and most tests do not need it

        for name in deprecated_methods():
            config.addinivalue_line(
                "filterwarnings", rf"ignore:(Async)?{name} is deprecated:DeprecationWarning"
            )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let the garbage collector ignore the modules and the tests, which stay until the end."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files. Workers take files in this order, so that all workers end
    together."""
    ranks = {Path(__file__).parents[1] / name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path, len(ranks)))


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a number of more digits than Python shows by its size."""
    return f"2**{val.bit_length()}" if isinstance(val, int) and val.bit_length() > 10_000 else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Use one worker more than there are cores: many tests wait for a response, a process or a
    timeout."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    return (cores or 1) + 1


#: Starts a program, with its output in pipes by default.
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start programs and end them with the test, so that a failed test does not wait for them."""
    with ExitStack() as ends:

        def start(*command: str, **options: Any) -> subprocess.Popen[str]:
            streams = {
                "stdin": subprocess.DEVNULL,
                "stdout": subprocess.PIPE,
                "stderr": subprocess.PIPE,
            }
            program = ends.enter_context(
                subprocess.Popen(command, **{**streams, "encoding": "utf-8", **options})
            )
            ends.callback(program.kill)
            return program

        yield start


class AnyClient:
    """One of the two clients, called in the same way: `any_client.call(lambda chat:
    chat.roles.list())`.

    `call` awaits the result of the awaited client, and collects an iterator into a list.
    """

    def __init__(self, kind: str, portal: BlockingPortal | None, simulator: Simulator) -> None:
        self.kind = kind
        self._portal = portal
        self._simulator = simulator
        self._closing = ExitStack()

    def client(self, **settings: Any) -> Any:
        """A client of this kind, by default for the simulator. It is closed after the test."""
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
        """Call `action` with a client, and return its result."""
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

    def collect(self, action: Callable[[Any], Any], client: Any = None) -> list[Any]:
        """Call `action` with a client, and go over all pages of its result."""
        client = client or self.client()
        if self._portal is None:
            return list(action(client))

        async def run() -> list[Any]:
            return [item async for item in action(client)]

        return self._portal.call(run)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """An event loop in a separate thread, for the awaited client."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture(scope="session")
def running_simulator() -> Iterator[Simulator]:
    with Simulator() as simulator:
        yield simulator


@pytest.fixture
def simulator(running_simulator: Simulator) -> Simulator:
    """The simulator over loopback HTTP, in its initial state."""
    running_simulator.reset()
    return running_simulator


@pytest.fixture(params=["sync", "async"])
def any_client(
    request: pytest.FixtureRequest, simulator: Simulator, portal: BlockingPortal
) -> Iterator[AnyClient]:
    """Run the test with each of the two clients."""
    with AnyClient(
        request.param, portal if request.param == "async" else None, simulator
    ) as any_client:
        yield any_client


#: The folder of the journals.
JOURNALS = pytest.StashKey[str]()
#: The threads before a test.
THREADS = pytest.StashKey[set[threading.Thread]]()


# For each test, two hooks take half a millisecond less than two fixtures.
@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give each test its own journal."""
    os.environ["COMETCHAT_JOURNAL"] = f"{item.config.stash[JOURNALS]}/{uuid.uuid4().hex}.sqlite3"
    item.stash[THREADS] = set(threading.enumerate())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Check that no server thread of the test still runs: it would slow down the tests that
    follow."""
    yield
    before = item.stash[THREADS]
    for thread in set(threading.enumerate()) - before:
        if (
            "process_request_thread" in thread.name
        ):  # socketserver starts such a thread for each connection
            thread.join(timeout=60)
            assert not thread.is_alive(), (
                "a server thread of this test still runs after its clients have left"
            )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the summary that a passed test recorded."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "summary":
                terminalreporter.write_line(str(value))
