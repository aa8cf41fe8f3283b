"""Reviewed messages: every kind of record, and how many."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from cometchat_rest import (
    ApiError,
    BadRequestError,
    Client,
    CometChatError,
    InvalidRequestError,
    RateLimitError,
    ReviewedExport,
    ReviewedMessage,
    ReviewedMessageList,
    ServerError,
    TransportError,
    UnexpectedResponse,
)
from cometchat_rest.testing import Simulator

if TYPE_CHECKING:
    from conftest import AnyClient, Start


def test_list(any_client: AnyClient, simulator: Simulator) -> None:
    """Without a limit the service's own number of records arrives, newest first, and no query is sent."""
    found = any_client.call(lambda chat: chat.reviewed_messages.list())
    assert isinstance(found, ReviewedMessageList)
    assert [record.to_dict() for record in found.data] == simulator.reviewed_messages[:50]
    assert (found.meta.current.limit, found.meta.current.count) == (50, 50)
    (request,) = simulator.requests
    assert (request.method, request.path, request.query, request.body) == (
        "GET",
        "/v3/moderation/reviewed-messages",
        "",
        b"",
    )


@pytest.mark.parametrize("limit", [1, 7, 300, 1000])
def test_list_with_a_limit(any_client: AnyClient, simulator: Simulator, limit: int) -> None:
    """A limit is sent as it is, and the answer tells what was asked for and how many came."""
    found = any_client.call(lambda chat: chat.reviewed_messages.list(limit=limit))
    expected = simulator.reviewed_messages[:limit]
    assert [record.to_dict() for record in found.data] == expected
    assert (found.meta.current.limit, found.meta.current.count) == (limit, len(expected))
    assert simulator.requests[0].query == f"limit={limit}"


def test_list_types_every_record(any_client: AnyClient, simulator: Simulator) -> None:
    """Records of every kind have the same typed fields, with None for what the service left out."""
    found = any_client.call(lambda chat: chat.reviewed_messages.list(limit=300))
    kinds = set()
    for record, raw in zip(found.data, simulator.reviewed_messages, strict=True):
        told: Any = raw
        assert isinstance(record, ReviewedMessage)
        assert (record.rule_id, record.action, record.app_id) == (raw["ruleId"], raw["action"], raw.get("appId"))
        assert record.blocked_at == raw.get("blockedAt")
        condition, data = record.condition, record.message.data
        assert condition is not None
        assert condition.value == told["condition"]["value"]
        assert record.message.muid == told["message"].get("muid")
        assert data is not None
        assert data.text == told["message"]["data"].get("text")
        moderation = data.moderation
        assert moderation is not None
        assert (moderation.rule is None) == (moderation.status in ("pending", "approved"))
        kinds.add((record.message.type_, moderation.status, record.blocked_at is None))
    assert {kind for kind, _, _ in kinds} == {"text", "image", "video"}
    assert {status for _, status, _ in kinds} == {"pending", "approved", "disapproved", "unmoderated"}
    assert {blocked for _, _, blocked in kinds} == {True, False}


def test_list_of_nothing(any_client: AnyClient, simulator: Simulator) -> None:
    """An app without reviewed messages gives an empty list, not an error."""
    simulator.reviewed_messages = []
    found = any_client.call(lambda chat: chat.reviewed_messages.list())
    assert (found.data, found.meta.current.count) == ([], 0)


@pytest.mark.parametrize("limit", [0, -1, True, False, 1.0, "5", b"5", [5], float("nan"), 2**53 + 1], ids=repr)
def test_list_with_a_limit_that_is_none(any_client: AnyClient, simulator: Simulator, limit: Any) -> None:
    """A limit that is no whole number from 1 up is refused by name before anything is sent."""
    with pytest.raises(InvalidRequestError, match="limit"):
        any_client.call(lambda chat: chat.reviewed_messages.list(limit=limit))
    assert simulator.requests == []


def test_list_with_a_limit_that_the_service_refuses(any_client: AnyClient) -> None:
    """A limit over the service's own maximum, which is not documented, is the service's to refuse."""
    with pytest.raises(BadRequestError) as caught:
        any_client.call(lambda chat: chat.reviewed_messages.list(limit=1001))
    assert caught.value.details == {"limit": ["must be an integer from 1 to 1000"]}


# Following them.


def names(records: Any) -> list[str]:
    """The messages of records, as they are told or as the simulator holds them."""
    return [str(each["message"]["id"]) if isinstance(each, dict) else each.message.id for each in records]


class Watching:
    """A watch of either client, which hardly waits, taken from a few records at a time."""

    def __init__(self, any_client: AnyClient, **options: Any) -> None:
        self._face = any_client
        self._client = any_client.client(max_retries=0)
        if any_client.kind == "sync":
            options["stop"] = self._stop = threading.Event()
        self._records = self._client.reviewed_messages.watch(**{"interval": 0.001, **options})

    def take(self, count: int) -> list[str]:
        """The messages of the next records."""

        def blocking(_: Any) -> list[ReviewedMessage]:
            # What never comes is a failure, and must not be waited for.
            limit = threading.Timer(20, self._stop.set)
            limit.start()
            try:
                return list(islice(self._records, count))
            finally:
                limit.cancel()

        async def awaited(_: Any) -> list[ReviewedMessage]:
            with anyio.fail_after(20):
                return [await anext(self._records) for _ in range(count)]

        return names(self._face.call(blocking if self._face.kind == "sync" else awaited, self._client))

    def close(self) -> None:
        if self._face.kind == "sync":
            self._records.close()
        else:
            self._face.call(lambda _: self._records.aclose(), self._client)


@pytest.fixture
def watching(any_client: AnyClient) -> Iterator[Callable[..., Watching]]:
    """Makes watches, and closes them."""
    made: list[Watching] = []

    def make(**options: Any) -> Watching:
        made.append(Watching(any_client, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_watch(simulator: Simulator, watching: Callable[..., Watching]) -> None:
    """What is there comes first, then each new record once, all of them oldest first."""
    watch = watching(limit=5)
    assert watch.take(5) == names(simulator.reviewed_messages[:5][::-1])
    for count in (3, 1, 4):
        assert names(simulator.review(count)[::-1]) == watch.take(count)
    assert {request.query for request in simulator.requests} == {"limit=5"}


def test_watch_skips_what_is_present(simulator: Simulator, watching: Callable[..., Watching]) -> None:
    """Who only wants to know of what is to come is not told of what is there."""
    # The first answer has been given when the second call arrives.
    simulator.fail("list_reviewed_messages", headers={"x-first": "yes"})
    simulator.fail("list_reviewed_messages", status=503)
    watch = watching(skip_existing=True, on_error=lambda _: simulator.review(2))
    assert watch.take(2) == names(simulator.reviewed_messages[:2][::-1])


def test_watch_goes_by_time_and_not_by_place(simulator: Simulator, watching: Callable[..., Watching]) -> None:
    """The order of an answer is not relied on: what was made first comes first."""
    simulator.reviewed_messages = simulator.reviewed_messages[:7]
    expected = names(simulator.reviewed_messages[::-1])
    simulator.reviewed_messages.sort(key=lambda record: str(record["ruleId"]))
    assert watching().take(7) == expected


@pytest.mark.parametrize(
    "change", [{"ruleId": "other"}, {"revisionId": "other"}, {"createdAt": 1_900_000_000}], ids=str
)
def test_watch_tells_records_apart(
    simulator: Simulator, watching: Callable[..., Watching], change: dict[str, Any]
) -> None:
    """The same message under another rule, another revision of it or at another time is another record; a record of
    which anything else changes is the same."""
    record = simulator.reviewed_messages[0]
    simulator.reviewed_messages = [record]
    watch = watching()
    assert watch.take(1) == names([record])
    changed = {**record, "updatedAt": 1_900_000_000, "action": []}
    simulator.reviewed_messages = [changed, {**record, **change}]
    assert watch.take(1) == names([record])
    simulator.reviewed_messages = [*simulator.review(1), changed, {**record, **change}]
    assert watch.take(1) == names(simulator.reviewed_messages[:1])


def test_watch_of_what_comes_into_sight_again(simulator: Simulator, watching: Callable[..., Watching]) -> None:
    """A record that had to make room for newer ones is not new when those are deleted."""
    before = list(simulator.reviewed_messages)
    watch = watching(limit=3)
    assert watch.take(3) == names(before[:3][::-1])
    assert names(simulator.review(3)[::-1]) == watch.take(3)
    simulator.reviewed_messages = before
    assert names(simulator.review(1)) == watch.take(1)


def test_watch_of_odd_records(simulator: Simulator, watching: Callable[..., Watching]) -> None:
    """A record without a message, an identifier or a time is told from others by all it holds, and spoils nothing."""
    odd: list[Any] = [
        {"ruleId": "a"},
        {"ruleId": "a", "ruleName": "b"},
        {"message": {"id": ["x"]}, "createdAt": "z"},
        {},
    ]
    simulator.reviewed_messages = [*simulator.reviewed_messages[:1], *odd]
    watch = watching()
    assert watch.take(5)[4:] == names(simulator.reviewed_messages[:1])
    assert names(simulator.review(1)) == watch.take(1)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"status": 500}, ServerError),
        ({"status": 503}, ServerError),
        ({"status": 429}, RateLimitError),
        ({"cut": "before_headers"}, TransportError),
        ({"cut": "in_body"}, TransportError),
    ],
    ids=str,
)
def test_watch_survives(
    simulator: Simulator,
    watching: Callable[..., Watching],
    caplog: pytest.LogCaptureFixture,
    fault: dict[str, Any],
    error: type[CometChatError],
) -> None:
    """What may pass is waited out, told to who wants to know, and makes no record come twice or never."""
    survived: list[CometChatError] = []
    watch = watching(limit=5, on_error=survived.append)
    simulator.fail("list_reviewed_messages", **fault, times=4)
    assert watch.take(5) == names(simulator.reviewed_messages[:5][::-1])
    simulator.fail("list_reviewed_messages", **fault)
    assert names(simulator.review(2)[::-1]) == watch.take(2)
    assert [isinstance(each, error) for each in survived] == [True] * 5
    told = [record for record in caplog.records if getattr(record, "event", None) == "watch"]
    assert [record.levelname for record in told] == ["WARNING"] * 5


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 418, 422])
def test_watch_does_not_survive(simulator: Simulator, watching: Callable[..., Watching], status: int) -> None:
    """What will not mend by itself ends a watch at once, at the beginning and later."""
    simulator.fail("list_reviewed_messages", status=status)
    with pytest.raises(ApiError, match=str(status)):
        watching().take(1)
    later = watching(limit=1)
    later.take(1)
    simulator.fail("list_reviewed_messages", status=status)
    with pytest.raises(ApiError, match=str(status)):
        later.take(1)


def test_watch_of_another_service(simulator: Simulator, watching: Callable[..., Watching]) -> None:
    """A page in place of the first answer is a wrong address, and ends a watch; in place of a later one it passes."""
    simulator.fail("list_reviewed_messages", body="<html>")
    with pytest.raises(UnexpectedResponse):
        watching().take(1)
    later = watching(limit=1)
    later.take(1)
    simulator.fail("list_reviewed_messages", body="<html>")
    assert names(simulator.review(1)) == later.take(1)


def test_watch_that_may_have_missed_records(
    simulator: Simulator, watching: Callable[..., Watching], caplog: pytest.LogCaptureFixture
) -> None:
    """Where a full answer holds nothing that was there before, a warning says that there may have been more."""
    watch = watching(limit=5)
    watch.take(5)
    simulator.review(4)
    watch.take(4)
    assert [record for record in caplog.records if hasattr(record, "event")] == []
    simulator.review(6)
    watch.take(5)
    (warning,) = (record for record in caplog.records if getattr(record, "event", None) == "overrun")
    assert (warning.levelname, warning.__dict__["records"]) == ("WARNING", 5)
    simulator.reviewed_messages = simulator.reviewed_messages[:0]
    simulator.review(2)
    watch.take(2)
    assert len([record for record in caplog.records if hasattr(record, "event")]) == 1, "two of five are no full answer"


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
def test_watch_with_what_cannot_be(any_client: AnyClient, simulator: Simulator, options: dict[str, Any]) -> None:
    """An argument that is out of range is refused by name at once, before anything is iterated."""
    (name,) = options
    with pytest.raises(InvalidRequestError, match=name):
        any_client.client().reviewed_messages.watch(**options)
    assert simulator.requests == []


def test_watch_that_is_left(any_client: AnyClient, simulator: Simulator) -> None:
    """Leaving the loop ends a watch: nothing more is asked for, and the client goes on."""
    client = any_client.client()

    def blocking(chat: Any) -> str:
        for record in chat.reviewed_messages.watch():
            return str(record.message.id)
        raise AssertionError

    async def awaited(chat: Any) -> str:
        async with contextlib.aclosing(chat.reviewed_messages.watch()) as records:
            async for record in records:
                return str(record.message.id)
        raise AssertionError

    first = any_client.call(blocking if any_client.kind == "sync" else awaited, client)
    assert [first] == names(simulator.reviewed_messages[49:50])
    assert any_client.call(lambda chat: chat.roles.list(per_page=1), client).data
    assert [request.operation for request in simulator.requests] == ["list_reviewed_messages", "list_roles"]


def test_watch_that_is_stopped_by_another_thread(simulator: Simulator) -> None:
    """Setting `stop` ends a watch within its pause, however long that is, between two records, and before the first."""
    stop, told = threading.Event(), threading.Event()
    found: list[int] = []

    def watch() -> None:
        with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
            count = 0
            for _ in chat.reviewed_messages.watch(interval=100_000, limit=3, stop=stop):
                count += 1
                if count == 3:
                    told.set()
            found.append(count)
            found.extend(1 for _ in chat.reviewed_messages.watch(interval=100_000, stop=stop))
            stop.clear()
            records = chat.reviewed_messages.watch(interval=100_000, stop=stop)
            next(records)
            stop.set()
            found.extend(1 for _ in records)

    # One that does not stop must not hold up whoever runs the tests.
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    assert told.wait(20)
    stop.set()
    thread.join(20)
    assert not thread.is_alive()
    assert found == [3]
    assert len(simulator.requests) == 2


@pytest.mark.parametrize("any_client", ["async"], indirect=True)
def test_watch_that_is_cancelled(any_client: AnyClient, simulator: Simulator) -> None:
    """Cancelling the task that watches ends it within its pause, however long that is."""

    async def run(chat: Any) -> int:
        count = 0

        async def watch() -> None:
            nonlocal count
            async for _ in chat.reviewed_messages.watch(interval=100_000, limit=3):
                count += 1

        with anyio.fail_after(20):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(watch)
                while count < 3:
                    await anyio.lowlevel.checkpoint()
                tasks.cancel_scope.cancel()
        return count

    assert any_client.call(run) == 3
    assert len(simulator.requests) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_watch_ends_at_ctrl_c(start: Start, simulator: Simulator) -> None:
    """Ctrl-C ends a watch within its pause, however long that is, as a KeyboardInterrupt where it is iterated."""
    code = f"""
from cometchat_rest import Client
with Client(base_url={simulator.base_url!r}, api_key={simulator.api_key!r}) as chat:
    try:
        for record in chat.reviewed_messages.watch(interval=100_000, limit=1):
            print(record.message.id, flush=True)
    except KeyboardInterrupt:
        print("interrupted")
"""
    process = start(sys.executable, "-c", code)
    assert process.stdout is not None
    assert process.stdout.readline().split() == names(simulator.reviewed_messages[:1])
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20) == ("interrupted\n", "")
    assert process.returncode == 0


# Keeping them; the rest is in test_review_files.py.


def test_export(any_client: AnyClient, simulator: Simulator, tmp_path: Path) -> None:
    """An export asks once, for as many as it is told to, and adds to its file what that does not have."""
    path = tmp_path / "reviewed.jsonl"
    client = any_client.client()
    first = any_client.call(lambda chat: chat.reviewed_messages.export(path, limit=5), client)
    simulator.review(2)
    again = any_client.call(lambda chat: chat.reviewed_messages.export(path), client)
    assert (first, again) == (
        ReviewedExport(path=path, written=5, skipped=0),
        ReviewedExport(path=path, written=45, skipped=5),
    )
    assert [request.query for request in simulator.requests] == ["limit=5", ""]
    with pytest.raises(InvalidRequestError, match="limit"):
        any_client.call(lambda chat: chat.reviewed_messages.export(path, limit=0), client)
    assert len(simulator.requests) == 2
