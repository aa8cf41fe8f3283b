"""Messages that moderation reviewed: list them, follow them."""

import threading
from collections.abc import AsyncIterator, Iterator

from cometchat_openapi.api import reviewed_messages as generated
from cometchat_openapi.models import ReviewedMessage
from cometchat_runtime.checks import check_type
from cometchat_runtime.concurrency import wait

from .watch import OnError, Watch


class ReviewedMessages(generated.ReviewedMessages):
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
        """Yield every new record once, oldest first, until the iteration is stopped (operation
        `listReviewedMessages`).

        Ctrl-C stops it, and so does `stop`: the iteration ends at once, or after the call in
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
            stop: ends the iteration once it is set.

        Raises:
            InvalidRequestError: an argument is invalid; raised at once, before the iteration
                begins.
            CometChatError: a call failed with an error that is not temporary, such as an invalid
                API key; raised during the iteration.
        """
        check_type("stop", stop, threading.Event | None, "a threading.Event")
        watch = Watch(interval, limit, on_error, skip_existing=skip_existing)
        return self._follow(watch, stop or threading.Event())

    def _follow(self, watch: Watch, stop: threading.Event) -> Iterator[ReviewedMessage]:
        while not stop.is_set():
            outcome = self._api.run(self._api.steps(watch.call))
            for record in watch.take(outcome):
                if stop.is_set():
                    return
                yield record
            wait(stop, watch.pause)


class AsyncReviewedMessages(generated.AsyncReviewedMessages):
    """The reviewed messages of the app, with awaited calls."""

    def watch(
        self,
        *,
        interval: float = 30.0,
        limit: int | None = None,
        skip_existing: bool = False,
        on_error: OnError | None = None,
    ) -> AsyncIterator[ReviewedMessage]:
        """Like `ReviewedMessages.watch`, for `async for`; cancel the task to stop it."""
        watch = Watch(interval, limit, on_error, skip_existing=skip_existing)
        return self._follow(watch)

    async def _follow(self, watch: Watch) -> AsyncIterator[ReviewedMessage]:
        import anyio  # noqa: PLC0415 - a blocking program does not load it

        while True:
            outcome = await self._api.run(self._api.steps(watch.call))
            for record in watch.take(outcome):
                yield record
            await anyio.sleep(watch.pause)
