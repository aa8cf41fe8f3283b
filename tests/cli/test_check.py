"""`cometchat-rest check`: what is wrong with a set-up, in plain words."""

from __future__ import annotations

import json
import socket
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from types import SimpleNamespace

import pytest

from cometchat_rest.testing import Simulator

from .conftest import Desk, Ended


def wrong(done: Ended) -> tuple[str, str]:
    """The one thing that is wrong."""
    findings = [json.loads(line) for line in done.out.splitlines()]
    (found,) = (finding for finding in findings if finding["state"] == "wrong")
    assert found == findings[-1]
    return found["subject"], found["finding"]


def test_all_is_well(desk: Desk, simulator: Simulator) -> None:
    """Where nothing is wrong, it says so of each thing, and has only read."""
    done = desk("check")
    findings = {record["subject"]: record for record in map(json.loads, done.out.splitlines())}
    assert {record["state"] for record in findings.values()} == {"ok"}
    assert list(findings) == [
        *("Versions", "Settings", "Key", "Name", "Connection"),
        *("Service", "Clock", "Moderation", "Rate limit", "Answers"),
    ]
    assert done.code == 0
    assert {request.method for request in simulator.requests} == {"GET"}


def test_no_key(desk: Desk) -> None:
    """Without a key it says how one is given."""
    desk.env.delenv("COMETCHAT_API_KEY")
    done = desk("check")
    assert done.code == 3
    assert "COMETCHAT_API_KEY" in wrong(done)[1]


def test_settings_of_which_no_client_can_be_made(desk: Desk) -> None:
    """What is wrong with a setting is told like anything else."""
    desk.env.setenv("COMETCHAT_APP_ID", "two.labels")
    desk.env.delenv("COMETCHAT_BASE_URL")
    done = desk("check")
    assert done.code == 3
    subject, text = wrong(done)
    assert subject == "Settings"
    assert "COMETCHAT_APP_ID" in text


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (401, 4, ["another app's, another region's, or withdrawn", "was asked"]),
        (403, 4, ["fullAccess", "was asked"]),
        (404, 5, ["region", "was asked"]),
        (429, 7, ["wait"]),
        (503, 8, ["trouble of its own"]),
        (302, 10, ["what answers is not the service"]),
    ],
)
def test_what_the_service_says(desk: Desk, simulator: Simulator, status: int, code: int, words: list[str]) -> None:
    """An answer is put in plain words, with the address that was asked; the clock is looked at all the same."""
    simulator.fail("list_roles", status=status, headers={"Retry-After": "3600"})
    done = desk("check")
    subject, text = wrong(done)
    assert (subject, done.code) == ("Service", code)
    assert all(word in text for word in words)
    assert simulator.base_url in text
    assert '"Clock"' in done.out


def test_a_scope_that_is_too_narrow(desk: Desk, simulator: Simulator) -> None:
    """A key of the wrong scope is told from a key that is not known."""
    desk.env.setenv("COMETCHAT_API_KEY", simulator.auth_only_key)
    assert "scope" in wrong(desk("check"))[1]


def test_an_odd_key(desk: Desk, simulator: Simulator) -> None:
    """A key of another length than keys have is pointed out, without the key."""
    desk.env.setenv("COMETCHAT_API_KEY", simulator.api_key[:-1])
    out = desk("check").out
    assert "it has 39 characters" in out
    assert simulator.api_key[:8] not in out


def test_the_clock(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is more than a minute off is told, with the direction; that alone is no failure."""
    late = time.time() - 7200
    # The simulator, in this very process, goes by the right time.
    monkeypatch.setattr("cometchat_rest.cli.diagnosis.time", SimpleNamespace(time=lambda: late))
    done = desk("check", "--output", "json")
    (clock,) = (finding for finding in json.loads(done.out) if finding["subject"] == "Clock")
    assert clock["state"] == "note"
    assert "behind the service's" in clock["finding"]
    assert done.code == 0


def test_no_such_name(bare_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that has no address is told from a service that is down."""

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    bare_desk.env.setenv("COMETCHAT_API_KEY", "k")
    done = bare_desk("check", "--app-id", "abc", "--region", "in")
    assert done.code == 9
    assert "no address for abc.api-in.cometchat.io" in wrong(done)[1]


def test_nobody_listens(desk: Desk) -> None:
    """A port at which nobody listens is told as such."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    done = desk("check", "--base-url", f"http://127.0.0.1:{port}/v3")
    assert done.code == 9
    assert f"takes no connection at port {port}" in wrong(done)[1]


def test_no_tls(desk: Desk, simulator: Simulator) -> None:
    """What does not speak TLS where it should is told as such."""
    done = desk("check", "--base-url", simulator.base_url.replace("http:", "https:"))
    assert done.code == 9
    assert "does not speak TLS" in wrong(done)[1]


def test_a_proxy(bare_desk: Desk) -> None:
    """A proxy that the environment names is told, and that it cannot be reached; its password is not."""
    bare_desk.env.setenv("HTTPS_PROXY", "http://me:opensesame@127.0.0.1:1")
    bare_desk.env.setenv("COMETCHAT_API_KEY", "k")
    done = bare_desk("check", "--app-id", "abc")
    assert "by way of 127.0.0.1:1" in done.out
    assert "opensesame" not in done.out + done.err
    assert done.code == 9
    assert wrong(done)[1].startswith(
        "the proxy 127.0.0.1:1 could not be reached on the way to abc.api-us.cometchat.io: "
    )


def test_a_proxy_that_refuses(bare_desk: Desk) -> None:
    """A proxy that wants another password is told as such, by its host and port, without the password."""

    class Refusing(BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:
            self.send_error(407)

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - named by the library
            pass

    with HTTPServer(("127.0.0.1", 0), Refusing) as proxy:
        Thread(target=proxy.serve_forever).start()
        bare_desk.env.setenv("HTTPS_PROXY", f"http://me:opensesame@127.0.0.1:{proxy.server_port}")
        bare_desk.env.setenv("COMETCHAT_API_KEY", "k")
        done = bare_desk("check", "--app-id", "abc")
        proxy.shutdown()
    assert done.code == 9
    told = f"the proxy 127.0.0.1:{proxy.server_port} lets nobody through to abc.api-us.cometchat.io: "
    assert wrong(done)[1].startswith(told)
    assert "opensesame" not in done.out + done.err


def test_no_answer(desk: Desk, simulator: Simulator) -> None:
    """A service that takes a call and does not answer is told by its host, with what to look at."""
    simulator.fail("list_roles", cut="before_headers")
    done = desk("check")
    assert done.code == 9
    host = simulator.base_url.removeprefix("http://").removesuffix("/v3")
    assert wrong(done)[1].startswith(f"{host} did not answer: is the network slow")


def test_for_people(desk: Desk) -> None:
    """The table fits a narrow terminal."""
    desk.env.setenv("COLUMNS", "40")
    out = desk("check", "-o", "table").out
    assert max(map(len, out.splitlines())) <= 40
    assert "COMETCHAT_API_KEY" in out
