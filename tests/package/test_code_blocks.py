"""Runs the code blocks of the README and of the site, and compares their output.

sybil and pytest-markdown-docs find code blocks, but the rules here (titles are file names, `text`
blocks are outputs, `console` blocks are sessions at a terminal) would be our own code with either
of them.
"""

import contextlib
import logging
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pyte
import pytest
from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor

from cometchat_testing import Simulator
from desk.tests.pseudo_terminal import Terminal

from .blocks import FENCE, PAGES, README, ROOT, Block, blocks, named

# Without an import, which takes a second in each worker.
pytestmark = pytest.mark.skipif(
    find_spec("pandas") is None, reason="the packages of the pages are not installed: run make docs"
)

# These commands change the environment or do not end. Other tests run them.
INSTALL, SIMULATE = "python -m pip install .", "python -m cometchat_testing --port 8080"
assert f"`{INSTALL}`" in README.read_text("utf-8")
assert f"\n{SIMULATE}\n" in (ROOT / "docs" / "how-to" / "testing.md").read_text("utf-8")

# The pages for moderators have three apps. They do not set them up themselves, except the first
# page.
DESK = ROOT / "docs" / "desk"
APPS = ("shop", "forum", "clinic")
IN_ORDER = [
    ROOT / "docs" / name
    for name in re.findall(r"desk/\S+", (ROOT / "mkdocs.yml").read_text("utf-8"))
]
#: The question of a command, and the typed answer, which a terminal does not show if it is a
#: secret.
QUESTION = re.compile(r"(\[y/N\]|\[us\]:|server:|\(not shown\):) ?(\S*)$", re.MULTILINE)
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
TIME = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?")


class Reader:
    """Runs the blocks of a page from top to bottom, in a new folder."""

    def __init__(
        self, folder: Path, capture: pytest.CaptureFixture[str], apps: dict[str, Simulator]
    ) -> None:
        self._folder = folder
        self._capture = capture
        self._apps = apps
        self._printed = ""

    def follow(self, block: Block) -> None:
        if block.is_quoted:
            return
        if block.file is not None:
            path = self._folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.code, "utf-8")
        elif block.language == "python":
            self._python(block)
        elif block.language == "sh":
            self._shell(block.code)
        elif block.language == "console":
            for command, shown in re.findall(
                r"^\$ (.*(?:\n> .*)*)\n((?:(?!\$ ).*\n)*)", block.code, re.MULTILINE
            ):
                self._session(block, command.replace("\n> ", "\n"), shown)
        elif block.language == "text":
            assert self._printed == block.code, f"{block}: the output differs from the page"
        else:
            pytest.fail(f"{block}: unknown language {block.language}")

    def _python(self, block: Block) -> None:
        # With empty lines before it, so that a traceback has the line numbers of the page.
        program = compile("\n" * block.line + block.code, str(block.page), "exec")
        exec(program, {"__name__": "__main__"})  # noqa: S102 - the pages are part of this repository
        self._printed = self._capture.readouterr().out

    def _shell(self, command: str) -> None:
        done = subprocess.run(
            [shutil.which("sh") or "sh", "-e", "-c", command],
            cwd=self._folder,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        self._printed = done.stdout

    def _session(self, block: Block, command: str, shown: str) -> None:
        """Run a command at a terminal of 80 columns, and compare its screen with the page."""
        if command.startswith("python -m cometchat_testing"):
            return  # the simulators already run
        for number, app in enumerate(self._apps.values(), 1):
            command = command.replace(f"http://127.0.0.1:808{number}/v3", app.base_url)
            shown = shown.replace(f"http://127.0.0.1:808{number}/v3", app.base_url)
        output = ""
        if command.startswith("cometchat-desk "):
            with Terminal(
                shlex.split(command)[1:], environment(), lines=200, folder=self._folder
            ) as terminal:
                for question, answer in QUESTION.findall(shown):
                    terminal.see(f"{question} ")
                    terminal.answer(answer or self._secret(terminal.output.splitlines()[-1]))
                terminal.end()
            output = terminal.output
        else:
            self._shell(command)
        screen = pyte.Screen(80, 200)
        pyte.Stream(screen).feed(output)
        seen = "\n".join(line.rstrip() for line in screen.display).strip()
        assert expected(shown).fullmatch("".join(seen.split())), (
            f"{block}: $ {command}\nshows\n{seen}"
        )

    def _secret(self, question: str) -> str:
        shop = self._apps["shop"]
        return shop.auth_tokens["alice"][0] if "Token" in question else shop.api_key


def environment() -> dict[str, str]:
    """The variables of this process, with the programs of this environment."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in {"COLUMNS", "LINES", "NO_COLOR", "CI"}
    }
    return {**inherited, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def expected(shown: str) -> re.Pattern[str]:
    """A pattern for the shown output: `...` stands for any text, and ports, times and line
    breaks may differ."""
    text = TIME.sub("...", ADDRESS.sub("http://127.0.0.1:...", shown))
    return re.compile(
        ".*".join(re.escape("".join(part.split())) for part in text.split("...")), re.DOTALL
    )


@pytest.fixture
def three_apps() -> Iterator[dict[str, Simulator]]:
    """Three apps with two weeks of messages, without an app in the environment."""
    apps = {name: Simulator() for name in APPS}
    with contextlib.ExitStack() as running:
        for app in apps.values():
            app.reviewed_messages = []
            app.add_history(days=14)
            running.enter_context(app)
        yield apps


@pytest.mark.skipif(shutil.which("sh") is None, reason="the pages need a POSIX shell")
@pytest.mark.parametrize(
    "pages",
    [
        *([page] for page in PAGES if any(blocks(page))),
        pytest.param(IN_ORDER, marks=pytest.mark.deep, id="docs/desk in order"),
    ],
    ids=lambda pages: named(pages[0]),
)
def test_the_blocks_of_a_page_work(
    pages: Sequence[Path],
    capsys: pytest.CaptureFixture[str],
    simulator: Simulator,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The blocks of a page run from top to bottom and print the shown output: with settings in the
    environment, or for moderators with three apps, of which the first page adds the first one. They
    also work in the order of the site.
    """
    apps: dict[str, Simulator] = {}
    if DESK in pages[0].parents:
        apps = request.getfixturevalue("three_apps")
    else:
        monkeypatch.setenv("COMETCHAT_BASE_URL", simulator.base_url)
        monkeypatch.setenv("COMETCHAT_API_KEY", simulator.api_key)
    # Pages may write a file of profiles, and commands write the journal.
    for name, folder in (
        ("HOME", ""),
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_STATE_HOME", ".state"),
    ):
        monkeypatch.setenv(name, str(tmp_path / "home" / folder))
    profiles = tmp_path / "home" / ".config" / "cometchat-desk" / "profiles.toml"
    profiles.parent.mkdir(parents=True)
    if apps and pages[0].name != "index.md":
        add_profiles(profiles, apps)
    monkeypatch.setenv("ALICE_TOKEN", simulator.auth_tokens["alice"][0])
    monkeypatch.chdir(tmp_path)
    # A page may set the level, and instrument httpx.
    log = logging.getLogger("cometchat_rest")
    request.addfinalizer(partial(log.setLevel, log.level))
    request.addfinalizer(HTTPXClientInstrumentor().uninstrument)
    reader = Reader(tmp_path, capsys, apps)
    for page in pages:
        for block in blocks(page):
            if block.reason is None and block.code.strip() != SIMULATE:
                reader.follow(block)
        if page == DESK / "index.md":
            add_profiles(profiles, {name: app for name, app in apps.items() if name != "shop"})
    # The client only logs the exception of a hook.
    assert [
        record.getMessage()
        for record in caplog.records
        if getattr(record, "event_name", "") == "hook"
    ] == []


def add_profiles(file: Path, apps: Mapping[str, Simulator]) -> None:
    """Add apps to the profiles."""
    file.touch(mode=0o600)
    with file.open("a", encoding="utf-8") as opened:
        opened.writelines(
            f'[apps.{a}]\nbase_url = "{b.base_url}"\napi_key = "{b.api_key}"\n'
            for a, b in apps.items()
        )


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_block_is_executed(page: Path) -> None:
    """Every block runs, except a few with a stated reason."""
    assert 2 * len(list(blocks(page))) == len(FENCE.findall(page.read_text("utf-8")))
    assert len([block for page in PAGES for block in blocks(page) if block.reason]) <= 3


def test_code_on_the_first_page_is_narrow() -> None:
    """The programs and outputs of the first page fit into 77 columns, so that nobody scrolls."""
    shown = [block for block in blocks(README) if block.language in ("python", "text")]
    assert shown
    assert [line for block in shown for line in block.code.splitlines() if len(line) > 77] == []


@pytest.mark.parametrize(
    "block", [each for page in PAGES for each in blocks(page) if each.is_quoted], ids=str
)
def test_excerpts_are_in_their_files(block: Block) -> None:
    """A block whose title names a file of the repository quotes it; a line `...` leaves lines
    out."""
    lines = "".join(
        f"{line.strip()}\n" for line in (ROOT / str(block.file)).read_text("utf-8").splitlines()
    )
    parts = re.split(r"^\.\.\.$", block.code, flags=re.MULTILINE)
    wanted = ["".join(f"{line.strip()}\n" for line in part.strip().splitlines()) for part in parts]
    assert [part for part in wanted if part not in lines] == []
