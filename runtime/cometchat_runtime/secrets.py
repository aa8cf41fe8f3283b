"""Keeps secrets out of everything that this package writes, and out of the logs of httpx and its
libraries."""

import json
import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from urllib.parse import quote

from cometchat_openapi.types import Secret as Secret

#: Stands in place of a secret.
REDACTED = "[redacted]"
# A shorter text is not hidden: nearly every text contains it by chance, and anybody could guess it.
_SHORTEST = 4

# The loggers of httpx and its libraries, by their full names: a filter sees only the records of its
# own logger.
_WIRE = (
    *(
        "httpx",
        "httpcore.connection",
        "httpcore.http11",
        "httpcore.http2",
        "httpcore.proxy",
        "httpcore.socks",
    ),
    *("hpack.hpack", "hpack.table", "h2", "hyperframe"),
)
# These write headers in the encoding of HTTP/2, in which no search finds a secret.
_PACKED = ("hpack.", "hyperframe")

# The secrets of the call that runs in this context.
_secrets_of_call: ContextVar[tuple[Secret, ...]] = ContextVar("_secrets_of_call", default=())


def hide(text: str, secrets: Iterable[Secret]) -> str:
    """The text without these secrets: as they are, percent-encoded, and as JSON writes them."""
    # A secret may be a part of another one, so the longest is replaced first.
    for value in sorted((secret.reveal() for secret in secrets), key=len, reverse=True):
        if len(value) >= _SHORTEST:
            for spelling in {value, quote(value, safe=""), json.dumps(value)[1:-1]}:
                text = text.replace(spelling, REDACTED)
    return text


class _WireFilter(logging.Filter):
    """Hides the secrets of the call that runs in this context. It never drops a record."""

    def filter(self, record: logging.LogRecord) -> bool:
        if secrets := _secrets_of_call.get():
            packed = record.name.startswith(_PACKED)
            record.msg, record.args = REDACTED if packed else hide(record.getMessage(), secrets), ()
        return True


_filter = _WireFilter()


def guard_logs() -> None:
    """Set the filter on each logger of the wire, once; a logger may not exist yet."""
    for name in _WIRE:
        logging.getLogger(name).addFilter(_filter)


@contextmanager
def hidden_in_logs(secrets: tuple[Secret, ...], *, in_address: bool) -> Iterator[None]:
    """Keep the secrets of a call out of the logs of httpx, and a secret address out of the spans
    of OpenTelemetry."""
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
