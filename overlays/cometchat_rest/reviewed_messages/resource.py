"""Messages that moderation has looked at: list them, follow them, keep them in a file (service.md, section 4.3)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

import anyio

from cometchat_openapi import Call
from cometchat_openapi.api.reviewed_messages import list_reviewed_messages
from cometchat_openapi.models import ReviewedMessageList
from cometchat_rest._call.api import Api, AsyncApi
from cometchat_rest._support.checks import check_int
from cometchat_rest.errors import InvalidRequestError

if TYPE_CHECKING:
    import threading

    from cometchat_openapi.models import ReviewedMessage
    from cometchat_rest._support.files import FilePath

    from .export import ReviewedExport
    from .watch import OnError, Watch


def _call(limit: int | None) -> Call[ReviewedMessageList]:
    if limit is not None:
        check_int("limit", limit, least=1, refusal=InvalidRequestError)
    return list_reviewed_messages.prepare(limit=limit)


def _export(path: FilePath, found: ReviewedMessageList, limit: int | None) -> ReviewedExport:
    from .export import ReviewedFile  # noqa: PLC0415 - as in `export`
    from .watch import warn_of_overrun  # noqa: PLC0415 - as in `export`

    with ReviewedFile(path) as file:
        first = file.is_empty
        done = file.append(found.data)
    if not first:
        warn_of_overrun(found, limit, done.written)
    return done


class ReviewedMessages:
    """The reviewed messages of the app, each call waited for."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self, *, limit: int | None = None) -> ReviewedMessageList:
        """The latest reviewed messages (service.md, section 4.3).

        Args:
            limit: how many records at most; by default as many as the service sees fit.

        Returns:
            The records in `data`; in `meta.current`, how many were asked for and came.

        Raises:
            InvalidRequestError: `limit` is no whole number from 1 up; nothing was sent.
            CometChatError: whatever else can become of a call.
        """
        return self._api.send(_call(limit)).parsed

    def watch(
        self,
        *,
        interval: float = 30.0,
        limit: int | None = None,
        skip_existing: bool = False,
        on_error: OnError | None = None,
        stop: threading.Event | None = None,
    ) -> Iterator[ReviewedMessage]:
        """Every new record once, oldest first, for as long as it is iterated over (service.md, section 4.3).

        The service tells the latest records only, so they are asked for again and again. Where all records of a full
        answer are new, there may have been more in between: the logger `cometchat_rest` then has a warning whose
        `event` is `overrun`. Two records are the same if message, rule, revision of the rule and `created_at` are: one
        whose status changes does not come again. The last ten thousand are remembered, or twice as many as an answer
        has.

        After a network error, a 429 or a 5xx it goes on, with pauses that grow from `interval` to five minutes, or
        are as long as the service asks for, up to an hour; after an answer outside the contract as well, unless it is
        the first.

        Args:
            interval: seconds between an answer and the next call.
            limit: how many records to ask for at a time; by default as many as the service sees fit.
            skip_existing: whether to leave out what the first answer holds.
            on_error: called with each error that is survived.
            stop: when set, by any thread, the iteration ends at once, or when the call under way has ended. Ctrl-C, and
                closing the iterator, need none.

        Raises:
            InvalidRequestError: an argument is out of range; raised at once, before anything is iterated.
            CometChatError: what will not mend by itself, such as a key that is refused; while iterating.
        """
        from .watch import Watch  # noqa: PLC0415 - a program that only lists has no use for it

        return self._watch(Watch(interval, limit, on_error, skip_existing=skip_existing), _call(limit), stop)

    def _watch(
        self, watch: Watch, call: Call[ReviewedMessageList], stop: threading.Event | None
    ) -> Iterator[ReviewedMessage]:
        from threading import Event  # noqa: PLC0415

        from .watch import wait  # noqa: PLC0415 - as in `watch`

        stop = stop or Event()
        while not stop.is_set():
            for record in watch.take(self._api.attempt(call)):
                if stop.is_set():
                    return
                yield record
            wait(stop, watch.pause)

    def export(self, path: FilePath, *, limit: int | None = None) -> ReviewedExport:
        """Add the latest records to a file, those that it does not have (service.md, section 4.3).

        A run that is killed at any moment loses and doubles nothing that the next run can still list: what it wrote is
        in the file, whole, and the file's end tells what is there. Where the file has none of a full answer, there may
        have been more in between: a warning says so, as in `watch`. `ReviewedFile` adds records from anywhere else,
        such as from `watch`.

        Args:
            path: the file; `.jsonl` for whole records, one to a line, or `.csv` for a spreadsheet.
            limit: how many records at most; by default as many as the service sees fit.

        Returns:
            How many records were added, and how many the file had.

        Raises:
            InvalidRequestError: `limit` is no whole number from 1 up, the suffix is neither of the two, or the file
                holds something else; nothing was written.
            CometChatError: whatever else can become of a call; nothing was written.
            OSError: the file cannot be written, or somebody else is adding to it; it is as it was.
        """
        from .export import format_for  # noqa: PLC0415 - a program that only lists has no use for it

        format_for(path)
        return _export(path, self._api.send(_call(limit)).parsed, limit)


class AsyncReviewedMessages:
    """The reviewed messages of the app, each call awaited."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def list(self, *, limit: int | None = None) -> ReviewedMessageList:
        """As `ReviewedMessages.list`, awaited."""
        return (await self._api.send(_call(limit))).parsed

    def watch(
        self,
        *,
        interval: float = 30.0,
        limit: int | None = None,
        skip_existing: bool = False,
        on_error: OnError | None = None,
    ) -> AsyncIterator[ReviewedMessage]:
        """As `ReviewedMessages.watch`, for `async for`; cancelling the task ends it."""
        from .watch import Watch  # noqa: PLC0415 - as above

        return self._watch(Watch(interval, limit, on_error, skip_existing=skip_existing), _call(limit))

    async def _watch(self, watch: Watch, call: Call[ReviewedMessageList]) -> AsyncIterator[ReviewedMessage]:
        while True:
            for record in watch.take(await self._api.attempt(call)):
                yield record
            await anyio.sleep(watch.pause)

    async def export(self, path: FilePath, *, limit: int | None = None) -> ReviewedExport:
        """As `ReviewedMessages.export`, awaited; the file is written in a thread."""
        from .export import format_for  # noqa: PLC0415 - as above

        format_for(path)
        found = (await self._api.send(_call(limit))).parsed
        return await anyio.to_thread.run_sync(_export, path, found, limit)
