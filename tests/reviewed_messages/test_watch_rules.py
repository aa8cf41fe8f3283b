"""The rules of a watch: pauses after errors, and warnings."""

from __future__ import annotations

import pytest

from cometchat_openapi.types import Response
from cometchat_rest import RateLimitError, ReviewedMessage, ReviewedMessageList, TransportError
from cometchat_rest.reviewed_messages.watch import Watch


def response(*numbers: int, limit: object = None) -> ReviewedMessageList:
    data = [{"ruleId": "r", "createdAt": number, "message": {"id": str(number)}} for number in numbers]
    return ReviewedMessageList.from_dict({"data": data, "meta": {"current": {"limit": limit, "count": len(data)}}})


def taken(watch: Watch, *numbers: int, limit: object = None) -> list[int]:
    found: list[ReviewedMessage] = watch.take(Response(200, b"", {}, response(*numbers, limit=limit)))
    return [record.created_at for record in found]


def test_pauses_after_failures() -> None:
    """Pauses double from the interval to five minutes; jitter shortens a pause, but never below the interval."""
    watch = Watch(60.0, None, None, skip_existing=False)
    seen = set()
    for longest in (60.0, 120.0, 240.0, 300.0, 300.0, *[300.0] * 3000):
        assert watch.take(TransportError("down")) == []
        assert max(60.0, longest / 2) <= watch.pause <= longest
        seen.add(watch.pause / longest)
    assert len(seen) > 100
    taken(watch, 1)
    assert watch.pause == 60.0


def test_pauses_with_a_long_interval() -> None:
    """If the interval is longer than five minutes, it is also the pause after an error."""
    watch = Watch(3600.0, None, None, skip_existing=False)
    watch.take(TransportError("down"))
    assert watch.pause == 3600.0


@pytest.mark.parametrize(
    ("retry_after", "pause"), [("120", 120.0), ("3600", 3600.0), ("86400", 3600.0), ("1e300", 3600.0)]
)
def test_pauses_with_retry_after(retry_after: str, pause: float) -> None:
    """A longer pause that the service asks for is obeyed, up to an hour."""
    watch = Watch(1.0, None, None, skip_existing=False)
    watch.take(RateLimitError("too many", status_code=429, headers={"retry-after": retry_after}))
    assert watch.pause == pause


@pytest.mark.parametrize(
    ("limit", "current_limit", "count", "full"),
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
def test_overruns(
    caplog: pytest.LogCaptureFixture, limit: int | None, current_limit: object, count: int, *, full: bool
) -> None:
    """A response is full if its size reaches the limit of the request or of the response, or if there is no limit."""
    watch = Watch(1.0, limit, None, skip_existing=False)
    taken(watch, 1, limit=current_limit)
    assert taken(watch, *range(10, 10 + count), limit=current_limit) == [*range(10, 10 + count)]
    assert [getattr(record, "event_name", None) for record in caplog.records] == ["overrun"] * full
