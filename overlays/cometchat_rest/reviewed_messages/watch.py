"""Rules for following reviewed messages: which records of a response are new, and how long to wait.

The list of reviewed messages has no cursor, so consecutive responses contain the same records
again.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from typing import TypeAlias

from cometchat_openapi.api.reviewed_messages import list_reviewed_messages
from cometchat_openapi.models import ReviewedMessage, ReviewedMessageList
from cometchat_runtime.arguments import check_arguments
from cometchat_runtime.checks import check_bool, check_callable, check_seconds
from cometchat_runtime.errors import (
    CometChatError,
    InvalidRequestError,
    UnexpectedResponse,
    printable,
)
from cometchat_runtime.observe import log
from cometchat_runtime.operation import Call, Response
from cometchat_runtime.retries import TEMPORARY_ERRORS, backoff, named_pause

#: Called with each error after which the watch goes on.
OnError: TypeAlias = Callable[[CometChatError], object]

# In seconds: the longest pause after an error, unless the interval is longer; and the longest
# `Retry-After` that is obeyed.
_LONGEST_PAUSE = 300.0
_LONGEST_RETRY_AFTER = 3600.0

# The memory holds at least this many records: when the service deletes records, it lists older ones
# again.
_REMEMBERED = 10_000


class Watch:
    """The state of one watch (pure, except for the jitter and the log)."""

    def __init__(
        self, interval: float, limit: int | None, on_error: OnError | None, *, skip_existing: bool
    ) -> None:
        check_callable("on_error", on_error, InvalidRequestError)
        check_bool("skip_existing", skip_existing, InvalidRequestError)
        self.call: Call[ReviewedMessageList] = list_reviewed_messages.prepare(limit=limit)
        check_arguments(self.call)
        self.pause: float = check_seconds("interval", interval, InvalidRequestError)
        self._interval = self.pause
        self._limit = limit
        self._on_error = on_error
        self._skip = skip_existing
        self._seen = OrderedDict[bytes, None]()
        self._had_response = False
        self._failures = 0

    def take(
        self, outcome: Response[ReviewedMessageList] | CometChatError
    ) -> list[ReviewedMessage]:
        """Return the new records of a response, oldest first; return an empty list after a
        temporary error."""
        if isinstance(outcome, CometChatError):
            self._continue_after(outcome)
            return []
        page = outcome.parsed
        records = oldest_first(page.data)
        new = [record for record in records if self._is_new(record_id(record.to_dict()))]
        # A list of this size may be listed again.
        while len(self._seen) > max(_REMEMBERED, 2 * len(records)):
            self._seen.popitem(last=False)
        is_first = not self._had_response
        self._had_response = True
        self._failures = 0
        self.pause = self._interval
        if is_first:
            return [] if self._skip else new
        _warn_of_overrun(page, self._limit, len(new))
        return new

    def _is_new(self, identity: bytes) -> bool:
        is_new = identity not in self._seen
        self._seen[identity] = None
        self._seen.move_to_end(identity)
        return is_new

    def _continue_after(self, error: CometChatError) -> None:
        # After a valid response, an error page of a proxy is temporary. Before it, the base URL is
        # probably wrong.
        is_page = self._had_response and isinstance(error, UnexpectedResponse)
        if not is_page and not isinstance(error, TEMPORARY_ERRORS):
            raise error
        self._failures += 1
        pause = backoff(self._failures, self._interval, max(_LONGEST_PAUSE, self._interval))
        requested = min(named_pause(error), _LONGEST_RETRY_AFTER)
        self.pause = max(self._interval, pause, requested)
        log.warning(
            "%s; asking again in %.1f s",
            str(error).rstrip("."),
            self.pause,
            extra={
                "event_name": "watch",
                "operation": "list_reviewed_messages",
                "reason": printable(error.reason),
                "pause": self.pause,
            },
        )
        if self._on_error is not None:
            self._on_error(error)


def _warn_of_overrun(page: ReviewedMessageList, limit: int | None, new: int) -> None:
    """Log a warning if a response is full and all its records are new: there may be more than it
    could hold."""
    # The service may have a maximum, and a response that was read leniently may hold any value.
    limits = [size for size in (limit, page.meta.current.limit) if type(size) is int]
    if page.data and new == len(page.data) >= min(limits, default=0):
        log.warning(
            "list_reviewed_messages: all %d records of the response are new, so there may be more"
            " than it could hold; ask more often or raise the limit",
            new,
            extra={"event_name": "overrun", "operation": "list_reviewed_messages", "records": new},
        )


def record_id(raw: Mapping[str, object]) -> bytes:
    """Return the identity of a raw record: a hash of its message, rule, revision of the rule, and
    creation time.

    A record keeps its identity when another field changes, such as its status. If a record names no
    message, its identity is a hash of all its fields.
    """
    message = raw.get("message")
    message_id = message.get("id") if isinstance(message, Mapping) else None
    named = [message_id, raw.get("ruleId"), raw.get("revisionId"), raw.get("createdAt")]
    text = json.dumps(named if message_id else raw, sort_keys=True)
    return blake2b(text.encode(), digest_size=16).digest()


def oldest_first(records: Iterable[ReviewedMessage]) -> list[ReviewedMessage]:
    """Sort records by creation time; records of the same second are in the reverse of the
    service's order."""
    # Reversed twice, because sorting keeps the order of equal times.
    return sorted(records, key=_time, reverse=True)[::-1]


def _time(record: ReviewedMessage) -> float:
    # Records are read leniently, so the field may hold any value.
    return record.created_at if type(record.created_at) in (int, float) else 0
