"""Keeps secrets out of what httpx and httpcore log of our calls; what they log of anybody else's is left alone."""

from __future__ import annotations

import logging
from contextvars import ContextVar

from .redaction import Redactor

#: Hides the secrets of the call that is under way here, and is unset otherwise.
redacting: ContextVar[Redactor | None] = ContextVar("redacting", default=None)

# A logger's filter sees what is logged on that very logger only, so each of them needs it.
_LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy", "httpcore.socks")


class _Redact(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        redact = redacting.get()
        if redact is not None:
            record.msg, record.args = redact(record.getMessage()), ()
            # Their tracebacks hold requests, and ours says what happened.
            record.exc_info = None
        return True


def guard_wire_logs() -> None:
    """Redact from now on; to be called before the first request, as often as one likes."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(each, _Redact) for each in logger.filters):
            logger.addFilter(_Redact())
