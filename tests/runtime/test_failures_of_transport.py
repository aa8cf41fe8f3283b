"""No complete response arrived: each failure is a TransportError that says whether the outcome
is known."""

import contextlib
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

import httpx
import pytest
import trustme

from cometchat_rest import RequestTimeoutError, TransportError, UnexpectedResponse, WordListInput
from cometchat_testing import Simulator

from ..servers import WireServer
from ..support import (
    DELETE,
    GET,
    KEY,
    LIST_ID,
    OK,
    OPERATIONS,
    PUT,
    WITH_BODY,
    AnyClient,
    Operation,
    error_from,
    operation_name,
    records_of,
)
from .wire_support import Service, unresponsive_service

#: Larger than the buffers of two sockets.
LARGE = WordListInput(search_terms="x" * 2**25)
#: The timeout of each phase that times out.
HURRIED = {
    "connect timeout": httpx.Timeout(30, connect=0.2),
    "write timeout": httpx.Timeout(30, write=0.3),
    "read timeout": httpx.Timeout(30, read=0.2),
}


def httpx_transport(any_client: AnyClient, **arguments: Any) -> Any:
    """A transport of httpx for this kind of client."""
    return (httpx.AsyncHTTPTransport if any_client.kind == "async" else httpx.HTTPTransport)(
        **arguments
    )


@contextmanager
def responding(respond: Callable[[bytes], Iterable[bytes]]) -> Iterator[str]:
    with WireServer(respond) as server:
        yield server.base_url


@contextmanager
def silent_service() -> Iterator[str]:
    with Service() as service:
        service.respond = lambda _: b""
        yield service.base_url


@contextmanager
def deaf_service() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        yield f"http://127.0.0.1:{deaf.getsockname()[1]}/v3"


@contextmanager
def untrusted_service() -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    with Service(context=context) as service:
        yield f"https://127.0.0.1:{service.port}/v3"


#: A service that fails in each phase, the kind of the error, and whether the request was sent.
PHASES: dict[str, tuple[Callable[[], AbstractContextManager[str]], str, bool]] = {
    "refused": (lambda: contextlib.nullcontext("http://127.0.0.1:1/v3"), "connect", False),
    "connect timeout": (unresponsive_service, "connect", False),
    "untrusted certificate": (untrusted_service, "connect", False),
    "write timeout": (deaf_service, "write", True),
    "cut before the response": (partial(responding, lambda _: []), "protocol", True),
    "cut in the head": (partial(responding, lambda _: [OK + b"X: y\r\n"]), "protocol", True),
    "cut in the body": (
        partial(responding, lambda _: [OK + b"Content-Length: 100\r\n\r\nhalf"]),
        "protocol",
        True,
    ),
    "read timeout": (silent_service, "read", True),
}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("custom", [False, True], ids=["own connections", "a transport of httpx"])
def test_failure_in_each_phase(any_client: AnyClient, phase: str, *, custom: bool) -> None:
    """Only after sending, the outcome of a change is unknown. Otherwise the change is tried
    again."""
    serve, kind, sent = PHASES[phase]
    with serve() as base_url:
        transport = httpx_transport(any_client) if custom else None
        timeout = HURRIED.get(phase, 30)
        client = any_client.client(
            base_url=base_url, transport=transport, timeout=timeout, max_retries=1
        )
        new = LARGE if phase == "write timeout" else WordListInput(search_terms="x")
        error = error_from(any_client, lambda chat: chat.keywords.update(LIST_ID, new), client)
        any_client.close(client)
    assert type(error) is (RequestTimeoutError if "timeout" in phase else TransportError)
    assert isinstance(error, TransportError)
    assert (error.operation, error.kind) == ("update_keyword_list", kind)
    assert (error.request_sent, error.outcome_unknown, error.attempts) == (
        sent,
        sent,
        1 if sent else 2,
    )
    assert error.__cause__ is not None
    assert error.__cause__.__traceback__ is None
    if kind == "connect":
        assert base_url.split("/")[2] in str(error)
    assert ("CERTIFICATE_VERIFY_FAILED" in str(error)) is (phase == "untrusted certificate")


@pytest.mark.parametrize("custom", [False, True], ids=["own connections", "a transport of httpx"])
def test_proxy_that_refuses(any_client: AnyClient, *, custom: bool) -> None:
    """If a proxy refuses, nothing was sent to the service, and the outcome is known. The proxy
    never sees the key."""
    with WireServer(lambda _: [b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"]) as proxy:
        way = {"proxy": proxy.address}
        settings = {"transport": httpx_transport(any_client, **way)} if custom else way
        client = any_client.client(app_id="abc", api_key=KEY, max_retries=0, **settings)
        error = error_from(any_client, PUT.act, client)
        any_client.close(client)
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("proxy", False, False)
    assert ("abc.api-us.cometchat.io through the proxy 127.0.0.1:" in str(error)) is not custom
    (asked,) = proxy.received
    assert asked.startswith(b"CONNECT abc.api-us.cometchat.io:443 HTTP/1.1\r\n")
    assert KEY.encode() not in asked


#: Each operation with each place where its connection can be cut.
CUTS: list[tuple[Operation, Any]] = [
    (operation, cut)
    for operation in OPERATIONS
    for cut in ("before_headers", "in_headers", "in_body", "after_processing")
    if cut != "in_body" or operation in WITH_BODY
]


@pytest.mark.parametrize(("operation", "cut"), CUTS, ids=str)
def test_cut_connection(
    any_client: AnyClient, simulator: Simulator, operation: Operation, cut: Any
) -> None:
    """A change whose connection is cut, at any point, is sent once, and is a TransportError with an
    unknown outcome. A GET succeeds at the second attempt. The next call works."""
    before = records_of(simulator)
    simulator.fail(operation=operation.name, cut=cut)
    client = any_client.client(max_retries=5)
    error = error_from(any_client, operation.act, client)
    assert len(simulator.requests) == (1 if operation.changes else 2)
    if operation.changes:
        assert type(error) is TransportError
        assert (error.operation, error.attempts, error.request_sent) == (operation.name, 1, True)
        assert error.outcome_unknown is True
        assert error.kind in ("read", "protocol")
    else:
        assert error is None
    # The simulator keeps no records for the other operations.
    carried_out = cut != "before_headers" and operation in (PUT, DELETE)
    assert (records_of(simulator) != before) is carried_out
    assert any_client.call(lambda chat: chat.roles.list(), client).data


INVALID_HTTP: dict[str, bytes] = {
    "half a status line": b"HTTP/1.",
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n",
    "html alone": b"<html>no</html>",
    "a status of words": b"HTTP/1.1 OK OK\r\n\r\n",
    "a negative status": b"HTTP/1.1 -200 OK\r\n\r\n",
    "http/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "nul in a header": OK + b"X-A: a\0b\r\n\r\n",
    "a header without a colon": OK + b"no colon\r\n\r\n",
    "a negative length": OK + b"Content-Length: -1\r\n\r\n",
    "a length of many digits": OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    "two lengths": OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    "a length in other digits": OK + "Content-Length: ١٢\r\n\r\n".encode(),
    "chunks of invalid size": OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}",
    "chunks without an end": OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    "very long header": OK + b"X: " + b"y" * 10**6 + b"\r\n\r\n",
    "interim responses only": b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * 100,
    "a switch of protocols": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: tls\r\nConnection: upgrade\r\n\r\n{}",
    "bytes": bytes(range(256)) * 100,
    "control characters": OK + b"bad" + b"\1" * 90_000 + b"\r\n\r\n",
    "status 199 alone": b"HTTP/1.1 199 X\r\nContent-Length: 0\r\n\r\n",
}


@pytest.mark.parametrize("sent", INVALID_HTTP.values(), ids=INVALID_HTTP)
@pytest.mark.parametrize("operation", [GET, PUT], ids=operation_name)
def test_invalid_http_is_an_error(any_client: AnyClient, operation: Operation, sent: bytes) -> None:
    """Invalid HTTP instead of a response is one of our errors, with a short text, and the outcome
    of a change is unknown."""
    with WireServer(lambda _: [sent]) as server:
        error = error_from(
            any_client, operation.act, any_client.client(base_url=server.base_url, max_retries=0)
        )
    assert isinstance(error, TransportError | UnexpectedResponse), error
    assert (error.operation, error.attempts, len(server.received)) == (operation.name, 1, 1)
    assert error.outcome_unknown is operation.changes
    assert max(len(str(error)), len(str(error.__cause__))) < 1000
