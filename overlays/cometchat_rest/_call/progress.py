"""How far an attempt has come: the phase that failed, and a connection that it left behind."""

from __future__ import annotations

import contextlib
import sys
import threading
from typing import Any

from cometchat_rest.errors import TransportErrorKind

from .transport_errors import AttemptError

# For `shutdown` of a socket.
_BOTH_WAYS = 2
_LIBRARIES = frozenset({"httpx", "httpx2", "httpcore", "httpcore2"})
# For each exception class of these libraries: the phase that failed, and whether the request may have been sent.
_KINDS: dict[str, tuple[TransportErrorKind, bool]] = {
    "ConnectTimeout": ("connect", False),
    "ConnectError": ("connect", False),
    "PoolTimeout": ("pool", False),
    "ProxyError": ("proxy", False),
    "UnsupportedProtocol": ("protocol", False),
    "WriteTimeout": ("write", True),
    "WriteError": ("write", True),
    "TimeoutException": ("read", True),
    "NetworkError": ("read", True),
    "ProtocolError": ("protocol", True),
    "HTTPError": ("protocol", True),
    "StreamError": ("protocol", True),
    "InvalidURL": ("protocol", True),
}


class Progress:
    """The progress of one attempt. httpx reports it to a function in the extension `trace`."""

    __slots__ = ("_connecting", "_limit", "_sending", "_stream", "_watch", "timed_out")

    def __init__(self, limit: float | None = None) -> None:
        """For a blocking call through a proxy, `limit` is the seconds for the way through the proxy."""
        self._connecting = self._sending = self.timed_out = False
        self._limit = limit
        # A connection that was opened, and is not yet ready for the request.
        self._stream: Any = None
        self._watch: threading.Timer | None = None

    def note(self, event: str, info: dict[str, Any]) -> None:
        """Note what httpcore reports."""
        if self._sending:
            return
        if event.endswith("send_request_headers.started"):
            # A tunnel through a proxy begins with a request as well.
            if info["request"].method != b"CONNECT":
                self._sending = True
                self.end_watch()
        elif event.endswith("connect_tcp.started"):
            self._connecting = True
        elif event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._stream = info["return_value"]
            if self._limit is not None and self._watch is None:
                self._watch = threading.Timer(self._limit, self._cut_off)
                self._watch.daemon = True
                self._watch.start()

    async def anote(self, event: str, info: dict[str, Any]) -> None:
        """Like `note`, awaited."""
        self.note(event, info)

    def end_watch(self) -> None:
        """Stop watching the way through a proxy."""
        if self._watch is not None:
            self._watch.cancel()

    def _cut_off(self) -> None:
        """Wake a thread that waits for a proxy: httpcore has no timeout for SOCKS, and none for all reads together."""
        self.timed_out = True
        with contextlib.suppress(OSError):
            self._stream.get_extra_info("socket").shutdown(_BOTH_WAYS)

    @property
    def unused(self) -> Any:
        """A connection that a refusal of a proxy or a cancellation left behind; httpcore does not close it."""
        return None if self._sending else self._stream

    def error(self, error: Exception) -> AttemptError:
        """The phase that failed. A transport of the caller may raise the error of a second connection after sending."""
        kind, sent = _kind(error)
        if sent and self._connecting and not self._sending:
            kind, sent = "connect", False
        elif self._sending and not sent:
            kind, sent = "read", True
        return AttemptError(kind, request_sent=sent)


def _kind(error: Exception) -> tuple[TransportErrorKind, bool]:
    """The phase in which an exception is raised, and whether the request may have been sent then."""
    for cls in type(error).__mro__:
        if _package(cls) in _LIBRARIES and cls.__name__ in _KINDS:
            kind, sent = _KINDS[cls.__name__]
            return (kind, sent) if sent or _is_reliable(error.__cause__) else ("read", True)
    # An exception that belongs to no network library may be anything, such as a bug.
    return "read" if isinstance(error, OSError) else "transport", True


def _is_reliable(cause: BaseException | None) -> bool:
    """Whether an exception with this cause proves that nothing was sent.

    The transports of httpx-aiohttp and pyreqwest also raise `ConnectError` or `ConnectTimeout` for a connection that
    broke after the request was sent.
    """
    if cause is None or _package(type(cause)) in _LIBRARIES | sys.stdlib_module_names:
        return True
    return any(cls.__name__ == "ClientConnectorError" for cls in type(cause).__mro__)


def _package(cls: type) -> str:
    return cls.__module__.partition(".")[0]
