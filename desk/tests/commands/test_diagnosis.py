"""What each finding of `check` says."""

import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
import trustme

from cometchat_desk.terminal import prompts
from cometchat_testing import Simulator

from ..conftest import CommandLine, Result


def wrong(done: Result) -> tuple[str, str]:
    """Subject and text of the finding that is wrong, which must be the only one and the last
    one."""
    findings = [json.loads(line) for line in done.out.splitlines()]
    (found,) = (finding for finding in findings if finding["state"] == "wrong")
    assert found == findings[-1]
    return found["subject"], found["finding"]


@pytest.mark.parametrize(
    ("name", "value"), [("API_KEY", ""), ("BASE_URL", "http://chat.example.com/v3")]
)
def test_invalid_setting(cli: CommandLine, name: str, value: str) -> None:
    """A missing key and an invalid setting are findings with the name of the setting."""
    cli.env.setenv(f"COMETCHAT_{name}", value)
    done = cli("check")
    assert done.code == 3
    subject, text = wrong(done)
    assert subject == "Settings"
    assert f"COMETCHAT_{name}" in text


def test_invalid_address_before_the_key(bare_cli: CommandLine) -> None:
    """At a terminal, an invalid address is named before the key is asked for."""
    bare_cli.env.setattr(prompts, "can_ask", lambda: True)
    bare_cli.env.setattr(prompts, "ask_secret", lambda _: pytest.fail("the key is asked for"))
    done = bare_cli("check", "--app-id", "abc", "--region", "mars")
    assert (done.code, "--region" in wrong(done)[1]) == (3, True)


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
    """An error of the service gives advice and the address."""
    simulator.fail("list_roles", status=status, headers={"Retry-After": "3600"})
    done = cli("check")
    subject, text = wrong(done)
    assert (subject, done.code) == ("Service", code)
    assert all(word in text for word in words)
    assert simulator.base_url in text


def unknown_host(*_: object, **__: object) -> None:
    raise socket.gaierror(-2, "Name or service not known")


def test_unknown_host(bare_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host name without an address has its own message."""
    monkeypatch.setattr(socket, "getaddrinfo", unknown_host)
    bare_cli.env.setenv("COMETCHAT_API_KEY", "k")
    done = bare_cli("check", "--app-id", "abc", "--region", "in")
    assert done.code == 9
    assert wrong(done)[1].startswith("check the app ID")
    assert "no connection to abc.api-in.cometchat.io (" in wrong(done)[1]


def test_closed_port(cli: CommandLine) -> None:
    """A port that accepts no connection has its own message."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    done = cli("check", "--base-url", f"http://127.0.0.1:{port}/v3")
    assert done.code == 9
    assert wrong(done)[1].startswith("check the app ID")
    assert f"no connection to 127.0.0.1:{port} (" in wrong(done)[1]


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
    assert "opensesame" not in done.out + done.err
    assert done.code == 9
    assert "check HTTPS_PROXY or ALL_PROXY" in wrong(done)[1]
    assert (
        "no connection to abc.api-us.cometchat.io through the proxy 127.0.0.1:1 (" in wrong(done)[1]
    )


class Proxy(BaseHTTPRequestHandler):
    """A proxy that refuses each connection, or intercepts it with a certificate of its own."""

    context: ssl.SSLContext | None = None

    def do_CONNECT(self) -> None:
        if self.context is None:
            self.send_error(407)
            return
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):
            self.context.wrap_socket(self.connection, server_side=True)

    def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - named by the library
        pass


@pytest.fixture
def proxy(bare_cli: CommandLine) -> Iterator[str]:
    """A running proxy, which the environment names with a password; its host and port."""
    with HTTPServer(("127.0.0.1", 0), Proxy) as server:
        Thread(target=server.serve_forever).start()
        address = f"127.0.0.1:{server.server_port}"
        bare_cli.env.setenv("HTTPS_PROXY", f"http://me:opensesame@{address}")
        bare_cli.env.setenv("COMETCHAT_API_KEY", "k")
        yield address
        server.shutdown()


def test_proxy_that_refuses(bare_cli: CommandLine, proxy: str) -> None:
    """A proxy that refuses the connection is shown with host and port, without its password."""
    done = bare_cli("check", "--app-id", "abc")
    assert done.code == 9
    assert "the user name and the password in HTTPS_PROXY" in wrong(done)[1]
    assert f"no connection to abc.api-us.cometchat.io through the proxy {proxy}: " in wrong(done)[1]
    assert "opensesame" not in done.out + done.err


@pytest.mark.usefixtures("proxy")
def test_proxy_that_intercepts(bare_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a proxy shows a certificate that this machine does not trust, the message is about
    certificates."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    trustme.CA().issue_cert("abc.api-us.cometchat.io").configure_cert(context)
    monkeypatch.setattr(Proxy, "context", context)
    done = bare_cli("check", "--app-id", "abc")
    assert done.code == 9
    text = wrong(done)[1]
    assert text.startswith(
        "the certificate of abc.api-us.cometchat.io is not trusted: check this machine's clock"
    )
    assert "HTTPS_PROXY" not in text


def test_missing_response(cli: CommandLine, simulator: Simulator) -> None:
    """If the service accepts a request and does not respond, the message names its host and
    gives advice."""
    simulator.fail("list_roles", cut="before_headers")
    done = cli("check")
    assert done.code == 9
    host = simulator.base_url.removeprefix("http://").removesuffix("/v3")
    assert wrong(done)[1].startswith(f"{host} sent no complete response: wait a little")
