"""At a terminal: prompts, tables, colours, progress, Ctrl-C; and as a process: pipes, disks, completion, help."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import cometchat_rest
from cometchat_rest.testing import Simulator

from .conftest import Desk

pytest.importorskip("termios", reason="there are no pseudo-terminals here")

from tools.terminal import PROGRAM, Terminal, screen_of, text_of

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
    """What starts the program without a terminal."""
    # Unbuffered, output would fail where it is written, and not at the end as it does for most people.
    unless_told = {"env": {**os.environ, "PYTHONUNBUFFERED": "", **env}}
    return lambda *arguments, **options: start(PROGRAM, *arguments, **{**unless_told, **options})


def test_a_question_answered(env: dict[str, str], folder: Path, simulator: Simulator) -> None:
    """At a terminal the plan is shown in colour and a question asked; "n" and Enter change nothing, "y" does it."""
    before = simulator.keyword_lists[LIST]
    for answer in ("n", ""):
        with Terminal(["keywords", "apply", LIST, "list.txt"], env, folder=folder) as terminal:
            terminal.see("\x1b[32m+ 新しい")
            terminal.see(f"Update {LIST}? [y/N] ")
            terminal.answer(answer)
            assert terminal.end() == 1
        assert simulator.keyword_lists[LIST] == before
    with Terminal(["keywords", "apply", LIST, "list.txt"], env, folder=folder) as terminal:
        terminal.see("[y/N] ")
        terminal.answer("y")
        assert terminal.end() == 0
        assert f"{LIST} is as planned, now at revision" in text_of(screen_of(terminal.output, 80))
    assert simulator.keyword_lists[LIST] != before


def test_ctrl_c_at_a_question(env: dict[str, str], folder: Path, simulator: Simulator) -> None:
    """Ctrl-C at a question changes nothing, and ends with 130 and one line."""
    before = simulator.keyword_lists[LIST]
    with Terminal(["keywords", "apply", LIST, "list.txt"], env, folder=folder) as terminal:
        terminal.see("[y/N] ")
        terminal.interrupt()
        assert terminal.end() == 130
        assert text_of(screen_of(terminal.output, 80)).endswith("\ncometchat-rest: interrupted.")
    assert simulator.keyword_lists[LIST] == before


def test_a_key_that_is_typed(env: dict[str, str], simulator: Simulator) -> None:
    """Where there is no key, it is asked for, and not shown while it is typed."""
    del env["COMETCHAT_API_KEY"]
    with Terminal(["roles", "list"], env) as terminal:
        terminal.see("API key (not shown): ")
        terminal.answer(simulator.api_key)
        assert terminal.end() == 0
        assert simulator.api_key not in terminal.output
        assert "moderator" in terminal.output


def test_a_token_that_is_typed(env: dict[str, str], simulator: Simulator) -> None:
    """A token to revoke is asked for, not shown, and revoked after a yes."""
    token = simulator.auth_tokens["alice"][0]
    with Terminal(["auth-tokens", "revoke", "alice"], env) as terminal:
        terminal.see("Token (not shown): ")
        terminal.answer(token)
        terminal.see("Revoke 1 token of alice? [y/N] ")
        terminal.answer("yes")
        assert terminal.end() == 0
        assert token not in terminal.output
        assert "revoked" in terminal.output
    assert token not in simulator.auth_tokens["alice"]


@pytest.mark.parametrize("typed", ["alice", ""], ids=["a user", "no user"])
def test_no_token_is_typed(env: dict[str, str], simulator: Simulator, typed: str) -> None:
    """What is typed and is no token is told as such, and not as a line of stdin."""
    with Terminal(["auth-tokens", "revoke", *typed.split()], env) as terminal:
        terminal.see("(not shown): ")
        terminal.answer('"quoted"')
        assert terminal.end() == 2
        assert "cometchat-rest: what was typed" in terminal.output
    assert simulator.requests == []


def test_progress(env: dict[str, str], simulator: Simulator) -> None:
    """What takes longer than a second says what it does, and leaves nothing of that on the screen."""
    simulator.fail("list_roles", delay=60)
    with Terminal(["roles", "list"], env) as terminal:
        terminal.see("Reading roles")
        terminal.interrupt()
        assert terminal.end() == 130
        assert "Reading" not in text_of(screen_of(terminal.output, 80))


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells who takes a signal")
def test_ctrl_c_is_for_the_thread_that_waits(env: dict[str, str], simulator: Simulator) -> None:
    """What shows progress takes no Ctrl-C: the thread that waits for an answer would not notice before that came."""
    simulator.fail("list_roles", delay=60)
    with Terminal(["roles", "list"], env) as terminal:
        terminal.see("Reading roles")
        terminal.see("Reading roles")  # from the thread that draws it again and again
        blocked = {}
        for thread in Path(f"/proc/{terminal.pid}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):  # the one that has drawn it first may end now
                (mask,) = re.findall(r"^SigBlk:\s(\w+)$", (thread / "status").read_text(), re.MULTILINE)
                blocked[int(thread.name)] = bool(int(mask, 16) >> signal.SIGINT - 1 & 1)
        assert len(blocked) > 1
        assert blocked == {thread: thread != terminal.pid for thread in blocked}


def test_progress_of_a_check(env: dict[str, str], simulator: Simulator) -> None:
    """`check` says what it waits for."""
    simulator.fail("list_roles", delay=60)
    with Terminal(["check"], env) as terminal:
        terminal.see("Asking the service")
        terminal.interrupt()
        assert terminal.end() == 130
        assert "Asking" not in text_of(screen_of(terminal.output, 80))


@pytest.mark.parametrize("columns", [40, 80])
def test_a_table(env: dict[str, str], columns: int) -> None:
    """A table fits the terminal it is shown on."""
    with Terminal(["reviewed", "list", "--limit", "3"], env, columns=columns) as terminal:
        assert terminal.end() == 0
        shown = text_of(screen_of(terminal.output, columns))
        assert ("Sender: alice" in shown) == (columns == 40)
        assert "free coins, приве" in " ".join(shown.split())


def test_no_color(env: dict[str, str], folder: Path) -> None:
    """With NO_COLOR no colour is set."""
    with Terminal(["keywords", "plan", LIST, "list.txt"], {**env, "NO_COLOR": "1"}, folder=folder) as terminal:
        assert terminal.end() == 0
        assert "\x1b[3" not in terminal.output
        assert "+ 新しい" in terminal.output


def test_watching_ends_with_ctrl_c(env: dict[str, str], simulator: Simulator) -> None:
    """`watch` shows what is new while it runs, and Ctrl-C ends it with 130."""
    simulator.reviewed_messages = simulator.reviewed_messages[:1]
    with Terminal(["reviewed", "watch", "--interval", "0.05"], env) as terminal:
        terminal.see("alice")
        simulator.review(1)
        terminal.see("2025-")
        terminal.interrupt()
        assert terminal.end() == 130


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_a_signal_without_a_terminal(run: Start, simulator: Simulator) -> None:
    """Ctrl-C while a call is under way ends with 130 and one line, without a traceback."""
    simulator.fail("list_roles", delay=30)
    running = run("roles", "list")
    while not simulator.requests:
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (130, "cometchat-rest: interrupted.\n")


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_a_signal_amid_a_change(run: Start, folder: Path, simulator: Simulator) -> None:
    """Ctrl-C while an update is under way says that it may have been carried out."""
    simulator.fail("update_keyword_list", delay=30)
    running = run("keywords", "apply", LIST, "list.txt", "--yes", cwd=folder)
    while not simulator.requests or simulator.requests[-1].method != "PUT":
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert err.splitlines()[-1] == (
        "cometchat-rest: interrupted. The update may or may not have been carried out: look before you do it again."
    )


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_a_signal_amid_a_revocation(run: Start, simulator: Simulator) -> None:
    """Ctrl-C ends the revocation of a single token at once, and says that to revoke it again settles it."""
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
        "cometchat-rest: interrupted. It may or may not have been carried out; "
        "revoke it again: that is safe, and settles it.\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_a_signal_amid_revocations(run: Start, simulator: Simulator) -> None:
    """Of many tokens, outcomes are shown when they are known, and so are there when Ctrl-C ends the rest."""
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
    assert "What no outcome is shown for may or may not have been carried out; revoke it again" in err
    assert len(simulator.requests) < 64


@pytest.mark.parametrize(
    "typed",
    [["reviewed", "list", "--limit", "300"], ["--help"], ["keywords", "get", LIST], ["roles", "list", "--debug"]],
)
def test_a_reader_that_goes_away(run: Start, typed: list[str]) -> None:
    """Output that nobody reads any more ends the command, without a word of that."""
    reading, writing = os.pipe()
    os.close(reading)
    running = run(*typed, stdout=writing)
    os.close(writing)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 141
    assert "Broken" not in err
    assert "--debug" in typed or not err


def test_tokens_are_revoked_whoever_reads(run: Start, simulator: Simulator) -> None:
    """All tokens are revoked where nobody reads what becomes of them."""
    simulator.auth_tokens["alice"] = [f"alice_{number}" for number in range(20)]
    reading, writing = os.pipe()
    os.close(reading)
    running = run("auth-tokens", "revoke", "alice", "--yes", stdin=subprocess.PIPE, stdout=writing)
    os.close(writing)
    _, err = running.communicate("\n".join(simulator.auth_tokens["alice"]), timeout=30)
    assert (running.returncode, err) == (141, "")
    assert simulator.auth_tokens["alice"] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("typed", [["reviewed", "list"], ["--help"], ["--version"], ["keywords", "get", LIST]])
def test_a_full_disk(run: Start, typed: list[str]) -> None:
    """Output that cannot be written is told in one line."""
    with Path("/dev/full").open("w") as full:
        running = run(*typed, stdout=full)
        _, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (11, "cometchat-rest: the output: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="a shell closes streams with >&-")
@pytest.mark.parametrize(("closed", "code"), [("0<&-", 0), ("1>&-", 0), ("2>&-", 0), ("0<&- 1>&- 2>&-", 0)])
def test_without_streams(env: dict[str, str], closed: str, code: int) -> None:
    """A command that is started without a stream does its work."""
    line = f'"$0" keywords get {LIST} {closed}'
    done = subprocess.run(  # noqa: S603
        ["/bin/sh", "-c", line, PROGRAM], env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (code, "")


def test_completion(run: Start, env: dict[str, str], tmp_path: Path) -> None:
    """A shell completes commands, names of apps, regions and categories."""
    path = tmp_path / ".config/cometchat-rest/profiles.toml"
    path.parent.mkdir(parents=True)
    path.write_text("[apps.shop]\napp_id = 'abc'\n[apps.forum]\napp_id = 'def'\n")
    path.chmod(0o600)

    def completed(words: str) -> set[str]:
        asked = {"_COMETCHAT_REST_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        running = run(env={**os.environ, **env, **asked})
        out, err = running.communicate(timeout=30)
        assert (running.returncode, err) == (0, "")
        return set(out.split())

    assert {"keywords", "reviewed", "roles", "auth-tokens", "check", "simulate"} <= completed("cometchat-rest ")
    assert completed("cometchat-rest keywords ap") == {"apply"}
    assert completed("cometchat-rest roles list --app ") == {"shop", "forum"}
    assert completed("cometchat-rest roles list --region ") == {"us", "eu", "in"}
    assert completed("cometchat-rest keywords plan list file --category ") == {"word", "pattern", "sentence-similarity"}


def test_without_the_extra() -> None:
    """Without the extra, the command says in one line what to install."""
    code = "import sys; sys.modules['typer'] = None; from cometchat_rest.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 1
    assert done.stderr == "cometchat-rest: the command line needs typer: pip install 'cometchat-rest[cli]'\n"


def test_help_loads_little() -> None:
    """Showing the help loads neither the client nor what draws tables."""
    code = (
        "import sys; from cometchat_rest.cli.app import run; run(['--help']);"
        "print(*(set(sys.modules) & {'attr', 'rich', 'httpx', 'httpcore', 'cometchat_rest.client', 'uvicorn'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.splitlines()[-1] == ""


COMMANDS = [
    *(["keywords", name] for name in ("get", "dump", "plan", "apply")),
    *(["reviewed", name] for name in ("list", "watch", "export")),
    ["roles", "list"],
    ["auth-tokens", "revoke"],
    ["check"],
    ["simulate"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help(command: list[str], bare_desk: Desk) -> None:
    """Each command's help has its usage as people write it, examples with options that it has, and fits 80 columns."""
    done = bare_desk(*command, "--help")
    assert done == bare_desk(*command, "-h")
    assert done.code == 0
    usage = rf"Usage: cometchat-rest {' '.join(command)} \[OPTIONS\]( [A-Z]+| \[[A-Z]+\])*\n"
    assert re.match(usage, done.out)
    options, _, examples = done.out.partition("Examples:\n")
    lines = examples.splitlines()
    assert lines
    for line in lines:
        assert line.split()[: len(command) + 1] == ["cometchat-rest", *command]
        assert {word for word in line.split() if word.startswith("--")} <= set(re.findall("--[a-z-]+", options))
    assert max(map(len, done.out.splitlines())) <= 80


def test_the_help_tells_the_exit_codes(bare_desk: Desk) -> None:
    """The exit codes that scripts may rely on are in --help; nothing at all shows the same."""
    done = bare_desk("--help")
    assert [int(line.split()[0]) for line in done.out.partition("Exit codes:\n")[2].splitlines()] == [
        *range(13),
        130,
        141,
    ]
    assert bare_desk().out == done.out
    assert bare_desk("--version").out == f"{cometchat_rest.__version__}\n"
