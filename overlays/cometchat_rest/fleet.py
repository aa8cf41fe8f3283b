"""`Fleet` and `AsyncFleet`: the same for several apps at a time, and for each an outcome of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, ExitStack
from typing import Generic, Self, TypeVar, cast

from attrs import frozen

from ._support.checks import check_int
from ._support.concurrency import DEFAULT_CONCURRENCY, MAX_CONCURRENCY, in_tasks, in_threads
from .client import AsyncClient, Client
from .errors import CometChatError, ConfigurationError, InvalidRequestError
from .keywords.inputs import KeywordListInput, check_terms
from .keywords.plan import KeywordPlan, KeywordUpdate

T = TypeVar("T")
AppT = TypeVar("AppT")


@frozen(kw_only=True)
class Outcome(Generic[T]):
    """What became of a job for one app.

    Attributes:
        result: what the job returned; `None` where it failed.
        error: how it failed; `None` otherwise.
    """

    result: T | None = None
    error: CometChatError | None = None

    def unwrap(self) -> T:
        """What the job returned.

        Raises:
            CometChatError: how it failed.
        """
        if self.error is not None:
            raise self.error
        # A job may well return None.
        return cast("T", self.result)


def _checked(apps: Mapping[str, AppT], kind: type[AppT]) -> dict[str, AppT]:
    if not isinstance(apps, Mapping) or not all(isinstance(chat, kind) for chat in apps.values()):
        raise ConfigurationError(f"apps: a mapping of names to {kind.__name__}s is needed")
    return dict(apps)


def _reusable(new: KeywordListInput | Iterable[str]) -> KeywordListInput | tuple[str, ...]:
    """The same, for one app after another: an iterator gives its terms but once."""
    return new if isinstance(new, KeywordListInput) else check_terms(new)


def _sound(plans: Mapping[str, Outcome[KeywordPlan]], apps: Mapping[str, object]) -> dict[str, KeywordPlan]:
    """The plans that can be applied.

    Raises:
        InvalidRequestError: there are others than the fleet's.
    """
    for name, outcome in plans.items():
        if name not in apps or not isinstance(outcome, Outcome):
            raise InvalidRequestError(f"plans: what plan() of this fleet returned is needed, for {name!r} too")
    return {name: outcome.unwrap() for name, outcome in plans.items() if outcome.error is None}


def _with_failed(
    plans: Mapping[str, Outcome[KeywordPlan]], updates: Mapping[str, Outcome[KeywordUpdate]]
) -> dict[str, Outcome[KeywordUpdate]]:
    return {name: updates.get(name) or Outcome(error=outcome.error) for name, outcome in plans.items()}


class Fleet:
    """Several apps; a context manager that closes their clients.

    ```python
    with Fleet({"shop": Client(app_id=..., api_key=...), "forum": Client(app_id=..., api_key=...)}) as fleet:
        plans = fleet.plan("profanity-list", ["spam", "scam"])
        updates = fleet.apply(plans)
    ```

    Attributes:
        apps: the client of each app.
    """

    def __init__(self, apps: Mapping[str, Client], *, concurrency: int = DEFAULT_CONCURRENCY) -> None:
        """Take over the clients of several apps.

        Args:
            apps: for each app a name of your choice, and its client.
            concurrency: for how many apps to work at a time, 1 to 100.

        Raises:
            ConfigurationError: `apps` is something else, or `concurrency` is out of range.
        """
        self.apps: Mapping[str, Client] = _checked(apps, Client)
        self._concurrency = check_int("concurrency", concurrency, least=1, most=MAX_CONCURRENCY)

    def each(self, job: Callable[[Client], T]) -> dict[str, Outcome[T]]:
        """Do something for each app, for several at a time; what fails for one app stops no other.

        What is no `CometChatError` is a fault of the program: it is raised, and nothing more is begun. The same holds
        for Ctrl-C.

        Args:
            job: called with each app's client, where there are several in threads.

        Returns:
            For each app what became of it, in the order of `apps`.
        """
        return self._run(dict.fromkeys(self.apps, job))

    def plan(self, list_id: str, new: KeywordListInput | Iterable[str]) -> dict[str, Outcome[KeywordPlan]]:
        """What the same update would change in each app; see `Keywords.plan`.

        Args:
            list_id: the list's identifier, the same in all apps.
            new: the new content, or its terms or sentences alone.

        Raises:
            InvalidRequestError: `new` is neither; nothing was sent.
        """
        given = _reusable(new)
        return self.each(lambda chat: chat.keywords.plan(list_id, given))

    def apply(
        self, plans: Mapping[str, Outcome[KeywordPlan]], *, max_removed: float = 0.2, settle_within: float = 5.0
    ) -> dict[str, Outcome[KeywordUpdate]]:
        """Apply the plan of each app; see `Keywords.apply`. Where planning failed, its error is the outcome.

        Args:
            plans: what `plan()` returned, or a part of it.
            max_removed: the largest share of a list's entries that may go, 0 to 1, for each app by itself.
            settle_within: seconds to go on reading a list after an update whose outcome is unknown.

        Raises:
            InvalidRequestError: `plans` is something else; nothing was sent.
        """

        def applying(plan: KeywordPlan) -> Callable[[Client], KeywordUpdate]:
            return lambda chat: chat.keywords.apply(plan, max_removed=max_removed, settle_within=settle_within)

        sound = _sound(plans, self.apps)
        return _with_failed(plans, self._run({name: applying(plan) for name, plan in sound.items()}))

    def _run(self, jobs: Mapping[str, Callable[[Client], T]]) -> dict[str, Outcome[T]]:
        def attempt(name: str) -> Outcome[T]:
            try:
                return Outcome(result=jobs[name](self.apps[name]))
            except CometChatError as error:
                return Outcome(error=error)

        return dict(zip(jobs, in_threads(attempt, list(jobs), self._concurrency), strict=True))

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
    """As `Fleet`, awaited, with an `AsyncClient` for each app.

    Attributes:
        apps: the client of each app.
    """

    def __init__(self, apps: Mapping[str, AsyncClient], *, concurrency: int = DEFAULT_CONCURRENCY) -> None:
        """As for `Fleet`."""
        self.apps: Mapping[str, AsyncClient] = _checked(apps, AsyncClient)
        self._concurrency = check_int("concurrency", concurrency, least=1, most=MAX_CONCURRENCY)

    async def each(self, job: Callable[[AsyncClient], Awaitable[T]]) -> dict[str, Outcome[T]]:
        """As `Fleet.each`, each job in a task; a fault of the program, and being cancelled, cancel all of them."""
        return await self._run(dict.fromkeys(self.apps, job))

    async def plan(self, list_id: str, new: KeywordListInput | Iterable[str]) -> dict[str, Outcome[KeywordPlan]]:
        """As `Fleet.plan`, awaited."""
        given = _reusable(new)
        return await self.each(lambda chat: chat.keywords.plan(list_id, given))

    async def apply(
        self, plans: Mapping[str, Outcome[KeywordPlan]], *, max_removed: float = 0.2, settle_within: float = 5.0
    ) -> dict[str, Outcome[KeywordUpdate]]:
        """As `Fleet.apply`, awaited."""

        def applying(plan: KeywordPlan) -> Callable[[AsyncClient], Awaitable[KeywordUpdate]]:
            return lambda chat: chat.keywords.apply(plan, max_removed=max_removed, settle_within=settle_within)

        sound = _sound(plans, self.apps)
        return _with_failed(plans, await self._run({name: applying(plan) for name, plan in sound.items()}))

    async def _run(self, jobs: Mapping[str, Callable[[AsyncClient], Awaitable[T]]]) -> dict[str, Outcome[T]]:
        async def attempt(name: str) -> Outcome[T]:
            try:
                return Outcome(result=await jobs[name](self.apps[name]))
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
