"""The latest records of the service: all that it gives, and whether it may have more."""

from collections.abc import Sequence
from datetime import datetime
from typing import Self

from attrs import frozen

from cometchat_desk.times import utc
from cometchat_rest import ApiError, Client, ReviewedMessage

# The service documents no largest number, and its default is small. Nearly all apps have fewer records than the first.
_ASKED = (1_000, 10_000)


@frozen
class Latest:
    """The records of one response."""

    records: Sequence[ReviewedMessage]  # the records, in the order of the service
    is_full: bool  # whether the response has as many records as it could hold, so that older ones may be missing

    def since(self, start: datetime | None) -> Self:
        """The records that were created at or after a time. If a record is older, none of these is missing."""
        if start is None:
            return self
        times = [utc(record.created_at) for record in self.records]
        return type(self)(
            [record for record, time in zip(self.records, times, strict=True) if time is not None and time >= start],
            is_full=self.is_full and not any(time is not None and time < start for time in times),
        )


def read_latest(chat: Client, limit: int | None = None) -> Latest:
    """List the latest records: `limit` of them, or as many as the service gives."""
    latest = Latest((), is_full=True)
    for asked in _ASKED if limit is None else (limit,):
        try:
            page = chat.reviewed_messages.list(limit=asked)
        except ApiError as error:
            if limit is not None or error.status_code != 400:
                raise
            # The service has a largest number after all.
            return latest if latest.records else Latest(chat.reviewed_messages.list().data, is_full=True)
        # A response that was read leniently may hold any value.
        given = page.meta.current.limit
        held = given if type(given) is int else asked
        latest = Latest(page.data, is_full=len(page.data) >= min(asked, held))
        if not latest.is_full or held < asked:
            break
    return latest
