"""The log of the library on stderr: warnings, and each call with `--debug`. The library logs no secrets."""

import contextlib
import logging
from collections.abc import Callable, Iterator

from cometchat_desk.wording import REQUESTS

from .text import say, visible

_LOGGER = logging.getLogger("cometchat_rest")


def line_of(record: logging.LogRecord) -> str:
    """An entry of the library's log in one line. Warnings about requests have the words of the command line."""
    fields = vars(record)
    event, request = fields.get("event_name"), REQUESTS.get(fields.get("operation"), "")
    if event == "watch":
        return visible(f"{request} failed: {fields['reason'].rstrip('.')}; asking again in {fields['pause']:.1f} s")
    if event == "overrun":
        return (
            f"all {fields['records']:,} records of the response are new, so there may be more than it could hold: use "
            "a shorter --interval or a larger --limit"
        )
    return visible(record.getMessage())


class Handler(logging.Handler):
    """Gives each entry to a function."""

    def __init__(self, take: Callable[[logging.LogRecord], None]) -> None:
        super().__init__()
        self._take = take

    def emit(self, record: logging.LogRecord) -> None:
        """Give the function an entry."""
        self._take(record)


def _is_for_users(record: logging.LogRecord) -> bool:
    # Users cannot do anything about a value outside the contract. `check` shows it.
    return record.levelno >= logging.WARNING and getattr(record, "event_name", None) != "contract.drift"


@contextlib.contextmanager
def shown_logs(*, debug: bool) -> Iterator[None]:
    """Write warnings of the library's log to stderr, in one line each; with `debug`, all records."""
    handler = Handler(lambda record: say(f"cometchat-desk: {line_of(record)}"))
    if not debug:
        handler.addFilter(_is_for_users)
    # The progress note needs the records about retries, which have the level INFO.
    with _handlers([*_LOGGER.handlers, handler], logging.DEBUG if debug else logging.INFO):
        yield


@contextlib.contextmanager
def captured_logs(take: Callable[[logging.LogRecord], None]) -> Iterator[None]:
    """Give each entry of the library's log to a function, and write none to stderr."""
    others = [handler for handler in _LOGGER.handlers if not isinstance(handler, Handler)]
    with _handlers([*others, Handler(take)], logging.DEBUG):
        yield


@contextlib.contextmanager
def _handlers(handlers: list[logging.Handler], level: int) -> Iterator[None]:
    before = _LOGGER.level, _LOGGER.handlers
    _LOGGER.handlers = handlers
    _LOGGER.setLevel(level)
    try:
        yield
    finally:
        _LOGGER.setLevel(before[0])
        _LOGGER.handlers = before[1]
