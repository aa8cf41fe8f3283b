"""What is sent again and what never is, how long that may take, and how it is told."""

from __future__ import annotations

import itertools
import logging
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from email.utils import formatdate
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import httpx
import pytest
from anyio.from_thread import BlockingPortal
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cometchat_rest import (
    ApiError,
    AsyncClient,
    CometChatError,
    RateLimit,
    RateLimitError,
    RequestTimeoutError,
    SentenceSimilarityListInput,
    ServerError,
    TransportError,
    UnexpectedResponse,
    WordListInput,
)
from cometchat_rest.testing import Simulator

from .support import (
    CHANGES,
    DELETE,
    GET,
    GETS,
    LIST_ID,
    OPERATIONS,
    PUT,
    Chunks,
    Operation,
    ScriptedServer,
    Stub,
    WireServer,
    always,
    answer,
    form_of,
    named,
    raised,
    read_request,
    run_concurrently,
    stub_client,
)

if TYPE_CHECKING:
    from conftest import AnyClient

DEFAULT_CONCURRENCY = {"Retry-After": "0"}
# What no call with a deadline of a second may take, however busy the machine.
GENEROUS = 20.0


def failing(times: int, *, status: int = 503, headers: dict[str, str] | None = None) -> Stub:
    """A service that fails so many times, and then never again."""
    calls = itertools.count()

    def respond(request: httpx.Request) -> httpx.Response:
        if next(calls) < times:
            return answer(status, b"", DEFAULT_CONCURRENCY if headers is None else headers)
        by_path = {operation.path: operation for operation in OPERATIONS if operation.method == request.method}
        return answer(200, by_path[request.url.path.removeprefix("/v3")].success)

    return Stub(respond)


class Retries(logging.Handler):
    """Tells when a retry is announced."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.announced = threading.Event()
        self.pauses: list[float] = []

    def emit(self, record: logging.LogRecord) -> None:
        if getattr(record, "event", "") == "retry":
            self.pauses.append(record.__dict__["pause"])
            self.announced.set()


@pytest.fixture
def retries() -> Iterator[Retries]:
    handler, logger = Retries(), logging.getLogger("cometchat_rest")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.setLevel(level)
    logger.removeHandler(handler)


# Which answers are passing.

STATUSES = (*range(200, 600, 1), 100, 101, 199, 600, 999)
AGAIN_FOR_GET = {429, 502, 503, 504}
AGAIN_FOR_CHANGES = {429}


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_which_statuses_are_tried_again(any_client: AnyClient, operation: Operation) -> None:
    """A GET is sent again for 429, 502, 503 and 504, an update or deletion for 429 alone: it may have happened."""
    again = AGAIN_FOR_CHANGES if operation.changes else AGAIN_FOR_GET
    current: dict[str, Any] = {}
    stub = Stub(lambda _: answer(**current, headers=DEFAULT_CONCURRENCY))
    client = stub_client(any_client, stub, max_retries=2)
    for status in STATUSES:
        stub.requests.clear()
        current.update(status=status)
        error = raised(any_client, operation.act, client)
        assert isinstance(error, CometChatError)
        assert len(stub.requests) == error.attempts == (3 if status in again else 1), status


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
@pytest.mark.parametrize("status", [429, 503])
def test_statuses_over_the_network(
    any_client: AnyClient, simulator: Simulator, operation: Operation, status: int
) -> None:
    """Over real connections, what passes is waited out, and what does not is raised with its attempts."""
    client = any_client.client()
    simulator.fail(operation=operation.name, status=status, headers=DEFAULT_CONCURRENCY, times=2)
    error = raised(any_client, operation.act, client)
    tried = 1 if operation.changes and status == 503 else 3
    assert len(simulator.requests) == tried
    if tried == 3:
        assert error is None
    else:
        assert isinstance(error, ServerError)
        assert (error.attempts, error.outcome_unknown) == (1, True)


@pytest.mark.parametrize("max_retries", [0, 1, 2, 5])
@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_how_often(any_client: AnyClient, operation: Operation, max_retries: int) -> None:
    """A call is sent once and then at most max_retries times, and the error counts them all."""
    for times in range(max_retries + 2):
        stub = failing(times, status=429)
        error = raised(any_client, operation.act, stub_client(any_client, stub, max_retries=max_retries))
        assert len(stub.requests) == min(times, max_retries) + 1
        if times <= max_retries:
            assert error is None
        else:
            assert isinstance(error, RateLimitError)
            assert error.attempts == max_retries + 1


def test_how_often_by_default(any_client: AnyClient) -> None:
    """Without a setting a call is sent again twice, and options change that for a derived client alone."""
    stub = failing(10**6)
    client = any_client.client(base_url="http://127.0.0.1:1/v3", transport=stub)
    tried = []
    for each in (client, client.with_options(max_retries=0), client):
        stub.requests.clear()
        raised(any_client, GET.act, each)
        tried.append(len(stub.requests))
    assert tried == [3, 1, 3]


# Which failures are passing.


def test_no_connection_is_tried_again(any_client: AnyClient) -> None:
    """Where no connection came about nothing can have happened, so that every operation is sent again."""

    def check(operation: Operation, failure: type[Exception]) -> None:
        calls = itertools.count()

        def respond(_: httpx.Request) -> httpx.Response:
            if next(calls) == 0:
                raise failure("no")
            return answer(200, operation.success)

        stub = Stub(respond)
        assert any_client.call(operation.act, stub_client(any_client, stub, max_retries=1)) is not None
        assert len(stub.requests) == 2

    failures = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
    run_concurrently(partial(check, operation, failure) for operation in (GET, PUT, DELETE) for failure in failures)


@pytest.mark.parametrize("place", ["before the head", "in the body"])
def test_a_lost_answer_is_tried_again_for_a_get_only(any_client: AnyClient, place: str) -> None:
    """Where an answer is lost a GET is sent again; a change is not, and its outcome is unknown."""

    def check(operation: Operation, failure: type[Exception]) -> None:
        calls = itertools.count()

        def respond(_: httpx.Request) -> httpx.Response:
            if next(calls) > 0:
                return answer(200, operation.success)
            if place == "in the body":
                return httpx.Response(200, stream=Chunks([b"{", failure("no")]))
            raise failure("no")

        stub = Stub(respond)
        error = raised(any_client, operation.act, stub_client(any_client, stub, max_retries=1))
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
def test_a_cut_connection_over_the_network(any_client: AnyClient, simulator: Simulator, cut: Any) -> None:
    """A GET whose connection is cut, at any point, succeeds at the second attempt."""
    simulator.fail(operation="get_keyword_list", cut=cut)
    assert any_client.call(GET.act).to_dict() == simulator.keyword_lists[LIST_ID]
    assert len(simulator.requests) == 2


@pytest.mark.parametrize("operation", CHANGES, ids=named)
@pytest.mark.parametrize("cut", ["before_headers", "in_headers", "in_body", "after_processing"])
def test_a_change_is_never_sent_twice(
    any_client: AnyClient, simulator: Simulator, operation: Operation, cut: Any
) -> None:
    """A change whose answer is lost is sent once, whatever the settings; that it may have happened is told."""
    revision = simulator.keyword_lists[LIST_ID]["revisionId"]
    simulator.fail(operation=operation.name, cut=cut)
    error = raised(any_client, operation.act, any_client.client(max_retries=5))
    assert isinstance(error, TransportError)
    assert (error.attempts, error.outcome_unknown) == (1, True)
    assert len(simulator.requests) == 1
    moved = simulator.keyword_lists[LIST_ID]["revisionId"] != revision
    assert moved is (operation is PUT and cut != "before_headers")


@pytest.mark.parametrize("operation", CHANGES, ids=named)
def test_a_change_with_an_unreadable_answer(any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
    """A change whose answer cannot be read is sent once, and its outcome is unknown."""
    for status, body in ((200, b"<html>"), (200, b""), (302, b""), (500, b""), (502, b"<html>"), (204, None)):
        simulator.fail(operation=operation.name, status=status, body=body, headers=DEFAULT_CONCURRENCY)
        error = raised(any_client, operation.act, any_client.client())
        assert isinstance(error, UnexpectedResponse | ServerError)
        assert (error.attempts, error.outcome_unknown) == (1, True)
    assert len(simulator.requests) == 6


def test_nothing_listens(any_client: AnyClient) -> None:
    """Where nothing listens, every operation is tried again, and in the end nothing is in doubt."""
    with WireServer(lambda _: []) as server:
        base_url = server.base_url

    def check(operation: Operation) -> None:
        error = raised(any_client, operation.act, any_client.client(base_url=base_url, max_retries=1))
        assert isinstance(error, TransportError)
        assert (error.attempts, error.outcome_unknown, error.request_sent) == (2, False, False)

    run_concurrently(partial(check, operation) for operation in OPERATIONS)


def test_different_failures_of_one_call(any_client: AnyClient, simulator: Simulator) -> None:
    """The attempts of one call may fail in different ways; the last failure is the one that is raised."""
    simulator.fail(status=503, headers=DEFAULT_CONCURRENCY)
    simulator.fail(status=429, headers=DEFAULT_CONCURRENCY)
    simulator.fail(status=404)
    error = raised(any_client, GET.act, any_client.client(max_retries=9))
    assert isinstance(error, CometChatError)
    assert (type(error).__name__, error.attempts) == ("NotFoundError", 3)
    # A change that was refused at first and lost at last is in doubt.
    simulator.fail(status=429, headers=DEFAULT_CONCURRENCY)
    simulator.fail(cut="after_processing")
    error = raised(any_client, PUT.act, any_client.client(max_retries=9))
    assert isinstance(error, TransportError)
    assert (error.attempts, error.outcome_unknown) == (2, True)


def test_an_update_that_is_sent_again_is_the_same(any_client: AnyClient, simulator: Simulator) -> None:
    """An update that is sent again carries the same bytes, the boundary between its parts included."""
    new = WordListInput(name="приве́т", file=bytes(range(1, 256)) * 100)
    simulator.fail(status=429, headers=DEFAULT_CONCURRENCY, times=3)
    simulator.fail(status=200, body=PUT.body)
    client = any_client.client(max_retries=3)
    any_client.call(lambda chat: chat.keywords.update(LIST_ID, new), client)
    first, *others = simulator.requests
    assert len(others) == 3
    for other in others:
        assert (other.body, other.headers, other.path) == (first.body, first.headers, first.path)
    assert {part.name for part in form_of(first)} == {"category", "name", "searchTerms", "file"}


def test_two_updates_differ_in_their_boundary(any_client: AnyClient, simulator: Simulator) -> None:
    """Each update gets a boundary of its own, of which no one can know beforehand what to put into a value."""
    client = any_client.client()
    for _ in range(3):
        any_client.call(PUT.act, client)
    assert len({request.header("content-type") for request in simulator.requests}) == 3
    for request in simulator.requests:
        _, _, boundary = (request.header("content-type") or "").partition("boundary=")
        assert len(boundary) >= 16


# Retry-After.

NOT_LONG = ["0", "-5", "0.0", " 0 ", "-0", "1e-9"]
PAST = [formatdate(0, usegmt=True), "Wed, 21 Oct 2015 07:28:00 GMT", "Wednesday, 21-Oct-15 07:28:00 GMT"]
TOO_LONG = ["61", "3600", "1e9", "1000000000", "Fri, 31 Dec 2199 23:59:59 GMT"]
SENSELESS = ["", "soon", "nan", "inf", "1 2", "9" * 400, "0x10", "Wed, 99 Oct 2015", "\xb2", "1,2"]


def in_seconds(seconds: float) -> str:
    return formatdate(time.time() + seconds, usegmt=True)


@pytest.mark.parametrize("value", [*NOT_LONG, *PAST])
def test_a_retry_after_that_is_over(any_client: AnyClient, retries: Retries, value: str) -> None:
    """A Retry-After of nothing, of less, or in the past means at once, for reading and for changing."""
    for operation in (GET, PUT):
        stub = failing(4, status=429, headers={"Retry-After": value})
        assert raised(any_client, operation.act, stub_client(any_client, stub, max_retries=4)) is None
        assert len(stub.requests) == 5
        error = raised(
            any_client, operation.act, stub_client(any_client, failing(1, status=429, headers={"Retry-After": value}))
        )
        assert isinstance(error, RateLimitError)
        assert error.retry_after is not None
        assert error.retry_after == pytest.approx(0.0, abs=1e-6)
    assert retries.pauses == [pytest.approx(0.0, abs=1e-6)] * 8


@pytest.mark.parametrize("operation", [GET, PUT], ids=named)
@pytest.mark.parametrize("value", TOO_LONG)
def test_a_retry_after_that_is_too_long(any_client: AnyClient, operation: Operation, value: str) -> None:
    """A Retry-After of more than a minute is for the caller to plan with, and raises at once."""
    stub = failing(1, status=429, headers={"Retry-After": value})
    error = raised(any_client, operation.act, stub_client(any_client, stub, max_retries=5, deadline=10**6))
    assert isinstance(error, RateLimitError)
    assert error.attempts == len(stub.requests) == 1
    assert error.retry_after is not None
    assert error.retry_after > 60


@pytest.mark.parametrize("operation", [GET, PUT], ids=named)
@pytest.mark.parametrize("value", ["30", "60", "a date"])
def test_a_retry_after_beyond_the_deadline(any_client: AnyClient, operation: Operation, value: str) -> None:
    """A Retry-After that does not fit the deadline raises at once."""
    value = in_seconds(50) if value == "a date" else value
    stub = failing(1, status=429, headers={"Retry-After": value})
    error = raised(any_client, operation.act, stub_client(any_client, stub, max_retries=5, deadline=5.0))
    assert isinstance(error, RateLimitError)
    assert error.attempts == len(stub.requests) == 1
    assert error.retry_after is not None
    assert 5 < error.retry_after <= 60


@pytest.fixture(params=["America/New_York", "UTC", "Asia/Tokyo"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """This machine stands in one zone after the other."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system cannot change its zone")
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize(
    "form",
    ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y", "%a, %d %b %Y %H:%M:%S"],
)
def test_a_retry_after_as_a_date(any_client: AnyClient, form: str) -> None:
    """A date in any form that HTTP knows, and one without a zone, is in UTC, wherever this machine stands."""
    # Two seconds more than the least, as a date has no parts of a second.
    value = time.strftime(form, time.gmtime(time.time() + 302))
    error = raised(any_client, GET.act, stub_client(any_client, failing(1, status=429, headers={"Retry-After": value})))
    assert isinstance(error, RateLimitError)
    assert error.retry_after is not None
    assert 300 - GENEROUS < error.retry_after <= 302


def test_a_retry_after_that_makes_no_sense(any_client: AnyClient) -> None:
    """A Retry-After that is none is as good as none: the usual pause is made."""

    def check(value: str) -> None:
        stub = failing(1, status=429, headers={"Retry-After": value})
        assert raised(any_client, GET.act, stub_client(any_client, stub, max_retries=1)) is None
        assert len(stub.requests) == 2
        error = raised(
            any_client, GET.act, stub_client(any_client, failing(1, status=429, headers={"Retry-After": value}))
        )
        assert isinstance(error, RateLimitError)
        assert error.retry_after is None

    run_concurrently(partial(check, value) for value in SENSELESS)


def test_a_refusal_without_a_retry_after(any_client: AnyClient) -> None:
    """Without a Retry-After there is nothing to tell, and the usual pause is made."""
    error = raised(any_client, GET.act, stub_client(any_client, failing(1, status=429, headers={})))
    assert isinstance(error, RateLimitError)
    assert error.retry_after is None
    assert (
        raised(any_client, GET.act, stub_client(any_client, failing(1, status=429, headers={}), max_retries=1)) is None
    )


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("own", "asked", "least"),
    [
        ("3", "3", 3.0),
        ("30", "30", 30.0),
        ("00000030", "00000030", 30.0),
        ("Thu, 31 Dec 2099", "Thu, 31 Dec 2099 23:59:59 GMT", 10.0**8),
    ],
)
def test_waiting_goes_by_what_came(any_client: AnyClient, status: int, own: str, asked: str, least: float) -> None:
    """A header of the user's own changes neither what was asked for nor the wait, though errors are redacted by it."""
    stub = failing(1, status=status, headers={"Retry-After": asked})
    chat = stub_client(any_client, stub, max_retries=1, deadline=2.0).with_options(headers={"X-Own": own})
    error = raised(any_client, GET.act, chat)
    assert isinstance(error, ApiError)
    assert error.attempts == len(stub.requests) == 1
    assert error.retry_after is not None
    assert error.retry_after >= least
    assert ("[redacted]" in error.headers["retry-after"]) is (len(own) >= 8)


@settings(
    max_examples=150,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@example("Mon, 01 Jan 0000 00:00:00 GMT")
@example("Mon, 01 Jan 99999 00:00:00 +9999")
@example("1 Jan 1 00:00:00 -2359")
@example(", , ,")
@example("()")
@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0xFF), max_size=40))
def test_any_retry_after(any_client: AnyClient, value: str) -> None:
    """No text in Retry-After leads to anything but a RateLimitError, whose retry_after is a time or None."""
    error = raised(any_client, GET.act, stub_client(any_client, failing(1, status=429, headers={"Retry-After": value})))
    assert isinstance(error, RateLimitError)
    assert error.retry_after is None or 0 <= error.retry_after < float("inf")


@pytest.mark.parametrize(("value", "least"), [("59", 59.0), ("60", 60.0), ("a date", 20.0)])
def test_a_retry_after_that_is_obeyed(portal: BlockingPortal, retries: Retries, value: str, least: float) -> None:
    """A Retry-After of up to a minute that fits the deadline is waited out to the second, in seconds or as a date."""
    value = in_seconds(55) if value == "a date" else value
    stub = failing(1, status=429, headers={"Retry-After": value})
    client = AsyncClient(base_url="http://127.0.0.1:1/v3", api_key="k" * 40, transport=stub)
    # Nobody wants to see the minute through: that it is being waited out is announced.
    waiting = portal.start_task_soon(client.keywords.get, LIST_ID)
    assert retries.announced.wait(timeout=30)
    waiting.cancel()
    portal.call(client.aclose)
    assert len(stub.requests) == 1
    assert least <= retries.pauses[0] <= 60


def test_pauses_grow(portal: BlockingPortal, retries: Retries) -> None:
    """Without a Retry-After the pauses begin at a quarter of a second at the most, and double."""
    client = AsyncClient(base_url="http://127.0.0.1:1/v3", api_key="k" * 40, transport=failing(2, headers={}))
    portal.call(client.keywords.get, LIST_ID)
    portal.call(client.aclose)
    for pause, longest in zip(retries.pauses, (0.25, 0.5), strict=True):
        assert longest / 2 <= pause <= longest


def test_pauses_differ(portal: BlockingPortal, retries: Retries) -> None:
    """No two calls make the same pause, so that those who failed together do not come back together."""
    stub = failing(10**6, headers={})
    client = AsyncClient(base_url="http://127.0.0.1:1/v3", api_key="k" * 40, transport=stub)
    for _ in range(5):
        retries.announced.clear()
        waiting = portal.start_task_soon(client.keywords.get, LIST_ID)
        assert retries.announced.wait(timeout=30)
        waiting.cancel()
    portal.call(client.aclose)
    assert len(set(retries.pauses[:5])) == 5


# Rate limits.


def test_a_rate_limit_that_is_waited_out(any_client: AnyClient, simulator: Simulator, retries: Retries) -> None:
    """A rate limit that ends within the deadline is waited out, for a change as well: it was not processed."""
    simulator.rate_limit(1, window=0.5)
    client = any_client.client()
    # Only a machine that stands still between two calls needs more than the first two.
    for _ in range(10):
        assert any_client.call(PUT.act, client) is not None
        if retries.pauses:
            break
    assert retries.pauses[0] == 1.0


def test_a_rate_limit_that_is_not(any_client: AnyClient, simulator: Simulator) -> None:
    """A rate limit beyond the deadline is an error that tells how long it lasts, in every way the service says it."""
    simulator.rate_limit(2, window=50)
    client = any_client.client(deadline=5)
    assert client.rate_limit == RateLimit(None, None, None)
    any_client.call(GET.act, client)
    assert client.rate_limit == RateLimit(limit=2, remaining=1, reset=None)
    any_client.call(DELETE.act, client)
    assert client.rate_limit.remaining == 0
    error = raised(any_client, PUT.act, client)
    assert isinstance(error, RateLimitError)
    assert (error.status_code, error.code, error.attempts) == (429, "ERR_TOO_MANY_REQUESTS", 1)
    assert error.outcome_unknown is False
    assert error.retry_after is not None
    assert 5 < error.retry_after <= 50
    assert (error.rate_limit.limit, error.rate_limit.remaining) == (2, 0)
    assert error.rate_limit.reset is not None
    assert client.rate_limit == client.with_options().rate_limit == error.rate_limit


SPELLINGS: dict[str, dict[str, str]] = {
    "as on answers": {"X-Rate-Limit": "100", "X-Rate-Limit-Remaining": "7", "X-Rate-Limit-Reset": "1757955951"},
    "as on one page": {
        "X-RateLimit-Limit": "100",
        "X-RateLimit-Remaining": "7",
        "X-RateLimit-Reset": "1757955951",
    },
    "in lower case": {"x-ratelimit-limit": "100", "x-rate-limit-remaining": "7", "x-ratelimit-reset": "1757955951"},
}


@pytest.mark.parametrize("headers", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("status", [200, 302, 404, 429, 500])
def test_the_rate_limit_in_both_spellings(any_client: AnyClient, headers: dict[str, str], status: int) -> None:
    """The rate limit is told in numbers, on the client and on every error, whichever spelling the service uses."""
    client = stub_client(any_client, Stub(lambda _: answer(status, GET.body, headers)))
    error = raised(any_client, GET.act, client)
    expected = RateLimit(limit=100, remaining=7, reset=1757955951)
    assert client.rate_limit == expected
    if status != 200:
        told: Any = error
        assert told.rate_limit == expected


@pytest.mark.parametrize("own", ["3", "17579559"])
@pytest.mark.parametrize("status", [302, 404])
def test_the_rate_limit_is_what_came(any_client: AnyClient, status: int, own: str) -> None:
    """A header of the user's own changes no figure, though errors are redacted by it."""
    headers = {"X-Rate-Limit": "300", "X-Rate-Limit-Remaining": "3", "X-Rate-Limit-Reset": "1757955951"}
    chat = stub_client(any_client, Stub(always(status, b"", headers))).with_options(headers={"X-Own": own})
    error = raised(any_client, GET.act, chat)
    assert isinstance(error, ApiError | UnexpectedResponse)
    assert error.rate_limit == RateLimit(limit=300, remaining=3, reset=1757955951)
    assert ("[redacted]" in error.headers["x-rate-limit-reset"]) is (len(own) >= 8)


@pytest.mark.parametrize("value", ["", "many", "-1", "1.5", "9" * 5000, "\xb2", "1, 2", "0x1"])
def test_a_rate_limit_that_is_no_number(any_client: AnyClient, value: str) -> None:
    """A rate limit that is no number is None, and never in the way of an answer."""
    headers: dict[str, str] = dict.fromkeys(("X-Rate-Limit", "X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"), value)
    client = stub_client(any_client, Stub(lambda _: answer(200, GET.success, headers)))
    any_client.call(GET.act, client)
    assert client.rate_limit == RateLimit(None, None, None)


# Time.


def check_timeout(error: BaseException | None, operation: Operation, began: float, *kinds: str) -> None:
    assert isinstance(error, RequestTimeoutError), error
    assert error.kind in kinds
    assert error.operation == operation.name
    assert error.outcome_unknown is (operation.changes and error.request_sent)
    assert time.monotonic() - began < GENEROUS


def test_the_deadline_of_a_slow_answer(any_client: AnyClient, simulator: Simulator) -> None:
    """A call ends when its deadline does, however long the answer takes, and the client stays of use."""
    client = any_client.client(deadline=1.0)
    for operation in OPERATIONS:
        simulator.fail(operation=operation.name, delay=60.0)

    def check(operation: Operation) -> None:
        began = time.monotonic()
        check_timeout(raised(any_client, operation.act, client), operation, began, "read", "deadline")

    run_concurrently(partial(check, operation) for operation in OPERATIONS)
    assert len(simulator.requests) == len(OPERATIONS)
    for operation in GETS:
        assert any_client.call(operation.act, client.with_options(deadline=30)) is not None


@pytest.mark.parametrize("operation", [GET, PUT], ids=named)
def test_the_deadline_of_a_trickle(any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
    """A call ends when its deadline does, although a little of the answer arrives all the time."""
    simulator.fail(operation=operation.name, trickle=(1, 0.1))
    began = time.monotonic()
    client = any_client.client(deadline=0.6)
    check_timeout(raised(any_client, operation.act, client), operation, began, "read", "deadline")
    assert len(simulator.requests) == 1


DRIPS = {
    "header": (b"HTTP/1.1 200 OK\r\nX: ", b"y"),
    "headers": (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "interim answers": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "status line": (b"HTTP/1.1 200 ", b"O"),
    "interim answers without a pause": (b"HTTP/1.1 102 Processing\r\n\r\n", b"HTTP/1.1 102 Processing\r\n\r\n" * 100),
}


def test_the_deadline_of_an_endless_answer(any_client: AnyClient) -> None:
    """A call ends when its deadline does, in whatever part of it the answer goes on for ever."""
    over = threading.Event()

    def check(first: bytes, then: bytes) -> None:
        def drip(_: bytes) -> Iterator[bytes]:
            yield first
            # Not for ever: should the client never give up, the test still ends.
            end = time.monotonic() + GENEROUS
            while time.monotonic() < end and not over.wait(0 if len(then) > 1000 else 0.05):
                yield then

        with WireServer(drip) as server:
            began = time.monotonic()
            error = raised(any_client, PUT.act, any_client.client(base_url=server.base_url, deadline=0.5, timeout=30))
            check_timeout(error, PUT, began, "read", "deadline")

    run_concurrently(partial(check, first, then) for first, then in DRIPS.values())
    over.set()


@pytest.mark.parametrize("any_client", ["sync"], indirect=True)
def test_the_deadline_between_the_pieces_of_an_answer(any_client: AnyClient) -> None:
    """A blocking transport of the caller's own is held to the deadline between the pieces of an endless answer."""
    began = time.monotonic()

    def pieces() -> Iterator[bytes]:
        # Not for ever: should the client never give up, the test still ends.
        while time.monotonic() - began < GENEROUS:
            yield b" "

    stub = Stub(lambda _: httpx.Response(200, stream=Chunks(pieces())))
    client = stub_client(any_client, stub, deadline=0.1, max_response_bytes=2**40)
    check_timeout(raised(any_client, PUT.act, client), PUT, began, "deadline")


def test_the_deadline_of_all_attempts(any_client: AnyClient, simulator: Simulator) -> None:
    """The deadline counts over all attempts and the pauses between them, and the last failure is raised."""
    simulator.fail(status=503, times=None)
    began = time.monotonic()
    error = raised(any_client, GET.act, any_client.client(max_retries=10**6, deadline=1.0))
    assert isinstance(error, ServerError)
    assert error.attempts == len(simulator.requests) >= 2
    assert time.monotonic() - began < GENEROUS


def test_the_deadline_does_not_begin_again(any_client: AnyClient, simulator: Simulator) -> None:
    """Attempts that are slow, and of which none takes as long as the deadline, are cut off by it together."""
    simulator.fail(status=503, headers=DEFAULT_CONCURRENCY, delay=0.5, times=None)
    error = raised(any_client, GET.act, any_client.client(max_retries=9, deadline=1.2))
    assert isinstance(error, RequestTimeoutError | ServerError)
    assert error.attempts <= 3


def test_the_deadline_begins_with_the_call(any_client: AnyClient, simulator: Simulator) -> None:
    """Each call has a deadline of its own: one that passed does not shorten the next."""
    client = any_client.client(deadline=1.0, max_retries=0)
    simulator.fail(operation="list_roles", delay=60.0)
    assert isinstance(raised(any_client, lambda chat: chat.roles.list(), client), RequestTimeoutError)
    for operation in OPERATIONS:
        assert any_client.call(operation.act, client) is not None


@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=named)
def test_the_timeout_of_reading(any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
    """An answer that takes longer than the read timeout is an error of that kind; a GET is tried again."""
    simulator.fail(operation=operation.name, delay=60.0, times=2)
    client = any_client.client(timeout=httpx.Timeout(30, read=0.2), max_retries=1)
    began = time.monotonic()
    error = raised(any_client, operation.act, client)
    check_timeout(error, operation, began, "read")
    assert isinstance(error, TransportError)
    assert error.attempts == len(simulator.requests) == (1 if operation.changes else 2)


def test_the_timeout_of_writing(any_client: AnyClient) -> None:
    """A service that does not read is an error of its own kind, with the outcome in doubt."""
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        client = any_client.client(
            base_url=f"http://127.0.0.1:{deaf.getsockname()[1]}/v3", timeout=httpx.Timeout(30, write=0.3), max_retries=1
        )
        # More than the buffers of two sockets hold.
        new = SentenceSimilarityListInput(disallowed_sentences=["x" * 2**25])
        began = time.monotonic()
        error = raised(any_client, lambda chat: chat.keywords.update(LIST_ID, new), client)
    check_timeout(error, PUT, began, "write")
    assert isinstance(error, TransportError)
    assert error.attempts == 1


def test_the_deadline_of_a_slow_reader(any_client: AnyClient) -> None:
    """A call ends when its deadline does, although the service takes a little of the request all the time."""
    size = 2**25
    taken = 0

    def sip(connection: socket.socket) -> bytes:
        nonlocal taken
        with suppress(OSError):  # the caller has had enough
            while piece := connection.recv(65_536):
                taken += len(piece)
                time.sleep(0.01)
        return b""

    with WireServer(lambda _: [], read=sip) as server:
        client = any_client.client(base_url=server.base_url, timeout=30, deadline=0.5)
        new = SentenceSimilarityListInput(disallowed_sentences=["x" * size])
        began = time.monotonic()
        check_timeout(
            raised(any_client, lambda chat: chat.keywords.update(LIST_ID, new), client), PUT, began, "deadline"
        )
        assert server.closed.acquire(timeout=30)
    # All of it, at that pace, would have taken five seconds.
    assert taken < size


@contextmanager
def unreachable() -> Iterator[int]:
    """A port of this machine where nobody ever answers, at any of its addresses."""
    with ExitStack() as sockets:
        full = sockets.enter_context(socket.socket())
        full.bind(("", 0))
        full.listen(0)
        port: int = full.getsockname()[1]
        # Whoever comes after the queue is full gets no answer at all.
        for _ in range(3):
            each = sockets.enter_context(socket.socket())
            each.setblocking(False)  # noqa: FBT003 - the standard library's way
            each.connect_ex(("127.0.0.1", port))
        yield port


def resolving(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Has localhost mean these addresses."""

    def found(host: str, port: int, *_: object, **__: object) -> list[Any]:
        known = addresses if host == "localhost" else [host]
        return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port)) for address in known]

    monkeypatch.setattr(socket, "getaddrinfo", found)


def test_the_timeout_of_connecting(any_client: AnyClient) -> None:
    """A host that does not answer is an error of its own kind, with nothing in doubt; even a change is tried again."""
    with unreachable() as port:
        client = any_client.client(
            base_url=f"http://127.0.0.1:{port}/v3", timeout=httpx.Timeout(30, connect=0.2), max_retries=1
        )
        began = time.monotonic()
        error = raised(any_client, PUT.act, client)
    check_timeout(error, PUT, began, "connect")
    assert isinstance(error, TransportError)
    assert (error.attempts, error.request_sent, error.outcome_unknown) == (2, False, False)
    assert f"127.0.0.1:{port}" in str(error)


def test_the_deadline_of_connecting(any_client: AnyClient) -> None:
    """A deadline that passes before there is a connection leaves nothing in doubt."""
    with unreachable() as port:
        client = any_client.client(base_url=f"http://127.0.0.1:{port}/v3", timeout=30, deadline=0.2)
        began = time.monotonic()
        error = raised(any_client, PUT.act, client)
    check_timeout(error, PUT, began, "deadline")
    assert isinstance(error, TransportError)
    assert (error.request_sent, error.outcome_unknown) == (False, False)


def test_the_deadline_of_looking_up_a_host(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call ends when its deadline does, however long the system looks for the address of its host."""
    over = threading.Event()

    def found(*_: object, flags: int = 0, **__: object) -> list[Any]:
        if not flags & socket.AI_NUMERICHOST:
            assert over.wait(60)
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", found)
    client = any_client.client(base_url="http://localhost:1/v3", timeout=30, deadline=0.2)
    began = time.monotonic()
    error = raised(any_client, PUT.act, client)
    over.set()
    check_timeout(error, PUT, began, "deadline")
    assert isinstance(error, TransportError)
    assert (error.request_sent, error.outcome_unknown) == (False, False)


def test_the_deadline_of_a_host_with_many_addresses(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call ends when its deadline does, however many addresses a host has at which nobody answers."""
    resolving(monkeypatch, *(f"127.0.0.{number}" for number in range(1, 100)))
    with unreachable() as port:
        client = any_client.client(base_url=f"http://localhost:{port}/v3", timeout=30, deadline=0.5)
        began = time.monotonic()
        check_timeout(raised(any_client, PUT.act, client), PUT, began, "deadline")


def test_a_host_with_several_addresses(
    any_client: AnyClient, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody listens at the first address of a host, a call goes to the next."""
    resolving(monkeypatch, "127.0.0.2", "127.0.0.3", "127.0.0.1")
    port = simulator.base_url.removesuffix("/v3").rpartition(":")[2]
    assert (
        any_client.call(PUT.act, any_client.client(base_url=f"http://localhost:{port}/v3", max_retries=0)).id == LIST_ID
    )


def test_a_host_that_there_is_not(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host without an address is an error that names it, with nothing in doubt."""

    def found(*_: object, **__: object) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", found)
    error = raised(any_client, PUT.act, any_client.client(base_url="http://localhost:1/v3", max_retries=0))
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
    assert "no connection to localhost:1 (" in str(error)
    assert "no such name" in str(error)


class Holding:
    """A service that answers nobody before it is told to."""

    def __init__(self) -> None:
        self.arrived = threading.Semaphore(0)
        self.release = threading.Event()
        self.server = WireServer(self._hold)

    def _hold(self, _: bytes) -> list[bytes]:
        self.arrived.release()
        assert self.release.wait(timeout=60)
        return [b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + GET.body]


@pytest.mark.parametrize("own", [False, True])
def test_the_timeout_of_the_pool(any_client: AnyClient, own: bool) -> None:  # noqa: FBT001 - pytest's way
    """A call for which no connection becomes free is an error of its own kind, with nothing in doubt."""
    settings: dict[str, Any] = {}
    if own:
        kind = httpx.AsyncHTTPTransport if any_client.kind == "async" else httpx.HTTPTransport
        settings["transport"] = kind(verify=False, limits=httpx.Limits(max_connections=3))
    size = 3 if own else 100
    service = Holding()
    with service.server as server, ThreadPoolExecutor(size) as threads:
        client = any_client.client(base_url=server.base_url, max_retries=0, **settings)
        occupied = [threads.submit(any_client.call, GET.act, client) for _ in range(size)]
        for _ in range(size):
            assert service.arrived.acquire(timeout=30)
        began = time.monotonic()
        error = raised(any_client, PUT.act, client.with_options(timeout=httpx.Timeout(30, pool=0.2)))
        late = None if own else raised(any_client, PUT.act, client.with_options(timeout=30, deadline=0.2))
        service.release.set()
        for each, phase in ((error, "pool"), *([(late, "deadline")] if late else [])):
            check_timeout(each, PUT, began, phase)
            assert isinstance(each, TransportError)
            assert (each.request_sent, each.outcome_unknown) == (False, False)
        assert [call.result(timeout=30).name for call in occupied] == ["Profanity"] * size
        # Everything that was taken has been given back.
        assert any_client.call(GET.act, client).name == "Profanity"


def test_failures_use_up_no_connections(any_client: AnyClient) -> None:
    """However many calls fail or run out of time, connections are left for the next."""
    with WireServer(lambda _: []) as server:
        base_url = server.base_url
    client = any_client.client(base_url=base_url, max_retries=0, timeout=httpx.Timeout(30, pool=0.2))
    kinds = {getattr(raised(any_client, GET.act, client), "kind", None) for _ in range(120)}
    assert kinds == {"connect"}
    service = Holding()
    with service.server as server:
        client = any_client.client(base_url=server.base_url, max_retries=0, timeout=httpx.Timeout(30, pool=0.2))
        hurried = client.with_options(deadline=0.005)
        kinds = {getattr(raised(any_client, GET.act, hurried), "kind", None) for _ in range(120)}
        assert kinds <= {"read", "deadline", "connect", "write"}
        service.release.set()
        assert any_client.call(GET.act, client).name == "Profanity"


def test_cancelled_calls_use_up_no_connections(portal: BlockingPortal) -> None:
    """However many awaited calls are cancelled, connections are left for the next."""
    service = Holding()
    with service.server as server:
        timeout = httpx.Timeout(30, pool=0.2)
        client = AsyncClient(base_url=server.base_url, api_key="k" * 40, max_retries=0, timeout=timeout)

        async def abandon() -> None:
            with anyio.move_on_after(0.005) as scope:
                await client.keywords.get(LIST_ID)
            assert scope.cancelled_caught

        for _ in range(120):
            portal.call(abandon)
        service.release.set()
        assert portal.call(client.keywords.get, LIST_ID).name == "Profanity"
        portal.call(client.aclose)


class Counting:
    """A service that keeps connections open, and has a first round of calls wait for each other."""

    def __init__(self, size: int) -> None:
        self.ended = threading.Semaphore(0)
        self._together = threading.Barrier(size)
        self._calls: dict[Any, int] = {}

    def talk(self, connection: Any) -> None:
        while read_request(connection):
            self._calls[connection] = self._calls.get(connection, 0) + 1
            if self._calls[connection] == 1:
                self._together.wait(30)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(GET.body), GET.body))
        self.ended.release()

    def give_up(self) -> None:
        """Tell those who have called but once that nothing more will come."""
        for connection, calls in self._calls.items():
            if calls == 1:
                connection.shutdown(socket.SHUT_WR)


def test_connections_that_are_left_over(any_client: AnyClient) -> None:
    """After many calls at once, connections that the service gives up are closed, while one of them is used on."""
    size = 10
    service = Counting(size)
    with ScriptedServer(service.talk) as peer:
        client = any_client.client(base_url=f"http://127.0.0.1:{peer.port}/v3", max_retries=0)
        run_concurrently([partial(any_client.call, GET.act, client)] * size)
        any_client.call(GET.act, client)
        service.give_up()
        left, end = size - 1, time.monotonic() + 30
        while left and time.monotonic() < end:
            any_client.call(GET.act, client)
            left -= service.ended.acquire(blocking=False)
        assert not left
        assert not service.ended.acquire(blocking=False), "the one in use is kept"
        any_client.close(client)


# Records.


@pytest.mark.parametrize("operation", [GET, PUT], ids=named)
def test_a_record_of_each_retry(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture, operation: Operation
) -> None:
    """Each retry leaves a record on the logger cometchat_rest: of which operation, after which attempt and pause."""
    simulator.fail(operation=operation.name, status=429, headers=DEFAULT_CONCURRENCY, times=2)
    with caplog.at_level(logging.INFO, logger="cometchat_rest"):
        any_client.call(operation.act)
    records = [record for record in caplog.records if record.name == "cometchat_rest"]
    assert [record.levelno for record in records] == [logging.INFO] * 2
    for attempt, record in enumerate(records, 1):
        told = record.__dict__
        assert (told["event"], told["operation"], told["attempt"]) == ("retry", operation.name, attempt)
        assert told["pause"] == 0.0
        assert operation.name in record.getMessage()
        assert "RateLimitError" in record.getMessage()


def test_no_record_where_nothing_is_tried_again(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """A call that succeeds at once, or fails for good, leaves no record of a retry."""
    simulator.fail(operation="update_keyword_list", status=503)
    with caplog.at_level(logging.INFO, logger="cometchat_rest"):
        any_client.call(GET.act)
        raised(any_client, PUT.act, any_client.client())
    assert [record for record in caplog.records if record.name == "cometchat_rest"] == []
