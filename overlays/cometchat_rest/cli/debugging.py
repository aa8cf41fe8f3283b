"""What `--debug` shows besides where an error comes from: each call, as the library logs it, without secrets."""

import logging

from .visible import visible


class _Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def log_calls() -> None:
    """Log to stderr from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter("%(name)s: %(message)s"))
    logger = logging.getLogger("cometchat_rest")
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
