"""Records of what was sent: of use without the secrets, and free of them."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from cometchat_rest import WordListInput
from cometchat_rest.testing import Simulator

from .support import DELETE, LIST_ID, OPERATIONS, TOKEN, Operation, Stub, always, named, raised, stub_client, values_in

if TYPE_CHECKING:
    from conftest import AnyClient

#: What stands in a record instead of a path with identifiers in it.
TEMPLATES = {
    "get_keyword_list": "/moderation/keywords/{keyword_id}",
    "update_keyword_list": "/moderation/keywords/{keyword_id}",
    "delete_auth_token": "/users/{uid}/auth_tokens/{auth_token}",
}


def attempts(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [record.__dict__ for record in caplog.records if record.__dict__.get("event") == "attempt"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_a_record_of_each_attempt(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture, operation: Operation
) -> None:
    """Each attempt leaves one record at DEBUG: operation, template, status, duration, number, request size."""
    simulator.fail(operation=operation.name, status=429, headers={"Retry-After": "0"})
    with caplog.at_level(logging.DEBUG, logger="cometchat_rest"):
        any_client.call(operation.act)
    records = attempts(caplog)
    assert [(record["status"], record["attempt"]) for record in records] == [(429, 1), (200, 2)]
    for record, request in zip(records, simulator.requests, strict=True):
        assert (record["name"], record["levelno"]) == ("cometchat_rest", logging.DEBUG)
        assert record["operation"] == operation.name
        assert record["path"] == TEMPLATES.get(operation.name, operation.path)
        assert values_in(record["path"], operation.path) is not None
        assert record["request_size"] == len(request.body)
        assert isinstance(record["duration"], float)
        assert 0 <= record["duration"] < math.inf
        assert record["path"] in record["message"]
        assert str(record["status"]) in record["message"]


def test_a_record_of_an_attempt_that_brings_no_answer(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """An attempt without an answer leaves a record without a status, which names what happened instead."""
    simulator.fail(cut="before_headers", times=1)
    with caplog.at_level(logging.DEBUG, logger="cometchat_rest"):
        raised(any_client, lambda chat: chat.roles.list(), any_client.client(max_retries=0))
    (record,) = attempts(caplog)
    assert (record["status"], record["attempt"], record["request_size"]) == (None, 1, 0)
    assert "Error" in record["message"]


def test_a_record_of_an_upload(any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture) -> None:
    """The size of an upload is in its record, and its content is not."""
    with caplog.at_level(logging.DEBUG):
        any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=b"unspeakable\n" * 1000)))
    assert attempts(caplog)[0]["request_size"] == len(simulator.requests[0].body) > 11_000
    assert "unspeakable" not in caplog.text


def everything(caplog: pytest.LogCaptureFixture) -> str:
    """All that a handler of any kind could get out of the records."""
    return "\n".join(f"{record.getMessage()} {record.__dict__!r}" for record in caplog.records)


@pytest.mark.parametrize("status", [200, 404, 500])
def test_no_record_holds_a_secret(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    """With every logger at DEBUG, those of httpx and httpcore as well, neither key nor token is in any record."""
    with caplog.at_level(logging.DEBUG):
        client = any_client.client()
        for operation in OPERATIONS:
            if status != 200:
                # Of a token that is none of its own a call cannot know what it is.
                echo = simulator.api_key + (f" {TOKEN}" if operation is DELETE else "")
                body, headers = {"error": {"message": echo}}, {"X-Echo": echo, "Retry-After": "0"}
                simulator.fail(operation=operation.name, status=status, body=body, headers=headers)
            raised(any_client, operation.act, client)
    assert {record["operation"] for record in attempts(caplog)} == {operation.name for operation in OPERATIONS}
    # The layer below has something to say as well, so that there is something to look through.
    assert any(record.name.startswith("httpcore") for record in caplog.records)
    told = everything(caplog)
    assert TOKEN not in told
    assert TOKEN[-30:] not in told
    assert simulator.api_key not in told
    assert simulator.api_key[:12] not in told


def test_httpx_keeps_quiet(any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture) -> None:
    """httpx's own line for each request, which holds its whole address, is not written, or not with a token in it."""
    kind = httpx.AsyncHTTPTransport if any_client.kind == "async" else httpx.HTTPTransport
    with caplog.at_level(logging.DEBUG, logger="httpx"):
        for client in (any_client.client(), any_client.client(transport=kind(verify=False))):
            simulator.reset()
            any_client.call(lambda chat: chat.auth_tokens.delete("alice", TOKEN), client)
    assert TOKEN not in caplog.text


def test_no_record_unless_asked_for(any_client: AnyClient, caplog: pytest.LogCaptureFixture) -> None:
    """A program that has not asked for DEBUG records hears nothing of calls that go well."""
    with caplog.at_level(logging.INFO):
        for operation in OPERATIONS:
            any_client.call(operation.act, stub_client(any_client, Stub(always(200, operation.body))))
    assert [record for record in caplog.records if record.name.startswith("cometchat_rest")] == []
