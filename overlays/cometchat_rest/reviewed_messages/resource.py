"""Messages that moderation reviewed: list them, follow them, export them to a file (service.md, section 4.3)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

import anyio

from cometchat_openapi import Call
from cometchat_openapi.api.reviewed_messages import list_reviewed_messages
from cometchat_openapi.models import ReviewedMessageList
from cometchat_rest._call.api import Api, AsyncApi
from cometchat_rest._support.checks import check_int
from cometchat_rest._support.files import format_for
from cometchat_rest.errors import InvalidRequestError

if TYPE_CHECKING:
    import threading

    from cometchat_openapi.models import ReviewedMessage
    from cometchat_rest._support.files import FilePath

    from .export import ReviewedExport
    from .watch import OnError, Watch


def _call(limit: int | None) -> Call[ReviewedMessageList]:
    if limit is not None:
        check_int("limit", limit, least=1, error=InvalidRequestError)
    return list_reviewed_messages.prepare(limit=limit)


def _export(path: FilePath, page: ReviewedMessageList, limit: int | None) -> ReviewedExport:
    from .export import ReviewedFile  # noqa: PLC0415 - as in `export`
    from .watch import warn_of_overrun  # noqa: PLC0415 - as in `export`

    with ReviewedFile(path) as file:
        first = file.is_empty
        done = file.append(page.data)
    if not first:
        warn_of_overrun(page, limit, done.written)
    return done


class ReviewedMessages:
    """The reviewed messages of the app, with blocking calls."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self, *, limit: int | None = None) -> ReviewedMessageList:
        """List the latest reviewed messages, newest first (service.md, section 4.3).

        Args:
            limit: the largest number of records to list; by default, the service decides.

        Returns:
            The records in `data`; the limit and the number of records in `meta.current`.

        Raises:
            InvalidRequestError: `limit` is not an integer of at least 1; nothing was sent.
            CometChatError: the call failed.
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
        """Yield every new record once, oldest first, until the iteration is stopped (service.md, section 4.3).

        The service lists only the latest records, so the watch lists them again and again. If all records of a full
        response are new, there may be more new records than the response could hold. The logger `cometchat_rest` then
        gets a warning with the `event` `overrun`. Two records are the same if message, rule, revision of the rule and
        `created_at` are the same; a record whose status changes is not yielded again. The watch remembers the last
        10,000 records, or twice the size of a response if that is more.

        After a network error, a 429 or a 5xx, the watch waits and continues. The pause grows from `interval` to five
        minutes; a longer pause that the service asks for is obeyed, up to an hour. The watch also continues after an
        `UnexpectedResponse`, unless that is the first response.

        Args:
            interval: seconds between a response and the next call.
            limit: the largest number of records to list in each call; by default, the service decides.
            skip_existing: whether to leave out the records of the first response.
            on_error: called with each error after which the watch continues.
            stop: an event that any thread can set; the iteration then ends at once, or after the call in progress.
                To end the iteration with Ctrl-C or by closing the iterator, no event is needed.

        Raises:
            InvalidRequestError: an argument is invalid; raised at once, before the iteration begins.
            CometChatError: a call failed with an error that is not temporary, such as an invalid API key; raised during
                the iteration.
        """
        from .watch import Watch  # noqa: PLC0415 - a program that only lists records does not need it

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
        """Add the latest records that are not yet in a file to that file (service.md, section 4.3).

        If the process is killed at any moment, the next export loses no record that the service still lists, and adds
        no record twice: the file contains only complete records, and its end shows which records it has. If all
        records of a full response are new to the file, a warning says that others may be missing, as in `watch`. Use
        `ReviewedFile` to add records from another source, such as `watch`.

        Args:
            path: the file; `.jsonl` for whole records, one per line, or `.csv` for a spreadsheet.
            limit: the largest number of records to list; by default, the service decides.

        Returns:
            How many records were added, and how many were skipped because the file already has them.

        Raises:
            InvalidRequestError: `limit` is not an integer of at least 1, the suffix is not supported, or the file
                contains something else; nothing was written.
            CometChatError: the call failed; nothing was written.
            OSError: the file cannot be written, or another writer has it open; no record was added.
        """
        from .export import FORMATS  # noqa: PLC0415 - a program that only lists records does not need it

        format_for(path, FORMATS)
        return _export(path, self._api.send(_call(limit)).parsed, limit)


class AsyncReviewedMessages:
    """The reviewed messages of the app, with awaited calls."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def list(self, *, limit: int | None = None) -> ReviewedMessageList:
        """Like `ReviewedMessages.list`, awaited."""
        return (await self._api.send(_call(limit))).parsed

    def watch(
        self,
        *,
        interval: float = 30.0,
        limit: int | None = None,
        skip_existing: bool = False,
        on_error: OnError | None = None,
    ) -> AsyncIterator[ReviewedMessage]:
        """Like `ReviewedMessages.watch`, for `async for`; to stop the watch, cancel its task."""
        from .watch import Watch  # noqa: PLC0415 - as above

        return self._watch(Watch(interval, limit, on_error, skip_existing=skip_existing), _call(limit))

    async def _watch(self, watch: Watch, call: Call[ReviewedMessageList]) -> AsyncIterator[ReviewedMessage]:
        while True:
            for record in watch.take(await self._api.attempt(call)):
                yield record
            await anyio.sleep(watch.pause)

    async def export(self, path: FilePath, *, limit: int | None = None) -> ReviewedExport:
        """Like `ReviewedMessages.export`, awaited; a thread writes the file."""
        from .export import FORMATS  # noqa: PLC0415 - as above

        format_for(path, FORMATS)
        page = (await self._api.send(_call(limit))).parsed
        return await anyio.to_thread.run_sync(_export, path, page, limit)
