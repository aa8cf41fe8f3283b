"""The password of a proxy, which its address in the environment holds, is shown nowhere."""

import pickle
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal

from cometchat_rest import AsyncClient, Client, ConfigurationError, TransportError

from ...support import AnyClient, WireServer
from .canaries import (
    BASIC,
    CREDENTIAL,
    KEY,
    PASSWORD,
    QUOTED_PASSWORD,
    Action,
    RecordCollector,
    assert_hidden,
    assert_silent,
    each_action,
    each_delete,
    objects_of,
    outcome_of,
    representations,
    secret_client,
)

INVALID_PROXIES = {
    "another scheme": f"gopher://me:{QUOTED_PASSWORD}@x",
    "no port": f"http://me:{QUOTED_PASSWORD}@x:y",
    "not quoted": f"http://me:{PASSWORD}@x",
    "half a bracket": f"http://me:{QUOTED_PASSWORD}@[x",
    "no host": f"http://me:{QUOTED_PASSWORD}@",
    "another alphabet": f"http://me:{QUOTED_PASSWORD}@\u00e9",
    "too long": f"socks5://me:{QUOTED_PASSWORD * 20}@x",
}


@pytest.mark.usefixtures("no_proxy_variables")
@pytest.mark.parametrize("where", ["argument", "environment"])
@pytest.mark.parametrize("proxy", INVALID_PROXIES.values(), ids=INVALID_PROXIES)
def test_invalid_proxy_shows_no_secret(
    monkeypatch: pytest.MonkeyPatch, portal: BlockingPortal, proxy: str, where: str
) -> None:
    """The error of an invalid proxy address does not show it, and neither its frames nor its causes keep it."""
    settings: list[dict[str, Any]] = [{"proxy": proxy}]
    if where == "environment":
        monkeypatch.setenv("https_proxy", proxy)
        settings = [{}]
    del proxy
    for make in (Client, AsyncClient):
        try:
            made = make(app_id="app", api_key=KEY, **settings[0])
        except BaseException as error:  # noqa: BLE001 - checked below
            found = error
        else:
            if isinstance(made, Client):
                made.close()
            else:
                portal.call(made.aclose)
            pytest.fail("the proxy was accepted")
        assert isinstance(found, ConfigurationError)
        assert_silent(found)


@pytest.mark.usefixtures("no_proxy_variables")
def test_client_does_not_show_the_proxy_password(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client with a proxy does not show the proxy's password, and cannot be pickled."""
    for scheme in ("http", "https", "socks5"):
        monkeypatch.setenv("https_proxy", f"{scheme}://me:{QUOTED_PASSWORD}@127.0.0.1:1")
        chat = secret_client(any_client, app_id="app")
        assert PASSWORD in chat.api.settings.proxy.secrets
        proxied = {**objects_of(chat), "proxy": chat.api.settings.proxy, "transports": chat.api.state.source}
        for name, thing in proxied.items():
            assert_hidden((name, text) for text in (*representations(thing), f"{thing}"))
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(chat.api.settings.proxy)


def repeat_password(received: bytes) -> Iterator[bytes]:
    """A proxy that refuses and repeats the credentials that it got."""
    (credentials,) = (line for line in received.split(b"\r\n") if line.lower().startswith(b"proxy-authorization:"))
    assert credentials.endswith(BASIC.encode())
    spoken = f"{credentials.decode()}; {PASSWORD}; {QUOTED_PASSWORD}".encode()
    yield b"HTTP/1.1 407 Not with %b\r\nX-Echo: %b\r\nContent-Length: 0\r\n\r\n" % (spoken, spoken)


def repeat_password_without_http(received: bytes) -> Iterator[bytes]:
    yield b"HTTP/" + b"".join(repeat_password(received))


@pytest.mark.usefixtures("no_proxy_variables")
@pytest.mark.parametrize("respond", [repeat_password, repeat_password_without_http])
@each_action
def test_proxy_that_repeats_its_password(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    records: RecordCollector,
    action: Action,
    respond: Callable[[bytes], Iterator[bytes]],
) -> None:
    """If a proxy refuses, or sends invalid HTTP, and repeats its password, no error and no record shows the
    password."""
    with WireServer(respond) as proxy:
        address = proxy.address.replace("http://", f"http://me:{QUOTED_PASSWORD}@")
        monkeypatch.setenv("https_proxy", address)
        error = outcome_of(any_client, action.act, secret_client(any_client, app_id="app"))
    assert type(error) is TransportError
    assert "[redacted]" in str(error)
    assert_silent(error)
    assert_hidden(records.seen)


@pytest.mark.usefixtures("no_proxy_variables")
@pytest.mark.parametrize("user_info", ["one-token-for-all:", "one-token-for-all", ":one-token-for-all"])
def test_only_a_user_name_or_only_a_password(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, user_info: str
) -> None:
    """A user name without a password is a token: it is sent to the proxy, and no error shows it. The same is true for
    a password without a user name."""

    def respond(received: bytes) -> Iterator[bytes]:
        sent.append(received)
        yield b"HTTP/1.1 407 Not one-token-for-all, %b\r\nContent-Length: 0\r\n\r\n" % credentials

    sent: list[bytes] = []
    credentials = b64encode(f"{user_info}{'' if ':' in user_info else ':'}".encode())
    with WireServer(respond) as proxy:
        monkeypatch.setenv("https_proxy", proxy.address.replace("http://", f"http://{user_info}@"))
        error = outcome_of(any_client, lambda chat: chat.roles.list(), secret_client(any_client, app_id="app"))
    assert any(b"Basic " + credentials in each for each in sent)
    assert "Not [redacted], [redacted]" in str(error)
    assert "one-token" not in repr(vars(error))


@pytest.mark.usefixtures("no_proxy_variables")
@each_delete
def test_refusal_of_a_socks_proxy_hides_its_password(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, records: RecordCollector, action: Action
) -> None:
    """If a SOCKS proxy refuses, neither the error nor a record shows the password."""
    with WireServer(lambda _: [b"\5\xff"], read=lambda connection: connection.recv(3)) as proxy:
        address = proxy.address.replace("http://", f"socks5://me:{QUOTED_PASSWORD}@")
        monkeypatch.setenv("https_proxy", address)
        error = outcome_of(any_client, action.act, secret_client(any_client, app_id="app"))
    assert type(error) is TransportError
    assert_silent(error)
    assert_hidden(records.seen)


@pytest.mark.parametrize("wrong", [{"timeout": -1}, {"region": "mars"}, {"ssl_context": "x"}, {"transport": object()}])
def test_invalid_setting_beside_secrets_shows_no_secret(any_client: AnyClient, wrong: dict[str, Any]) -> None:
    """If another setting is invalid, the error keeps no header and no password of the constructor in its frames."""
    kind = AsyncClient if any_client.kind == "async" else Client
    secrets: list[dict[str, Any]] = [{"headers": {"Authorization": f"Bearer {CREDENTIAL}"}}]
    if "transport" not in wrong:
        secrets[0]["proxy"] = f"http://me:{QUOTED_PASSWORD}@proxy.example"
    try:
        kind(**{"app_id": "app", "api_key": KEY, **secrets[0], **wrong})
    except ConfigurationError as error:
        assert_silent(error)
    else:
        pytest.fail("the setting was accepted")
