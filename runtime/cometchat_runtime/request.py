"""From a call to the HTTP request that is sent for it (pure)."""

import time
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from attrs import define, field

from cometchat_openapi import Call
from cometchat_runtime.errors import InvalidRequestError
from cometchat_runtime.options import Options, check_headers
from cometchat_runtime.secrets import Secret, hide

from .arguments import check_arguments
from .body import Content, content_of, texts
from .paths import check_values, expand, matches

if TYPE_CHECKING:
    import httpx


@define(eq=False, repr=False)
class Request:
    """An HTTP request that never changes. The target can hold a token, and the headers hold the
    key."""

    call: Call[object]
    method: str
    target: Secret
    headers: "httpx.Headers" = field(repr=False)
    content: Content
    #: The values that no error and no log may show.
    secrets: tuple[Secret, ...]
    #: Whether the target holds one of them.
    has_secret_target: bool

    @property
    def shown_values(self) -> dict[str, object]:
        """The values of the path that an error may show."""
        values = {k: v for k, v in self.call.path_values.items() if not isinstance(v, Secret)}
        return {
            name: self.hide(value) if isinstance(value, str) else value
            for name, value in values.items()
        }

    def hide(self, text: str) -> str:
        """The text without the secrets of this call."""
        return hide(text, self.secrets)


@define(eq=False, repr=False)
class Attempt:
    """One attempt to get a response: its number in the call, from 1, its limits, and when it
    began."""

    request: Request
    options: Options
    deadline: float
    number: int
    began: float = field(factory=time.monotonic, init=False)
    #: The size of the body, which is known when it is sent.
    size: int = field(default=0, init=False)

    def phases(self) -> dict[str, float]:
        """The seconds that each phase may take: its timeout, or the rest of the call's time if
        that is shorter."""
        # Not 0: a socket with this timeout does not wait at all, and fails with another error.
        left = max(0.001, self.deadline - time.monotonic())
        return {phase: min(seconds, left) for phase, seconds in self.options.phases.items()}


def prepare(call: Call[object], options: Options) -> Request:
    """The request of a call: it goes where its operation says, or nowhere."""
    operation = call.operation
    check_arguments(call)
    check_values(call.path_values)
    path = expand(operation.path, call.path_values)
    if not matches(operation.path, path):
        raise InvalidRequestError(
            "these arguments would send the request elsewhere", operation=operation.name
        )
    try:
        query, content = urlencode(texts(call.query), doseq=True, quote_via=quote), content_of(call)
    except UnicodeEncodeError:
        raise InvalidRequestError(
            "an argument holds a lone surrogate, which cannot be sent as UTF-8",
            operation=operation.name,
        ) from None
    secrets = tuple(value for value in call.path_values.values() if isinstance(value, Secret))
    return Request(
        call,
        operation.method,
        Secret(f"{options.address.path}{path.reveal()}{query and f'?{query}'}"),
        _headers(call, options, content),
        content,
        (*options.secrets, *secrets),
        has_secret_target=bool(secrets),
    )


def _headers(call: Call[object], options: Options, content: Content) -> "httpx.Headers":
    own = {name.lower(): str(text) for name, text in texts(call.headers).items()}
    check_headers(own, InvalidRequestError)
    if content.content_type:
        own["Content-Type"] = content.content_type
    if not content.files and (content.data or call.operation.method not in ("GET", "DELETE")):
        own["Content-Length"] = str(len(content.data))
    if not own:
        return options.sent_headers
    headers = options.sent_headers.copy()
    headers.update(own)
    return headers
