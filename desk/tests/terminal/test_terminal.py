"""In a terminal: prompts, tables, colours, progress, Ctrl-C. As a process: pipes, full disks, completion, help."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import cometchat_rest
from cometchat_desk.exit_codes import MEANINGS
from cometchat_rest.testing import Simulator

from ..conftest import CommandLine

pytest.importorskip("termios", reason="there are no pseudo-terminals here")

from ..pseudo_terminal import PROGRAM, Terminal, screen_of, text_of

Start = Callable[..., "subprocess.Popen[str]"]

LIST = "profanity-list"


@pytest.fixture
def env(simulator: Simulator, tmp_path: Path) -> dict[str, str]:
    return {"COMETCHAT_BASE_URL": simulator.base_url, "COMETCHAT_API_KEY": simulator.api_key, "HOME": str(tmp_path)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    terms = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ", "新しい"]
    (tmp_path / "list.txt").write_text("\n".join(terms), "utf-8")
    return tmp_path


@pytest.fixture
def run(start: Start, env: dict[str, str]) -> Start:
    """Starts the program without a terminal."""
    # With unbuffered output, a write would fail at once, and not at the end as for most users.
    defaults = {"env": {**os.environ, "PYTHONUNBUFFERED": "", **env}}
    return lambda *arguments, **options: start(*PROGRAM, *arguments, **{**defaults, **options})


def test_question(env: dict[str, str], folder: Path, simulator: Simulator) -> None:
    """At a terminal, the plan is shown in colour with a question. Only a yes changes the list."""
    before = simulator.keyword_lists[LIST]
    for answer in ("n", ""):
        with Terminal(["keywords", "apply", LIST, "list.txt"], env, folder=folder) as terminal:
            terminal.see("\x1b[32m+ 新しい")
            terminal.see(f"Update {LIST} of the app at {simulator.base_url}? [y/N] ")
            terminal.answer(answer)
            assert terminal.end() == 1
        assert simulator.keyword_lists[LIST] == before
    with Terminal(["keywords", "apply", LIST, "list.txt"], env, folder=folder) as terminal:
        terminal.see("[y/N] ")
        terminal.answer("y")
        assert terminal.end() == 0
        assert f"{LIST} updated: " in text_of(screen_of(terminal.output, 80))
    assert simulator.keyword_lists[LIST] != before


def test_ctrl_c_at_a_question(env: dict[str, str], folder: Path, simulator: Simulator) -> None:
    """Ctrl-C at a question changes nothing, and ends with 130 and one line."""
    before = simulator.keyword_lists[LIST]
    with Terminal(["keywords", "apply", LIST, "list.txt"], env, folder=folder) as terminal:
        terminal.see("[y/N] ")
        terminal.interrupt()
        assert terminal.end() == 130
        assert text_of(screen_of(terminal.output, 80)).endswith("\ncometchat-desk: interrupted.")
    assert simulator.keyword_lists[LIST] == before


def test_ctrl_c_before_the_question_of_sync(env: dict[str, str], tmp_path: Path, simulator: Simulator) -> None:
    """Ctrl-C while a folder is compared, or at the question, ends at once with 130, and no update is sent."""
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / f"{LIST}.txt").write_text("spam\n", "utf-8")
    (tmp_path / "lists" / "default-profanity.txt").write_text("phishing\nspam\nscam\n", "utf-8")
    arguments = ["keywords", "sync", "lists", "--max-removed", "100%"]
    simulator.fail("get_keyword_list", delay=60)
    with Terminal(arguments, env, folder=tmp_path) as terminal:
        terminal.see("Comparing lists")
        terminal.interrupt()
        assert terminal.end() == 130
        assert text_of(screen_of(terminal.output, 80)).endswith("cometchat-desk: interrupted.")
    with Terminal(arguments, env, folder=tmp_path) as terminal:
        terminal.see(f"Update 2 lists of the app at {simulator.base_url}? [y/N] ")
        terminal.interrupt()
        assert terminal.end() == 130
    assert {request.method for request in simulator.requests} == {"GET"}


def test_typed_key(env: dict[str, str], simulator: Simulator) -> None:
    """Without a key, a prompt asks for it, and does not show it."""
    del env["COMETCHAT_API_KEY"]
    with Terminal(["roles", "list"], env) as terminal:
        terminal.see("API key (not shown): ")
        terminal.answer(simulator.api_key)
        assert terminal.end() == 0
        assert simulator.api_key not in terminal.output
        assert "moderator" in terminal.output


def test_typed_token(env: dict[str, str], simulator: Simulator) -> None:
    """A prompt asks for a token and does not show it. The token is revoked after a yes."""
    token = simulator.auth_tokens["alice"][0]
    with Terminal(["auth-tokens", "revoke", "alice"], env) as terminal:
        terminal.see("Token (not shown): ")
        terminal.answer(token)
        terminal.see("Revoke 1 token of alice in ")
        terminal.see("Other sessions of alice stay valid. [y/N] ")
        terminal.answer("yes")
        assert terminal.end() == 0
        assert token not in terminal.output
        assert "revoked" in terminal.output
    assert token not in simulator.auth_tokens["alice"]


@pytest.mark.parametrize("typed", ["alice", ""], ids=["a user", "no user"])
def test_invalid_typed_token(env: dict[str, str], simulator: Simulator, typed: str) -> None:
    """The message for an invalid token that was typed does not speak of a line of stdin."""
    with Terminal(["auth-tokens", "revoke", *typed.split()], env) as terminal:
        terminal.see("(not shown): ")
        terminal.answer('"quoted"')
        assert terminal.end() == 2
        assert "cometchat-desk: the typed text" in terminal.output
    assert simulator.requests == []


def test_progress(env: dict[str, str], simulator: Simulator) -> None:
    """A command that takes longer than a second shows what it does, and leaves none of that on the screen."""
    simulator.fail("list_roles", delay=60)
    with Terminal(["roles", "list"], env) as terminal:
        terminal.see("Reading roles")
        terminal.interrupt()
        assert terminal.end() == 130
        assert "Reading" not in text_of(screen_of(terminal.output, 80))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the signal masks of threads")
def test_only_the_main_thread_gets_ctrl_c(env: dict[str, str], simulator: Simulator) -> None:
    """Only the main thread gets Ctrl-C: another thread could not interrupt a wait for a response."""
    simulator.fail("list_roles", delay=60)
    with Terminal(["roles", "list"], env) as terminal:
        terminal.see("Reading roles")
        terminal.see("Reading roles")  # the second drawing
        blocked = {}
        for thread in Path(f"/proc/{terminal.pid}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):  # a thread may end now
                (mask,) = re.findall(r"^SigBlk:\s(\w+)$", (thread / "status").read_text(), re.MULTILINE)
                blocked[int(thread.name)] = bool(int(mask, 16) >> signal.SIGINT - 1 & 1)
        assert len(blocked) > 1
        assert blocked == {thread: thread != terminal.pid for thread in blocked}


def test_progress_of_a_check(env: dict[str, str], simulator: Simulator) -> None:
    """`check` shows the step that it waits for."""
    simulator.fail("list_roles", delay=60)
    with Terminal(["check"], env) as terminal:
        terminal.see("Calling the service")
        terminal.interrupt()
        assert terminal.end() == 130
        assert "Calling" not in text_of(screen_of(terminal.output, 80))


@pytest.mark.parametrize("columns", [40, 80])
def test_table_width(env: dict[str, str], columns: int) -> None:
    """A table fits the terminal."""
    with Terminal(["reviewed", "list", "--limit", "3"], env, columns=columns) as terminal:
        assert terminal.end() == 0
        shown = text_of(screen_of(terminal.output, columns))
        assert ("Sender: alice" in shown) == (columns == 40)
        assert "free coins, приве" in " ".join(shown.split())


# Texts that terminals measure in different ways, and what a terminal shows that joins the code points of an emoji.
JOINED = {"👩\u200d👩\u200d👧": "👧", "👍🏽": "👍", "🇩🇪": "🏁", "❤\ufe0f": "💛", "1\ufe0f\u20e3": "🔢"}


@pytest.mark.parametrize("joins", [True, False], ids=["joins", "does not join"])
@pytest.mark.parametrize("columns", [80, pytest.param(150, marks=pytest.mark.deep)])
def test_emoji(env: dict[str, str], simulator: Simulator, columns: int, *, joins: bool) -> None:
    """Emoji, wide characters and combining marks cause no empty line and move no column, on any terminal."""
    characters = [*JOINED, "z\u0351\u036b\u034d", "你", "ने", "\u200d"]
    texts = [f"{each * 8} {each} words {each * 30} end" for each in characters]
    records: list[Any] = list(simulator.reviewed_messages)
    for record, text in zip(records, texts, strict=False):
        record["message"]["data"]["text"] = text
        record["message"]["sender"] = text[:6]
    with Terminal(["reviewed", "list", "--limit", str(len(texts))], env, columns=columns) as terminal:
        assert terminal.end() == 0
    output = terminal.output
    for text, one in JOINED.items() if joins else ():
        output = output.replace(text, one)
    screen = screen_of(output, columns, lines=100)
    lines = text_of(screen).splitlines()
    assert all(line.strip() for line in lines)
    starts = [found.start() for found in re.finditer(r"(?<=  )\w|^\w", lines[0])]
    for row, line in enumerate(lines):
        assert re.match(r"Created|UTC|2025-|\d\d:|   ", line)
        for start in starts[1:]:
            assert {screen.buffer[row][start - 2].data, screen.buffer[row][start - 1].data} == {" "}


def test_needs_of_a_moderator(env: dict[str, str]) -> None:
    """At 80 columns, `reviewed list` shows the time, sender, message, rule, action, status and text of each record."""
    with Terminal(["reviewed", "list", "--limit", "2"], env) as terminal:
        assert terminal.end() == 0
    assert text_of(screen_of(terminal.output, 80)).splitlines()[:4] == [
        "Created     Sender      Rule         Action         Text",
        "UTC         Message                  Status",
        "2025-09-15  alice       Block word   blockMessage   Get your free coins, приве́т",
        "17:05:51    390079                   disapproved    👋🏽 (message 0)",
    ]


def test_no_color(env: dict[str, str], folder: Path) -> None:
    """With NO_COLOR, the output has no colours."""
    with Terminal(["keywords", "plan", LIST, "list.txt"], {**env, "NO_COLOR": "1"}, folder=folder) as terminal:
        assert terminal.end() == 0
        assert "\x1b[3" not in terminal.output
        assert "+ 新しい" in terminal.output


def test_watching_ends_with_ctrl_c(env: dict[str, str], simulator: Simulator) -> None:
    """`watch` shows new records until Ctrl-C, and ends with 130."""
    simulator.reviewed_messages = simulator.reviewed_messages[:1]
    with Terminal(["reviewed", "watch", "--interval", "0.05"], env) as terminal:
        terminal.see("alice")
        simulator.review(1)
        terminal.see("2025-")
        terminal.interrupt()
        assert terminal.end() == 130


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_signal_during_a_request(run: Start, simulator: Simulator) -> None:
    """Ctrl-C during a request ends with 130 and one line, without a traceback."""
    simulator.fail("list_roles", delay=30)
    running = run("roles", "list")
    while not simulator.requests:
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (130, "cometchat-desk: interrupted.\n")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_signal_during_an_update(run: Start, folder: Path, simulator: Simulator) -> None:
    """Ctrl-C during an update says that the update may have been made, and how to check that."""
    simulator.fail("update_keyword_list", delay=30)
    running = run("keywords", "apply", LIST, "list.txt", "--yes", cwd=folder)
    while not simulator.requests or simulator.requests[-1].method != "PUT":
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert err.splitlines()[-1] == (
        "cometchat-desk: interrupted. The update may or may not have been made. "
        "Wait a minute, and look at the list with cometchat-desk keywords get before you try again."
    )


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_signal_during_a_revocation(run: Start, simulator: Simulator) -> None:
    """Ctrl-C ends the revocation of a single token at once, and says that repeating it is safe."""
    simulator.fail("delete_auth_token", delay=60)
    running = run("auth-tokens", "revoke", "alice", "--yes", stdin=subprocess.PIPE)
    assert running.stdin is not None
    running.stdin.write(simulator.auth_tokens["alice"][0])
    running.stdin.close()
    running.stdin = None
    while not simulator.requests:
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (130, "")
    assert err == (
        "cometchat-desk: interrupted. The token may or may not have been revoked. "
        "Revoke it again: repeating a revocation is safe.\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_signal_during_several_revocations(run: Start, simulator: Simulator) -> None:
    """Outcomes of revocations are shown early, so that they are not lost when Ctrl-C ends the others."""
    for _ in range(20):
        simulator.fail("delete_auth_token", status=200, body={"data": {"success": True, "message": ""}})
    simulator.fail("delete_auth_token", delay=1, times=None)
    running = run("auth-tokens", "revoke", "alice", "--yes", stdin=subprocess.PIPE)
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write("\n".join(f"alice_{number}" for number in range(100)))
    running.stdin.close()
    running.stdin = None
    shown = [running.stdout.readline() for _ in range(8)]
    assert all('"revoked"' in line for line in shown)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Tokens without an outcome may or may not have been revoked. Revoke them again" in err
    assert len(simulator.requests) < 64


@pytest.mark.parametrize(
    "typed",
    [
        ["reviewed", "list", "--limit", "300"],
        ["--help"],
        pytest.param(["keywords", "get", LIST], marks=pytest.mark.deep),
        pytest.param(["roles", "list", "--debug"], marks=pytest.mark.deep),
    ],
)
def test_closed_output(run: Start, typed: list[str]) -> None:
    """Closed output ends the command without a message."""
    reading, writing = os.pipe()
    os.close(reading)
    running = run(*typed, stdout=writing)
    os.close(writing)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 141
    assert "Broken" not in err
    assert "--debug" in typed or not err


def test_all_tokens_are_revoked_with_closed_output(run: Start, simulator: Simulator) -> None:
    """All tokens are revoked even if the output is closed."""
    simulator.auth_tokens["alice"] = [f"alice_{number}" for number in range(20)]
    reading, writing = os.pipe()
    os.close(reading)
    running = run("auth-tokens", "revoke", "alice", "--yes", stdin=subprocess.PIPE, stdout=writing)
    os.close(writing)
    _, err = running.communicate("\n".join(simulator.auth_tokens["alice"]), timeout=30)
    assert (running.returncode, err) == (141, "")
    assert simulator.auth_tokens["alice"] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize(
    "typed",
    [
        ["reviewed", "list"],
        ["--help"],
        pytest.param(["--version"], marks=pytest.mark.deep),
        pytest.param(["keywords", "get", LIST], marks=pytest.mark.deep),
    ],
)
def test_full_disk(run: Start, typed: list[str]) -> None:
    """Output to a full disk gives one line on stderr."""
    with Path("/dev/full").open("w") as full:
        running = run(*typed, stdout=full)
        _, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (11, "cometchat-desk: the output: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="a shell closes streams with >&-")
@pytest.mark.parametrize(("closed", "code"), [("0<&-", 0), ("1>&-", 0), ("2>&-", 0), ("0<&- 1>&- 2>&-", 0)])
def test_closed_streams(env: dict[str, str], closed: str, code: int) -> None:
    """A command with closed standard streams does its work."""
    line = f'"$0" "$@" keywords get {LIST} {closed}'
    done = subprocess.run(  # noqa: S603
        ["/bin/sh", "-c", line, *PROGRAM], env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (code, "")


def test_completion(run: Start, env: dict[str, str], tmp_path: Path) -> None:
    """A shell completes commands, app names, regions and categories."""
    path = tmp_path / ".config/cometchat-desk/profiles.toml"
    path.parent.mkdir(parents=True)
    path.write_text("[apps.shop]\napp_id = 'abc'\n[apps.forum]\napp_id = 'def'\n")
    path.chmod(0o600)

    def completed(words: str) -> set[str]:
        asked = {"_COMETCHAT_DESK_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        running = run(env={**os.environ, **env, **asked})
        out, err = running.communicate(timeout=30)
        assert (running.returncode, err) == (0, "")
        return set(out.split())

    assert {"keywords", "reviewed", "roles", "auth-tokens", "apps", "check", "help"} <= completed("cometchat-desk ")
    assert completed("cometchat-desk keywords ap") == {"apply"}
    assert completed("cometchat-desk roles list --app ") == {"shop", "forum"}
    assert completed("cometchat-desk roles list --region ") == {"us", "eu", "in"}
    assert completed("cometchat-desk keywords plan list file --category ") == {"word", "pattern", "sentence-similarity"}


def test_help_loads_little() -> None:
    """The help loads neither the client nor the code that draws tables."""
    code = (
        "import sys; from cometchat_desk.app import run; run(['--help']);"
        "print(*(set(sys.modules) & {'rich', 'httpx', 'httpcore', 'cometchat_rest.client', 'uvicorn'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.splitlines()[-1] == ""


COMMANDS = [
    *(["keywords", name] for name in ("get", "dump", "plan", "apply")),
    *(["reviewed", name] for name in ("list", "watch", "export")),
    ["roles", "list"],
    ["auth-tokens", "revoke"],
    *(["apps", name] for name in ("add", "list")),
    ["check"],
    ["help", "exit-codes"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help(command: list[str], bare_cli: CommandLine) -> None:
    """The help of each command has its usage, valid examples and at most 80 columns."""
    done = bare_cli(*command, "--help")
    assert done == bare_cli(*command, "-h")
    assert done.code == 0
    usage = rf"Usage: cometchat-desk {' '.join(command)} \[OPTIONS\]( [A-Z]+| \[[A-Z]+\])*\n"
    assert re.match(usage, done.out)
    options, _, examples = done.out.partition("Examples:\n")
    lines = examples.splitlines()
    assert lines
    for line in lines:
        assert line.split()[: len(command) + 1] == ["cometchat-desk", *command]
        assert {word for word in line.split() if word.startswith("--")} <= set(re.findall("--[a-z-]+", options))
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("group", ["keywords", "reviewed", "auth-tokens", "apps"])
def test_help_of_a_group(group: str, bare_cli: CommandLine) -> None:
    """The help of a group shows the first sentence of each command, and cuts none."""
    done = bare_cli(group, "--help")
    assert done.code == 0
    _, _, commands = done.out.partition("Commands:\n")
    assert commands.count(".\n") >= len(re.findall(r"^  \w", commands, re.MULTILINE))
    assert "..." not in commands
    assert max(map(len, done.out.splitlines())) <= 80


def test_help_topic_of_the_exit_codes(bare_cli: CommandLine) -> None:
    """`help exit-codes` lists all exit codes within 80 columns, and --help names this topic."""
    done = bare_cli("help", "exit-codes")
    assert done.code == 0
    found = re.findall(r"^ +(\d+)  (.*)$", done.out, re.MULTILINE)
    assert [int(code) for code, _ in found] == [*range(13), 130, 141]
    for (_, first_line), meaning in zip(found, MEANINGS.values(), strict=True):
        assert meaning.startswith(first_line)
    assert max(map(len, done.out.splitlines())) <= 80
    assert "help exit-codes" in bare_cli("--help").out


def test_help_fits_on_a_small_terminal(bare_cli: CommandLine) -> None:
    """The help of the program and the prompt after it fit on 24 lines. A call without arguments shows the same."""
    done = bare_cli("--help")
    assert len(done.out.splitlines()) < 24
    assert max(map(len, done.out.splitlines())) <= 80
    assert bare_cli() == done
    assert bare_cli("--version").out == f"{cometchat_rest.__version__}\n"
