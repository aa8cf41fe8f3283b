"""Fixtures for the tests of the desk: a running simulator, and commands with or without its
settings."""

import io
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from attrs import frozen
from hypothesis import HealthCheck, settings

from cometchat_desk.app import run
from cometchat_desk.terminal import prompts
from cometchat_rest import Client
from cometchat_testing import History, Simulator

# A shell starts background programs with SIGINT ignored, and the programs that tests start would
# inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# As in tests/conftest.py, which a run of these tests alone does not load.
settings.register_profile(
    "deep", max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", settings.get_profile("deep"), max_examples=15, derandomize=True)
settings.load_profile("quick")

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


@pytest.fixture(scope="session")
def running_simulator() -> Iterator[Simulator]:
    with Simulator() as simulator:
        yield simulator


@pytest.fixture
def simulator(running_simulator: Simulator) -> Simulator:
    """The simulator over loopback HTTP, in its initial state."""
    running_simulator.reset()
    return running_simulator


@pytest.fixture
def chat(simulator: Simulator) -> Iterator[Client]:
    """A client of the simulator."""
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as client:
        yield client


JOURNALS = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Remove the variables of the desk, so that no test depends on them."""
    for name in ("APP_ID", "REGION", "API_KEY", "BASE_URL"):
        os.environ.pop(f"COMETCHAT_{name}", None)
    journals = TemporaryDirectory()
    config.add_cleanup(journals.cleanup)
    config.stash[JOURNALS] = journals.name


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give each test its own journal. For each test, a hook takes less time than a fixture."""
    os.environ["COMETCHAT_JOURNAL"] = f"{item.config.stash[JOURNALS]}/{uuid.uuid4().hex}.sqlite3"


@frozen
class Result:
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """The text on stderr, which must be one line."""
        assert self.err.count("\n") == 1, self.err
        return self.err.rstrip("\n")


def app(name: str, simulator: Simulator, *, key: str | None = None) -> str:
    """The profile of an app."""
    return f'[apps.{name}]\nbase_url = "{simulator.base_url}"\napi_key = "{key or simulator.api_key}"\n'


def first_text(simulator: Simulator, text: str) -> None:
    """Give the newest record this text."""
    record: Any = simulator.reviewed_messages[0]
    record["message"]["data"]["text"] = text


class CommandLine:
    """Runs commands in this process, without a terminal, with their own working folder, home and
    environment."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.folder = folder
        self.env = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str, stdin: str | bytes = "") -> Result:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        self.env.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given), encoding="latin-1"))
        self._capsys.readouterr()
        code = run(arguments)
        captured = self._capsys.readouterr()
        return Result(code, captured.out, captured.err)

    def write(self, name: str, text: str, *, mode: int = 0o600) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(mode)
        return path

    def profiles(self, text: str, *, mode: int = 0o600) -> Path:
        return self.write("home/.config/cometchat-desk/profiles.toml", text, mode=mode)


def exported(cli: CommandLine, name: str = "reviewed.jsonl") -> None:
    """Export all records of the initial state to a file."""
    assert cli("reviewed", "export", "--output", name, "--limit", "300").code == 0


@pytest.fixture
def bare_cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    """A command line without any settings."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, monkeypatch, capsys)


@pytest.fixture
def cli(bare_cli: CommandLine, simulator: Simulator) -> CommandLine:
    """A command line whose environment names the simulator."""
    bare_cli.env.setenv("COMETCHAT_BASE_URL", simulator.base_url)
    bare_cli.env.setenv("COMETCHAT_API_KEY", simulator.api_key)
    return bare_cli


@pytest.fixture
def history(cli: CommandLine, simulator: Simulator) -> History:
    """A history of 20 days, exported to history.jsonl."""
    simulator.reviewed_messages = []
    made = simulator.add_history(days=20, end=datetime(2026, 7, 1, tzinfo=UTC))
    assert cli("reviewed", "export", "--output", "history.jsonl", "--limit", "1000").code == 0
    return made


@pytest.fixture
def env(simulator: Simulator, tmp_path: Path) -> dict[str, str]:
    """The variables of a process that uses the simulator."""
    return {
        "COMETCHAT_BASE_URL": simulator.base_url,
        "COMETCHAT_API_KEY": simulator.api_key,
        "HOME": str(tmp_path),
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file of entries."""
    terms = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ", "新しい"]
    (tmp_path / "list.txt").write_text("\n".join(terms), "utf-8")
    return tmp_path


@pytest.fixture
def process(start: Start, env: dict[str, str]) -> Start:
    """Starts the command line in another process, without a terminal."""
    # With unbuffered output, a write would fail at once, and not at the end as for most users.
    defaults = {"env": {**os.environ, "PYTHONUNBUFFERED": "", **env}}
    return lambda *arguments, **options: start(
        sys.executable, "-m", "cometchat_desk", *arguments, **{**defaults, **options}
    )


@pytest.fixture
def typed(bare_cli: CommandLine) -> Callable[..., Result]:
    """Runs `apps add` as at a terminal, where the user types these texts and this key."""

    def run(*arguments: str, texts: str = "", key: str = "") -> Result:
        bare_cli.env.setattr(prompts, "can_ask", lambda: True)
        bare_cli.env.setattr(prompts, "ask_secret", lambda _: key)
        return bare_cli("apps", "add", *arguments, stdin=texts)

    return run
