"""What each finding of `check` says."""

import json
import socket
import ssl
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from types import SimpleNamespace

import pytest
import trustme

from cometchat_rest.testing import Simulator

from ..conftest import CommandLine, Result


def wrong(done: Result) -> tuple[str, str]:
    """Subject and text of the finding that is wrong, which must be the only one and the last one."""
    findings = [json.loads(line) for line in done.out.splitlines()]
    (found,) = (finding for finding in findings if finding["state"] == "wrong")
    assert found == findings[-1]
    return found["subject"], found["finding"]


def test_missing_key(cli: CommandLine) -> None:
    """Without a key, the message says how to give one."""
    cli.env.delenv("COMETCHAT_API_KEY")
    done = cli("check")
    assert done.code == 3
    assert "COMETCHAT_API_KEY" in wrong(done)[1]


def test_two_addresses_in_the_environment(cli: CommandLine) -> None:
    """If the environment names an app and a base URL, a note says which of them is used."""
    assert "precedence" not in cli("check").out
    cli.env.setenv("COMETCHAT_APP_ID", "shop")
    assert "COMETCHAT_BASE_URL takes precedence over COMETCHAT_APP_ID" in cli("check").out


def test_invalid_setting(cli: CommandLine) -> None:
    """An invalid setting is a finding with the name of the setting."""
    cli.env.setenv("COMETCHAT_APP_ID", "two.labels")
    cli.env.delenv("COMETCHAT_BASE_URL")
    done = cli("check")
    assert done.code == 3
    subject, text = wrong(done)
    assert subject == "Settings"
    assert "COMETCHAT_APP_ID" in text


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (401, 4, ["another app or region", "deleted", "the address is"]),
        (403, 4, ["fullAccess", "the address is"]),
        (404, 5, ["region", "the address is"]),
        (429, 7, ["wait"]),
        (503, 8, ["internal problem"]),
        (302, 10, ["the response is not from the chat service, or not as documented"]),
    ],
)
def test_errors_of_the_service(
    cli: CommandLine, simulator: Simulator, status: int, code: int, words: list[str]
) -> None:
    """An error of the service gives advice and the address; the clock is checked anyway."""
    simulator.fail("list_roles", status=status, headers={"Retry-After": "3600"})
    done = cli("check")
    subject, text = wrong(done)
    assert (subject, done.code) == ("Service", code)
    assert all(word in text for word in words)
    assert simulator.base_url in text
    assert '"Clock"' in done.out


def test_key_with_too_narrow_scope(cli: CommandLine, simulator: Simulator) -> None:
    """The message for a key with the wrong scope differs from the message for an unknown key."""
    cli.env.setenv("COMETCHAT_API_KEY", simulator.auth_only_key)
    assert "scope" in wrong(cli("check"))[1]


def test_key_of_unusual_length(cli: CommandLine, simulator: Simulator) -> None:
    """A key of unusual length gives a note, which does not show the key."""
    cli.env.setenv("COMETCHAT_API_KEY", simulator.api_key[:-1])
    out = cli("check").out
    assert "the key has 39 characters" in out
    assert simulator.api_key[:8] not in out


def test_wrong_clock(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is wrong by more than a minute gives a note with the direction, and exit code 0."""
    late = time.time() - 7200
    # The simulator runs in this process, and its clock stays correct.
    monkeypatch.setattr("cometchat_desk.commands.diagnosis.time", SimpleNamespace(time=lambda: late))
    done = cli("check", "--format", "json")
    (clock,) = (finding for finding in json.loads(done.out) if finding["subject"] == "Clock")
    assert clock["state"] == "note"
    assert "behind the service's clock" in clock["finding"]
    assert done.code == 0


def test_unknown_host(bare_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host name without an address has its own message."""

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    bare_cli.env.setenv("COMETCHAT_API_KEY", "k")
    done = bare_cli("check", "--app-id", "abc", "--region", "in")
    assert done.code == 9
    assert "no connection to abc.api-in.cometchat.io: check the app id" in wrong(done)[1]


def test_closed_port(cli: CommandLine) -> None:
    """A port that accepts no connection has its own message."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    done = cli("check", "--base-url", f"http://127.0.0.1:{port}/v3")
    assert done.code == 9
    assert f"no connection to 127.0.0.1:{port}: check the app id" in wrong(done)[1]


def test_server_without_tls(cli: CommandLine, simulator: Simulator) -> None:
    """A server that does not speak TLS has its own message."""
    done = cli("check", "--base-url", simulator.base_url.replace("http:", "https:"))
    assert done.code == 9
    assert "does not speak TLS" in wrong(done)[1]


def test_unreachable_proxy(bare_cli: CommandLine) -> None:
    """A proxy of the environment and its failure are shown without its password."""
    bare_cli.env.setenv("HTTPS_PROXY", "http://me:opensesame@127.0.0.1:1")
    bare_cli.env.setenv("COMETCHAT_API_KEY", "k")
    done = bare_cli("check", "--app-id", "abc")
    assert "the proxy http://127.0.0.1:1" in done.out
    assert "opensesame" not in done.out + done.err
    assert done.code == 9
    assert wrong(done)[1].startswith("no connection to abc.api-us.cometchat.io through the proxy http://127.0.0.1:1: ")


def test_proxy_that_refuses(bare_cli: CommandLine) -> None:
    """A proxy that refuses the connection is shown with host and port, without its password."""

    class Refusing(BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:
            self.send_error(407)

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - named by the library
            pass

    with HTTPServer(("127.0.0.1", 0), Refusing) as proxy:
        Thread(target=proxy.serve_forever).start()
        bare_cli.env.setenv("HTTPS_PROXY", f"http://me:opensesame@127.0.0.1:{proxy.server_port}")
        bare_cli.env.setenv("COMETCHAT_API_KEY", "k")
        done = bare_cli("check", "--app-id", "abc")
        proxy.shutdown()
    assert done.code == 9
    start = f"no connection to abc.api-us.cometchat.io through the proxy http://127.0.0.1:{proxy.server_port}: "
    assert wrong(done)[1].startswith(start)
    assert "the user name and the password" in wrong(done)[1]
    assert "opensesame" not in done.out + done.err


def test_proxy_that_intercepts(bare_cli: CommandLine) -> None:
    """If a proxy shows a certificate that this machine does not trust, the message is about certificates."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    trustme.CA().issue_cert("abc.api-us.cometchat.io").configure_cert(context)

    class Intercepting(BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                context.wrap_socket(self.connection, server_side=True)

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - named by the library
            pass

    with HTTPServer(("127.0.0.1", 0), Intercepting) as proxy:
        Thread(target=proxy.serve_forever).start()
        bare_cli.env.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.server_port}")
        bare_cli.env.setenv("COMETCHAT_API_KEY", "k")
        done = bare_cli("check", "--app-id", "abc")
        proxy.shutdown()
    assert done.code == 9
    text = wrong(done)[1]
    assert text.startswith("the certificate of abc.api-us.cometchat.io is not trusted: check this machine's clock")
    assert "HTTPS_PROXY" not in text


def test_missing_response(cli: CommandLine, simulator: Simulator) -> None:
    """If the service accepts a request and does not respond, the message names its host and gives advice."""
    simulator.fail("list_roles", cut="before_headers")
    done = cli("check")
    assert done.code == 9
    host = simulator.base_url.removeprefix("http://").removesuffix("/v3")
    assert wrong(done)[1].startswith(f"{host} sent no complete response: wait a little")
