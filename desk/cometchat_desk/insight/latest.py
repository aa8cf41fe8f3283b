"""The latest records of the service: all that it gives, and whether it may have more."""

import contextlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Self

from attrs import evolve, frozen

from cometchat_desk.times import utc
from cometchat_rest import BadRequestError, Client, ReviewedMessage
from cometchat_rest.reviewed_messages import oldest_first

# The service documents no largest number, and its default is small. If it refuses a number, the
# next one is asked for.
_ASKED = (10_000, 1_000, None)


def raw_of(record: ReviewedMessage, app: str) -> Mapping[str, Any]:
    """A record as the service sent it, with the name of its app: a file may hold records of
    several apps."""
    return {"app": app, **record.to_dict()}


@frozen(kw_only=True)
class Latest:
    """The records of one response."""

    app: str  # the name of their app
    messages: Sequence[ReviewedMessage]  # the records, oldest first
    #: Whether the response has as many records as it could hold, so that older ones may be missing
    is_full: bool

    @property
    def records(self) -> Sequence[Mapping[str, Any]]:
        """The raw records with the name of their app, oldest first."""
        return [raw_of(message, self.app) for message in self.messages]

    def since(self, start: datetime | None) -> Self:
        """The records that were created at or after a time. If a record is older, none of these
        is missing."""
        if start is None:
            return self
        times = [utc(message.created_at) for message in self.messages]
        new = [
            message
            for message, time in zip(self.messages, times, strict=True)
            if time is not None and time >= start
        ]
        has_older = any(time is not None and time < start for time in times)
        return evolve(self, messages=new, is_full=self.is_full and not has_older)


def read_latest(chat: Client, limit: int | None = None, *, app: str = "") -> Latest:
    """List the latest records of an app: `limit` of them, or as many as the service gives."""
    *larger, last = _ASKED if limit is None else (limit,)
    for asked in larger:
        with contextlib.suppress(BadRequestError):
            return _read(chat, asked, app)
    return _read(chat, last, app)


def _read(chat: Client, asked: int | None, app: str) -> Latest:
    page = chat.reviewed_messages.list(limit=asked)
    # A response that was read leniently may hold any value.
    limits = [limit for limit in (asked, page.meta.current.limit) if type(limit) is int]
    is_full = len(page.data) >= min(limits, default=0)
    return Latest(app=app, messages=oldest_first(page.data), is_full=is_full)
