"""The ways in which an answer can go wrong on purpose, and how each one is put on the wire."""

import asyncio
import contextlib
import json
import random
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Literal, TypeAlias, get_args

from attrs import define, field, frozen
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

Operation: TypeAlias = Literal[
    "get_keyword_list", "update_keyword_list", "list_reviewed_messages", "list_roles", "delete_auth_token"
]
Cut: TypeAlias = Literal["before_headers", "in_headers", "in_body", "after_processing"]
Body: TypeAlias = bytes | str | int | float | Mapping[str, object] | Sequence[object]

# Where the server leaves the connection for us: ASGI has no way to break one off.
TRANSPORT = "cometchat_rest.testing.transport"


# What HTTP takes for a name, and for a value: white space around it would be no part of it.
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"(?![\t ])[\x01-\x08\t\x0e-\x7f ]*(?<![\t ])")


class ConnectionCutError(ConnectionError):
    """What the application raises in process, where there is no connection that could be cut."""


def _encoded(body: Body | None) -> bytes | None:
    """What goes out for a body; made once, so that it cannot change any more."""
    if body is None or isinstance(body, bytes):
        return body
    try:
        return body.encode() if isinstance(body, str) else json.dumps(body).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"body must be bytes, text, or what JSON can hold: {error}") from None


def _is_duration(value: object) -> bool:
    # NaN compares false with everything.
    return isinstance(value, int | float) and value >= 0


def _is_trickle(value: object) -> bool:
    if not isinstance(value, tuple | list) or len(value) != 2:
        return False
    size, interval = value
    return isinstance(size, int) and size >= 1 and _is_duration(interval)


def _are_headers(value: object) -> bool:
    def fits(pattern: re.Pattern[str], text: object) -> bool:
        return isinstance(text, str) and pattern.fullmatch(text) is not None

    return isinstance(value, Mapping) and all(fits(_NAME, name) and fits(_VALUE, each) for name, each in value.items())


@frozen
class Fault:
    """One way to go wrong; Simulator.fail explains the fields."""

    operation: Operation | None = None
    status: int | None = None
    body: bytes | None = field(default=None, converter=_encoded)
    headers: Mapping[str, str] = field(factory=dict)
    delay: float = 0.0
    cut: Cut | None = None
    trickle: tuple[int, float] | None = None

    def __attrs_post_init__(self) -> None:
        """Refuse what cannot be sent, or would do nothing; raises ValueError."""
        if self.operation is not None and self.operation not in get_args(Operation):
            raise ValueError(f"operation must be None or one of {get_args(Operation)}, not {self.operation!r}")
        if self.status is not None and not (isinstance(self.status, int) and 100 <= self.status <= 999):
            raise ValueError(f"status must be a whole number from 100 to 999, not {self.status!r}")
        if self.cut is not None and self.cut not in get_args(Cut):
            raise ValueError(f"cut must be None or one of {get_args(Cut)}, not {self.cut!r}")
        if not _is_duration(self.delay):
            raise ValueError(f"delay must be a number of seconds, not negative, not {self.delay!r}")
        if self.trickle is not None and not _is_trickle(self.trickle):
            raise ValueError("trickle must be (bytes, a whole number from 1 up; seconds, not negative)")
        if not _are_headers(self.headers):
            raise ValueError(
                "headers must be names and values in ASCII: no name empty or with spaces or colons, no value with line "
                "breaks, NUL, or white space around it"
            )
        says_something = self.replaces or bool(self.headers) or self.trickle is not None
        if self.cut in ("before_headers", "after_processing") and says_something:
            raise ValueError(f"nothing is sent when cut is {self.cut}: leave out status, body, headers and trickle")
        if not (says_something or self.delay or self.cut):
            raise ValueError("say what is to go wrong: status, body, headers, delay, cut or trickle")

    @property
    def replaces(self) -> bool:
        """Whether this answers instead of the operation, which is then not carried out."""
        return self.status is not None or self.body is not None

    def response(self) -> Response:
        """Make the answer given instead of the operation's own."""
        status = 200 if self.status is None else self.status
        content = self.body
        if content is None:
            error = {"code": "ERR_SIMULATED", "message": f"The simulator was told to answer {status}."}
            content = b"" if status < 400 else json.dumps({"error": error}).encode()
        return Response(content, status, media_type="application/json" if content else None)

    @property
    def beyond_http(self) -> bool:
        """Whether this is something a well-behaved server refuses to send."""
        odd_status = self.status is not None and not 200 <= self.status < 600
        odd_body = self.status in (204, 304) and self.body is not None
        odd_length = any(name.lower() in ("content-length", "transfer-encoding") for name in self.headers)
        return self.cut is not None or odd_status or odd_body or odd_length


@define
class Faults:
    """The faults that wait, oldest first."""

    _waiting: list[tuple[Fault, int | None, float]] = field(factory=list)
    # Seeded, so that the same requests in the same order meet the same faults.
    _draw: random.Random = field(factory=lambda: random.Random(0))  # noqa: S311 - no secret hangs on it

    def add(self, fault: Fault, times: int | None, share: float) -> None:
        """Queue `fault` for `times` of the requests it applies to, `None` for no end; it hits a `share` of them."""
        self._waiting.append((fault, times, share))

    def take(self, operation: str | None) -> Fault | None:
        """Use up, once, the oldest fault that applies to `operation`."""
        for index, (fault, times, share) in enumerate(self._waiting):
            if fault.operation in (None, operation) and (share == 1.0 or self._draw.random() < share):
                if times == 1:
                    del self._waiting[index]
                elif times is not None:
                    self._waiting[index] = (fault, times - 1, share)
                return fault
        return None


async def deliver(response: Response | None, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
    """Send `response`, or nothing for `None`, as `fault` says; raises ConnectionCutError in process."""
    if fault.delay and await _gone(receive, fault.delay):
        return
    transport: asyncio.Transport | None = scope.get("state", {}).get(TRANSPORT)
    if transport is None or not fault.beyond_http:
        await _send(response, fault, receive, send)
        if fault.cut is not None:
            raise ConnectionCutError(fault.cut)
    else:
        await _send(response, fault, receive, _Wire(transport, broken_head=fault.cut == "in_headers"))
        transport.close()
        # Were we to return while the server still believes in the connection, it would answer 500.
        await _gone(receive, None)


async def _send(response: Response | None, fault: Fault, receive: Receive, send: Send) -> None:
    if response is None:
        return
    body = bytes(response.body)
    if fault.cut == "in_body":
        response.headers["content-length"] = str(max(1, len(body)))
        body = body[: len(body) // 2]
    await send({"type": "http.response.start", "status": response.status_code, "headers": response.raw_headers})
    if fault.cut == "in_headers":
        return
    size, interval = fault.trickle or (max(1, len(body)), 0.0)
    for start in range(0, len(body), size):
        await send({"type": "http.response.body", "body": body[start : start + size], "more_body": True})
        if interval and await _gone(receive, interval):
            return
    if fault.cut != "in_body":
        await send({"type": "http.response.body", "body": b"", "more_body": False})


@frozen
class _Wire:
    """Takes the messages that ASGI's send takes, and writes them as they are, sound or not."""

    transport: asyncio.Transport
    broken_head: bool

    async def __call__(self, message: Message) -> None:
        """Write one message."""
        if message["type"] == "http.response.body":
            self.transport.write(message["body"])
            return
        status: int = message["status"]
        phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
        head = f"HTTP/1.1 {status} {phrase}\r\n".encode()
        for name, value in (*message["headers"], (b"connection", b"close")):
            head += name + b": " + value + b"\r\n"
        self.transport.write(head[: len(head) // 2] if self.broken_head else head + b"\r\n")


async def _gone(receive: Receive, seconds: float | None) -> bool:
    """Wait `seconds`, or for ever, but no longer than the caller stays; tells whether the caller left."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while (await receive())["type"] != "http.disconnect":
                pass
            return True
    return False
