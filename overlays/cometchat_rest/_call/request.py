"""From a call to the one HTTP request that may be sent for it (pure)."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote, urlencode

import httpcore
from attrs import field, frozen

from cometchat_openapi import Call
from cometchat_openapi.types import RequestFiles
from cometchat_rest.errors import InvalidRequestError

from .paths import expand, matches
from .redaction import Redactor
from .settings import Settings, extra_headers

# Path parameters whose value is a secret: an answer that echoes one is redacted.
_SECRET_PARAMETERS = frozenset({"auth_token"})
_CONTENT_TYPE = re.compile(r"[ -~]*")


@frozen
class Prepared:
    """A request in parts that never change: whatever is sent again is the same, multipart boundary included."""

    method: str
    # The address holds the token, and the headers hold the key.
    url: httpcore.URL = field(repr=False)
    headers: list[tuple[bytes, bytes]] = field(repr=False)
    body: bytes = field(repr=False)
    redact: Redactor = field(repr=False)

    def attempt(self, timeout: dict[str, float], deadline: float) -> httpcore.Request:
        """The request for one attempt.

        Args:
            timeout: seconds for each of connect, read, write and pool.
            deadline: when the whole call must have ended, on the monotonic clock.
        """
        extensions = {"timeout": timeout, "deadline": deadline, "redact": self.redact}
        return httpcore.Request(self.method, self.url, headers=self.headers, content=self.body, extensions=extensions)


def prepare(call: Call[Any], settings: Settings) -> Prepared:
    """The request of a call.

    Raises:
        InvalidRequestError: it would go anywhere but where its operation says, or not carry what it was given.
    """
    operation = call.operation
    if settings.api_key.reveal() in call.path_values.values():
        # The service would say it again, and so would every error about it.
        raise InvalidRequestError(f"{operation.name}: the API key stands where an identifier belongs")
    path = expand(operation.path, call.path_values)
    if not matches(operation.path, path):
        raise InvalidRequestError(f"{operation.name}: these arguments would send the request elsewhere")
    try:
        query, (content_type, body) = _query(call), _body(call)
    except UnicodeEncodeError:
        raise InvalidRequestError(f"{operation.name}: a lone surrogate, which no request can carry") from None
    headers = list(settings.fixed_headers)
    headers += [(name.encode("ascii"), value.encode("ascii")) for name, value in extra_headers(call.headers).items()]
    if content_type:
        headers.append((b"Content-Type", content_type.encode("ascii")))
    if body or operation.method not in ("GET", "DELETE"):
        headers.append((b"Content-Length", b"%d" % len(body)))
    address = settings.address
    target = f"{address.prefix}{path}{query}".encode("ascii")
    url = httpcore.URL(scheme=address.scheme, host=address.host, port=address.port, target=target)
    return Prepared(operation.method, url, headers, body, _redactor(call, settings))


def _query(call: Call[Any]) -> str:
    values = {name: _text(value) for name, value in call.query.items() if value is not None}
    return "?" + urlencode(values, doseq=True, quote_via=quote) if values else ""


def _text(value: object) -> object:
    """What a query or form holds for a value: JSON's words for true and false."""
    return json.dumps(value) if isinstance(value, bool) else value


def _body(call: Call[Any]) -> tuple[str | None, bytes]:
    """Content type and bytes of a call's body."""
    if call.files is not None:
        return _multipart(call.files)
    if call.json is not None:
        return "application/json", json.dumps(call.json, ensure_ascii=False).encode()
    if call.form is not None:
        values = {name: _text(value) for name, value in call.form.items()}
        return "application/x-www-form-urlencoded", urlencode(values, doseq=True).encode()
    if call.content is not None:
        return "application/octet-stream", call.content
    return None, b""


def _multipart(files: RequestFiles) -> tuple[str, bytes]:
    """A form as httpx encodes it, with a boundary that nobody can have put into a value, because it is made here."""
    for name, (_, content, content_type) in files:
        if not isinstance(content, str | bytes):
            raise InvalidRequestError(f"{name}: text or bytes are needed, not {type(content).__name__}")
        # The one thing that httpx puts into a header of a part as it is.
        if content_type is not None and not _CONTENT_TYPE.fullmatch(content_type):
            raise InvalidRequestError(f"{name}: a content type must be printable ASCII characters")
    import httpx  # noqa: PLC0415 - takes longer than most programs take to their first answer, and only uploads need it

    encoded = httpx.Request("POST", "http://form", files=files)
    return encoded.headers["content-type"], encoded.read()


def _redactor(call: Call[Any], settings: Settings) -> Redactor:
    """What keeps the secrets of this call out of the errors it may end in."""
    values = {name: value for name, value in call.path_values.items() if isinstance(value, str)}
    secrets = [values[name] for name in values.keys() & _SECRET_PARAMETERS]
    public = [values[name] for name in values.keys() - _SECRET_PARAMETERS]
    return Redactor([*settings.secrets, *secrets], public)
