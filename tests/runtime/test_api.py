"""A client and its derived clients share the closed flag and the last rate limit."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from cometchat_rest import InvalidRequestError, RateLimit, RateLimitError
from cometchat_testing import Simulator

from ..support import (
    DELETE,
    GET,
    OPERATIONS,
    PATIENCE,
    PUT,
    AnyClient,
    Operation,
    StubTransport,
    always_respond,
    error_from,
    operation_name,
    stub_client,
)
from .call_support import RetryRecorder
from .wire_support import Service, get


@pytest.mark.parametrize("options", [None, {}, {"timeout": 1}])
@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_closed_client_sends_nothing(
    any_client: AnyClient,
    simulator: Simulator,
    operation: Operation,
    options: dict[str, Any] | None,
) -> None:
    """Using a closed client, or a client derived from it, is an error that says closed. Nothing
    is sent."""
    client = any_client.client()
    pages = any_client.call(lambda chat: chat.roles.list(per_page=20), client)
    any_client.close(client)
    with pytest.raises(InvalidRequestError, match="closed"):
        any_client.call(
            operation.act, client if options is None else client.with_options(**options)
        )
    with pytest.raises(InvalidRequestError, match="closed"):
        any_client.collect(lambda _: pages, client)
    assert len(simulator.requests) == 1


def test_closing_lets_running_calls_finish(any_client: AnyClient) -> None:
    """Calls that are running when their client is closed finish normally, and leave no
    connection open."""
    number = 24
    with Service() as service, ThreadPoolExecutor(number) as threads:
        client = any_client.client(base_url=service.base_url, max_retries=0)
        calls = [
            threads.submit(any_client.call, partial(get, "held-list"), client)
            for _ in range(number)
        ]
        service.wait_for_held(number)
        any_client.close(client)
        service.release.set()
        assert {call.result(timeout=PATIENCE).id for call in calls} == {"held-list"}
        assert service.wait_for_open(0)


def test_closing_ends_a_call_that_waits_for_a_retry(
    any_client: AnyClient, simulator: Simulator, retries: RetryRecorder
) -> None:
    """A call that waits for its next attempt ends when its client is closed, and sends nothing
    more."""
    simulator.fail("list_roles", status=429, headers={"Retry-After": "4"}, times=None)
    client = any_client.client()
    with ThreadPoolExecutor(1) as other:
        call = other.submit(any_client.call, lambda chat: chat.roles.list(), client)
        assert retries.announced.wait(timeout=PATIENCE)
        any_client.close(client)
        with pytest.raises(InvalidRequestError, match="closed"):
            call.result(timeout=PATIENCE)
    assert len(simulator.requests) == 1


def test_rate_limit_is_shown_after_every_response(
    any_client: AnyClient, simulator: Simulator
) -> None:
    """The client shows the rate limit of the last response. A limit that lasts beyond the deadline
    is an error with the same numbers."""
    simulator.rate_limit(2, window=50)
    client = any_client.client(deadline=5)
    assert client.rate_limit == RateLimit(None, None, None)
    any_client.call(GET.act, client)
    assert client.rate_limit == RateLimit(limit=2, remaining=1, reset=None)
    any_client.call(DELETE.act, client)
    assert client.rate_limit.remaining == 0
    error = error_from(any_client, PUT.act, client)
    assert isinstance(error, RateLimitError)
    assert (error.status_code, error.code, error.attempts) == (429, "ERR_TOO_MANY_REQUESTS", 1)
    assert error.outcome_unknown is False
    assert error.retry_after is not None
    assert 5 < error.retry_after <= 50
    assert (error.rate_limit.limit, error.rate_limit.remaining) == (2, 0)
    assert error.rate_limit.reset is not None
    assert client.rate_limit == client.with_options().rate_limit == error.rate_limit


# As in responses, as in the documentation, and in lower case.
SPELLINGS = [
    ("X-Rate-Limit", "X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"),
    ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"),
    ("x-ratelimit-limit", "x-rate-limit-remaining", "x-ratelimit-reset"),
]


@pytest.mark.parametrize("names", SPELLINGS)
@pytest.mark.parametrize("status", [200, 302, 404, 429, 500])
def test_rate_limit_is_read_from_both_spellings(
    any_client: AnyClient, names: tuple[str, ...], status: int
) -> None:
    """The client and every error show the rate limit as numbers, whichever header names the
    service uses."""
    headers: dict[str, str] = dict(zip(names, ("100", "7", "1757955951"), strict=True))
    client = stub_client(any_client, StubTransport(always_respond(status, GET.body, headers)))
    error: Any = error_from(any_client, GET.act, client)
    expected = RateLimit(limit=100, remaining=7, reset=1757955951)
    assert client.rate_limit == expected
    assert status == 200 or error.rate_limit == expected


@pytest.mark.parametrize("value", ["", "many", "-1", "1.5", "9" * 5000, "\xb2", "1, 2", "0x1"])
def test_invalid_rate_limit_is_none(any_client: AnyClient, value: str) -> None:
    """A rate limit that is not a number is None, and the response stays valid."""
    client = stub_client(
        any_client, StubTransport(always_respond(200, GET.body, dict.fromkeys(SPELLINGS[0], value)))
    )
    any_client.call(GET.act, client)
    assert client.rate_limit == RateLimit(None, None, None)
