"""The command line as a process: signals, pipes, full disks, closed streams, completion."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from cometchat_testing import Simulator

from .conftest import Start, app
from .pseudo_terminal import PROGRAM

LIST = "profanity-list"


def wait_for(
    method: str, running: subprocess.Popen[str], simulator: Simulator, *, number: int = 1
) -> None:
    """Wait until the program has sent so many requests with this method."""
    while [request.method for request in simulator.requests].count(method) < number:
        assert running.poll() is None
        time.sleep(0.01)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_signal_during_a_request(process: Start, simulator: Simulator) -> None:
    """Ctrl-C during a request ends with 130 and one line, without a traceback."""
    simulator.fail("list_reviewed_messages", delay=30)
    running = process("reviewed", "list")
    wait_for("GET", running, simulator)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (130, "cometchat-desk: interrupted.\n")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_signal_during_an_update(process: Start, folder: Path, simulator: Simulator) -> None:
    """Ctrl-C during an update says that the update may have been made, and how to check that."""
    simulator.fail("update_keyword_list", delay=30)
    running = process("keywords", "apply", LIST, "list.txt", "--yes", cwd=folder)
    wait_for("PUT", running, simulator)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert err.endswith(
        "cometchat-desk: interrupted. An update may or may not have been made. The history shows all"
        " updates: cometchat-desk keywords history\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_signal_between_updates(process: Start, folder: Path, simulator: Simulator) -> None:
    """After Ctrl-C, each finished update has its result with its undo, and the named command shows
    all updates."""
    first, second = "default-profanity", LIST
    before = {name: simulator.keyword_lists[name]["searchTerms"] for name in (first, second)}
    (folder / "lists").mkdir()
    for name, terms in before.items():
        (folder / "lists" / f"{name}.txt").write_text("\n".join([*terms, "new"]), "utf-8")
    simulator.fail("update_keyword_list", headers={"X-Fault": "none"})
    simulator.fail("update_keyword_list", delay=30)
    running = process("keywords", "sync", "lists", "--yes", cwd=folder)
    wait_for("PUT", running, simulator, number=2)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    result = json.loads(out)
    assert (running.returncode, result["keyword_id"], result["outcome"]) == (130, first, "updated")
    _, _, named = err.splitlines()[-1].partition("cometchat-desk keywords")
    shown, _ = process("keywords", *named.split(), cwd=folder).communicate(timeout=60)
    outcomes = [json.loads(line)["outcome"] for line in shown.splitlines()]
    assert outcomes == ["done", "unknown"]
    undo = process(*result["undo"].split()[1:], "--yes", cwd=folder)
    assert undo.wait(timeout=60) == 0
    assert simulator.keyword_lists[first]["searchTerms"] == before[first]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_signal_during_updates_of_several_apps(
    process: Start, folder: Path, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Ctrl-C, the updates that run at the same time in several apps end, and each has its
    result."""
    interrupted = Event()
    with Simulator() as forum:
        receive = forum.receive

        def after_the_signal(request: Any) -> Any:
            assert request.method == "GET" or interrupted.wait(60)
            return receive(request)

        monkeypatch.setattr(forum, "receive", after_the_signal)
        profiles = folder / ".config" / "cometchat-desk" / "profiles.toml"
        profiles.parent.mkdir(parents=True)
        profiles.write_text(app("shop", simulator) + app("forum", forum))
        profiles.chmod(0o600)
        running = process("keywords", "add", LIST, "new", "--all-apps", "--yes", cwd=folder)
        wait_for("PUT", running, simulator)
        running.send_signal(signal.SIGINT)
        interrupted.set()
        out, err = running.communicate(timeout=60)
    results = [json.loads(line) for line in out.splitlines()]
    assert [(result["app"], result["outcome"]) for result in results] == [
        ("shop", "updated"),
        ("forum", "updated"),
    ]
    assert (running.returncode, "to undo these 2 updates together" in err) == (130, True)
    assert err.endswith("keywords history --app shop --app forum\n")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signals")
def test_signal_during_a_revocation(process: Start, simulator: Simulator) -> None:
    """Ctrl-C ends the revocation of a single token at once, and says that repeating it is safe."""
    simulator.fail("delete_auth_token", delay=60)
    running = process("auth-tokens", "revoke", "alice", "--yes", stdin=subprocess.PIPE)
    assert running.stdin is not None
    running.stdin.write(simulator.auth_tokens["alice"][0])
    running.stdin.close()
    running.stdin = None
    wait_for("DELETE", running, simulator)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert err.startswith("cometchat-desk: interrupted. 0 of 1 token of alice in ")


@pytest.mark.parametrize(
    "typed",
    [
        ["reviewed", "list", "--limit", "300"],
        ["--help"],
        pytest.param(["keywords", "get", LIST], marks=pytest.mark.deep),
        pytest.param(["reviewed", "list", "--debug"], marks=pytest.mark.deep),
    ],
)
def test_closed_output(process: Start, typed: list[str]) -> None:
    """Closed output ends the command without a message."""
    reading, writing = os.pipe()
    os.close(reading)
    running = process(*typed, stdout=writing)
    os.close(writing)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 141
    assert "Broken" not in err
    assert "--debug" in typed or not err


def test_all_tokens_are_revoked_with_closed_output(process: Start, simulator: Simulator) -> None:
    """All tokens are revoked even if the output is closed."""
    simulator.auth_tokens["alice"] = [f"alice_{number}" for number in range(20)]
    reading, writing = os.pipe()
    os.close(reading)
    running = process(
        "auth-tokens", "revoke", "alice", "--yes", stdin=subprocess.PIPE, stdout=writing
    )
    os.close(writing)
    _, err = running.communicate("\n".join(simulator.auth_tokens["alice"]), timeout=60)
    assert (running.returncode, err.startswith("Revoked 20 of 20 tokens of alice")) == (141, True)
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
def test_full_disk(process: Start, typed: list[str]) -> None:
    """Output to a full disk gives one line on stderr."""
    with Path("/dev/full").open("w") as full:
        running = process(*typed, stdout=full)
        _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (
        11,
        "cometchat-desk: the output: No space left on device\n",
    )


@pytest.mark.skipif(os.name != "posix", reason="a shell closes streams with >&-")
@pytest.mark.parametrize(
    "closed",
    [
        "0<&-",
        "0<&- 1>&- 2>&-",
        *(pytest.param(each, marks=pytest.mark.deep) for each in ("1>&-", "2>&-")),
    ],
)
def test_closed_streams(env: dict[str, str], closed: str) -> None:
    """A command with closed standard streams does its work."""
    line = f'"$0" "$@" keywords get {LIST} {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", line, *PROGRAM],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("typed", "unused"),
    [
        ("--help", {"rich", "httpx", "httpcore", "cometchat_rest.client", "uvicorn"}),
        ("keywords apply --help", {"sqlite3", "platformdirs", "cometchat_desk.journal"}),
        ("reviewed explain --help", {"sqlite3", "cometchat_desk.journal"}),
    ],
    ids=["program", "command", "explain"],
)
def test_help_loads_little(typed: str, unused: set[str]) -> None:
    """The help of the program loads neither the client nor tables; the help of a command loads
    no journal."""
    code = f"import sys; from cometchat_desk.app import run; run({typed.split()}); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: ")
    assert not unused & set(done.stderr.split())
