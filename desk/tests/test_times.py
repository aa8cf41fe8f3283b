"""Times of the service as datetimes; other values as None."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cometchat_desk.times import utc

MOMENT = datetime(2025, 9, 15, 17, 5, 51, tzinfo=UTC)
NO_SECONDS: list[object] = [None, True, "1757955951", [], float("nan"), float("inf"), -(10**12), 10**400]


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
    """Unix seconds become a datetime in UTC; a value that is not a number, or is too large, gives None."""
    assert utc(seconds) == time


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.lists(st.integers()))
def test_no_value_raises(value: Any) -> None:
    """No value raises an error."""
    time = utc(value)
    assert time is None or time.tzinfo is UTC
