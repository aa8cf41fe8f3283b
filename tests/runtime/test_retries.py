"""Which calls are retried, how often, and after which pause."""

import pytest

from cometchat_rest import CometChatError, RateLimitError, TransportError
from cometchat_runtime.retries import backoff
from cometchat_testing import Simulator

from ..support import (
    GET,
    OPERATIONS,
    PUT,
    TOKEN,
    AnyClient,
    Operation,
    StubTransport,
    always_respond,
    error_from,
    operation_name,
    stub_client,
)
from .call_support import RETRY_AT_ONCE, failing

#: For each class of statuses: named ones, the first and the last, and unknown ones.
STATUSES = [
    100,
    199,
    200,
    299,
    302,
    399,
    400,
    401,
    404,
    408,
    425,
    429,
    499,
    500,
    501,
    502,
    503,
    504,
    505,
    520,
    524,
    599,
    600,
    999,
]


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_retried_statuses(any_client: AnyClient, operation: Operation, status: int) -> None:
    """A GET is retried after 408, 429, and each status of a failed server except 501 and 505. An
    update or deletion is retried after 429 only, because otherwise it may have happened."""
    retried = {429} if operation.changes else {408, 429, 500, 502, 503, 504, 520, 524, 599}
    stub = StubTransport(always_respond(status, b"", RETRY_AT_ONCE))
    error = error_from(any_client, operation.act, stub_client(any_client, stub, max_retries=1))
    assert isinstance(error, CometChatError)
    assert len(stub.requests) == error.attempts == (2 if status in retried else 1)


@pytest.mark.parametrize("status", [408, 500, 522])
def test_revocation_is_retried_as_a_get_is(
    any_client: AnyClient, simulator: Simulator, status: int
) -> None:
    """To revoke a token a second time does no harm, so a revocation is retried after each status
    after which a GET is."""
    simulator.fail("delete_auth_token", status=status)
    outcome = any_client.call(lambda chat: chat.auth_tokens.revoke("alice", TOKEN))
    assert (outcome, len(simulator.requests)) == ("revoked", 2)


# By default, a call is retried twice.
@pytest.mark.parametrize(
    ("options", "most"), [({"max_retries": 0}, 0), ({"max_retries": 1}, 1), ({}, 2)]
)
@pytest.mark.parametrize("operation", [GET, PUT], ids=operation_name)
def test_max_retries_limits_the_attempts(
    any_client: AnyClient, operation: Operation, options: dict[str, int], most: int
) -> None:
    """A call is sent once and then retried at most max_retries times. The error counts all
    attempts."""
    settings = {"base_url": "http://127.0.0.1:1/v3", **options}
    stub, other = failing(most, status=429), failing(most + 1, status=429)
    any_client.call(operation.act, any_client.client(transport=stub, **settings))
    error = error_from(any_client, operation.act, any_client.client(transport=other, **settings))
    assert isinstance(error, RateLimitError)
    assert error.attempts == len(other.requests) == len(stub.requests) == most + 1
    assert str(error).endswith(f"; {most + 1} attempts") is (most > 0)


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
    ("failures", "longest"),
    [(1, 0.25), (2, 0.5), (3, 1.0), (4, 2.0), (5, 4.0), (6, 8.0), (7, 8.0), (1100, 8.0)],
)
def test_pauses(failures: int, longest: float) -> None:
    """Pauses double from a quarter of a second to eight seconds, even after a thousand failures;
    each is shortened by up to half at random, so that calls which failed together do not come back
    together."""
    pauses = {backoff(failures) for _ in range(50)}
    assert all(longest / 2 <= pause <= longest for pause in pauses)
    assert max(pauses) - min(pauses) > longest / 10
