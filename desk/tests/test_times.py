"""Times of the service as datetimes, other values as None, and the time of `--since`."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cometchat_desk.times import start_of, utc
from cometchat_rest import InvalidRequestError

MOMENT = datetime(2025, 9, 15, 17, 5, 51, tzinfo=UTC)
NO_SECONDS: list[object] = [
    None,
    True,
    "1757955951",
    [],
    float("nan"),
    float("inf"),
    -(10**12),
    10**400,
]


@pytest.mark.parametrize(
    ("seconds", "time"),
    [
        (1_757_955_951, MOMENT),
        (1_757_955_951.5, MOMENT + timedelta(milliseconds=500)),
        (-1, datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
        *((value, None) for value in NO_SECONDS),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_utc(seconds: Any, time: datetime | None) -> None:
    """Unix seconds become a datetime in UTC; a value that is not a number, or is too large,
    gives None."""
    assert utc(seconds) == time


@given(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.lists(st.integers())
)
def test_no_value_raises(value: Any) -> None:
    """No value raises an error."""
    time = utc(value)
    assert time is None or time.tzinfo is UTC


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30min", timedelta(minutes=30)),
        ("24h", timedelta(days=1)),
        (" 7D ", timedelta(days=7)),
        ("2w", timedelta(days=14)),
        ("2025-09-15", datetime(2025, 9, 15, tzinfo=UTC)),
        ("2025-09-15T10:00+02:00", datetime(2025, 9, 15, 8, tzinfo=UTC)),
    ],
)
def test_start_of(text: str, expected: timedelta | datetime) -> None:
    """A span counts from now; a date without a time zone is in UTC."""
    now = datetime(2025, 9, 20, tzinfo=UTC)
    assert start_of(text, now=now) == (
        now - expected if isinstance(expected, timedelta) else expected
    )


@pytest.mark.parametrize(
    "text", ["", "7", "2m", "d", "7y", "-7d", "\u0667d", "yesterday", "2025-13-01", "999999w"]
)
def test_invalid_start_of(text: str) -> None:
    """Another text is refused with examples."""
    with pytest.raises(InvalidRequestError, match="24h, 7d or 2w, or a date"):
        start_of(text)
