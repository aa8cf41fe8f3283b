"""Which calls are retried, how often, and after which pause."""

from functools import partial
from typing import Any

import httpx
import pytest

from cometchat_rest import CometChatError, RateLimitError, ServerError, TransportError, UnexpectedResponse
from cometchat_rest._call.retries import backoff
from cometchat_rest.testing import Simulator

from ..support import (
    CHANGES,
    CUTS,
    DELETE,
    GET,
    LIST_ID,
    OPERATIONS,
    PUT,
    AnyClient,
    Chunks,
    Operation,
    StubTransport,
    WireServer,
    always_respond,
    error_from,
    make_response,
    operation_name,
    run_concurrently,
    stub_client,
)
from .call_support import RETRY_AT_ONCE, failing


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_retried_statuses(any_client: AnyClient, operation: Operation) -> None:
    """A GET is retried after 429, 502, 503 and 504. An update or deletion is retried after 429 only, because
    otherwise it may have happened."""
    retried = {429} if operation.changes else {429, 502, 503, 504}
    for status in (*range(200, 600), 100, 101, 199, 600, 999):
        if operation.succeeds(status):
            continue
        stub = StubTransport(always_respond(status, b"", RETRY_AT_ONCE))
        error = error_from(any_client, operation.act, stub_client(any_client, stub, max_retries=1))
        assert isinstance(error, CometChatError)
        assert len(stub.requests) == error.attempts == (2 if status in retried else 1), status


# By default, a call is retried twice.
@pytest.mark.parametrize(("options", "most"), [({"max_retries": 0}, 0), ({"max_retries": 1}, 1), ({}, 2)])
def test_max_retries_limits_the_attempts(any_client: AnyClient, options: dict[str, int], most: int) -> None:
    """A call is sent once and then retried at most max_retries times. The error counts all attempts."""
    for times in (most, most + 1):
        stub = failing(times)
        client = any_client.client(base_url="http://127.0.0.1:1/v3", transport=stub, **options)
        error = error_from(any_client, GET.act, client)
        assert len(stub.requests) == most + 1
        if times == most:
            assert error is None
        else:
            assert isinstance(error, ServerError)
            assert error.attempts == most + 1


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_no_retries(any_client: AnyClient, operation: Operation) -> None:
    """With max_retries=0, no call is retried, not even after a 429."""
    error = error_from(any_client, operation.act, stub_client(any_client, failing(1, status=429), max_retries=0))
    assert isinstance(error, RateLimitError)
    assert error.attempts == 1


@pytest.mark.parametrize(
    "failure", [httpx.ConnectError, httpx.PoolTimeout, httpx.ReadTimeout, httpx.ReadError, OSError]
)
@pytest.mark.parametrize("place", ["before the head", "in the body"])
@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=operation_name)
def test_failure_of_a_custom_transport(
    any_client: AnyClient, operation: Operation, place: str, failure: type[Exception]
) -> None:
    """A custom transport may have sent a request that failed: a GET is retried. A change is not retried, and its
    outcome is unknown."""

    def respond(_: httpx.Request) -> httpx.Response:
        if len(stub.requests) > 1:
            return make_response(operation.status, operation.body)
        if place == "in the body":
            return httpx.Response(200, stream=Chunks([b"{", failure("no")]))
        raise failure("no")

    stub = StubTransport(respond)
    error = error_from(any_client, operation.act, stub_client(any_client, stub, max_retries=1))
    if operation.changes:
        assert isinstance(error, TransportError)
        assert (error.attempts, error.request_sent, error.outcome_unknown) == (1, True, True)
    else:
        assert (error, len(stub.requests)) == (None, 2)


@pytest.mark.parametrize("cut", ["before_headers", "in_headers", "in_body", "after_processing"])
def test_get_is_retried_after_a_cut_connection(any_client: AnyClient, simulator: Simulator, cut: Any) -> None:
    """A GET whose connection is cut, at any point, succeeds at the second attempt."""
    simulator.fail(operation="get_keyword_list", cut=cut)
    assert any_client.call(GET.act).to_dict() == simulator.keyword_lists[LIST_ID]
    assert len(simulator.requests) == 2


@pytest.mark.parametrize(
    ("operation", "cut"), [(operation, cut) for operation, cut in CUTS if operation.changes], ids=str
)
def test_a_change_is_never_sent_twice(
    any_client: AnyClient, simulator: Simulator, operation: Operation, cut: Any
) -> None:
    """A change whose response is lost is sent once, whatever the settings, and its outcome is unknown."""
    revision = simulator.keyword_lists[LIST_ID]["revisionId"]
    simulator.fail(operation=operation.name, cut=cut)
    error = error_from(any_client, operation.act, any_client.client(max_retries=5))
    assert isinstance(error, TransportError)
    assert (error.attempts, error.outcome_unknown) == (1, True)
    assert len(simulator.requests) == 1
    moved = simulator.keyword_lists[LIST_ID]["revisionId"] != revision
    assert moved is (operation is PUT and cut != "before_headers")


@pytest.mark.parametrize("operation", CHANGES, ids=operation_name)
def test_change_with_an_unreadable_response_is_sent_once(
    any_client: AnyClient, simulator: Simulator, operation: Operation
) -> None:
    """A change whose response cannot be read is sent once, and its outcome is unknown."""
    responses = [(200, b"<html>"), (200, b""), (302, b""), (500, b""), (502, b"<html>"), (204, None)]
    responses = [(status, body) for status, body in responses if not operation.succeeds(status)]
    for status, body in responses:
        simulator.fail(operation=operation.name, status=status, body=body, headers=RETRY_AT_ONCE)
        error = error_from(any_client, operation.act, any_client.client())
        assert isinstance(error, UnexpectedResponse | ServerError)
        assert (error.attempts, error.outcome_unknown) == (1, True)
    assert len(simulator.requests) == len(responses)


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


def test_pauses() -> None:
    """Pauses double from a quarter of a second to eight seconds, even after a thousand failures; each is shortened by
    up to half at random, so that calls which failed together do not come back together."""
    for failures in range(1, 1100):
        longest = min(8.0, 0.25 * 2 ** min(failures - 1, 9))
        pauses = {backoff(failures) for _ in range(50)}
        assert all(longest / 2 <= pause <= longest for pause in pauses)
        assert max(pauses) - min(pauses) > longest / 10
