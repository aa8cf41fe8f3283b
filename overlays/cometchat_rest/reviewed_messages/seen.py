"""Which reviewed messages have been seen: what tells two records apart, and a memory with an end (pure).

The service lists reviewed messages without a cursor (service.md, section 4.3), so that the same records come again and
again.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cometchat_openapi.models import ReviewedMessage

# At least so many records are remembered: when some of an answer are deleted, older ones come into sight again.
_REMEMBERED = 10_000


def digest(text: bytes) -> bytes:
    """Sixteen bytes in place of a text of any length."""
    return blake2b(text, digest_size=16).digest()


def record_id(raw: Mapping[str, object]) -> bytes:
    """What tells a record, as it came, from others: message, rule, revision of the rule, and when the record was made.

    A later change of the record, such as of its status, makes no other record of it. One that names no message is told
    by all it holds.
    """
    message = raw.get("message")
    message_id = message.get("id") if isinstance(message, Mapping) else None
    named = [message_id, raw.get("ruleId"), raw.get("revisionId"), raw.get("createdAt")]
    return digest(json.dumps(named if message_id else raw, sort_keys=True).encode())


def oldest_first(records: Iterable[ReviewedMessage]) -> list[ReviewedMessage]:
    """Records in the order in which they were made; those of one second in the reverse of the service's order."""
    return sorted(records, key=_made, reverse=True)[::-1]


def _made(record: ReviewedMessage) -> int:
    # A lenient reader lets anything by.
    return record.created_at if type(record.created_at) is int else 0


class SeenRecords:
    """The identities of the records that were seen last."""

    def __init__(self) -> None:
        self._last: OrderedDict[bytes, None] = OrderedDict()

    def add(self, each: bytes) -> bool:
        """Remember a record; whether it is new."""
        new = each not in self._last
        self._last[each] = None
        self._last.move_to_end(each)
        return new

    def forget(self, answer: int) -> None:
        """Keep no more than it takes for answers of so many records."""
        while len(self._last) > memory_size(answer):
            self._last.popitem(last=False)


def memory_size(answer: int) -> int:
    """How many records to remember where answers have so many."""
    return max(_REMEMBERED, 2 * answer)
