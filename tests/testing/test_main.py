"""python -m cometchat_testing"""

import re
import signal
import subprocess
import sys
from itertools import takewhile
from urllib.parse import urlsplit

import httpx
import pytest

from cometchat_rest import BadRequestError, Client, RateLimitError, ServerError, UnexpectedResponse
from cometchat_testing import Simulator
from cometchat_testing.data import auth_tokens

from ..conftest import Start

FOREGROUND = (sys.executable, "-W", "error", "-m", "cometchat_testing", "--port", "0")


def greeting(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    return [*takewhile(lambda line: line != "Press Ctrl-C to stop.\n", process.stdout)]


def client_of(lines: list[str]) -> Client:
    """A client with the settings that the program prints."""
    (settings,) = re.findall(
        r"^export COMETCHAT_BASE_URL=(\S+) COMETCHAT_API_KEY=(\S+)$", "".join(lines), re.MULTILINE
    )
    return Client(base_url=settings[0], api_key=settings[1], max_retries=0)


@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows cannot send these signals to one process"
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_foreground_run(start: Start, number: signal.Signals) -> None:
    """It prints address, keys, lists, a working curl command, settings and a token. A signal
    ends it with code 0."""
    process = start(*FOREGROUND)
    lines = greeting(process)
    text = "".join(lines)
    (url,) = re.findall(r"'(http://127\.0\.0\.1:\d+/v3/moderation/keywords/[^']+)'", text)
    (key,) = re.findall("-H 'apikey: ([0-9a-f]{40})'", text)
    assert f"authOnly key:  {Simulator().auth_only_key}\n" in text
    assert f"ALICE_TOKEN={Simulator().auth_tokens['alice'][0]}\n" in text
    assert all(keyword_id in text for keyword_id in Simulator().keyword_lists)
    assert httpx.get(url, headers={"apikey": key}, trust_env=False).status_code == 200
    process.send_signal(number)
    rest, errors = process.communicate(timeout=60)
    assert (process.returncode, rest, errors) == (0, "", "")


def test_address_for_another_container(start: Start) -> None:
    """On all addresses, it also prints how a client in another container reaches it. `--rate-limit
    1/60` refuses the second request of a minute."""
    lines = greeting(start(*FOREGROUND, "--host", "0.0.0.0", "--rate-limit", "1/60"))  # noqa: S104 - as in a container
    assert re.search(r"Client\(base_url='http://NAME:\d+/v3', allow_http=True\)", "".join(lines))
    with client_of(lines) as chat:
        assert chat.roles.list(page=1).meta.pagination.total == 25
        with pytest.raises(RateLimitError):
            chat.roles.list()


def test_everything_can_be_shown_from_a_shell(start: Start) -> None:
    """Options give it a history, more tokens, which it prints, faults, limits, and new messages
    while it runs."""
    options = ["--history=3", "--tokens=7", "--new-messages=0.1", "--vendor-limits"]
    options += ["--fault", "list_roles", "status=503", 'headers={"X-Why": "maintenance"}']
    options += ["times=2", "--fault", "get_keyword_list", "body=<html>"]
    process = start(*FOREGROUND, *options)
    lines = greeting(process)
    assert "community-words" in "".join(lines)
    assert lines[-42:] == [
        f"{uid},{token}\n" for uid, tokens in auth_tokens(7).items() for token in tokens
    ]
    with client_of(lines) as chat:
        for _ in range(2):
            with pytest.raises(ServerError) as failed:
                chat.roles.list()
            assert failed.value.headers["x-why"] == "maintenance"
        assert chat.roles.list().data
        with pytest.raises(UnexpectedResponse):
            chat.keywords.get("profanity-list")
        history = [
            record
            for record in chat.reviewed_messages.list(limit=1000).data
            if record.message.id[0] == "h"
        ]
        assert len(history) == 150
        new = next(chat.reviewed_messages.watch(interval=0.1, skip_existing=True))
        assert new.message.id not in {record.message.id for record in history}
        assert new.to_dict()["createdAt"] >= history[0].to_dict()["createdAt"]
        with pytest.raises(BadRequestError, match="at most 100 characters"):
            chat.keywords.update("profanity-list", {"category": "word", "searchTerms": ["x" * 101]})
        # The seventh is a token that no other simulator has.
        seventh = auth_tokens(7)["alice"][6]
        assert seventh not in Simulator().auth_tokens["alice"]
        assert chat.auth_tokens.delete("alice", seventh).success


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--port abc", "argument --port: 'abc' is not a whole number from 0 to 65535"),
        (
            "--rate-limit 5/x",
            "argument --rate-limit: 'x' is not a number of seconds from 0.1 to 3600",
        ),
        (
            "--new-messages no",
            "argument --new-messages: 'no' is not a number of seconds from 0.1 to 3600",
        ),
        ("--fault get_roles status=500", "argument --fault: operation must be None or one of "),
        ("--fault status=5", "argument --fault: status must be an integer from 100 to 999, not 5"),
        (
            "--fault status=500 nonsense",
            "argument --fault: 'nonsense' must be NAME=VALUE, where NAME is one of st",
        ),
        ("--bogus", "unrecognized arguments: --bogus"),
    ],
)
def test_bad_value_gets_one_line(
    options: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bad value gets one line that names the option and the valid values."""
    from cometchat_testing.__main__ import main  # noqa: PLC0415 - it is the program, not a library

    with pytest.raises(SystemExit) as ended:
        main(options.split())
    assert ended.value.code == 2
    output, errors = capsys.readouterr()
    assert (output, errors.count("\n")) == ("", 1)
    assert errors.startswith(message)
    assert errors.endswith("; --help lists all options\n")


def test_foreground_run_on_a_port_in_use(start: Start, simulator: Simulator) -> None:
    """For a port in use, one line is printed to stderr and the exit code is 1."""
    port = urlsplit(simulator.base_url).port
    process = start(*FOREGROUND[:-1], str(port))
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, "")
    assert re.fullmatch(
        rf"[^\n]*127\.0\.0\.1:{port}[^\n]*in use; use --port 0 for any free port\n", errors
    )
