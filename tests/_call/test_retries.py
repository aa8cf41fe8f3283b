"""Which calls are retried, how often, and after which pause."""

import itertools
import time
from functools import partial
from typing import Any

import httpx
import pytest
from anyio.from_thread import BlockingPortal

from cometchat_rest import (
    AsyncClient,
    Client,
    CometChatError,
    RateLimitError,
    ServerError,
    TransportError,
    UnexpectedResponse,
)
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
    error_from,
    make_response,
    operation_name,
    run_concurrently,
    stub_client,
)
from .call_support import RETRY_AT_ONCE, RetryRecorder, failing

STATUSES = (*range(200, 600, 1), 100, 101, 199, 600, 999)
RETRIED_FOR_GET = {502, 503, 504}


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_retried_statuses(any_client: AnyClient, operation: Operation) -> None:
    """A GET is retried after 429, 502, 503 and 504. An update or deletion is retried after 429 only, because
    otherwise it may have happened. For 429, the deadline limits the attempts, and not max_retries."""
    current: dict[str, Any] = {}
    stub = StubTransport(lambda _: make_response(**current, headers=RETRY_AT_ONCE))
    client = stub_client(any_client, stub, max_retries=1)
    for status in STATUSES:
        if operation.succeeds(status):
            continue
        stub.requests.clear()
        current.update(status=status)
        error = error_from(any_client, operation.act, client.with_options(deadline=1.0) if status == 429 else client)
        assert isinstance(error, CometChatError)
        if status == 429:
            assert len(stub.requests) > 2
        else:
            assert (
                len(stub.requests)
                == error.attempts
                == (2 if status in RETRIED_FOR_GET and not operation.changes else 1)
            ), status


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
@pytest.mark.parametrize("status", [429, 503])
def test_retried_statuses_over_the_network(
    any_client: AnyClient, simulator: Simulator, operation: Operation, status: int
) -> None:
    """Over real connections, a retried status ends in success, and any other status is an error with the number of
    attempts."""
    client = any_client.client()
    simulator.fail(operation=operation.name, status=status, headers=RETRY_AT_ONCE, times=2)
    error = error_from(any_client, operation.act, client)
    tried = 1 if operation.changes and status == 503 else 3
    assert len(simulator.requests) == tried
    if tried == 3:
        assert error is None
    else:
        assert isinstance(error, ServerError)
        assert (error.attempts, error.outcome_unknown) == (1, True)


@pytest.mark.parametrize("max_retries", [0, 1, 2])
def test_max_retries_limits_the_attempts(any_client: AnyClient, max_retries: int) -> None:
    """A call is sent once and then retried at most max_retries times. The error counts all attempts."""
    for times in (max_retries, max_retries + 1):
        stub = failing(times)
        error = error_from(any_client, GET.act, stub_client(any_client, stub, max_retries=max_retries))
        assert len(stub.requests) == min(times, max_retries) + 1
        if times <= max_retries:
            assert error is None
        else:
            assert isinstance(error, ServerError)
            assert error.attempts == max_retries + 1


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_no_retries(any_client: AnyClient, operation: Operation) -> None:
    """With max_retries=0, no call is retried, also not after a 429."""
    error = error_from(any_client, operation.act, stub_client(any_client, failing(1, status=429), max_retries=0))
    assert isinstance(error, RateLimitError)
    assert error.attempts == 1


def test_two_retries_by_default(any_client: AnyClient) -> None:
    """By default a call is retried twice. An option changes that for the derived client only."""
    stub = failing(10**6)
    client = any_client.client(base_url="http://127.0.0.1:1/v3", transport=stub)
    tried = []
    for each in (client, client.with_options(max_retries=0), client):
        stub.requests.clear()
        error_from(any_client, GET.act, each)
        tried.append(len(stub.requests))
    assert tried == [3, 1, 3]


def test_failed_connection_is_retried(any_client: AnyClient) -> None:
    """Without a connection nothing can have happened, so every operation is retried."""

    def check(operation: Operation, failure: type[Exception]) -> None:
        calls = itertools.count()

        def respond(_: httpx.Request) -> httpx.Response:
            if next(calls) == 0:
                raise failure("no")
            return make_response(operation.status, operation.body)

        stub = StubTransport(respond)
        assert any_client.call(operation.act, stub_client(any_client, stub, max_retries=1)) is not None
        assert len(stub.requests) == 2

    failures = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
    run_concurrently(partial(check, operation, failure) for operation in (GET, PUT, DELETE) for failure in failures)


@pytest.mark.parametrize("place", ["before the head", "in the body"])
def test_lost_response_is_retried_for_get_only(any_client: AnyClient, place: str) -> None:
    """After a lost response a GET is retried. A change is not retried, and its outcome is unknown."""

    def check(operation: Operation, failure: type[Exception]) -> None:
        calls = itertools.count()

        def respond(_: httpx.Request) -> httpx.Response:
            if next(calls) > 0:
                return make_response(operation.status, operation.body)
            if place == "in the body":
                return httpx.Response(200, stream=Chunks([b"{", failure("no")]))
            raise failure("no")

        stub = StubTransport(respond)
        error = error_from(any_client, operation.act, stub_client(any_client, stub, max_retries=1))
        if operation.changes:
            assert len(stub.requests) == 1
            assert isinstance(error, TransportError)
            assert (error.attempts, error.outcome_unknown, error.request_sent) == (1, True, True)
        else:
            assert len(stub.requests) == 2
            assert error is None

    failures = (httpx.ReadError, httpx.ReadTimeout, httpx.WriteError, httpx.WriteTimeout, httpx.RemoteProtocolError)
    run_concurrently(partial(check, operation, failure) for operation in (GET, PUT, DELETE) for failure in failures)


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


def test_refused_connection_is_retried_and_leaves_nothing_in_doubt(any_client: AnyClient) -> None:
    """If the service does not listen, every operation is retried, and the outcome is known: nothing was sent."""
    with WireServer(lambda _: []) as server:
        base_url = server.base_url

    def check(operation: Operation) -> None:
        error = error_from(any_client, operation.act, any_client.client(base_url=base_url, max_retries=1))
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


def test_pauses_double(portal: BlockingPortal, retries: RetryRecorder) -> None:
    """Without a Retry-After the first pause is at most a quarter of a second, and the second pause is at most
    twice as long."""
    client = AsyncClient(base_url="http://127.0.0.1:1/v3", api_key="k" * 40, transport=failing(2, headers={}))
    portal.call(client.keywords.get, LIST_ID)
    portal.call(client.aclose)
    for pause, longest in zip(retries.pauses, (0.25, 0.5), strict=True):
        assert longest / 2 <= pause <= longest


def test_longest_pause(monkeypatch: pytest.MonkeyPatch, retries: RetryRecorder) -> None:
    """No pause is longer than eight seconds, even after a thousand failures. Each is at least half of its limit."""
    monkeypatch.setattr(time, "sleep", lambda _: None)
    stub = failing(1100, headers={})
    with Client(base_url="http://127.0.0.1:1/v3", api_key="k" * 40, transport=stub, max_retries=1100) as client:
        client.keywords.get(LIST_ID)
    limits = [min(8.0, 0.25 * 2 ** min(number, 9)) for number in range(1100)]
    assert all(limit / 2 <= pause <= limit for pause, limit in zip(retries.pauses, limits, strict=True))
    assert min(retries.pauses[5:]) < 4.1
    assert max(retries.pauses) > 7.9


def test_pauses_are_random(portal: BlockingPortal, retries: RetryRecorder) -> None:
    """Pauses are random, so that calls which failed together do not come back together."""
    stub = failing(10**6, headers={})
    client = AsyncClient(base_url="http://127.0.0.1:1/v3", api_key="k" * 40, transport=stub)
    for _ in range(5):
        retries.announced.clear()
        waiting = portal.start_task_soon(client.keywords.get, LIST_ID)
        assert retries.announced.wait(timeout=30)
        waiting.cancel()
    portal.call(client.aclose)
    assert len(set(retries.pauses[:5])) == 5
