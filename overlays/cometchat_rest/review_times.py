"""Times in records of the service as aware datetimes, beside the raw fields (pure).

The service writes times as whole Unix seconds (service.md, section 2), and in `blocked_at` beside the message they
belong to. Reading is lenient, so a field may hold anything: what is no time is `None`, and nothing here raises.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from attrs import frozen

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BLOCKED_AT = re.compile(r"([0-9]{1,20})\.([0-9]+)")


@frozen
class BlockedAt:
    """What a block marker says.

    Attributes:
        time: when the message was blocked, in UTC.
        message_id: the message, as `message.id` has it.
    """

    time: datetime
    message_id: str


def utc(seconds: object) -> datetime | None:
    """The time that a field such as `created_at`, `updated_at`, `sent_at` or `last_active_at` holds.

    Args:
        seconds: the field's value, Unix seconds; of a record, a message, an entity, a keyword list or a role.

    Returns:
        An aware datetime in UTC; `None` where the value is no number or no time that a datetime can hold.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        return None


def split_blocked_at(marker: object) -> BlockedAt | None:
    """The two parts of a block marker, such as `1757955951.000000000390079` (service.md, section 2.3).

    Args:
        marker: the record's `blocked_at`.

    Returns:
        The time, and the message's identifier without its padding; `None` where the value is no such marker.
    """
    parts = _BLOCKED_AT.fullmatch(marker) if isinstance(marker, str) else None
    time = utc(int(parts[1])) if parts else None
    return BlockedAt(time, parts[2].lstrip("0") or "0") if parts and time else None
