"""Which calls are retried, how often, and after which pause."""

from functools import partial
from typing import Any

import httpx
import pytest

from cometchat_rest import CometChatError, RateLimitError, ServerError, TransportError, UnexpectedResponse
from cometchat_rest._call.retries import backoff
from cometchat_rest.testing import Simulator

from ..servers import WireServer
from ..support import (
    CHANGES,
    DELETE,
    GET,
    OPERATIONS,
    PUT,
    AnyClient,
    Chunks,
    Operation,
    StubTransport,
    always_respond,
    error_from,
    make_response,
    operation_name,
    run_concurrently,
    stub_client,
)
from .call_support import RETRY_AT_ONCE, failing

#: For each class of statuses: named ones, the first and the last, and unknown ones.
STATUSES = [
    *(100, 199, 200, 299, 302, 399, 400, 401, 404, 408, 425),
    *(429, 499, 500, 501, 502, 503, 504, 505, 599, 600, 999),
]


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_retried_statuses(any_client: AnyClient, operation: Operation, status: int) -> None:
    """A GET is retried after 429, 502, 503 and 504. An update or deletion is retried after 429 only, because
    otherwise it may have happened."""
    retried = {429} if operation.changes else {429, 502, 503, 504}
    stub = StubTransport(always_respond(status, b"", RETRY_AT_ONCE))
    error = error_from(any_client, operation.act, stub_client(any_client, stub, max_retries=1))
    assert isinstance(error, CometChatError)
    assert len(stub.requests) == error.attempts == (2 if status in retried else 1)


# By default, a call is retried twice.
@pytest.mark.parametrize(("options", "most"), [({"max_retries": 0}, 0), ({"max_retries": 1}, 1), ({}, 2)])
@pytest.mark.parametrize("operation", [GET, PUT], ids=operation_name)
def test_max_retries_limits_the_attempts(
    any_client: AnyClient, operation: Operation, options: dict[str, int], most: int
) -> None:
    """A call is sent once and then retried at most max_retries times. The error counts all attempts."""
    settings = {"base_url": "http://127.0.0.1:1/v3", **options}
    stub, other = failing(most, status=429), failing(most + 1, status=429)
    any_client.call(operation.act, any_client.client(transport=stub, **settings))
    error = error_from(any_client, operation.act, any_client.client(transport=other, **settings))
    assert isinstance(error, RateLimitError)
    assert error.attempts == len(other.requests) == len(stub.requests) == most + 1


@pytest.mark.parametrize("place", ["before the head", "in the body"])
@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=operation_name)
def test_failure_of_a_custom_transport(any_client: AnyClient, operation: Operation, place: str) -> None:
    """A custom transport may have sent a request that failed: a GET is retried. A change is not retried, and its
    outcome is unknown."""

    def respond(_: httpx.Request) -> httpx.Response:
        if len(stub.requests) > 1:
            return make_response(operation.status, operation.body)
        if place == "in the body":
            return httpx.Response(200, stream=Chunks([b"{", httpx.ReadError("no")]))
        raise httpx.ConnectError("no")

    stub = StubTransport(respond)
    error = error_from(any_client, operation.act, stub_client(any_client, stub, max_retries=1))
    if operation.changes:
        assert isinstance(error, TransportError)
        assert (error.attempts, error.request_sent, error.outcome_unknown) == (1, True, True)
    else:
        assert (error, len(stub.requests)) == (None, 2)


@pytest.mark.parametrize(
    ("status", "body"), [(200, b"<html>"), (200, b""), (302, b""), (500, b""), (502, b"<html>"), (204, None)]
)
@pytest.mark.parametrize("operation", CHANGES, ids=operation_name)
def test_change_with_an_unreadable_response_is_sent_once(
    any_client: AnyClient, simulator: Simulator, operation: Operation, status: int, body: bytes | None
) -> None:
    """A change whose response cannot be read is sent once, and its outcome is unknown."""
    simulator.fail(operation=operation.name, status=status, body=body, headers=RETRY_AT_ONCE)
    error = error_from(any_client, operation.act, any_client.client())
    assert isinstance(error, UnexpectedResponse | ServerError)
    assert (error.attempts, error.outcome_unknown, len(simulator.requests)) == (1, True, 1)


@pytest.mark.parametrize("custom", [False, True])
def test_refused_connection_is_retried_and_leaves_nothing_in_doubt(any_client: AnyClient, *, custom: bool) -> None:
    """If the service does not listen, every operation is retried, and the outcome is known: nothing was sent. That
    also holds for a custom transport that reports its progress, such as those of httpx."""
    with WireServer(lambda _: []) as server:
        base_url = server.base_url
    transport: Any = httpx.HTTPTransport if any_client.kind == "sync" else httpx.AsyncHTTPTransport

    def check(operation: Operation) -> None:
        client = any_client.client(base_url=base_url, max_retries=1, transport=transport() if custom else None)
        error = error_from(any_client, operation.act, client)
        assert isinstance(error, TransportError)
        assert (error.attempts, error.outcome_unknown, error.request_sent) == (2, False, False)

    run_concurrently(partial(check, operation) for operation in OPERATIONS)


def test_last_failure_of_a_call_is_raised(any_client: AnyClient, simulator: Simulator) -> None:
    """The attempts of one call may fail in different ways. The last failure is raised."""
    simulator.fail(status=503, headers=RETRY_AT_ONCE)
    simulator.fail(status=429, headers=RETRY_AT_ONCE)
    simulator.fail(status=404)
    error = error_from(any_client, GET.act, any_client.client(max_retries=9))
    assert isinstance(error, CometChatError)
    assert (type(error).__name__, error.attempts) == ("NotFoundError", 3)
    # If a change is first refused and then lost, its outcome is unknown.
    simulator.fail(status=429, headers=RETRY_AT_ONCE)
    simulator.fail(cut="after_processing")
    error = error_from(any_client, PUT.act, any_client.client(max_retries=9))
    assert isinstance(error, TransportError)
    assert (error.attempts, error.outcome_unknown) == (2, True)


@pytest.mark.parametrize(
    ("failures", "longest"), [(1, 0.25), (2, 0.5), (3, 1.0), (4, 2.0), (5, 4.0), (6, 8.0), (7, 8.0), (1100, 8.0)]
)
def test_pauses(failures: int, longest: float) -> None:
    """Pauses double from a quarter of a second to eight seconds, even after a thousand failures; each is shortened by
    up to half at random, so that calls which failed together do not come back together."""
    pauses = {backoff(failures) for _ in range(50)}
    assert all(longest / 2 <= pause <= longest for pause in pauses)
    assert max(pauses) - min(pauses) > longest / 10
