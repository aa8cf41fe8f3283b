"""What the library logs while a command runs: warnings, and under `--debug` each call; secrets are left out there."""

import contextlib
import logging
import sys
from collections.abc import Iterator

from .escaping import visible


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError):
            print(f"cometchat-rest: {visible(record.getMessage())}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def shown_logs(*, debug: bool) -> Iterator[None]:
    """Have the library's log on stderr, a line for each record."""
    logger, lines = logging.getLogger("cometchat_rest"), _Lines()
    before = logger.level
    logger.addHandler(lines)
    logger.setLevel(logging.DEBUG if debug else logging.WARNING)
    try:
        yield
    finally:
        logger.removeHandler(lines)
        logger.setLevel(before)
