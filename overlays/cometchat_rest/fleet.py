"""`Fleet` and `AsyncFleet`: run the same job for several apps, with a separate outcome for each app."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, ExitStack
from typing import Any, Generic, Self, TypeVar, cast

from attrs import frozen

from ._call.pacing import BulkJob
from ._support.checks import check_int
from ._support.concurrency import DEFAULT_CONCURRENCY, MAX_CONCURRENCY, in_tasks, in_threads
from .client import AsyncClient, Client
from .errors import CometChatError, ConfigurationError, InvalidRequestError
from .keywords.inputs import KeywordListInput, check_content, check_terms
from .keywords.plan import KeywordPlan, KeywordUpdate

T = TypeVar("T")
AppT = TypeVar("AppT")


@frozen(kw_only=True)
class Outcome(Generic[T]):
    """The outcome of a job for one app.

    Attributes:
        result: the value that the job returned; `None` if the job failed.
        error: the error of the job; `None` if the job succeeded.
    """

    result: T | None = None
    error: CometChatError | None = None

    def unwrap(self) -> T:
        """Return the result of the job.

        Raises:
            CometChatError: the job failed.
        """
        if self.error is not None:
            raise self.error
        # `None` is a valid result of a job.
        return cast("T", self.result)

    def to_dict(self) -> dict[str, Any]:
        """The outcome as JSON values, for example for a log.

        Returns:
            `result`, as its own `to_dict` returns it, or unchanged if it has no `to_dict`; and `error`,
            `CometChatError.to_dict()` or `None`.
        """
        to_dict: Callable[[], dict[str, Any]] | None = getattr(self.result, "to_dict", None)
        return {
            "result": self.result if to_dict is None else to_dict(),
            "error": None if self.error is None else self.error.to_dict(),
        }


def _check_apps(apps: Mapping[str, AppT], kind: type[AppT]) -> dict[str, AppT]:
    if not isinstance(apps, Mapping) or not all(isinstance(chat, kind) for chat in apps.values()):
        raise ConfigurationError(f"apps must map each name to one {kind.__name__}")
    return dict(apps)


def _apply_jobs(
    plans: Mapping[str, Outcome[KeywordPlan]], apps: Mapping[str, object], max_removed: float, settle_within: float
) -> dict[str, Callable[[Any], Any]]:
    """The jobs of `apply`, for both kinds of clients."""

    def job(planned: Outcome[KeywordPlan]) -> Callable[[Any], Any]:
        return lambda chat: chat.keywords.apply(planned.unwrap(), max_removed=max_removed, settle_within=settle_within)

    if not isinstance(plans, Mapping):
        raise InvalidRequestError(f"plans must be the result of plan() of this fleet, not {type(plans).__name__}")
    for name, outcome in plans.items():
        if name not in apps or not isinstance(outcome, Outcome):
            raise InvalidRequestError(f"plans must be the result of plan() of this fleet; the entry {name!r} is not")
    return {name: job(planned) for name, planned in plans.items()}


class Fleet:
    """The clients of several apps; a context manager that closes them.

    ```python
    with Fleet({"shop": Client(app_id=..., api_key=...), "forum": Client(app_id=..., api_key=...)}) as fleet:
        plans = fleet.plan("profanity-list", ["spam", "scam"])
        updates = fleet.apply(plans)
    ```

    Attributes:
        apps: the client of each app.
    """

    def __init__(self, apps: Mapping[str, Client], *, concurrency: int = DEFAULT_CONCURRENCY) -> None:
        """Create a fleet. It owns the clients, and closes them when it is closed.

        Args:
            apps: the client of each app, under a name that you choose.
            concurrency: the largest number of apps to work on at the same time, 1 to 100.

        Raises:
            ConfigurationError: `apps` is not such a mapping, or `concurrency` is out of range.
        """
        self.apps: Mapping[str, Client] = _check_apps(apps, Client)
        self._concurrency = check_int("concurrency", concurrency, least=1, most=MAX_CONCURRENCY)

    def each(self, job: Callable[[Client], T]) -> dict[str, Outcome[T]]:
        """Run a job for each app, for several apps at the same time. An error in one app does not stop the others.

        If a job raises an exception that is not a `CometChatError`, the program has a bug: the exception is raised, and
        no further job starts. After Ctrl-C, no further job starts either.

        Args:
            job: called with a client of each app, in threads if there is more than one app. Near the rate limit of the
                app, the client slows down; after a 429 it waits as long as the response asks, until its `deadline`.

        Returns:
            The outcome for each app, in the order of `apps`.
        """
        return self.run(dict.fromkeys(self.apps, job))

    def plan(self, list_id: str, new: KeywordListInput | Iterable[str]) -> dict[str, Outcome[KeywordPlan]]:
        """Plan the same update for each app; see `Keywords.plan`.

        Args:
            list_id: the list's identifier, the same in all apps.
            new: the new content as an input, or only its terms or sentences.

        Returns:
            The outcome for each app: what the update would change there.

        Raises:
            InvalidRequestError: `new` is not such a value; nothing was sent.
        """
        given = check_content(new)
        return self.each(lambda chat: chat.keywords.plan(list_id, given))

    def plan_changes(
        self, list_id: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> dict[str, Outcome[KeywordPlan]]:
        """Plan the same additions and removals for each app; see `Keywords.plan_changes`.

        The lists of the apps stay different: each app keeps its other entries.

        Args:
            list_id: the list's identifier, the same in all apps.
            add: the terms or sentences to add.
            remove: the terms or sentences to remove.

        Returns:
            The outcome for each app: the changes of its list.

        Raises:
            InvalidRequestError: an argument is not an iterable of terms; nothing was sent.
        """
        added, removed = check_terms(add, "add"), check_terms(remove, "remove")
        return self.each(lambda chat: chat.keywords.plan_changes(list_id, add=added, remove=removed))

    def apply(
        self, plans: Mapping[str, Outcome[KeywordPlan]], *, max_removed: float = 0.2, settle_within: float = 5.0
    ) -> dict[str, Outcome[KeywordUpdate]]:
        """Apply the plan of each app; see `Keywords.apply`. If planning failed for an app, that error is its outcome.

        Args:
            plans: the result of `plan()` or `plan_changes()`, or a part of it.
            max_removed: the largest share of a list's entries that may be removed, 0 to 1; checked for each app. It
                does not apply to plans from `plan_changes()`.
            settle_within: seconds to continue reading a list after an update whose outcome is unknown.

        Returns:
            The outcome for each app, in the order of `plans`.

        Raises:
            InvalidRequestError: `plans` is not such a value; nothing was sent.
        """
        return self.run(_apply_jobs(plans, self.apps, max_removed, settle_within))

    def run(self, jobs: Mapping[str, Callable[[Client], T]]) -> dict[str, Outcome[T]]:
        """Like `each`, with a different job for each app.

        Args:
            jobs: the jobs by the name of their app; other apps have no job.

        Returns:
            The outcome of each job, in the order of `jobs`.
        """

        bulk = BulkJob()

        def attempt(name: str) -> Outcome[T]:
            try:
                return Outcome(result=jobs[name](self.apps[name]._for_job(bulk)))  # noqa: SLF001 - not for users
            except CometChatError as error:
                return Outcome(error=error)

        return dict(zip(jobs, in_threads(attempt, list(jobs), self._concurrency, bulk.stop), strict=True))

    def close(self) -> None:
        """Close the clients of all apps."""
        with ExitStack() as closing:
            for chat in self.apps.values():
                closing.callback(chat.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Fleet({list(self.apps)}, concurrency={self._concurrency})"


class AsyncFleet:
    """Like `Fleet`, awaited, with an `AsyncClient` for each app.

    Attributes:
        apps: the client of each app.
    """

    def __init__(self, apps: Mapping[str, AsyncClient], *, concurrency: int = DEFAULT_CONCURRENCY) -> None:
        """Create a fleet; see `Fleet`."""
        self.apps: Mapping[str, AsyncClient] = _check_apps(apps, AsyncClient)
        self._concurrency = check_int("concurrency", concurrency, least=1, most=MAX_CONCURRENCY)

    async def each(self, job: Callable[[AsyncClient], Awaitable[T]]) -> dict[str, Outcome[T]]:
        """Like `Fleet.each`, with a task for each job. A bug in one job, or a cancellation, cancels all jobs."""
        return await self.run(dict.fromkeys(self.apps, job))

    async def plan(self, list_id: str, new: KeywordListInput | Iterable[str]) -> dict[str, Outcome[KeywordPlan]]:
        """Like `Fleet.plan`, awaited."""
        given = check_content(new)
        return await self.each(lambda chat: chat.keywords.plan(list_id, given))

    async def plan_changes(
        self, list_id: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> dict[str, Outcome[KeywordPlan]]:
        """Like `Fleet.plan_changes`, awaited."""
        added, removed = check_terms(add, "add"), check_terms(remove, "remove")
        return await self.each(lambda chat: chat.keywords.plan_changes(list_id, add=added, remove=removed))

    async def apply(
        self, plans: Mapping[str, Outcome[KeywordPlan]], *, max_removed: float = 0.2, settle_within: float = 5.0
    ) -> dict[str, Outcome[KeywordUpdate]]:
        """Like `Fleet.apply`, awaited."""
        return await self.run(_apply_jobs(plans, self.apps, max_removed, settle_within))

    async def run(self, jobs: Mapping[str, Callable[[AsyncClient], Awaitable[T]]]) -> dict[str, Outcome[T]]:
        """Like `Fleet.run`, with a task for each job."""

        bulk = BulkJob()

        async def attempt(name: str) -> Outcome[T]:
            try:
                return Outcome(result=await jobs[name](self.apps[name]._for_job(bulk)))  # noqa: SLF001 - not for users
            except CometChatError as error:
                return Outcome(error=error)

        return dict(zip(jobs, await in_tasks(attempt, list(jobs), self._concurrency), strict=True))

    async def aclose(self) -> None:
        """Close the clients of all apps."""
        async with AsyncExitStack() as closing:
            for chat in self.apps.values():
                closing.push_async_callback(chat.aclose)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncFleet({list(self.apps)}, concurrency={self._concurrency})"
