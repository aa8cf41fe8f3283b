"""One call from its first attempt to its result: one deadline for all attempts."""

import time
from itertools import pairwise

import pytest

from cometchat_rest import ApiError, RequestTimeoutError, ServerError
from cometchat_testing import Simulator

from ..support import GET, AnyClient, error_from
from .call_support import RETRY_AT_ONCE


def test_deadline_covers_all_attempts(any_client: AnyClient, simulator: Simulator) -> None:
    """The deadline covers all attempts and the pauses between them: an attempt does not restart
    it."""
    simulator.fail(status=503, headers=RETRY_AT_ONCE, delay=0.2, times=None)
    error = error_from(any_client, GET.act, any_client.client(max_retries=10**6, deadline=1.0))
    assert isinstance(error, ServerError | RequestTimeoutError)
    assert 1 <= error.attempts <= 4


def test_each_call_has_its_own_deadline(any_client: AnyClient, simulator: Simulator) -> None:
    """Each call has its own deadline: a deadline that passed does not shorten the next call."""
    client = any_client.client(deadline=0.3, max_retries=0)
    simulator.fail(delay=60.0, times=2)
    begins = [time.monotonic()]
    for _ in range(2):
        assert isinstance(error_from(any_client, GET.act, client), RequestTimeoutError)
        begins.append(time.monotonic())
    assert min(end - begin for begin, end in pairwise(begins)) > 0.25


@pytest.mark.parametrize("status", [400, 401])
def test_refusal_after_a_lost_attempt(
    any_client: AnyClient, simulator: Simulator, status: int
) -> None:
    """If an earlier attempt of a revocation was lost, a refusal of a later one leaves the
    outcome unknown."""
    simulator.fail("delete_auth_token", cut="after_processing")
    simulator.fail("delete_auth_token", status=status)
    token = simulator.auth_tokens["alice"][0]
    error = error_from(
        any_client, lambda chat: chat.auth_tokens.revoke("alice", token), any_client.client()
    )
    assert isinstance(error, ApiError)
    assert (error.status_code, error.attempts, error.outcome_unknown) == (status, 2, True)
    assert token not in simulator.auth_tokens["alice"]
