"""Run a job for several apps at the same time, with a separate outcome for each app."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Generic, TypeVar

from attrs import frozen

from cometchat_rest import CometChatError

T = TypeVar("T")


@frozen(kw_only=True)
class Outcome(Generic[T]):
    """The outcome of a job for one app."""

    result: T | None = None  # the value that the job returned; also `None` if the job failed
    error: CometChatError | None = None  # the error of the job; `None` if the job succeeded


def run_jobs(jobs: Mapping[str, Callable[[], T | None]]) -> dict[str, Outcome[T]]:
    """Run one job for each named app. Only an error that is not of the client, and Ctrl-C, stop
    the other jobs."""
    if len(jobs) == 1:  # in this thread, so that Ctrl-C ends the job at once
        return {name: attempt(job) for name, job in jobs.items()}
    # Each app has its own rate limit.
    with ThreadPoolExecutor(8, thread_name_prefix="cometchat-desk") as pool:
        try:
            futures = {
                name: pool.submit(copy_context().run, attempt, job) for name, job in jobs.items()
            }
            return {name: future.result() for name, future in futures.items()}
        finally:
            pool.shutdown(cancel_futures=True)


def attempt(job: Callable[[], T | None]) -> Outcome[T]:
    """Run a job, and keep its result or its error."""
    try:
        return Outcome(result=job())
    except CometChatError as error:
        return Outcome(error=error)
