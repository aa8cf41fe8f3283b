"""Keeps secrets out of everything that this package writes, and out of the logs of httpx."""

import json
import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from urllib.parse import quote

#: Stands in place of a secret.
REDACTED = "[redacted]"
# A shorter secret is not hidden: it occurs in nearly every text, and anybody could guess it.
_SHORTEST = 4

# The loggers of httpx and its libraries, by their full names: a filter sees only the records of its
# own logger.
_WIRE_LOGGERS = (
    "httpx",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.http2",
    "httpcore.proxy",
    "httpcore.socks",
    "hpack.hpack",
    "hpack.table",
    "h2",
    "hyperframe",
)
# These write headers in the encoding of HTTP/2, in which no search finds a secret.
_PACKED = ("hpack.", "hyperframe")


class Secret:
    """A text that no repr, log or pickle shows."""

    __slots__ = ("_text",)

    def __init__(self, text: "str | Secret") -> None:
        self._text: str = text._text if isinstance(text, Secret) else text

    def reveal(self) -> str:
        """The text itself: to send it, or to search another text for it."""
        return self._text

    def __repr__(self) -> str:
        return "<secret>"

    def __reduce__(self) -> str:
        raise TypeError("a secret cannot be pickled")


# The secrets of the call that runs in this context.
_secrets_of_call: ContextVar[tuple[Secret, ...]] = ContextVar("_secrets_of_call", default=())


def hide(text: str, secrets: Iterable[Secret]) -> str:
    """The text without these secrets: as they are, percent-encoded, and as JSON writes them."""
    values = [secret.reveal() for secret in secrets]
    # A secret may be a part of another one, so the longest is replaced first.
    for value in sorted(values, key=len, reverse=True):
        if len(value) >= _SHORTEST:
            for spelling in {value, quote(value, safe=""), json.dumps(value)[1:-1]}:
                text = text.replace(spelling, REDACTED)
    return text


class _WireFilter(logging.Filter):
    """Hides the secrets of the call that runs in this context. It never drops a record."""

    def filter(self, record: logging.LogRecord) -> bool:
        secrets = _secrets_of_call.get()
        if secrets:
            is_packed = record.name.startswith(_PACKED)
            record.msg = REDACTED if is_packed else hide(record.getMessage(), secrets)
            record.args = ()
        return True


_filter = _WireFilter()


def guard_logs() -> None:
    """Set the filter on each logger of the wire, once; a logger may not exist yet."""
    for name in _WIRE_LOGGERS:
        logging.getLogger(name).addFilter(_filter)


@contextmanager
def hidden_in_logs(secrets: tuple[Secret, ...], *, in_address: bool) -> Iterator[None]:
    """Keep the secrets of a call out of the logs of httpx.

    If the address holds a secret, keep it out of the spans of OpenTelemetry, too.
    """
    token = _secrets_of_call.set(secrets)
    # Every instrumentation of OpenTelemetry imports this module.
    instrumentation = sys.modules.get("opentelemetry.instrumentation.utils") if in_address else None
    try:
        if instrumentation is None:
            yield
        else:
            with instrumentation.suppress_http_instrumentation():
                yield
    finally:
        _secrets_of_call.reset(token)
