"""What a watch makes of answers and failures, however many there are."""

from __future__ import annotations

import pytest

from cometchat_openapi.types import Response
from cometchat_rest import RateLimitError, ReviewedMessage, ReviewedMessageList, TransportError
from cometchat_rest.reviewed_messages.seen import SeenRecords, digest
from cometchat_rest.reviewed_messages.watch import Watch


def answer(*numbers: int, limit: object = None) -> ReviewedMessageList:
    data = [{"ruleId": "r", "createdAt": number, "message": {"id": str(number)}} for number in numbers]
    return ReviewedMessageList.from_dict({"data": data, "meta": {"current": {"limit": limit, "count": len(data)}}})


def taken(watch: Watch, *numbers: int, limit: object = None) -> list[int]:
    found: list[ReviewedMessage] = watch.take(Response(200, b"", {}, answer(*numbers, limit=limit)))
    return [record.created_at for record in found]


def test_pauses_after_failures() -> None:
    """Pauses double from the interval to five minutes, each shortened by chance though never below the interval."""
    watch = Watch(60.0, None, None, skip_existing=False)
    seen = set()
    for longest in (60.0, 120.0, 240.0, 300.0, 300.0, *[300.0] * 3000):
        assert watch.take(TransportError("down")) == []
        assert max(60.0, longest / 2) <= watch.pause <= longest
        seen.add(watch.pause / longest)
    assert len(seen) > 100
    taken(watch, 1)
    assert watch.pause == 60.0


def test_pauses_of_long_intervals() -> None:
    """An interval that is longer than five minutes is the pause after a failure as well."""
    watch = Watch(3600.0, None, None, skip_existing=False)
    watch.take(TransportError("down"))
    assert watch.pause == 3600.0


@pytest.mark.parametrize(("asked", "pause"), [("120", 120.0), ("3600", 3600.0), ("86400", 3600.0), ("1e300", 3600.0)])
def test_pauses_that_the_service_asks_for(asked: str, pause: float) -> None:
    """The service may ask for a longer pause, up to an hour."""
    watch = Watch(1.0, None, None, skip_existing=False)
    watch.take(RateLimitError("too many", status_code=429, headers={"retry-after": asked}))
    assert watch.pause == pause


@pytest.mark.parametrize(
    ("asked", "told", "count", "full"),
    [
        (None, 5, 5, True),
        (None, 5, 4, False),
        (5, None, 5, True),
        (5, None, 4, False),
        (500, 100, 100, True),
        (100, 500, 100, True),
        (None, None, 1, True),
        (None, "many", 1, True),
        (None, 5, 0, False),
        (None, None, 0, False),
    ],
)
def test_overruns(caplog: pytest.LogCaptureFixture, asked: int | None, told: object, count: int, *, full: bool) -> None:
    """An answer is full if it has as many records as were asked for, or as the service says fit, or says nothing."""
    watch = Watch(1.0, asked, None, skip_existing=False)
    taken(watch, 1, limit=told)
    assert taken(watch, *range(10, 10 + count), limit=told) == [*range(10, 10 + count)]
    assert [getattr(record, "event", None) for record in caplog.records] == ["overrun"] * full


def test_what_is_remembered_has_an_end() -> None:
    """Ten thousand records are remembered, or twice as many as an answer has, and those that were seen last."""
    seen = SeenRecords()
    numbers = [digest(str(number).encode()) for number in range(30_000)]
    assert all(map(seen.add, numbers))
    seen.forget(5)
    assert len(seen._last) == 10_000  # noqa: SLF001 - that it does not grow is what is promised
    assert not any(map(seen.add, numbers[20_000:]))
    assert seen.add(numbers[0])
    assert not seen.add(numbers[20_000])
    seen.forget(5)
    assert not seen.add(numbers[20_000]), "it was seen again of late"
    assert seen.add(numbers[20_001])
    assert all(map(seen.add, numbers[1:20_000]))
    seen.forget(9_000)
    assert len(seen._last) == 18_000  # noqa: SLF001
