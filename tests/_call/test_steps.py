"""One call from its first attempt to its result: one deadline for all attempts."""

import time

from cometchat_rest import RequestTimeoutError, ServerError
from cometchat_rest.testing import Simulator

from ..support import GET, OPERATIONS, PATIENCE, AnyClient, error_from
from .call_support import RETRY_AT_ONCE


def test_deadline_covers_all_attempts(any_client: AnyClient, simulator: Simulator) -> None:
    """The deadline covers all attempts and the pauses between them. The last error is raised."""
    simulator.fail(status=503, times=None)
    began = time.monotonic()
    error = error_from(any_client, GET.act, any_client.client(max_retries=10**6, deadline=1.0))
    assert isinstance(error, ServerError)
    assert error.attempts == len(simulator.requests) >= 2
    assert time.monotonic() - began < PATIENCE


def test_attempts_do_not_restart_the_deadline(any_client: AnyClient, simulator: Simulator) -> None:
    """Slow attempts share one deadline: an attempt does not restart it."""
    simulator.fail(status=503, headers=RETRY_AT_ONCE, delay=0.5, times=None)
    error = error_from(any_client, GET.act, any_client.client(max_retries=9, deadline=1.2))
    assert isinstance(error, RequestTimeoutError | ServerError)
    assert error.attempts <= 3


def test_each_call_has_its_own_deadline(any_client: AnyClient, simulator: Simulator) -> None:
    """Each call has its own deadline: a deadline that passed does not shorten the next call."""
    client = any_client.client(deadline=1.0, max_retries=0)
    simulator.fail(operation="list_roles", delay=60.0)
    assert isinstance(error_from(any_client, lambda chat: chat.roles.list(), client), RequestTimeoutError)
    for operation in OPERATIONS:
        any_client.call(operation.act, client)
