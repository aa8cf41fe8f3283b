"""The log of the library on stderr: warnings, and each call with `--debug`. The library logs no
secrets."""

import contextlib
import logging
from collections.abc import Iterator

from cometchat_desk.wording import REQUESTS

from .text import say, visible

_LOGGER = logging.getLogger("cometchat_rest")


def _line_of(record: logging.LogRecord) -> str:
    """An entry of the library's log in one line, with the words of the command line."""
    text = record.getMessage()
    for operation, request in REQUESTS.items():
        text = text.replace(operation, request)
    return visible(text)


class _Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        say(f"cometchat-desk: {_line_of(record)}")


@contextlib.contextmanager
def shown_logs(*, debug: bool) -> Iterator[None]:
    """Write warnings of the library's log to stderr, in one line each; with `debug`, all
    records."""
    handler = _Handler()
    if not debug:
        # Users cannot do anything about a value outside the contract. `check` shows it.
        handler.addFilter(lambda record: getattr(record, "event_name", None) != "drift")
    before = _LOGGER.level
    _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.DEBUG if debug else logging.WARNING)
    try:
        yield
    finally:
        _LOGGER.setLevel(before)
        _LOGGER.removeHandler(handler)
