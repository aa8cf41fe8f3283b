"""Converts times in the service's records to aware datetimes. A field may hold any value, so no function raises."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from attrs import frozen

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BLOCKED_AT = re.compile(r"([0-9]{1,20})\.([0-9]+)")


@frozen
class BlockedAt:
    """The two parts of a block marker.

    Attributes:
        time: when the message was blocked, in UTC.
        message_id: the identifier of the message, equal to `message.id` of the record.
    """

    time: datetime
    message_id: str


def utc(seconds: object) -> datetime | None:
    """Convert a field such as `created_at`, `updated_at`, `sent_at` or `last_active_at` to a datetime.

    Args:
        seconds: the field's value in Unix seconds; from a record, a message, an entity, a keyword list or a role.

    Returns:
        An aware datetime in UTC; `None` if the value is not a number, or if a datetime cannot hold it.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        return None


def split_blocked_at(marker: object) -> BlockedAt | None:
    """Split a block marker such as `1757955951.000000000390079` into its parts (`ReviewedMessage` in `openapi.yaml`).

    Args:
        marker: the record's `blocked_at`.

    Returns:
        The time, and the message identifier without its leading zeros; `None` if the value is not a block marker.
    """
    parts = _BLOCKED_AT.fullmatch(marker) if isinstance(marker, str) else None
    time = utc(int(parts[1])) if parts else None
    return BlockedAt(time, parts[2].lstrip("0") or "0") if parts and time else None
