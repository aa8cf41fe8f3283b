"""Log records of attempts and retries."""

import logging
import math
import re
import time

import pytest

from cometchat_rest import WordListInput
from cometchat_rest.testing import Simulator
from tools.openapi_diff.document import snake_case

from ..described_calls import DESCRIBED
from ..support import (
    GET,
    LIST_ID,
    OPERATIONS,
    PUT,
    AnyClient,
    Operation,
    StubTransport,
    always_respond,
    error_from,
    operation_name,
    stub_client,
    values_in,
)
from .call_support import RETRY_AT_ONCE, attempt_records


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_each_attempt_is_logged(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture, operation: Operation
) -> None:
    """Each attempt leaves one DEBUG record with operation, path template, status, duration, attempt number and
    request size."""
    simulator.fail(operation=operation.name, status=429, headers={"Retry-After": "0"})
    with caplog.at_level(logging.DEBUG, logger="cometchat_rest"):
        any_client.call(operation.act)
    records = attempt_records(caplog)
    assert [(record["status"], record["attempt"]) for record in records] == [(429, 1), (operation.status, 2)]
    for record, request in zip(records, simulator.requests, strict=True):
        assert (record["name"], record["levelno"]) == ("cometchat_rest", logging.DEBUG)
        assert record["operation"] == operation.name
        # A template instead of a path with identifiers.
        described = DESCRIBED[operation.name].path
        assert record["path"] == re.sub("{[^}]+}", lambda name: snake_case(name[0]).replace("-", "_"), described)
        assert values_in(record["path"], operation.path) is not None
        assert record["request_size"] == len(request.body)
        assert isinstance(record["duration"], float)
        assert 0 <= record["duration"] < math.inf
        assert record["path"] in record["message"]
        assert str(record["status"]) in record["message"]


def test_logged_duration_is_the_time_of_the_attempt(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """The duration in the record of an attempt is the time from its request to its response, in seconds."""
    simulator.fail(operation=GET.name, delay=0.2, times=1)
    client = any_client.client()
    with caplog.at_level(logging.DEBUG, logger="cometchat_rest"):
        began = time.monotonic()
        any_client.call(GET.act, client)
        elapsed = time.monotonic() - began
    (record,) = attempt_records(caplog)
    assert 0.2 <= record["duration"] <= elapsed


def test_attempt_without_a_response_is_logged(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """An attempt without a response leaves a record that names the error instead of a status."""
    simulator.fail(cut="before_headers", times=1)
    with caplog.at_level(logging.DEBUG, logger="cometchat_rest"):
        error_from(any_client, lambda chat: chat.roles.list(), any_client.client(max_retries=0))
    (record,) = attempt_records(caplog)
    assert (record["status"], record["attempt"], record["request_size"]) == (None, 1, 0)
    assert "Error" in record["message"]


def test_size_of_an_upload_is_logged(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """The record of an upload has its size, but not its content."""
    with caplog.at_level(logging.DEBUG):
        any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=b"unspeakable\n" * 1000)))
    assert attempt_records(caplog)[0]["request_size"] == len(simulator.requests[0].body) > 11_000
    assert "unspeakable" not in caplog.text


def test_successful_calls_are_logged_at_debug_only(any_client: AnyClient, caplog: pytest.LogCaptureFixture) -> None:
    """A program that does not enable DEBUG records gets no record of a successful call."""
    with caplog.at_level(logging.INFO):
        for operation in OPERATIONS:
            stub = StubTransport(always_respond(operation.status, operation.body))
            any_client.call(operation.act, stub_client(any_client, stub))
    assert [record for record in caplog.records if record.name.startswith("cometchat_rest")] == []


@pytest.mark.parametrize("operation", [GET, PUT], ids=operation_name)
def test_each_retry_is_logged(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture, operation: Operation
) -> None:
    """Each retry leaves one INFO record on the logger `cometchat_rest` with operation, attempt and pause."""
    simulator.fail(operation=operation.name, status=429, headers=RETRY_AT_ONCE, times=2)
    with caplog.at_level(logging.INFO, logger="cometchat_rest"):
        any_client.call(operation.act)
    records = [record for record in caplog.records if record.name == "cometchat_rest"]
    assert [record.levelno for record in records] == [logging.INFO] * 2
    for attempt, record in enumerate(records, 1):
        fields = record.__dict__
        assert (fields["event_name"], fields["operation"], fields["attempt"]) == ("retry", operation.name, attempt)
        assert 0.125 <= fields["pause"] <= 0.5
        assert operation.name in record.getMessage()
        assert "RateLimitError" in record.getMessage()


def test_call_without_a_retry_logs_no_retry(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """A call that succeeds at once, or fails without a retry, leaves no record of a retry."""
    simulator.fail(operation="update_keyword_list", status=503)
    with caplog.at_level(logging.INFO, logger="cometchat_rest"):
        any_client.call(GET.act)
        error_from(any_client, PUT.act, any_client.client())
    assert [record for record in caplog.records if record.name == "cometchat_rest"] == []
