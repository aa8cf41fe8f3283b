"""From a call to the HTTP request that is sent for it (pure)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote, unquote, urlencode

from attrs import define, field

from cometchat_openapi import Call
from cometchat_openapi.types import RequestFiles
from cometchat_rest.errors import InvalidRequestError

from .arguments import check_arguments
from .paths import expand, matches
from .redaction import Redactor
from .settings import Settings, Timeouts, check_headers

if TYPE_CHECKING:
    import httpx

_CONTENT_TYPE = re.compile(r"[ -~]*")
# The end of a token: a time and a random number.
_TOKEN = re.compile(r"_[0-9]{10}[0-9a-f]{30}$")
#: A token stays whole if less than this would be left of it, in characters.
SHORTEST_TOKEN = 16


@define(eq=False, repr=False)
class Request:
    """An HTTP request that never changes: every attempt sends the same bytes, the multipart boundary included.

    The target can hold a token, and the headers hold the key.
    """

    method: str
    target: bytes = field(repr=False)
    headers: Sequence[tuple[bytes, bytes]] = field(repr=False)
    body: tuple[bytes, ...] = field(repr=False)
    size: int
    redact: Redactor = field(repr=False)


@define(eq=False, repr=False)
class Attempt:
    """One attempt to get a response, with its limits."""

    request: Request
    timeouts: Timeouts
    deadline: float
    max_response_bytes: int

    def phases(self) -> dict[str, float]:
        """The seconds that each phase may take: its timeout, or the rest of the call's time if that is shorter."""
        left = max(0.0, self.deadline - time.monotonic())
        phases = self.timeouts._asdict()
        return phases if left > max(self.timeouts) else {phase: min(phases[phase], left) for phase in phases}


def prepare(call: Call[Any], settings: Settings) -> Request:
    """The request of a call."""
    operation = call.operation
    written = "\n".join(text for text in (operation.path, *call.path_values.values()) if isinstance(text, str))
    if "%" in written:
        written += "\n" + unquote(written)
    if settings.holds_key((written.encode(errors="replace"),)):
        # The service would repeat the key in its response, and so would every error about it.
        reason = "the API key was passed as an identifier; pass the identifier"
        raise InvalidRequestError(reason, operation=operation.name)
    path = expand(operation.path, check_arguments(call))
    if not matches(operation.path, path):
        raise InvalidRequestError("these arguments would send the request elsewhere", operation=operation.name)
    try:
        fields = {**_fields(settings.query), **_fields(call.query)}
        query = "?" + urlencode(fields, doseq=True, quote_via=quote) if fields else ""
        content_type, body = _body(call)
    except UnicodeEncodeError:
        raise InvalidRequestError(
            "an argument holds a lone surrogate, which cannot be sent as UTF-8", operation=operation.name
        ) from None
    if (query or body) and settings.holds_key([query.encode(), *body]):
        raise InvalidRequestError("an argument holds the API key of this client; remove it", operation=operation.name)
    size = sum(map(len, body))
    target = f"{settings.address.path}{path}{query}".encode("ascii")
    headers = _headers(call, settings, content_type, size)
    return Request(operation.method, target, headers, body, size, _redactor(call, settings))


def _headers(
    call: Call[Any], settings: Settings, content_type: str | None, size: int
) -> tuple[tuple[bytes, bytes], ...]:
    headers = settings.fixed_headers
    if call.headers:
        headers += settings.encoded(check_headers({name: str(text) for name, text in _fields(call.headers).items()}))
    if content_type:
        headers += ((b"Content-Type", content_type.encode("ascii")),)
    if size or call.operation.method not in ("GET", "DELETE"):
        headers += ((b"Content-Length", b"%d" % size),)
    return headers


def _fields(values: Mapping[str, object]) -> dict[str, object]:
    return {name: _text(value) for name, value in values.items() if value is not None}


def _text(value: object) -> object:
    """A value, or each value of a list, as a query or a form holds it: `true` and `false` as in JSON."""
    if isinstance(value, list | tuple):
        return [_text(single) for single in value]
    return json.dumps(value) if isinstance(value, bool) else value


def _body(call: Call[Any]) -> tuple[str | None, tuple[bytes, ...]]:
    """Content type and bytes of a call's body."""
    if call.files is not None:
        return _multipart(call.files)
    if call.json is not None:
        return "application/json", (_json(call.json).encode(),)
    if call.form is not None:
        return "application/x-www-form-urlencoded", (urlencode(_fields(call.form), doseq=True).encode(),)
    if call.content is not None:
        return "application/octet-stream", (call.content,)
    return None, ()


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRequestError(f"must hold only JSON values: {error}", argument="json") from None


def _multipart(files: RequestFiles) -> tuple[str, tuple[bytes, ...]]:
    """A form as httpx encodes it. Its boundary is random and made here, so that no value can contain it."""
    for name, (_, content, content_type) in files:
        if not isinstance(content, str | bytes):
            raise InvalidRequestError(f"{name} must be str or bytes, not {type(content).__name__}")
        # httpx puts only the content type into a header of a part unchanged.
        if content_type is not None and not _CONTENT_TYPE.fullmatch(content_type):
            raise InvalidRequestError(f"{name}: the content type must be printable ASCII")
    import httpx  # noqa: PLC0415 - slow to load, so only a client loads it, and not the import of this package

    encoded = httpx.Request("POST", _form_url(), files=files)
    return encoded.headers["content-type"], tuple(cast("Iterable[bytes]", encoded.stream))


@cache
def _form_url() -> httpx.URL:
    """An address for the encoding of forms; it is never called, and slow to parse."""
    import httpx  # noqa: PLC0415 - as above

    return httpx.URL("http://form")


def _redactor(call: Call[Any], settings: Settings) -> Redactor:
    """Hides the secrets of this call in its errors."""

    def secrets() -> list[str]:
        hidden, others = _path_values(call)
        return [*settings.secrets, *swapped(call), *(_without_uid(secret, others) for secret in hidden)]

    return Redactor(secrets)


def swapped(call: Call[Any], least: int = 1) -> list[str]:
    """The values of a path that may be secrets of at least so many characters, given in the wrong order."""
    secrets, others = _path_values(call)
    # A token is longer than the uid of its user, with which it begins. An empty text is no token of the service.
    shortest = max(min((len(secret) for secret in secrets if secret), default=SHORTEST_TOKEN), least)
    return [other for other in others if secrets and (len(other) >= shortest or _TOKEN.search(other))]


def _path_values(call: Call[Any]) -> tuple[list[str], list[str]]:
    """The texts in the path of a call: the secrets, and the others."""
    secrets: list[str] = []
    others: list[str] = []
    for name, value in call.path_values.items():
        if isinstance(value, str):
            (secrets if name in call.operation.secrets else others).append(value)
    return secrets, others


def _without_uid(token: str, uids: Iterable[str]) -> str:
    """The secret part of a token, so that an error can show the uid."""
    rests = [token.removeprefix(uid) for uid in uids]
    return min((rest for rest in rests if len(rest) >= SHORTEST_TOKEN), key=len, default=token)
