"""Remembers which reviewed messages were seen: how to identify a record, and a memory of limited size (pure).

The list of reviewed messages has no cursor, so consecutive responses contain the same records again.
"""

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from hashlib import blake2b

from cometchat_openapi.models import ReviewedMessage

# The memory holds at least this many records: when the service deletes records, it lists older ones again.
_REMEMBERED = 10_000


def record_id(raw: Mapping[str, object]) -> bytes:
    """Return the identity of a raw record: a hash of its message, rule, revision of the rule, and creation time.

    A record keeps its identity when another field changes, such as its status. If a record names no message, its
    identity is a hash of all its fields.
    """
    message = raw.get("message")
    message_id = message.get("id") if isinstance(message, Mapping) else None
    named = [message_id, raw.get("ruleId"), raw.get("revisionId"), raw.get("createdAt")]
    text = json.dumps(named if message_id else raw, sort_keys=True)
    return blake2b(text.encode(), digest_size=16).digest()


def oldest_first(records: Iterable[ReviewedMessage]) -> list[ReviewedMessage]:
    """Sort records by creation time; records of the same second are in the reverse of the service's order."""
    return sorted(records, key=_creation_time, reverse=True)[::-1]


def _creation_time(record: ReviewedMessage) -> int:
    # Records are read leniently, so the field may hold any value.
    return record.created_at if type(record.created_at) is int else 0


class SeenRecords:
    """The identities of the records that were seen most recently."""

    def __init__(self) -> None:
        self._last = OrderedDict[bytes, None]()

    def __len__(self) -> int:
        return len(self._last)

    def add(self, identity: bytes) -> bool:
        """Remember a record; return whether it is new."""
        new = identity not in self._last
        self._last[identity] = None
        self._last.move_to_end(identity)
        return new

    def forget(self, response_size: int) -> None:
        """Forget the oldest records that responses with `response_size` records do not need."""
        while len(self._last) > self.needed(response_size):
            self._last.popitem(last=False)

    @staticmethod
    def needed(response_size: int) -> int:
        """Return how many records to remember if each response has `response_size` records."""
        return max(_REMEMBERED, 2 * response_size)
