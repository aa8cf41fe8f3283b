"""The connections of a client: which calls share them, when they are used again, and when they
are closed."""

import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import metadata
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from packaging.version import Version

from cometchat_rest import TransportError, WordListInput
from cometchat_runtime import transport
from cometchat_runtime.transport import Idle

from ..servers import WireServer
from ..support import (
    DELETE,
    GET,
    LIST_ID,
    OK,
    PATIENCE,
    PUT,
    AnyClient,
    EitherClient,
    Operation,
    check_timeout,
    error_from,
    operation_name,
    run_concurrently,
)
from .wire_support import SLOTS, Server, Service, call_at_once, get, response_to, use_all


def test_hundred_calls_at_the_same_time(any_client: AnyClient) -> None:
    """A hundred threads, or tasks, share the connections; each call has its own options and its
    own response."""

    def act_for(number: int, client: EitherClient) -> Any:
        return client.with_options(on_behalf_of=f"user-{number}").keywords.get(f"together-{number}")

    with Service() as service:
        client = any_client.client(base_url=service.base_url, max_retries=0, timeout=PATIENCE)
        use_all(any_client, client, service)
        service.received.clear()
        found = call_at_once(
            any_client, client, [partial(act_for, number) for number in range(SLOTS)]
        )
        assert [each.id for each in found] == [f"together-{number}" for number in range(SLOTS)]
        sent = [
            re.findall(rb"(?:/together-|onBehalfOf: user-)(\d+)", request)
            for request in service.received
        ]
        assert sorted(int(path) for path, user in sent if path == user) == [*range(SLOTS)]
        assert service.opened == SLOTS


def test_idle_connection_is_used_only_while_it_is_fresh(any_client: AnyClient) -> None:
    """A GET uses a connection that was idle for at most four seconds, and a change one second.
    Others are closed.

    A service may close an idle connection at any moment, and then the outcome of a change would be
    unknown.
    """

    def use_after(idle: float, operation: Operation, connections: int) -> None:
        with Service() as service:
            client = any_client.client(base_url=service.base_url)
            began = time.monotonic()
            any_client.call(GET.act, client)
            # The time itself is what counts.
            time.sleep(idle)
            any_client.call(operation.act, client)
            # On a busy machine, the connection may be idle for longer.
            assert service.opened == connections or time.monotonic() - began > 4
            any_client.close(client)

    def leave_idle() -> None:
        with Service() as service:
            client = any_client.client(base_url=service.base_url)
            use_all(any_client, client, service, 5)
            end = time.monotonic() + PATIENCE
            while not service.wait_for_open(1, 0.5) and time.monotonic() < end:
                any_client.call(GET.act, client)
            assert time.monotonic() < end
            any_client.call(GET.act, client)
            assert service.opened == 5
            any_client.close(client)

    uses = [(1.2, GET, 1), (1.2, PUT, 2), (1.2, DELETE, 2), (4.2, GET, 2)]
    run_concurrently([leave_idle, *(partial(use_after, *use) for use in uses)])


def test_other_thread_takes_the_fresh_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """If another thread takes the fresh connection at the same moment, a change does not use an old
    one."""
    idle = Idle[str]()
    now = 0.0
    others: list[str | None] = []

    def monotonic() -> float:
        if now == 4 and not others:
            others.append("begins")
            others.append(idle.take("PUT"))
        return now

    monkeypatch.setattr(transport, "time", SimpleNamespace(monotonic=monotonic))
    idle.keep("old")
    now = 3.9
    idle.keep("fresh")
    now = 4
    assert sorted(filter(None, [idle.take("PUT"), *others])) == ["begins", "fresh"]
    assert [*idle.expired(0)] == ["old"]


@pytest.mark.parametrize(
    ("options", "kind"),
    [({"timeout": httpx.Timeout(30, pool=0.2)}, "pool"), ({"deadline": 0.2}, "deadline")],
)
def test_pool_timeout(any_client: AnyClient, options: dict[str, Any], kind: str) -> None:
    """A call that gets no free connection is an error of kind pool; at its deadline, of kind
    deadline. Nothing was sent."""
    with Service() as service, ThreadPoolExecutor(1) as other:
        client = any_client.client(base_url=service.base_url, max_retries=0, timeout=30)
        others = other.submit(
            call_at_once, any_client, client, [partial(get, f"held-{n}") for n in range(SLOTS)]
        )
        service.wait_for_held(SLOTS)
        began = time.monotonic()
        error = error_from(any_client, PUT.act, client.with_options(**options))
        check_timeout(error, PUT, began, kind)
        assert isinstance(error, TransportError)
        assert (error.request_sent, error.outcome_unknown) == (False, False)
        service.release.set()
        others.result()
        assert any_client.call(GET.act, client).id == LIST_ID
        assert service.opened == SLOTS


@pytest.mark.parametrize("failure", ["late", "not HTTP"])
def test_failed_calls_lose_no_connection(any_client: AnyClient, failure: str) -> None:
    """A call without a response closes its connection; however many fail, a client can use a
    hundred connections."""
    is_cancelled = failure == "late" and any_client.kind == "async"
    if is_cancelled and Version(metadata.version("anyio")) < Version("4.16"):
        pytest.skip(
            "before anyio 4.16, a call that is cancelled while it connects keeps its socket"
        )
    with Service() as service:
        client = any_client.client(base_url=service.base_url, max_retries=0, timeout=30)
        service.respond = lambda _: b"" if failure == "late" else b"not HTTP\r\n\r\n"
        hurried = client.with_options(deadline=0.02 if failure == "late" else 30)
        errors = [error_from(any_client, GET.act, hurried) for _ in range(SLOTS + 1)]
        assert [each for each in errors if not isinstance(each, TransportError)] == []
        assert service.wait_for_open(0)
        service.respond = response_to
        use_all(any_client, client, service)


@pytest.mark.parametrize(
    ("operation", "status", "connections"),
    [
        *((operation, status, 1) for operation in (GET, DELETE) for status in (200, 404, 429, 500)),
        *(
            (PUT, status, 1 if status == 200 else 2)
            for status in (200, 400, 404, 409, 413, 429, 500)
        ),
    ],
    ids=str,
)
def test_connection_after_a_complete_response(
    any_client: AnyClient, operation: Operation, status: int, connections: int
) -> None:
    """A connection is kept after a success and after a call without a body, and closed after a
    refused upload."""
    with Service() as service:
        client = any_client.client(base_url=service.base_url, max_retries=0)
        service.respond = partial(response_to, status=status)
        error_from(any_client, operation.act, client)
        service.respond = response_to
        assert any_client.call(GET.act, client).id == LIST_ID
        assert service.opened == connections


#: A file that does not fit into one packet.
LARGE = WordListInput(file=b"word\n" * 50_000)


def refuse_early(connection: Any) -> None:
    """Refuse an upload when its head arrives, and respond to each piece of its body as well."""
    while received := connection.recv(65536):
        if received.startswith(b"PUT"):
            connection.sendall(response_to(received, 413))
        else:
            connection.sendall(
                response_to(received if received.startswith(b"GET") else b"GET /body HTTP/1.1")
            )


def test_refused_upload_does_not_shift_the_next_response(any_client: AnyClient) -> None:
    """After an early 413, the next call gets its own response."""
    with Server(refuse_early) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0)
        error = error_from(any_client, lambda chat: chat.keywords.update(LIST_ID, LARGE), client)
        assert getattr(error, "status_code", None) == 413
        assert any_client.call(GET.act, client).id == LIST_ID
        assert server.opened == 2


@pytest.mark.parametrize(
    "more", [b"", b"HTTP/1.1 500 No\r\n\r\n" + b"x" * 10**6], ids=["nothing", "more bytes"]
)
@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=operation_name)
def test_connection_that_the_service_closes(
    any_client: AnyClient, operation: Operation, more: bytes
) -> None:
    """If the service closes a connection after a response, neither it nor bytes behind the
    response are used again."""
    with WireServer(lambda request: [response_to(request) + more]) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0)
        assert any_client.call(operation.act, client) is not None
        assert server.closed.acquire(timeout=PATIENCE)
        assert any_client.call(operation.act, client) is not None
        assert len(server.received) == 2


EXTRA_BYTES: dict[str, bytes] = {
    "a complete response": response_to(b"GET /another HTTP/1.1"),
    "half of a response": OK + b"X: ",
    "text": b"junk\r\n",
    "a line break": b"\r\n",
}


@pytest.mark.parametrize("more", EXTRA_BYTES.values(), ids=EXTRA_BYTES)
def test_bytes_that_come_after_a_response_are_not_the_next_response(
    any_client: AnyClient, more: bytes
) -> None:
    """Bytes that a service sends after a response has been received are not used as the next
    response."""
    received, sent, over = threading.Event(), threading.Event(), threading.Event()

    def respond(request: bytes) -> Iterator[bytes]:
        yield response_to(request)
        assert received.wait(PATIENCE)
        yield more
        sent.set()
        assert over.wait(PATIENCE)

    with WireServer(respond) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0)
        assert any_client.call(GET.act, client).id == LIST_ID
        received.set()
        assert sent.wait(PATIENCE)
        assert any_client.call(PUT.act, client).id == LIST_ID
        assert len(server.received) == 2
        over.set()


def test_closing_a_client_closes_its_connections(any_client: AnyClient) -> None:
    """A client that is closed closes all of its connections at once."""
    with Service() as service:
        client = any_client.client(base_url=service.base_url)
        use_all(any_client, client, service, 10)
        assert not service.wait_for_open(9, 0)
        any_client.close(client)
        assert service.wait_for_open(0)
