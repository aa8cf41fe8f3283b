"""Messages that moderation reviewed: list them, follow them."""

import threading
from collections.abc import AsyncIterator, Iterator
from typing import cast

import anyio

from cometchat_openapi.api.reviewed_messages import (
    AsyncReviewedMessages as GeneratedAsyncReviewedMessages,
)
from cometchat_openapi.api.reviewed_messages import ReviewedMessages as GeneratedReviewedMessages
from cometchat_openapi.models import ReviewedMessage
from cometchat_runtime.api import Api, AsyncApi
from cometchat_runtime.checks import check_type
from cometchat_runtime.concurrency import wait

from .watch import OnError, Watch


class _Methods:
    """`ReviewedMessages` and `AsyncReviewedMessages` follow the watch that this makes, and
    inherit its docstring."""

    def watch(
        self,
        *,
        interval: float = 30.0,
        limit: int | None = None,
        skip_existing: bool = False,
        on_error: OnError | None = None,
    ) -> object:
        """Yield every new record once, oldest first, until the iteration is stopped (operation
        `listReviewedMessages`).

        With `AsyncClient`, use `async for`, and cancel its task to stop it. With `Client`, Ctrl-C
        stops it, and so does `stop`, an event: it ends the iteration at once, or after the call in
        progress.

        The list has no cursor, so the watch reads it again and again, and assumes that it has the
        latest records: no source says which records it has. Two records are the same if message,
        rule, revision of the rule and `created_at` are the same; that is an assumption as well. If
        all records of a full response are new, there may be more, and the logger `cometchat_rest`
        gets the warning `overrun`. The watch remembers the last 10,000 records, or twice the size
        of a response if that is more.

        After a network error, a 429 or a 5xx, the watch waits and continues. The pause grows from
        `interval` to five minutes; a longer pause that the service asks for is obeyed, up to an
        hour. The watch also continues after an `UnexpectedResponse`, unless that is the first
        response.

        Args:
            interval: seconds between a response and the next call.
            limit: the largest number of records to list in each call; by default, the service
                decides.
            skip_existing: whether to leave out the records of the first response.
            on_error: called with each error after which the watch continues.

        Raises:
            InvalidRequestError: an argument is invalid; raised at once, before the iteration
                begins.
            CometChatError: a call failed with an error that is not temporary, such as an invalid
                API key; raised during the iteration.
        """
        return Watch(interval, limit, on_error, skip_existing=skip_existing)


class ReviewedMessages(_Methods, GeneratedReviewedMessages[Api]):
    """The reviewed messages of the app, with blocking calls."""

    def watch(
        self,
        *,
        interval: float = 30.0,
        limit: int | None = None,
        skip_existing: bool = False,
        on_error: OnError | None = None,
        stop: threading.Event | None = None,
    ) -> Iterator[ReviewedMessage]:
        check_type("stop", stop, threading.Event | None, "a threading.Event")
        watch = super().watch(
            interval=interval, limit=limit, skip_existing=skip_existing, on_error=on_error
        )
        return self._follow(cast("Watch", watch), stop or threading.Event())

    def _follow(self, watch: Watch, stop: threading.Event) -> Iterator[ReviewedMessage]:
        while not stop.is_set():
            for record in watch.take(self._client.run(self._client.steps(watch.call))):
                if stop.is_set():
                    return
                yield record
            wait(stop, watch.pause)


class AsyncReviewedMessages(_Methods, GeneratedAsyncReviewedMessages[AsyncApi]):
    """The reviewed messages of the app, with awaited calls."""

    def watch(
        self,
        *,
        interval: float = 30.0,
        limit: int | None = None,
        skip_existing: bool = False,
        on_error: OnError | None = None,
    ) -> AsyncIterator[ReviewedMessage]:
        watch = super().watch(
            interval=interval, limit=limit, skip_existing=skip_existing, on_error=on_error
        )
        return self._follow(cast("Watch", watch))

    async def _follow(self, watch: Watch) -> AsyncIterator[ReviewedMessage]:
        while True:
            for record in watch.take(await self._client.run(self._client.steps(watch.call))):
                yield record
            await anyio.sleep(watch.pause)
