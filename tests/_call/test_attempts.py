"""`on_attempt`: a record of each attempt, which shows no secret, from a hook that cannot change a call."""

import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from attrs import asdict, evolve
from attrs.exceptions import FrozenInstanceError

from cometchat_rest import AttemptRecord, ConfigurationError, NotFoundError, RateLimit
from cometchat_rest.testing import Simulator

from ..support import (
    GET,
    LIST_ID,
    OPERATIONS,
    PUT,
    TOKEN,
    AnyClient,
    StubTransport,
    always_respond,
    error_from,
    stub_client,
)


def test_each_attempt_has_a_record(any_client: AnyClient, simulator: Simulator) -> None:
    """The hook gets one frozen record for each attempt, in order, with the template of the path and no value of it."""
    simulator.rate_limit(100, window=60)
    simulator.fail("get_keyword_list", status=503, headers={"Retry-After": "0", "X-Request-Id": "r-1", "X-Other": "1"})
    records: list[AttemptRecord] = []
    chat = any_client.client(on_attempt=records.append)
    any_client.call(GET.act, chat)
    first, second = records
    (body, _) = (simulator.requests[0].body, simulator.requests[1])
    assert (first.status_code, first.error, first.attempt) == (503, "ServerError", 1)
    assert first.retry_in == pytest.approx(0.19, abs=0.07)
    assert first.headers["x-request-id"] == "r-1"
    assert "x-other" not in first.headers
    assert (second.status_code, second.error, second.attempt, second.retry_in) == (200, None, 2, None)
    assert second.rate_limit == RateLimit(limit=100, remaining=99)
    assert (second.headers["content-type"], len(body)) == ("application/json", second.request_size)
    assert second.response_size == int(second.headers["content-length"])
    assert second.duration > 0
    for record in records:
        assert (record.operation, record.method) == ("get_keyword_list", "GET")
        assert record.path == "/moderation/keywords/{keyword_id}"
        assert LIST_ID not in repr(asdict(record))
    with pytest.raises(FrozenInstanceError):
        second.attempt = 3  # type: ignore[misc]


def test_records_of_failures(any_client: AnyClient, simulator: Simulator) -> None:
    """A refusal has a status and the name of its error; an attempt without a response has only the name."""
    records: list[AttemptRecord] = []
    chat = any_client.client(on_attempt=records.append, max_retries=0)
    error_from(any_client, lambda chat: chat.keywords.get("no-such-list"), chat)
    simulator.fail("update_keyword_list", cut="before_headers")
    error_from(any_client, PUT.act, chat)
    refused, cut = records
    assert (refused.status_code, refused.error, refused.retry_in) == (404, "NotFoundError", None)
    assert (cut.status_code, cut.error, cut.response_size) == (None, "TransportError", None)
    assert (cut.headers, cut.rate_limit) == ({}, RateLimit())
    assert cut.request_size > 0


def test_hook_of_one_call(any_client: AnyClient) -> None:
    """A hook of `with_options` sees only the calls of that client, also if several threads call at the same time;
    `None` removes the hook of the first client."""
    everything: list[AttemptRecord] = []
    chat = any_client.client(on_attempt=everything.append)

    def call(operation: Any) -> list[str]:
        records: list[AttemptRecord] = []
        for _ in range(5):
            any_client.call(operation.act, chat.with_options(on_attempt=records.append))
        return [record.operation for record in records]

    gets = [operation for operation in OPERATIONS if operation.method == "GET"] * 4
    with ThreadPoolExecutor(len(gets)) as threads:
        assert list(threads.map(call, gets)) == [[operation.name] * 5 for operation in gets]
    any_client.call(GET.act, chat.with_options(on_attempt=None))
    assert everything == []
    any_client.call(GET.act, chat.with_options(timeout=5))
    assert [record.operation for record in everything] == [GET.name]


def test_hook_that_raises(any_client: AnyClient, caplog: pytest.LogCaptureFixture) -> None:
    """An exception of a hook is logged once, with its traceback, and never reaches a call."""

    def broken_hook(_: AttemptRecord) -> None:
        raise LookupError("the metrics are down")

    broken_hook.__qualname__ = f"broken_hook of {any_client.kind}"
    chat = any_client.client(on_attempt=broken_hook)
    for _ in range(3):
        assert any_client.call(GET.act, chat).name == "Profanity"
    assert isinstance(error_from(any_client, lambda chat: chat.keywords.get("no-such-list"), chat), NotFoundError)
    (logged,) = [record for record in caplog.records if record.__dict__.get("event_name") == "hook"]
    assert (logged.levelno, logged.__dict__["operation"]) == (logging.WARNING, GET.name)
    assert "LookupError" in logged.getMessage()
    assert "the metrics are down" in caplog.text


@pytest.mark.parametrize(
    ("number", "headers", "announced"),
    [
        (1, {"Deprecation": "@1757955950"}, {"deprecation": "@1757955950"}),
        (
            2,
            {
                "Sunset": "Sat, 31 Dec 2027 23:59:59 GMT",
                "Link": '</v3?page=2>; rel="next", <https://example.com/v4>; title="v4"; rel="x successor-version"',
            },
            {"sunset": "Sat, 31 Dec 2027 23:59:59 GMT", "successor-version": "https://example.com/v4"},
        ),
        (3, {"Link": "<https://example.com/v4?token=T0>;rel=successor-version", "Sunset": "soon"}, None),
        (5, {"Deprecation": "\x1b[2J"}, {"deprecation": "\x1b[2J"}),
        (4, {"Link": '<https://example.com/successor-version>; rel="next"', "Date": "today"}, {}),
    ],
)
def test_announced_end_of_an_operation(
    any_client: AnyClient,
    caplog: pytest.LogCaptureFixture,
    number: int,
    headers: dict[str, str],
    announced: dict[str, str] | None,
) -> None:
    """`Deprecation`, `Sunset` and the link to a successor give one WARNING for each operation, and each attempt shows
    them, without a secret of the call."""
    template = f"/{any_client.kind}-{number}/{{token}}"
    token = "T0-and-more-of-the-token"
    headers = {name: value.replace("T0", token) for name, value in headers.items()}
    stub = StubTransport(always_respond(200, {"data": 1}, headers))
    records: list[AttemptRecord] = []
    for hook in (None, records.append, records.append):
        chat = stub_client(any_client, stub, on_attempt=hook)
        any_client.call(lambda chat: chat.request("GET", template, path_values={"token": token}), chat)
    if announced is None:
        announced = {"sunset": "soon", "successor-version": "https://example.com/v4?token=[redacted]"}
    assert [record.deprecation for record in records] == [announced] * 2
    logged = [record for record in caplog.records if record.__dict__.get("event_name") == "deprecation"]
    assert [(record.levelno, record.__dict__["operation"]) for record in logged] == (
        [(logging.WARNING, f"GET {template}")] if announced else []
    )
    assert all(repr(value) in logged[0].getMessage() for value in announced.values())
    # A service cannot clear a terminal.
    assert caplog.text.replace("\n", "").isprintable()
    assert token not in caplog.text


class BrokenProxy:
    """An object in place of a hook, whose name cannot be read either."""

    def __getattr__(self, name: str) -> Any:
        raise LookupError(name) if name == "__qualname__" else AttributeError(name)

    def __call__(self, _: AttemptRecord) -> None:
        raise LookupError("no hook is set")


def test_hook_without_attributes(any_client: AnyClient) -> None:
    """An exception of a hook never reaches a call, also if the name of the hook cannot be read."""
    assert any_client.call(GET.act, any_client.client(on_attempt=BrokenProxy())).name == "Profanity"


def test_invalid_hook(any_client: AnyClient) -> None:
    """A hook that is not callable, or a coroutine function, is refused."""

    async def awaited(_: AttemptRecord) -> None:
        pass

    for hook in (1, "print", awaited):
        for make in (any_client.client, any_client.client().with_options):
            with pytest.raises(ConfigurationError, match="on_attempt must be"):
                make(on_attempt=hook)


def test_record_is_a_value(any_client: AnyClient) -> None:
    """A record can be compared, hashed and copied with changes."""
    records: list[AttemptRecord] = []
    any_client.call(lambda chat: chat.auth_tokens.revoke("alice", TOKEN), any_client.client(on_attempt=records.append))
    (record,) = records
    assert evolve(record, attempt=1) == record
    assert hash(evolve(record, attempt=1)) == hash(record)
    assert evolve(record, attempt=2) != record
