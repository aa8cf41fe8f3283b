"""Fixtures for the tests of the command line: run commands, with or without the simulator in the environment."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from attrs import frozen

from cometchat_rest.cli.app import run
from cometchat_rest.testing import Simulator


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


class CommandLine:
    """Runs commands in this process, without a terminal, with their own working folder, home and environment."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
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
        return self.write("home/.config/cometchat-rest/profiles.toml", text, mode=mode)


@pytest.fixture
def bare_cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
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
