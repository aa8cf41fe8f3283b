"""Looks at one thing after another that a call depends on, and says in plain words what is wrong; it only reads."""

from __future__ import annotations

import os
import platform
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from enum import StrEnum
from urllib.parse import SplitResult, urlsplit

from attrs import frozen

import cometchat_rest
from cometchat_openapi.api.roles import list_roles
from cometchat_rest._call.drift import Drift
from cometchat_rest._call.settings import ProxyAddress as Proxy
from cometchat_rest._wire.proxy import environment_proxy, trusted_certificates
from cometchat_rest.endpoint import API_KEY_VARIABLE

from .connection import App, the_app
from .exit_codes import Code, StopError, code_for, reason_for
from .progress import ProgressNote
from .target import Target

# Seconds to wait for a connection; and by how much a clock may be off before that is worth a word.
_PATIENCE, _CLOCK = 5.0, 60.0
_USUAL_KEY = re.compile("[0-9a-f]{40}")


class State(StrEnum):
    """What to think of a finding."""

    OK = "ok"
    NOTE = "note"
    WRONG = "wrong"


@frozen
class Finding:
    """One thing that was looked at.

    Attributes:
        subject: what it is, in a word.
        state: what to think of it.
        text: what was found, and what to do about it.
        code: the exit code that it calls for.
    """

    subject: str
    state: State
    text: str
    code: Code = Code.DONE


def diagnose(target: Target) -> Iterator[Finding]:
    """Each finding as it is made; nothing is looked at that depends on what was found to be wrong."""
    python, openssl = platform.python_version(), " ".join(ssl.OPENSSL_VERSION.split()[:2])
    versions = f"cometchat-rest {cometchat_rest.__version__}, Python {python}, {openssl}"
    yield Finding("Versions", State.OK, versions)
    subject, asked = "Settings", ""
    try:
        app = the_app(target)
        drifts: list[Drift] = []
        with app.client(on_drift=drifts.append) as chat:
            asked = chat.base_url
            yield Finding(subject, State.OK, f"{asked}, from {app.address_from}")
            yield _key(app)
            subject = "Network"
            yield from _way(urlsplit(asked), environment_proxy(asked))
            subject = "Service"
            yield from _service(chat.with_options(max_retries=0, deadline=30.0))
            yield _answers(drifts)
    except cometchat_rest.CometChatError as error:
        yield Finding(subject, State.WRONG, _advice(error, asked), code_for(error))
    except (StopError, OSError) as error:
        yield Finding(subject, State.WRONG, reason_for(error), code_for(error))


def _key(app: App) -> Finding:
    key = (app.api_key or os.environ.get(API_KEY_VARIABLE, "")).strip()
    if _USUAL_KEY.fullmatch(key):
        return Finding("Key", State.OK, f"from {app.key_from}")
    odd = f"it has {len(key)} characters, and REST API keys have 40, of 0-9 and a-f: was it cut, or is it another one?"
    return Finding("Key", State.NOTE, f"from {app.key_from}; {odd}")


# The network, as far as the service.


def _way(service: SplitResult, proxy: object) -> Iterator[Finding]:
    host = service.hostname or ""
    port = service.port or (443 if service.scheme == "https" else 80)
    if isinstance(proxy, Proxy):
        # Names are looked up, and connections made, by the proxy.
        yield Finding("Proxy", State.NOTE, f"the environment says to go by way of {_place(proxy)}")
        return
    with ProgressNote(f"Looking up {host}"):
        address = _address(host, port)
    yield Finding("Name", State.OK, f"{host} is {address}")
    with ProgressNote(f"Connecting to {host}"):
        connected = _connected(host, port, encrypted=service.scheme == "https")
    yield Finding("Connection", State.OK, connected)


def _place(proxy: Proxy) -> str:
    """Where a proxy is, without the password that may stand in its address."""
    return f"{proxy.host}:{proxy.port}"


def _address(host: str, port: int) -> str:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise StopError(
            Code.NETWORK, f"there is no address for {host} ({error.strerror}): is the app id right, and are you online?"
        ) from None
    return ", ".join(dict.fromkeys(str(each[4][0]) for each in found))


def _connected(host: str, port: int, *, encrypted: bool) -> str:
    try:
        with socket.create_connection((host, port), _PATIENCE) as connection:
            if not encrypted:
                return f"port {port}, not encrypted"
            with trusted_certificates().wrap_socket(connection, server_hostname=host) as secured:
                return f"port {port}, {secured.version()}, and the certificate is good"
    except ssl.SSLCertVerificationError as error:
        raise StopError(
            Code.NETWORK,
            f"the certificate of {host} is not to be trusted ({error.verify_message}): does something on the way "
            "open connections, or is this machine's clock wrong? SSL_CERT_FILE names certificates to trust",
        ) from None
    except ssl.SSLError as error:
        raise StopError(Code.NETWORK, f"{host} does not speak TLS at port {port} ({error.reason})") from None
    except TimeoutError:
        raise StopError(
            Code.NETWORK, f"{host} does not answer at port {port}: does a firewall want a proxy? HTTPS_PROXY names one"
        ) from None
    except OSError as error:
        raise StopError(
            Code.NETWORK, f"{host} takes no connection at port {port} ({error.strerror or error})"
        ) from None


# The service, and what it makes of the key.


def _service(chat: cometchat_rest.Client) -> Iterator[Finding]:
    try:
        with ProgressNote("Asking the service"):
            answer = list_roles.sync_detailed(client=chat.api, per_page=1)
    except (cometchat_rest.ApiError, cometchat_rest.UnexpectedResponse) as error:
        yield from _clock(error.headers)
        raise
    yield Finding("Service", State.OK, "it knows the key, and lists roles")
    yield from _clock(answer.headers)
    with ProgressNote("Asking the service"):
        chat.reviewed_messages.list(limit=1)
    yield Finding("Moderation", State.OK, "it lists reviewed messages")
    told = chat.rate_limit
    if told.limit is not None and told.remaining is not None:
        yield Finding("Rate limit", State.OK, f"{told.remaining:,} of {told.limit:,} calls are left")


def _clock(headers: Mapping[str, str]) -> Iterator[Finding]:
    try:
        ahead = time.time() - parsedate_to_datetime(headers["date"]).timestamp()
    except (KeyError, ValueError, OverflowError):
        return
    if abs(ahead) <= _CLOCK:
        yield Finding("Clock", State.OK, "as the service's, within a minute")
    else:
        where = "ahead of" if ahead > 0 else "behind"
        yield Finding("Clock", State.NOTE, f"this machine's is {abs(ahead):,.0f} seconds {where} the service's: set it")


def _answers(drifts: list[Drift]) -> Finding:
    if not drifts:
        return Finding("Answers", State.OK, "as documented")
    places = ", ".join(dict.fromkeys(drift.pointer for drift in drifts))
    return Finding("Answers", State.NOTE, f"not quite as documented, and used all the same: {places}")


def _unanswered(error: cometchat_rest.TransportError, base_url: str) -> str:
    """Who did not answer a call, and what to look at."""
    host, proxy = urlsplit(base_url).netloc, environment_proxy(base_url)
    if isinstance(proxy, Proxy) and error.kind in ("connect", "proxy"):
        verb = "lets nobody through to" if error.kind == "proxy" else "could not be reached on the way to"
        return (
            f"the proxy {_place(proxy)} {verb} {host}: does it run, and do its address, name and password fit? "
            "HTTPS_PROXY or ALL_PROXY names it"
        )
    by_way = f", by way of the proxy {_place(proxy)}" if isinstance(proxy, Proxy) else ""
    return (
        f"{host} did not answer{by_way}: is the network slow, or does something on the way hold back what is sent? "
        "Wait a little, and try from elsewhere"
    )


def _advice(error: cometchat_rest.CometChatError, base_url: str) -> str:
    """What an error of a call means for a set-up, after what it says."""
    asked = f"{base_url} was asked"
    advice: dict[type[cometchat_rest.CometChatError], str] = {
        cometchat_rest.AuthenticationError: f"the key is not known there: it may be another app's, another region's, "
        f"or withdrawn ({asked})",
        cometchat_rest.PermissionDeniedError: f"the key's scope does not allow it: a REST API key, with fullAccess, is "
        f"needed ({asked})",
        cometchat_rest.NotFoundError: f"there is no such app or path: are app id, region and address right? ({asked})",
        cometchat_rest.RateLimitError: f"too many calls: wait a little ({asked})",
        cometchat_rest.ServerError: f"the service has trouble of its own: wait a little ({asked})",
        cometchat_rest.UnexpectedResponse: f"what answers is not the service: is the address right, or does something "
        f"on the way answer in its place? ({asked})",
    }
    if isinstance(error, cometchat_rest.TransportError):
        return f"{_unanswered(error, base_url)}. {reason_for(error)}"
    told = next((text for kind, text in advice.items() if isinstance(error, kind)), None)
    return f"{told}. {reason_for(error)}" if told else reason_for(error)
