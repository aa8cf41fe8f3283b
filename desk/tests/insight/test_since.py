"""The time of `--since`."""

from datetime import UTC, datetime, timedelta

import pytest

from cometchat_desk.insight.since import start_of
from cometchat_rest import InvalidRequestError


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
    assert start_of(text, now=now) == (now - expected if isinstance(expected, timedelta) else expected)


def test_months_or_minutes() -> None:
    """The letter m is not guessed."""
    with pytest.raises(InvalidRequestError, match="m may mean months or minutes; write 60d, or 2min"):
        start_of("2m")


@pytest.mark.parametrize("text", ["", "7", "d", "7y", "-7d", "\u0667d", "yesterday", "2025-13-01", "999999w"])
def test_invalid_start_of(text: str) -> None:
    """Another text is refused with examples."""
    with pytest.raises(InvalidRequestError, match="24h, 7d or 2w, or a date"):
        start_of(text)
