"""`Fleet`: run the same job for several apps, with a separate outcome for each app."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from contextvars import copy_context
from typing import Generic, Self, TypeVar, cast

from attrs import frozen

from cometchat_rest import Client, CometChatError

T = TypeVar("T")

# How many apps at the same time. Each app has its own rate limit.
_CONCURRENCY = 8


@frozen(kw_only=True)
class Outcome(Generic[T]):
    """The outcome of a job for one app."""

    result: T | None = None  # the value that the job returned; `None` if the job failed
    error: CometChatError | None = None  # the error of the job; `None` if the job succeeded

    def unwrap(self) -> T:
        """Return the result of the job. Raises CometChatError: the job failed."""
        if self.error is not None:
            raise self.error
        # `None` is a valid result of a job.
        return cast("T", self.result)


class Fleet:
    """The clients of several apps; a context manager that closes them."""

    def __init__(self, apps: Mapping[str, Client]) -> None:
        """Create a fleet. It owns the clients, and closes them when it is closed."""
        self.apps = dict(apps)  # the client of each app, by the name of the app

    def each(self, job: Callable[[Client], T]) -> dict[str, Outcome[T]]:
        """Run a job for each app, for several apps at the same time; see `run`."""
        return self.run(dict.fromkeys(self.apps, job))

    def run(self, jobs: Mapping[str, Callable[[Client], T]]) -> dict[str, Outcome[T]]:
        """Run one job for each named app. An error in one app does not stop the others.

        If a job raises an exception that is not a `CometChatError`, the program has a bug: no further job starts, and
        the exception is raised. After Ctrl-C, no further job starts either, and the running jobs are waited for.
        """

        def attempt(name: str) -> Outcome[T]:
            try:
                return Outcome(result=jobs[name](self.apps[name]))
            except CometChatError as error:
                return Outcome(error=error)

        if len(jobs) == 1:  # in this thread, so that Ctrl-C ends the job at once
            return {name: attempt(name) for name in jobs}
        with ThreadPoolExecutor(_CONCURRENCY, thread_name_prefix="cometchat-desk") as pool:
            futures: dict[str, Future[Outcome[T]]] = {}
            try:
                for name in jobs:
                    futures[name] = pool.submit(copy_context().run, attempt, name)
                wait(futures.values(), return_when=FIRST_EXCEPTION)
            finally:
                pool.shutdown(cancel_futures=True)
        failed = (future.exception() for future in futures.values() if not future.cancelled())
        if bug := next((error for error in failed if error is not None), None):
            raise bug
        return {name: future.result() for name, future in futures.items()}

    def close(self) -> None:
        """Close the clients of all apps."""
        with ExitStack() as closing:
            for chat in self.apps.values():
                closing.callback(chat.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
