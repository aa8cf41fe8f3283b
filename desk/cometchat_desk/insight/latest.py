"""The latest records of the service: all that it gives, and whether it may have more."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Self

from attrs import frozen

from cometchat_desk.times import utc
from cometchat_rest import ApiError, Client, ReviewedMessage
from cometchat_rest.reviewed_messages import oldest_first

# The service documents no largest number, and its default is small. Nearly all apps have fewer
# records than the first.
_ASKED = (1_000, 10_000)


def raw_of(record: ReviewedMessage, app: str) -> Mapping[str, Any]:
    """A record as the service sent it, with the name of its app: a file may hold records of
    several apps."""
    return {"app": app, **record.to_dict()}


@frozen
class Latest:
    """The records of one response."""

    records: Sequence[Mapping[str, Any]]  # the raw records with the name of their app, oldest first
    #: Whether the response has as many records as it could hold, so that older ones may be missing
    is_full: bool

    def since(self, start: datetime | None) -> Self:
        """The records that were created at or after a time. If a record is older, none of these
        is missing."""
        if start is None:
            return self
        times = [utc(record.get("createdAt")) for record in self.records]
        return type(self)(
            [
                record
                for record, time in zip(self.records, times, strict=True)
                if time is not None and time >= start
            ],
            is_full=self.is_full and not any(time is not None and time < start for time in times),
        )


def read_latest(chat: Client, limit: int | None = None, *, app: str = "") -> Latest:
    """List the latest records of an app: `limit` of them, or as many as the service gives."""
    records: Sequence[ReviewedMessage] = ()
    is_full = True
    for asked in _ASKED if limit is None else (limit,):
        try:
            page = chat.reviewed_messages.list(limit=asked)
        except ApiError as error:
            if limit is not None or error.status_code != 400:
                raise
            # The service has a largest number after all.
            records = records or chat.reviewed_messages.list().data
            break
        # A response that was read leniently may hold any value.
        given = page.meta.current.limit
        held = given if type(given) is int else asked
        records, is_full = page.data, len(page.data) >= min(asked, held)
        if not is_full or held < asked:
            break
    return Latest([raw_of(record, app) for record in oldest_first(records)], is_full)
