"""The record of one attempt, for the log and for the hook of the caller; it never contains a secret."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from types import FunctionType, MethodType
from typing import TypeAlias

from attrs import field, frozen

from cometchat_rest.errors import RateLimit

log = logging.getLogger("cometchat_rest")

#: The response headers that a record keeps. A service has no reason to put a secret into one of them.
KEPT_HEADERS = frozenset(
    {"age", "content-encoding", "content-length", "content-type", "date", "retry-after", "server", "via"}
    | {"cf-ray", "x-amz-cf-id", "x-amzn-requestid", "x-amzn-trace-id", "x-correlation-id", "x-request-id"}
    | {"x-rate-limit", "x-rate-limit-limit", "x-rate-limit-remaining", "x-rate-limit-reset"}
    | {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"}
)


@frozen(kw_only=True)
class AttemptRecord:
    """One attempt of a call. It contains no value of the path, no key and no token.

    Attributes:
        operation: the operation's name, such as `get_keyword_list`.
        method: the HTTP method, such as `GET`.
        path: the path with the names of its parameters, such as `/users/{uid}/auth_tokens/{auth_token}`.
        attempt: the number of the attempt in its call, from 1.
        status_code: the HTTP status; `None` if no complete response arrived.
        error: the name of the error's class, such as `NotFoundError`; `None` after a success.
        duration: seconds from the start of the attempt to the end of its response.
        request_size: bytes of the body that was sent.
        response_size: bytes of the body that was received, after unpacking; `None` if no complete response arrived.
        rate_limit: the rate limit as the response gave it.
        headers: response headers from a list of harmless names, in lower case, such as `date` and `x-request-id`.
        deprecation: how the response announces the end of its operation: the values of its headers `deprecation` and
            `sunset`, and as `successor-version` the address that a `Link` names; empty if it does not.
        retry_in: seconds until the next attempt of the call; `None` if this attempt is its last one.
    """

    operation: str
    method: str
    path: str
    attempt: int
    status_code: int | None
    error: str | None
    duration: float
    request_size: int
    response_size: int | None
    rate_limit: RateLimit
    headers: Mapping[str, str] = field(hash=False)
    deprecation: Mapping[str, str] = field(hash=False)
    retry_in: float | None


#: Called with the record of each attempt.
OnAttempt: TypeAlias = Callable[[AttemptRecord], object]


# What was logged and is not logged again: failures of observing code, and operations that will end.
_logged: dict[tuple[str, ...], object] = {}
# An address cannot contain these brackets. Up to the next address, the text belongs to this one.
_SUCCESSOR = re.compile(r'<([^<>]*)>[^<]*?;\s*rel\s*=\s*"?[^"<;,]*?\bsuccessor-version\b', re.IGNORECASE)


def announced_end(headers: Mapping[str, str]) -> dict[str, str]:
    """How a response announces the end of its operation; empty if it does not."""
    announced = {name: headers[name] for name in ("deprecation", "sunset") if name in headers}
    if successor := _SUCCESSOR.search(headers.get("link", "")):
        announced["successor-version"] = successor[1]
    return announced


def report(record: AttemptRecord, hook: OnAttempt | None) -> None:
    """Log an attempt at level DEBUG, log once that an operation will end, and pass the record to the hook."""
    log.debug(
        "%s %s: %s in %.3f s",
        record.method,
        record.path,
        record.status_code or record.error,
        record.duration,
        extra={
            "event_name": "attempt",
            "operation": record.operation,
            "path": record.path,
            "status": record.status_code,
            "duration": record.duration,
            "attempt": record.attempt,
            "request_size": record.request_size,
            "response_size": record.response_size,
        },
    )
    if record.deprecation and _is_new("deprecation", record.operation):
        log.warning(
            "%s: the service announces the end of this operation (%s); this is logged only once",
            record.operation,
            ", ".join(f"{name}: {value!r}" for name, value in record.deprecation.items()),
            extra={"event_name": "deprecation", "operation": record.operation, "deprecation": record.deprecation},
        )
    if hook is None:
        return
    try:
        hook(record)
    except Exception as error:  # noqa: BLE001 - code that observes a call must not change its outcome
        # The attributes of any other object may raise too, such as those of a proxy object.
        named = hook if isinstance(hook, FunctionType | MethodType) else type(hook)
        log_failure(named.__qualname__, error, record.operation)


def log_failure(name: str, error: Exception, operation: str) -> None:
    """Log an exception of code that only observes calls, each class once for each name in the life of the process."""
    failure = name, type(error).__qualname__
    if _is_new(*failure):
        log.warning(
            "%s raised %s; the calls continue, and this is logged only once",
            *failure,
            exc_info=error,
            extra={"event_name": "hook", "operation": operation},
        )


def _is_new(*event: str) -> bool:
    # One atomic step instead of a lock, as in `drift`.
    return _logged.setdefault(event, mark := object()) is mark
