"""What the tests of the command line share: somebody at a desk, with the simulator in the environment."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from attrs import frozen

from cometchat_rest.cli.app import run
from cometchat_rest.testing import Simulator


@frozen
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """What it says on stderr, which must be one line."""
        assert self.err.count("\n") == 1, self.err
        return self.err.rstrip("\n")


class Desk:
    """A folder, a home, an environment; and commands that run in this process, without a terminal."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.env = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str, stdin: str | bytes = "") -> Ended:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        self.env.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given), encoding="latin-1"))
        self._capsys.readouterr()
        code = run(arguments)
        captured = self._capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    def write(self, name: str, text: str, *, mode: int = 0o600) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(mode)
        return path

    def profiles(self, text: str, *, mode: int = 0o600) -> Path:
        return self.write("home/.config/cometchat-rest/profiles.toml", text, mode=mode)


@pytest.fixture
def bare_desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A desk with nothing set up."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path, monkeypatch, capsys)


@pytest.fixture
def desk(bare_desk: Desk, simulator: Simulator) -> Desk:
    """A desk whose environment names the simulator."""
    bare_desk.env.setenv("COMETCHAT_BASE_URL", simulator.base_url)
    bare_desk.env.setenv("COMETCHAT_API_KEY", simulator.api_key)
    return bare_desk
