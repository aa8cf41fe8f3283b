"""From a call to the HTTP request that is sent for it (pure)."""

import time
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from attrs import define, field

from .arguments import check_arguments
from .body import Content, content_of, texts
from .errors import InvalidRequestError
from .operation import Call
from .options import Options, check_headers
from .paths import check_values, expand
from .secrets import Secret, hide

if TYPE_CHECKING:
    import httpx

# A socket with a timeout of 0 does not wait at all, and fails with another error.
_SHORTEST_PHASE = 0.001


@define(eq=False, repr=False)
class Request:
    """An HTTP request that never changes. The target can hold a token, and the headers hold the
    key.

    Attributes:
        secrets: the values that no error and no log may show.
        has_secret_target: whether the target holds one of them.
    """

    call: Call[object]
    method: str
    target: Secret
    headers: "httpx.Headers" = field(repr=False)
    content: Content
    secrets: tuple[Secret, ...]
    has_secret_target: bool

    @property
    def shown_values(self) -> dict[str, object]:
        """The values of the path that an error may show."""
        shown: dict[str, object] = {}
        for name, value in self.call.path_values.items():
            if not isinstance(value, Secret):
                shown[name] = self.hide(value) if isinstance(value, str) else value
        return shown

    def hide(self, text: str) -> str:
        """The text without the secrets of this call."""
        return hide(text, self.secrets)


@define(eq=False, repr=False)
class Attempt:
    """One attempt to get a response.

    Attributes:
        number: its number in the call, from 1.
        began: when it began, on the monotonic clock.
        size: the size of the body, which is known when it is sent.
    """

    request: Request
    options: Options
    deadline: float
    number: int
    began: float = field(factory=time.monotonic, init=False)
    size: int = field(default=0, init=False)

    def phases(self) -> dict[str, float]:
        """The seconds that each phase may take: its timeout, or the rest of the call's time if
        that is shorter."""
        left = max(_SHORTEST_PHASE, self.deadline - time.monotonic())
        return {phase: min(seconds, left) for phase, seconds in self.options.phases.items()}


def request_of(call: Call[object], options: Options) -> Request:
    """The request of a call. `Outgoing` makes sure that it goes where its operation says."""
    operation = call.operation
    check_arguments(call)
    check_values(call.path_values)
    path = expand(operation.path, call.path_values)
    try:
        query = urlencode(texts(call.query), doseq=True, quote_via=quote)
        content = content_of(call)
    except UnicodeEncodeError:
        raise InvalidRequestError(
            "an argument holds a lone surrogate, which cannot be sent as UTF-8",
            operation=operation.name,
        ) from None
    target = options.address.path + path.reveal()
    secrets = tuple(value for value in call.path_values.values() if isinstance(value, Secret))
    return Request(
        call,
        operation.method,
        Secret(f"{target}?{query}" if query else target),
        _headers(call, options, content),
        content,
        (*options.secrets, *secrets),
        has_secret_target=bool(secrets),
    )


def _headers(call: Call[object], options: Options, content: Content) -> "httpx.Headers":
    own = {}
    for name, value in texts(call.headers).items():
        # `str` of a member of an enumeration would be its name.
        own[name.lower()] = value if isinstance(value, str) else str(value)
    if own:
        check_headers(own, options.service, InvalidRequestError)
    if content.content_type:
        own["Content-Type"] = content.content_type
    has_body = call.operation.method not in ("GET", "DELETE")
    if content.files is None and (content.data or has_body):
        own["Content-Length"] = str(len(content.data))
    if not own:
        return options.sent_headers
    headers = options.sent_headers.copy()
    headers.update(own)
    return headers
