"""Show the log of the library on stderr: warnings, and each call with `--debug`. The library logs no secrets."""

import contextlib
import logging
import sys
from collections.abc import Iterator

from .escaping import visible
from .wording import in_user_words


class _StderrHandler(logging.Handler):
    def __init__(self, *, debug: bool) -> None:
        super().__init__(logging.DEBUG if debug else logging.WARNING)
        self._debug = debug

    def filter(self, record: logging.LogRecord) -> bool | logging.LogRecord:
        # A value outside the contract is no problem of the user. `check` shows it.
        is_drift = getattr(record, "event", None) == "contract.drift"
        return super().filter(record) if self._debug or not is_drift else False

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError):
            print(f"cometchat-rest: {visible(in_user_words(record.getMessage()))}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def shown_logs(*, debug: bool) -> Iterator[None]:
    """Write warnings of the library's log to stderr, in one line each; with `debug`, all records."""
    logger, handler = logging.getLogger("cometchat_rest"), _StderrHandler(debug=debug)
    before = logger.level
    logger.addHandler(handler)
    # The progress note needs the records about retries, which have the level INFO.
    logger.setLevel(logging.DEBUG if debug else logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
