"""Messages that moderation reviewed: list them, follow them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

import anyio

from cometchat_openapi import Call
from cometchat_openapi.api.reviewed_messages import (
    GeneratedAsyncReviewedMessages,
    GeneratedReviewedMessages,
    list_reviewed_messages,
)
from cometchat_openapi.models import ReviewedMessageList
from cometchat_rest._call.api import Api, AsyncApi
from cometchat_rest._support.checks import check_int
from cometchat_rest._support.frames import without_frames
from cometchat_rest.errors import InvalidRequestError

if TYPE_CHECKING:
    import threading

    from cometchat_openapi.models import ReviewedMessage

    from .watch import OnError, Watch


def _call(limit: int | None) -> Call[ReviewedMessageList]:
    if limit is not None:
        check_int("limit", limit, least=1, error=InvalidRequestError)
    return list_reviewed_messages.prepare(limit=limit)


class _Methods:
    """The method of both clients, with its documentation."""

    def watch(
        self,
        *,
        interval: float = 30.0,
        limit: int | None = None,
        skip_existing: bool = False,
        on_error: OnError | None = None,
    ) -> object:
        """Yield every new record once, oldest first, until the iteration is stopped (operation `listReviewedMessages`).

        With `AsyncClient`, use `async for`, and cancel its task to stop it. With `Client`, Ctrl-C stops it,
        and so does `stop`, an event that any thread can set: it then ends at once, or after the call in progress.

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

        Raises:
            InvalidRequestError: an argument is invalid; raised at once, before the iteration begins.
            CometChatError: a call failed with an error that is not temporary, such as an invalid API key; raised during
                the iteration.
        """


class ReviewedMessages(_Methods, GeneratedReviewedMessages[Api]):
    """The reviewed messages of the app, with blocking calls."""

    @without_frames
    def watch(
        self,
        *,
        interval: float = 30.0,
        limit: int | None = None,
        skip_existing: bool = False,
        on_error: OnError | None = None,
        stop: threading.Event | None = None,
    ) -> Iterator[ReviewedMessage]:
        from .watch import Watch  # noqa: PLC0415 - a program that only lists records does not need it

        return self._watch(Watch(interval, limit, on_error, skip_existing=skip_existing), _call(limit), stop)

    def _watch(
        self, watch: Watch, call: Call[ReviewedMessageList], stop: threading.Event | None
    ) -> Iterator[ReviewedMessage]:
        from threading import Event  # noqa: PLC0415

        from cometchat_rest._support.concurrency import wait  # noqa: PLC0415 - as in `watch`

        stop = stop or Event()
        while not stop.is_set():
            for record in watch.take(self._client.run(self._client.steps(call))):
                if stop.is_set():
                    return
                yield record
            wait(stop, watch.pause)


class AsyncReviewedMessages(_Methods, GeneratedAsyncReviewedMessages[AsyncApi]):
    """The reviewed messages of the app, with awaited calls."""

    @without_frames
    def watch(
        self,
        *,
        interval: float = 30.0,
        limit: int | None = None,
        skip_existing: bool = False,
        on_error: OnError | None = None,
    ) -> AsyncIterator[ReviewedMessage]:
        from .watch import Watch  # noqa: PLC0415 - as above

        return self._watch(Watch(interval, limit, on_error, skip_existing=skip_existing), _call(limit))

    async def _watch(self, watch: Watch, call: Call[ReviewedMessageList]) -> AsyncIterator[ReviewedMessage]:
        while True:
            for record in watch.take(await self._client.run(self._client.steps(call))):
                yield record
            await anyio.sleep(watch.pause)
