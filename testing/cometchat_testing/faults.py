"""Deliberate faults of a response, and how each of them is sent."""

import asyncio
import contextlib
import json
import random
import re
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Literal, TypeAlias, get_args

from attrs import define, evolve, field, frozen
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from .errors import must_be

#: The name of an operation of the description, such as `list_roles`.
Operation: TypeAlias = str
Cut: TypeAlias = Literal["before_headers", "in_headers", "in_body", "after_processing"]
Body: TypeAlias = bytes | str | int | float | Mapping[str, object] | Sequence[object]

# The operations that change something. A fault with `apply_after` applies to these alone.
CHANGES = ("update_keyword_list", "delete_auth_token", "delete_auth_tokens", "delete_user")

# The key under which the server passes the connection to the application: ASGI cannot close a
# connection.
TRANSPORT = "cometchat_testing.transport"

# The header names and values that HTTP allows. White space around a value would not be part of it.
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"(?![\t ])[\x01-\x08\t\x0e-\x7f ]*(?<![\t ])")


class ConnectionCutError(ConnectionError):
    """Raised by the application when it runs in process, because there is no connection to
    close."""


def _encoded(body: Body | None) -> bytes | None:
    """The bytes of a body. They are made once, so that a later change of the object has no
    effect."""
    if body is None or isinstance(body, bytes):
        return body
    try:
        text = body if isinstance(body, str) else json.dumps(body)
        return text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"body must be bytes, text, or a value that JSON can represent: {error}"
        ) from None


def _is_duration(value: object) -> bool:
    # Every comparison with NaN is false.
    return isinstance(value, int | float) and value >= 0


def _is_count(value: object) -> bool:
    return isinstance(value, int) and value >= 1


def _is_trickle(value: object) -> bool:
    if not isinstance(value, tuple | list) or len(value) != 2:
        return False
    return _is_count(value[0]) and _is_duration(value[1])


def _are_headers(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    names_fit = all(isinstance(name, str) and _NAME.fullmatch(name) for name in value)
    return names_fit and all(
        isinstance(text, str) and _VALUE.fullmatch(text) for text in value.values()
    )


def _is_status(value: object) -> bool:
    return isinstance(value, int) and 100 <= value <= 999


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 < value <= 1


@frozen
class Fault:
    """One fault; Simulator.fail explains the fields."""

    operation: Operation | None = None
    status: int | None = field(
        default=None, validator=must_be("an integer from 100 to 999", _is_status)
    )
    body: bytes | None = field(default=None, converter=_encoded)
    headers: Mapping[str, str] = field(factory=dict)
    delay: float = field(default=0.0, validator=must_be("a number of seconds from 0", _is_duration))
    cut: Cut | None = field(
        default=None,
        validator=must_be(f"None or one of {get_args(Cut)}", lambda value: value in get_args(Cut)),
    )
    trickle: tuple[int, float] | None = field(
        default=None, validator=must_be("a pair (bytes from 1, seconds from 0)", _is_trickle)
    )
    apply_after: float | None = field(
        default=None, validator=must_be("None or a number of seconds from 0", _is_duration)
    )
    times: int | None = field(
        default=1,
        validator=must_be(
            "None or an integer from 1", lambda value: value is None or _is_count(value)
        ),
    )
    share: float = field(
        default=1.0, validator=must_be("a number above 0 and at most 1", _is_share)
    )

    def __attrs_post_init__(self) -> None:
        """Raise ValueError for a fault that cannot be sent or has no effect."""
        if self.apply_after is not None and self.operation not in (None, *CHANGES):
            raise ValueError(
                f"apply_after must be None for {self.operation}, which changes nothing"
            )
        if not _are_headers(self.headers):
            raise ValueError(
                "headers must be names and values in ASCII: a name must not be empty or contain"
                " spaces or colons, and a value must not contain line breaks or NUL, or start or"
                " end with white space"
            )
        if self.cut in ("before_headers", "after_processing") and self._changes_response:
            raise ValueError(
                f"no response is sent with cut={self.cut!r}: leave out status, body, headers and"
                " trickle"
            )
        has_effect = self._changes_response or self.delay or self.cut
        if not has_effect and self.apply_after is None:
            raise ValueError(
                "the fault has no effect: pass status, body, headers, delay, cut, trickle or"
                " apply_after"
            )

    @property
    def replaces(self) -> bool:
        """Whether the response of this fault replaces the response of the operation."""
        return self.status is not None or self.body is not None

    @property
    def _changes_response(self) -> bool:
        return self.replaces or bool(self.headers) or self.trickle is not None

    def applies_to(self, operation: str | None) -> bool:
        """Whether this fault can hit a request for `operation`; `None` is an unknown path or
        method."""
        if self.apply_after is not None and operation not in CHANGES:
            return False
        return self.operation in (None, operation)

    def response(self) -> Response:
        """Make the response that replaces the response of the operation."""
        status = 200 if self.status is None else self.status
        content = self.body or b""
        if self.body is None and status >= 400:
            message = f"A fault of the simulator: status {status}."
            error = {"code": "ERR_SIMULATED", "message": message}
            content = json.dumps({"error": error}).encode()
        return Response(content, status, media_type="application/json" if content else None)

    @property
    def violates_http(self) -> bool:
        """Whether a correct HTTP server would refuse to send this."""
        wrong_status = self.status is not None and not 200 <= self.status < 600
        wrong_body = self.status in (204, 304) and self.body is not None
        names = {name.lower() for name in self.headers}
        wrong_length = not names.isdisjoint(("content-length", "transfer-encoding"))
        return self.cut is not None or wrong_status or wrong_body or wrong_length


@define
class Faults:
    """The queued faults, oldest first."""

    queue: list[Fault] = field(factory=list)
    # Seeded, so that the same requests in the same order get the same faults.
    _random: random.Random = field(factory=lambda: random.Random(0))  # noqa: S311 - not used for secrets

    def take(self, operation: str | None) -> Fault | None:
        """Take the oldest fault that applies to `operation`, and count it as used once."""
        for index, fault in enumerate(self.queue):
            if fault.applies_to(operation) and self._hits(fault):
                if fault.times == 1:
                    del self.queue[index]
                elif fault.times is not None:
                    self.queue[index] = evolve(fault, times=fault.times - 1)
                return fault
        return None

    def _hits(self, fault: Fault) -> bool:
        return fault.share == 1.0 or self._random.random() < fault.share


async def deliver(
    response: Response | None, fault: Fault, scope: Scope, receive: Receive, send: Send
) -> None:
    """Send `response` with this fault; `None` means no response. Raises ConnectionCutError in
    process."""
    if fault.delay:
        await _wait(receive, fault.delay)
    server_state = scope.get("state", {})
    transport: asyncio.Transport | None = server_state.get(TRANSPORT)
    if transport is None or not fault.violates_http:
        await _send(response, fault, receive, send)
        if fault.cut is not None:
            raise ConnectionCutError(fault.cut)
    else:
        write = partial(_write, transport, cut_head=fault.cut == "in_headers")
        await _send(response, fault, receive, write)
        transport.close()
        # If this returned before the server noticed the closed connection, the server would send a
        # response 500.
        await _wait(receive, None)


async def _send(response: Response | None, fault: Fault, receive: Receive, send: Send) -> None:
    if response is None:
        return
    body = bytes(response.body)
    if fault.cut == "in_body":
        response.headers["content-length"] = str(max(1, len(body)))
        body = body[: len(body) // 2]
    start = {"status": response.status_code, "headers": response.raw_headers}
    await send({"type": "http.response.start", **start})
    if fault.cut == "in_headers":
        return
    size, interval = fault.trickle or (sys.maxsize, 0.0)
    for offset in range(0, len(body), size):
        piece = body[offset : offset + size]
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        if interval:
            await _wait(receive, interval)
    if fault.cut != "in_body":
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _write(transport: asyncio.Transport, message: Message, *, cut_head: bool) -> None:
    """Write one ASGI message to the connection unchanged, even if it violates HTTP."""
    if message["type"] == "http.response.body":
        transport.write(message["body"])
        return
    status: int = message["status"]
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
    head = f"HTTP/1.1 {status} {phrase}\r\n".encode()
    for name, value in message["headers"]:
        head += name + b": " + value + b"\r\n"
    head += b"connection: close\r\n\r\n"
    transport.write(head[: len(head) // 2] if cut_head else head)


async def _wait(receive: Receive, seconds: float | None) -> None:
    """Wait for `seconds` (`None`: no limit), or until the caller disconnects; the server sends
    nothing after that."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while (await receive())["type"] != "http.disconnect":
                pass
