"""From a call to the one HTTP request that may be sent for it (pure)."""

from __future__ import annotations

from typing import Any

import httpx

from cometchat_openapi import Call, Operation

from .endpoint import expand, matches
from .errors import InvalidRequestError
from .redaction import Redactor
from .settings import Settings
from .version import __version__

USER_AGENT = f"cometchat-rest/{__version__}"

# Path parameters whose value is a secret: an answer that echoes one is redacted.
_SECRET_PARAMETERS = frozenset({"auth_token"})


def build_request(call: Call[Any], settings: Settings) -> httpx.Request:
    """The request of a call, its body made once, so that what is sent again is the same, boundary included.

    Raises:
        InvalidRequestError: the request would go anywhere but where its operation says, or cannot be encoded.
    """
    operation = call.operation
    headers = {
        "accept": "application/json",
        "accept-encoding": "gzip, deflate",
        "user-agent": USER_AGENT,
        **settings.headers,
        **call.headers,
        "apikey": settings.api_key.reveal(),
    }
    if settings.on_behalf_of is not None:
        headers["onBehalfOf"] = settings.on_behalf_of
    query: dict[str, Any] = {name: value for name, value in call.query.items() if value is not None}
    request = httpx.Request(
        operation.method,
        settings.base_url + expand(operation.path, call.path_values),
        params=query or None,
        headers=headers,
        files=call.files or None,
        json=call.json,
        data=dict(call.form) if call.form is not None else None,
        content=call.content,
    )
    _guard(operation, settings.base_url, request.url)
    request.read()
    return request


def _guard(operation: Operation[Any], base_url: str, url: httpx.URL) -> None:
    """Refuse a URL that, as httpx normalised it, is not the operation's own."""
    base = httpx.URL(base_url)
    prefix = base.raw_path.decode("ascii")
    path = url.raw_path.decode("ascii").partition("?")[0]
    same_origin = (url.scheme, url.host, url.port) == (base.scheme, base.host, base.port)
    if not (same_origin and path.startswith(f"{prefix}/") and matches(operation.path, path[len(prefix) :])):
        raise InvalidRequestError(f"{operation.name}: these arguments would send the request elsewhere")


def redactor(call: Call[Any], settings: Settings) -> Redactor:
    """What keeps the secrets of this call out of the errors it may end in."""
    values = {name: value for name, value in call.path_values.items() if isinstance(value, str)}
    secrets = [values[name] for name in values.keys() & _SECRET_PARAMETERS]
    public = [values[name] for name in values.keys() - _SECRET_PARAMETERS]
    return Redactor([settings.api_key.reveal(), *settings.headers.values(), *secrets], public)
