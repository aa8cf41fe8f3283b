"""Following the reviewed messages: which records of each answer are new, and how long to wait for the next.

The service has no way to ask for what is new (service.md, section 4.3). So the latest records are asked for again and
again, and those that were there before are left out.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from cometchat_openapi.types import Response
from cometchat_rest._call.retries import backoff
from cometchat_rest._support.checks import check_bool, check_callable, check_seconds
from cometchat_rest.errors import (
    ApiError,
    CometChatError,
    InvalidRequestError,
    RateLimitError,
    ServerError,
    TransportError,
    UnexpectedResponse,
)

from .seen import SeenRecords, oldest_first, record_id

if TYPE_CHECKING:
    from cometchat_openapi.models import ReviewedMessage, ReviewedMessageList

#: Called with each error that is survived.
OnError: TypeAlias = Callable[[CometChatError], object]

# The longest pause between two failures, unless the interval is longer; and the longest that a service may ask for.
_LONGEST_PAUSE, _LONGEST_ASKED = 300.0, 3600.0
# On some systems Ctrl-C is noticed only between two waits.
_LONGEST_WAIT = 0.5

log = logging.getLogger("cometchat_rest")


class Watch:
    """What to make of one answer after another (pure, save for the jitter and the log).

    Attributes:
        pause: how many seconds to wait before the next answer is asked for.
    """

    def __init__(self, interval: float, limit: int | None, on_error: OnError | None, *, skip_existing: bool) -> None:
        self.pause = self._interval = check_seconds("interval", interval, InvalidRequestError)
        self._limit = limit
        self._on_error = check_callable("on_error", on_error, InvalidRequestError)
        self._skip = check_bool("skip_existing", skip_existing, InvalidRequestError)
        self._seen = SeenRecords()
        self._answered = False
        self._failures = 0

    def take(self, outcome: Response[ReviewedMessageList] | CometChatError) -> list[ReviewedMessage]:
        """The records of an answer that were in none before, oldest first; none where there was no answer.

        Raises:
            CometChatError: the call failed, and would fail again.
        """
        if isinstance(outcome, CometChatError):
            self._survive(outcome)
            return []
        page = outcome.parsed
        new = [record for record in oldest_first(page.data) if self._seen.add(record_id(record.to_dict()))]
        self._seen.forget(len(page.data))
        if self._answered:
            warn_of_overrun(page, self._limit, len(new))
        skipped = self._skip and not self._answered
        self.pause, self._failures, self._answered = self._interval, 0, True
        return [] if skipped else new

    def _survive(self, error: CometChatError) -> None:
        if not self._passes(error):
            raise error
        self._failures += 1
        asked = error.retry_after if isinstance(error, ApiError) else None
        longest = max(_LONGEST_PAUSE, self._interval)
        self.pause = max(
            self._interval, backoff(self._failures, self._interval, longest), min(asked or 0.0, _LONGEST_ASKED)
        )
        log.warning(
            "%s; asking again in %.1f s",
            str(error).rstrip("."),
            self.pause,
            extra={"event": "watch", "operation": "list_reviewed_messages", "pause": self.pause},
        )
        if self._on_error is not None:
            self._on_error(error)

    def _passes(self, error: CometChatError) -> bool:
        # A proxy's page in place of one answer among many passes; in place of the very first it is the wrong address.
        passing = (TransportError, RateLimitError, ServerError, *((UnexpectedResponse,) if self._answered else ()))
        return isinstance(error, passing)


def warn_of_overrun(answer: ReviewedMessageList, limit: int | None, new: int) -> None:
    """Warn where an answer holds nothing but new records, and as many as fit: there may have been more.

    Args:
        answer: what is not the first answer.
        limit: how many records were asked for.
        new: how many of the answer's records are new.
    """
    # A service may have a maximum of its own, and a lenient reader lets odd figures by.
    figures = [each for each in (limit, answer.meta.current.limit) if type(each) is int]
    if answer.data and new == len(answer.data) >= min(figures, default=0):
        log.warning(
            "list_reviewed_messages: all %d records of an answer are new; there may have been more: "
            "ask more often, or raise the limit",
            new,
            extra={"event": "overrun", "operation": "list_reviewed_messages", "records": new},
        )


def wait(stop: threading.Event, pause: float) -> None:
    """Wait so many seconds, but no longer than until `stop` is set."""
    end = time.monotonic() + pause
    while (left := end - time.monotonic()) > 0 and not stop.wait(min(left, _LONGEST_WAIT)):
        pass
