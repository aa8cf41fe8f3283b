"""What others see of a call: the log, the records of `on_attempt`, and an announced end of an
operation."""

import logging
import re
import time

import pytest
from attrs import evolve

from cometchat_rest import AttemptRecord, NotFoundError, RateLimit
from cometchat_testing import Simulator
from tools.description import snake_case

from ..described_calls import DESCRIBED
from ..support import (
    GET,
    LIST_ID,
    OPERATIONS,
    PUT,
    AnyClient,
    Operation,
    error_from,
    operation_name,
)
from .call_support import RETRY_AT_ONCE, events

# `on_attempt`.


def test_each_attempt_has_a_record(any_client: AnyClient, simulator: Simulator) -> None:
    """The hook gets one frozen record for each attempt, in order, with the template of the path
    and no value of it."""
    simulator.rate_limit(100, window=60)
    simulator.fail(
        "get_keyword_list",
        status=503,
        headers=RETRY_AT_ONCE,
    )
    records: list[AttemptRecord] = []
    any_client.call(GET.act, any_client.client(on_attempt=records.append))
    first, second = records
    assert (first.status_code, first.error, first.attempt) == (503, "ServerError", 1)
    assert first.retry_in == pytest.approx(0.19, abs=0.07)
    assert (second.status_code, second.error, second.attempt, second.retry_in) == (
        200,
        None,
        2,
        None,
    )
    assert second.rate_limit == RateLimit(limit=100, remaining=99)
    assert second.request_size == 0
    assert second.response_size
    assert {(each.operation, each.method, each.path) for each in records} == {
        ("get_keyword_list", "GET", "/moderation/keywords/{keyword_id}")
    }
    assert LIST_ID not in repr(records)
    assert evolve(second, attempt=2) == second != evolve(second, attempt=3)
    assert hash(evolve(second, attempt=2)) == hash(second)


def test_records_of_failures(any_client: AnyClient, simulator: Simulator) -> None:
    """A refusal has a status and the name of its error; an attempt without a response has only
    the name."""
    records: list[AttemptRecord] = []
    chat = any_client.client(on_attempt=records.append, max_retries=0)
    error_from(any_client, lambda chat: chat.keywords.get("no-such-list"), chat)
    simulator.fail("update_keyword_list", cut="before_headers")
    error_from(any_client, PUT.act, chat)
    refused, cut = records
    assert (refused.status_code, refused.error, refused.retry_in) == (404, "NotFoundError", None)
    assert (cut.status_code, cut.error, cut.response_size) == (None, "TransportError", None)
    assert cut.rate_limit == RateLimit()
    assert cut.request_size == len(simulator.requests[1].body) > 0


def test_hook_of_a_derived_client(any_client: AnyClient) -> None:
    """A hook of `with_options` sees only the calls of that client; `None` removes the hook of
    the first client."""
    everything: list[AttemptRecord] = []
    own: list[AttemptRecord] = []
    chat = any_client.client(on_attempt=everything.append)
    any_client.call(PUT.act, chat.with_options(on_attempt=own.append))
    any_client.call(GET.act, chat.with_options(on_attempt=None))
    any_client.call(GET.act, chat.with_options(timeout=5))
    assert [record.operation for record in own] == [PUT.name]
    assert [record.operation for record in everything] == [GET.name]


def broken_hook(_: AttemptRecord) -> None:
    raise LookupError("the metrics are down")


def test_hook_that_raises(any_client: AnyClient, caplog: pytest.LogCaptureFixture) -> None:
    """An exception of a hook is logged once, with its traceback, and never reaches a call."""
    chat = any_client.client(on_attempt=broken_hook)
    assert any_client.call(GET.act, chat).name == "Profanity"
    assert isinstance(
        error_from(any_client, lambda chat: chat.keywords.get("no-such-list"), chat), NotFoundError
    )
    assert any_client.call(GET.act, chat).name == "Profanity"
    (logged,) = events(caplog, "hook")
    assert (logged.levelno, logged.operation) == (logging.WARNING, GET.name)
    assert "on_attempt raised LookupError" in logged.getMessage()
    assert "the metrics are down" in caplog.text


# The log.


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_each_attempt_is_logged(
    any_client: AnyClient,
    simulator: Simulator,
    caplog: pytest.LogCaptureFixture,
    operation: Operation,
) -> None:
    """Each attempt leaves one DEBUG record with operation, path template, status, duration, attempt
    number and request size, and each retry one INFO record with its pause. No record has the
    content of an upload."""
    simulator.fail(operation=operation.name, status=429, headers=RETRY_AT_ONCE)
    with caplog.at_level(logging.DEBUG, logger="cometchat_rest"):
        any_client.call(operation.act)
    first, retry, second = (
        record.__dict__ for record in caplog.records if record.name == "cometchat_rest"
    )
    path = re.sub(
        "{[^}]+}",
        lambda name: snake_case(name[0]).replace("-", "_"),
        DESCRIBED[operation.name].path,
    )
    logged = [
        (each["status_code"], each["attempt"], each["request_size"]) for each in (first, second)
    ]
    assert logged == [
        (429, 1, len(simulator.requests[0].body)),
        (operation.status, 2, len(simulator.requests[1].body)),
    ]
    assert first["message"].startswith(f"{operation.method} {path}: 429 in ")
    # A template instead of a path with identifiers.
    assert {each["path"] for each in (first, second)} == {path}
    assert {each["operation"] for each in (first, retry, second)} == {operation.name}
    assert [each["levelname"] for each in (first, retry, second)] == ["DEBUG", "INFO", "DEBUG"]
    assert (retry["event_name"], retry["attempt"]) == ("retry", 1)
    assert 0.125 <= retry["pause"] <= 0.25
    assert f"{operation.name}: attempt 1 failed with RateLimitError" in retry["message"]
    assert "scam" not in caplog.text


def test_logged_duration_is_the_time_of_the_attempt(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """The duration of an attempt is the time from its request to its response, in seconds. If no
    response arrives, the record names the error instead of a status."""
    simulator.fail(delay=0.2, cut="before_headers")
    chat = any_client.client(max_retries=0)
    with caplog.at_level(logging.DEBUG, logger="cometchat_rest"):
        began = time.monotonic()
        error_from(any_client, GET.act, chat)
        elapsed = time.monotonic() - began
    (record,) = events(caplog, "attempt")
    assert 0.2 <= record.duration <= elapsed
    assert (record.status_code, record.attempt, record.request_size) == (None, 1, 0)
    assert record.rate_limit == {"limit": None, "remaining": None, "reset": None}
    assert "Error" in record.getMessage()
