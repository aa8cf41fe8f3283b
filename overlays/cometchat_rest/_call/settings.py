"""What a client was told, checked once and never changed: the same rules for the constructor and for options."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from attrs import field, frozen

from cometchat_rest._support.checks import check_seconds
from cometchat_rest.errors import CometChatError, ConfigurationError, InvalidRequestError
from cometchat_rest.version import __version__

from .drift import Drift

if TYPE_CHECKING:
    import httpcore
    import httpx

USER_AGENT = f"cometchat-rest/{__version__}"


@frozen
class Timeouts:
    """Seconds for each phase of one attempt; the defaults where the user names none."""

    connect: float = 5.0
    read: float = 30.0
    write: float = 60.0
    pool: float = 5.0

    def within(self, left: float) -> dict[str, float]:
        """By phase, none longer than what is left of the call's deadline."""
        left = max(0.0, left)
        return {
            "connect": min(self.connect, left),
            "read": min(self.read, left),
            "write": min(self.write, left),
            "pool": min(self.pool, left),
        }


#: Headers that the client sets itself, in lower case: each decides where a request goes, for whom, or how it is framed.
OWNED_HEADERS = frozenset(
    {
        "accept-encoding",
        "apikey",
        "connection",
        "content-length",
        "content-type",
        "host",
        "onbehalfof",
        "transfer-encoding",
    }
)

OnDrift: TypeAlias = Callable[[Drift], None]

# A header's value with fewer characters is no secret.
_SHORTEST_SECRET = 8

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
# White space around a value is no part of it in HTTP, and is not sent.
_VALUE = re.compile(r"(?![\t ])[\t -~]*(?<![\t ])")


class Secret:
    """A string that no repr, log or pickle shows."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The string itself: to be put on the wire, or looked for in a text."""
        return self._value

    def __repr__(self) -> str:
        return "<secret>"

    def __reduce__(self) -> str:
        raise TypeError("a secret cannot be pickled")


@frozen
class Address:
    """A base URL in the parts a request is made of; `netloc` is what the Host header says."""

    scheme: bytes
    host: bytes
    port: int | None
    netloc: bytes
    prefix: str


@frozen
class Proxy:
    """What the environment has requests go by, and what it wants to be told first."""

    url: httpcore.URL
    username: Secret
    password: Secret

    @property
    def credentials(self) -> tuple[bytes, bytes] | None:
        """Name and password, where there are any."""
        name, password = self.username.reveal().encode(), self.password.reveal().encode()
        return (name, password) if name or password else None

    @property
    def secrets(self) -> tuple[str, ...]:
        """What nobody may see: the password, or a name that does for one, and both as they are sent."""
        if self.credentials is None:
            return ()
        return self.password.reveal() or self.username.reveal(), b64encode(b":".join(self.credentials)).decode()


@frozen
class Settings:
    """Everything a call needs to know beside its own arguments."""

    base_url: str
    api_key: Secret
    on_behalf_of: str | None
    timeout: Timeouts
    max_retries: int
    deadline: float
    max_response_bytes: int
    strict: bool
    on_drift: OnDrift | None = field(repr=False)
    headers: Mapping[str, str] = field(factory=dict, repr=False)
    proxy: Proxy | None = field(default=None, repr=False)

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """What no error and no log may show of them; a header of the user's own may well be a secret."""
        # No secret is as short as a language or a version, and every text would lose its like.
        headers = (value for value in self.headers.values() if len(value) >= _SHORTEST_SECRET)
        return (self.api_key.reveal(), *headers, *(self.proxy.secrets if self.proxy else ()))

    @cached_property
    def address(self) -> Address:
        """Where every request goes."""
        parts = urlsplit(self.base_url)
        netloc = parts.netloc.encode("ascii")
        return Address(
            parts.scheme.encode("ascii"), (parts.hostname or "").encode("ascii"), parts.port, netloc, parts.path
        )

    @property
    def route(self) -> str:
        """The way to the service, for people to read."""
        proxy, service = self.proxy, self.address.netloc.decode("ascii")
        return service if proxy is None else f"{service} by way of {proxy.url.host.decode('ascii')}"

    @cached_property
    def fixed_headers(self) -> tuple[tuple[bytes, bytes], ...]:
        """The headers that are the same for every call."""
        headers = {
            "accept": "application/json",
            "accept-encoding": "gzip",
            "user-agent": USER_AGENT,
            **self.headers,
            "apikey": self.api_key.reveal(),
        }
        if self.on_behalf_of is not None:
            headers["onBehalfOf"] = self.on_behalf_of
        named = ((name.encode("ascii"), value.encode("ascii")) for name, value in headers.items())
        return ((b"Host", self.address.netloc), *named)


def timeouts(value: float | httpx.Timeout | None) -> Timeouts:
    """The timeout of each phase, from seconds for all of them, an `httpx.Timeout`, or `None` for the default.

    Raises:
        ConfigurationError: a phase without a limit, or one that is not positive.
    """
    if value is None:
        return Timeouts()
    # Told apart without httpx.Timeout itself, for which httpx would have to be loaded.
    if isinstance(value, int | float) or not hasattr(value, "as_dict"):
        each = check_seconds("timeout", value)
        return Timeouts(connect=each, read=each, write=each, pool=each)
    phases = value.as_dict()
    if None in phases.values():
        raise ConfigurationError("timeout: connect, read, write and pool each need a limit: no call may hang")
    return Timeouts(**{phase: check_seconds("timeout", each) for phase, each in phases.items()})


def deadline(value: float) -> float:
    """Seconds over all attempts of one call; a `ConfigurationError` unless positive and finite."""
    return check_seconds("deadline", value)


def on_behalf_of(value: str | None, refusal: type[CometChatError] = InvalidRequestError) -> str | None:
    """The uid to act for, as a header can carry it (service.md, section 5, item 4)."""
    if value is None:
        return None
    if not isinstance(value, str) or not value or not _VALUE.fullmatch(value):
        raise refusal("on_behalf_of: a uid of visible ASCII characters is needed, without white space around it")
    return value


def extra_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers of the user's own, names in lower case.

    Raises:
        InvalidRequestError: a name that the client owns or that is none, a value that would not stay one header.
    """
    if not isinstance(headers, Mapping):
        raise InvalidRequestError(f"headers: a mapping of names to values is needed, not {type(headers).__name__}")
    checked = {}
    for name, value in headers.items():
        if not isinstance(name, str) or not _TOKEN.fullmatch(name):
            raise InvalidRequestError("headers: a name must be a token, without spaces or control characters")
        if name.lower() in OWNED_HEADERS:
            raise InvalidRequestError(f"headers: {name} is set by the client")
        if not isinstance(value, str) or not _VALUE.fullmatch(value):
            raise InvalidRequestError(
                f"headers: the value of {name} must be visible ASCII characters, without white space around them"
            )
        checked[name.lower()] = value
    return checked
