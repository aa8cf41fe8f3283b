"""Following reviewed messages with either client: every record once, through temporary errors,
until it is stopped."""

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import anyio
import pytest

from cometchat_rest import (
    ApiError,
    CometChatError,
    InvalidRequestError,
    RateLimitError,
    ReviewedMessage,
    ServerError,
    TransportError,
    UnexpectedResponse,
)
from cometchat_testing import Simulator
from cometchat_testing.records import ReviewedMessageRecord

from ...conftest import AnyClient
from ...runtime.call_support import events
from ...support import PATIENCE


def message_ids(records: Any) -> list[str]:
    """The message identifiers of records, either from the client or from the simulator."""
    return [
        str(each["message"]["id"]) if isinstance(each, dict) else each.message.id
        for each in records
    ]


class Watching:
    """A watch of either client with a very short interval; `take` reads a few records from it."""

    def __init__(self, any_client: AnyClient, **options: Any) -> None:
        self._any_client = any_client
        self._client = any_client.client(max_retries=0)
        if any_client.kind == "sync":
            options["stop"] = self._stop = threading.Event()
        self._records = self._client.reviewed_messages.watch(**{"interval": 0.001, **options})

    def take(self, count: int) -> list[str]:
        """Return the message identifiers of the next records."""

        def blocking(_: Any) -> list[ReviewedMessage]:
            # If the records do not arrive, the test must fail instead of waiting for ever.
            timeout = threading.Timer(PATIENCE, self._stop.set)
            timeout.start()
            try:
                return list(islice(self._records, count))
            finally:
                timeout.cancel()

        async def awaited(_: Any) -> list[ReviewedMessage]:
            with anyio.fail_after(PATIENCE):
                return [await anext(self._records) for _ in range(count)]

        return message_ids(
            self._any_client.call(
                blocking if self._any_client.kind == "sync" else awaited, self._client
            )
        )

    def close(self) -> None:
        if self._any_client.kind == "sync":
            self._records.close()
        else:
            self._any_client.call(lambda _: self._records.aclose(), self._client)


@pytest.fixture
def watching(any_client: AnyClient) -> Iterator[Callable[..., Watching]]:
    """Create watches, and close them after the test."""
    made: list[Watching] = []

    def make(**options: Any) -> Watching:
        made.append(Watching(any_client, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_watch(simulator: Simulator, watching: Callable[..., Watching]) -> None:
    """The existing records come first, then each new record once; always oldest first."""
    watch = watching(limit=5)
    assert watch.take(5) == message_ids(simulator.reviewed_messages[:5][::-1])
    assert message_ids(simulator.review(3)[::-1]) == watch.take(3)
    assert message_ids(simulator.review(4)[::-1]) == watch.take(4)
    assert {request.query for request in simulator.requests} == {"limit=5"}


def test_watch_skips_existing_records(
    simulator: Simulator, watching: Callable[..., Watching]
) -> None:
    """With `skip_existing`, the watch leaves out the records of the first response."""
    # The second call arrives after the first response.
    simulator.fail("list_reviewed_messages", headers={"x-first": "yes"})
    simulator.fail("list_reviewed_messages", status=503)
    watch = watching(skip_existing=True, on_error=lambda _: simulator.review(2))
    assert watch.take(2) == message_ids(simulator.reviewed_messages[:2][::-1])


def test_watch_sorts_records_by_time(
    simulator: Simulator, watching: Callable[..., Watching]
) -> None:
    """The oldest record comes first, whatever the order of the response."""
    simulator.reviewed_messages = simulator.reviewed_messages[:7]
    expected = message_ids(simulator.reviewed_messages[::-1])
    simulator.reviewed_messages.sort(key=lambda record: str(record["ruleId"]))
    assert watching().take(7) == expected


@pytest.mark.parametrize(
    "change", [{"ruleId": "other"}, {"revisionId": "other"}, {"createdAt": 1_900_000_000}], ids=str
)
def test_watch_identifies_records(
    simulator: Simulator, watching: Callable[..., Watching], change: ReviewedMessageRecord
) -> None:
    """A record is new if its rule, the revision of the rule or its creation time differs, even for
    the same message. If another field changes, the record is the same."""
    record = simulator.reviewed_messages[0]
    simulator.reviewed_messages = [record]
    watch = watching()
    assert watch.take(1) == message_ids([record])
    changed: ReviewedMessageRecord = {**record, "updatedAt": 1_900_000_000, "action": []}
    simulator.reviewed_messages = [changed, {**record, **change}]
    assert watch.take(1) == message_ids([record])
    simulator.reviewed_messages = [*simulator.review(1), changed, {**record, **change}]
    assert watch.take(1) == message_ids(simulator.reviewed_messages[:1])


def test_watch_skips_records_that_are_listed_again(
    simulator: Simulator, watching: Callable[..., Watching]
) -> None:
    """If newer records are deleted, the service lists older records again; these are not new."""
    before = list(simulator.reviewed_messages)
    watch = watching(limit=3)
    assert watch.take(3) == message_ids(before[:3][::-1])
    assert message_ids(simulator.review(3)[::-1]) == watch.take(3)
    simulator.reviewed_messages = before
    assert message_ids(simulator.review(1)) == watch.take(1)


def test_watch_with_malformed_records(
    simulator: Simulator, watching: Callable[..., Watching]
) -> None:
    """All fields identify a record without a message, an identifier or a time; such records
    cause no error."""
    malformed: list[Any] = [
        {"ruleId": "a"},
        {"ruleId": "a", "ruleName": "b"},
        {"message": {"id": ["x"]}, "createdAt": "z"},
        {},
    ]
    simulator.reviewed_messages = [*simulator.reviewed_messages[:1], *malformed]
    watch = watching()
    assert watch.take(5)[4:] == message_ids(simulator.reviewed_messages[:1])
    assert message_ids(simulator.review(1)) == watch.take(1)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"status": 503, "body": {"error": {"message": "\x1b[2J down\nforged"}}}, ServerError),
        ({"status": 429}, RateLimitError),
        ({"cut": "before_headers"}, TransportError),
        ({"cut": "in_body"}, TransportError),
    ],
    ids=str,
)
def test_watch_continues_after_a_temporary_error(
    simulator: Simulator,
    watching: Callable[..., Watching],
    caplog: pytest.LogCaptureFixture,
    fault: dict[str, Any],
    error: type[CometChatError],
) -> None:
    """After a temporary error, which `on_error` and the log get, the watch continues; no record is
    lost or doubled. No field of a log record holds a control character of the service: it could
    clear a terminal or forge a line."""
    errors: list[CometChatError] = []
    watch = watching(limit=5, on_error=errors.append)
    simulator.fail("list_reviewed_messages", **fault, times=4)
    assert watch.take(5) == message_ids(simulator.reviewed_messages[:5][::-1])
    simulator.fail("list_reviewed_messages", **fault)
    assert message_ids(simulator.review(2)[::-1]) == watch.take(2)
    assert [isinstance(each, error) for each in errors] == [True] * 5
    logged = events(caplog, "watch")
    assert [record.levelname for record in logged] == ["WARNING"] * 5
    assert all(record.reason.isprintable() for record in logged)
    assert ("down" in logged[0].reason) is (error is ServerError)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 418, 422])
def test_watch_ends_after_a_permanent_error(
    simulator: Simulator, watching: Callable[..., Watching], status: int
) -> None:
    """An error that is not temporary ends a watch at once, on the first call and later."""
    simulator.fail("list_reviewed_messages", status=status)
    with pytest.raises(ApiError, match=str(status)):
        watching().take(1)
    later = watching(limit=1)
    later.take(1)
    simulator.fail("list_reviewed_messages", status=status)
    with pytest.raises(ApiError, match=str(status)):
        later.take(1)


def test_watch_with_html_responses(simulator: Simulator, watching: Callable[..., Watching]) -> None:
    """An HTML page as the first response ends a watch: the base URL is wrong. A later HTML page
    does not end it."""
    simulator.fail("list_reviewed_messages", body="<html>")
    with pytest.raises(UnexpectedResponse):
        watching().take(1)
    later = watching(limit=1)
    later.take(1)
    simulator.fail("list_reviewed_messages", body="<html>")
    assert message_ids(simulator.review(1)) == later.take(1)


def test_watch_warns_of_an_overrun(
    simulator: Simulator, watching: Callable[..., Watching], caplog: pytest.LogCaptureFixture
) -> None:
    """If all records of a full response are new, a warning says that there may be more."""
    watch = watching(limit=5)
    watch.take(5)
    simulator.review(4)
    watch.take(4)
    assert [record for record in caplog.records if hasattr(record, "event_name")] == []
    simulator.review(6)
    watch.take(5)
    (warning,) = events(caplog, "overrun")
    assert (warning.levelname, warning.records) == ("WARNING", 5)
    simulator.reviewed_messages = simulator.reviewed_messages[:0]
    simulator.review(2)
    watch.take(2)
    assert len([record for record in caplog.records if hasattr(record, "event_name")]) == 1, (
        "a response with two of five records is not full"
    )


@pytest.mark.parametrize(
    "options",
    [
        *({"interval": value} for value in (0, -1, float("nan"), float("inf"), "30", None, True)),
        *({"limit": value} for value in (0, True, "5")),
        {"skip_existing": "no"},
        {"on_error": "print"},
    ],
    ids=str,
)
def test_watch_with_invalid_arguments(
    any_client: AnyClient, simulator: Simulator, options: dict[str, Any]
) -> None:
    """An invalid argument is refused at once, before the iteration begins; the error names it."""
    (name,) = options
    with pytest.raises(InvalidRequestError, match=name):
        any_client.client().reviewed_messages.watch(**options)
    assert simulator.requests == []


def listed(numbers: Iterable[int]) -> bytes:
    records = [
        {"ruleId": "r", "createdAt": number, "message": {"id": str(number)}} for number in numbers
    ]
    return json.dumps(
        {"data": records, "meta": {"current": {"limit": 5_000, "count": len(records)}}}
    ).encode()


# Both clients remember records in one place.
@pytest.mark.parametrize("any_client", ["sync"], indirect=True)
def test_memory_is_limited(simulator: Simulator, watching: Callable[..., Watching]) -> None:
    """A watch remembers the last 10,000 records: an older one is new again, and a later one is
    not."""
    for numbers in (range(4_000), range(4_000, 8_000), range(8_000, 12_000), (0, 2_500)):
        simulator.fail("list_reviewed_messages", body=listed(numbers))
    watch = watching()
    assert watch.take(12_000) == [str(number) for number in range(12_000)]
    assert watch.take(1) == ["0"]
    assert watch.take(1) != ["2500"]
