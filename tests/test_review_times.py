"""Times of the service as datetimes; other values as None."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cometchat_rest import ReviewedMessage, review_times
from cometchat_rest.testing import Simulator

MOMENT = datetime(2025, 9, 15, 17, 5, 51, tzinfo=UTC)


def test_utc() -> None:
    """Unix seconds become an aware datetime in UTC."""
    assert review_times.utc(1_757_955_951) == MOMENT
    assert review_times.utc(1_757_955_951.5) == MOMENT + timedelta(milliseconds=500)
    assert review_times.utc(0) == datetime(1970, 1, 1, tzinfo=UTC)
    assert review_times.utc(-1) == datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)
    time = review_times.utc(1_757_955_951)
    assert time is not None
    assert time.tzinfo is UTC
    assert time.astimezone(timezone(timedelta(hours=2))).hour == 19


@pytest.mark.parametrize(
    "value",
    [None, True, "1757955951", "", [], {}, float("nan"), float("inf"), 10**12, -(10**12), 10**400, 1_757_955_951_000],
    ids=lambda value: repr(value)[:20],
)
def test_utc_of_an_invalid_value(value: Any) -> None:
    """A value that is not a number, or is too large, gives None."""
    assert review_times.utc(value) is None


def test_split_blocked_at() -> None:
    """A block marker gives a time and a message identifier without leading zeros."""
    blocked = review_times.split_blocked_at("1757955951.000000000390079")
    assert blocked is not None
    assert (blocked.time, blocked.message_id) == (MOMENT, "390079")
    # An identifier that needs no leading zeros.
    longest = review_times.split_blocked_at("1757955951.1234567890123456")
    assert longest is not None
    assert longest.message_id == "1234567890123456"


@pytest.mark.parametrize(
    "value",
    [
        None,
        1757955951.39,
        "1757955951",
        "1757955951.",
        ".390079",
        "x.390079",
        "1757955951.39.1",
        "-1.1",
        "1.x",
        " 1.1",
        f"{10**19}.1",
        "9" * 5000 + ".1",
        "\u0661.\u0661",
        b"1.1",
        [],
    ],
    ids=lambda value: repr(value)[:20],
)
def test_split_blocked_at_with_an_invalid_value(value: Any) -> None:
    """A value other than a time, a dot and digits gives None; so does a float, which has lost the identifier."""
    assert review_times.split_blocked_at(value) is None


def test_split_blocked_at_with_records() -> None:
    """The block markers of the simulator's records contain the time and the message of their record."""
    records = [ReviewedMessage.from_dict(raw) for raw in Simulator().reviewed_messages]
    marked = [record for record in records if record.blocked_at is not None]
    assert marked
    for record in marked:
        blocked = review_times.split_blocked_at(record.blocked_at)
        assert blocked is not None
        assert (blocked.time, blocked.message_id) == (review_times.utc(record.created_at), record.message.id)


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.lists(st.integers()))
def test_no_value_raises(value: Any) -> None:
    """No value raises an error."""
    time = review_times.utc(value)
    assert time is None or time.tzinfo is UTC
    review_times.split_blocked_at(value)
