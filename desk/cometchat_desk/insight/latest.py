"""The latest records of the service: all that it gives, and whether it may have more."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Self

from attrs import evolve, frozen

from cometchat_desk.times import utc
from cometchat_rest import BadRequestError, Client, ReviewedMessage, ReviewedMessageList
from cometchat_rest.reviewed_messages import oldest_first

# The service documents no largest number, and its default is small. Nearly all apps have fewer
# records than the first.
_ASKED = (1_000, 10_000)


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
    if limit is not None:
        page = chat.reviewed_messages.list(limit=limit)
        return _latest(page, _most(page, limit), app)
    latest = Latest(app=app, messages=(), is_full=True)
    for asked in _ASKED:
        try:
            page = chat.reviewed_messages.list(limit=asked)
        except BadRequestError:
            # The service has a largest number after all.
            messages = latest.messages or oldest_first(chat.reviewed_messages.list().data)
            return evolve(latest, messages=messages)
        most = _most(page, asked)
        latest = _latest(page, most, app)
        if not latest.is_full or most < asked:
            break
    return latest


def _most(page: ReviewedMessageList, asked: int) -> int:
    """The largest number of records in a response."""
    # A response that was read leniently may hold any value.
    limit = page.meta.current.limit
    return min(asked, limit) if type(limit) is int else asked


def _latest(page: ReviewedMessageList, most: int, app: str) -> Latest:
    return Latest(app=app, messages=oldest_first(page.data), is_full=len(page.data) >= most)
