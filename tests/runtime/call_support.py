"""Helpers for tests of one call: a service that fails at first, a recorder of pauses, and log
records."""

import itertools
import logging
import threading
from collections.abc import Callable, Iterable
from typing import Any

import httpx
import pytest

from cometchat_rest import Role

from ..support import OPERATIONS, StubTransport, make_response


def events(caplog: pytest.LogCaptureFixture, name: str) -> list[Any]:
    """The log records of one event."""
    return [record for record in caplog.records if getattr(record, "event_name", None) == name]


#: Headers that ask for no pause; the usual pause is made.
RETRY_AT_ONCE = {"Retry-After": "0"}


def failing(
    times: int, *, status: int = 503, headers: dict[str, str] | None = None
) -> StubTransport:
    """A service that fails the first `times` calls, and then succeeds."""
    calls = itertools.count()

    def respond(request: httpx.Request) -> httpx.Response:
        if next(calls) < times:
            return make_response(status, b"", RETRY_AT_ONCE if headers is None else headers)
        by_path = {
            operation.path: operation
            for operation in OPERATIONS
            if operation.method == request.method
        }
        operation = by_path[request.url.path.removeprefix("/v3")]
        return make_response(operation.status, operation.body)

    return StubTransport(respond)


class RetryRecorder(logging.Handler):
    """Records the pause and the level of each retry, and sets an event for it."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.announced = threading.Event()
        self.pauses: list[float] = []
        self.levels: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if getattr(record, "event_name", "") == "retry":
            self.pauses.append(record.__dict__["pause"])
            self.levels.append(record.levelname)
            self.announced.set()


def over(pages: Any, note: Callable[[Role], object]) -> Any:
    """Loop over all pages of either client, and call a function with each role."""
    if isinstance(pages, Iterable):
        for role in pages:
            note(role)
        return None

    async def awaited() -> None:
        async for role in pages:
            note(role)

    return awaited()
