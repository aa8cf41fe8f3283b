"""Validated, immutable client settings: the same rules for the constructor and for `with_options`."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from urllib.parse import SplitResult, urlsplit

from attrs import field, frozen

from cometchat_rest._support.checks import check_seconds
from cometchat_rest.errors import CometChatError, ConfigurationError, InvalidRequestError
from cometchat_rest.version import __version__

from .drift import Drift
from .redaction import LONG_SECRET, SHORTEST_SECRET, SPELLINGS, Redactor

if TYPE_CHECKING:
    import httpx

    from .attempts import OnAttempt
    from .tracing import Tracing

USER_AGENT = f"cometchat-rest/{__version__}"


class Timeouts(NamedTuple):
    """Seconds for each phase of one attempt."""

    connect: float = 5.0
    read: float = 30.0
    write: float = 60.0
    pool: float = 5.0


_FRAMING = frozenset({"connection", "content-length", "content-type", "transfer-encoding", "upgrade"})
#: Headers that only the client sets, in lower case: they decide where a request goes, for whom, and how it is framed.
OWNED_HEADERS = _FRAMING | {"accept-encoding", "apikey", "host", "onbehalfof"}

OnDrift: TypeAlias = Callable[[Drift], None]

_WORD = rb"(?<![0-9A-Za-z])%b(?![0-9A-Za-z])"
# A header value with fewer characters is not treated as a secret: it may be a language or a version.
_SHORTEST_SECRET_HEADER = 8

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
# In HTTP, white space around a value is not part of it.
_VALUE = re.compile(r"(?![\t ])[\t -~]*(?<![\t ])")


class Secret:
    """A string that no repr, log or pickle shows."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The string itself: to send it, or to search a text for it."""
        return self._value

    def __repr__(self) -> str:
        return "<secret>"

    def __reduce__(self) -> str:
        raise TypeError("a secret cannot be pickled")


class Proxy:
    """A proxy, with its secrets apart from its address."""

    def __init__(self, url: str, address: str, credentials: tuple[str, str]) -> None:
        self.url: Secret = Secret(url)
        self.address = address
        self.host: str = urlsplit(address).hostname or ""
        self._secrets = tuple(Secret(each) for each in credentials)

    @property
    def secrets(self) -> tuple[str, ...]:
        username, password = (each.reveal() for each in self._secrets)
        if not username and not password:
            return ()
        return password or username, b64encode(f"{username}:{password}".encode()).decode()


@frozen(eq=False, repr=False, slots=False)
class Settings:
    """Everything a call needs beside its own arguments."""

    base_url: str
    api_key: Secret
    on_behalf_of: str | None = field(repr=False)
    timeout: Timeouts
    max_retries: int
    deadline: float
    max_response_bytes: int
    strict: bool
    on_drift: OnDrift | None = field(repr=False)
    on_attempt: OnAttempt | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(factory=dict, repr=False)
    query: Mapping[str, object] = field(factory=dict, repr=False)
    proxy: Proxy | None = field(default=None, repr=False)
    tracing: Tracing | None = field(default=None, repr=False)

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """The values that no error and no log may show; a header of the user may be a secret."""
        headers = (value for value in self.headers.values() if len(value) >= _SHORTEST_SECRET_HEADER)
        return (self.api_key.reveal(), *headers, *(self.proxy.secrets if self.proxy else ()))

    @cached_property
    def hide_key(self) -> Redactor:
        """Hides the key where a caller may have passed it by mistake."""
        return Redactor(lambda: [self.api_key.reveal()])

    @cached_property
    def _written_keys(self) -> dict[bytes, int]:
        """The key in each spelling, with one of its rarer bytes."""
        key = self.api_key.reveal()
        written = {spell(key).encode() for spell in SPELLINGS if len(key) >= SHORTEST_SECRET}
        return {spelling: min(spelling) for spelling in written}

    def holds_key(self, contents: Iterable[bytes]) -> bool:
        """Whether a content holds the API key; nobody means to send it there, and all moderators could read it."""
        for content in contents:
            for key, rare in self._written_keys.items():
                # To search a megabyte for one byte takes a small part of the time.
                if rare in content:
                    # In UTF-16, a NUL before or after each letter would hide the key.
                    text = content.replace(b"\0", b"") if b"\0" in content[:1000] else content
                    if key in text and (len(key) >= LONG_SECRET or re.search(_WORD % re.escape(key), text)):
                        return True
        return False

    @cached_property
    def address(self) -> SplitResult:
        """Where every request goes."""
        return urlsplit(self.base_url)

    @property
    def route(self) -> str:
        """The way to the service, for error messages."""
        proxy, service = self.proxy, self.address.netloc
        return service if proxy is None else f"{service} through the proxy {proxy.host}"

    def span(self, name: str) -> AbstractContextManager[None]:
        """The parent span for a method that makes several calls; nothing without telemetry."""
        return nullcontext() if self.tracing is None else self.tracing.parent(name)

    @cached_property
    def fixed_headers(self) -> tuple[tuple[bytes, bytes], ...]:
        """The headers that are the same for every call."""
        headers = {"accept": "application/json", "accept-encoding": "gzip", "user-agent": USER_AGENT, **self.headers}
        if self.on_behalf_of is not None:
            headers["onBehalfOf"] = self.on_behalf_of
        key = (b"apikey", self.api_key.reveal().encode("ascii"))
        return ((b"Host", self.address.netloc.encode("ascii")), *self.encoded(headers), key)

    def encoded(self, headers: Mapping[str, str]) -> tuple[tuple[bytes, bytes], ...]:
        """Headers as they are sent, other than that with the key; none of them may hold it."""
        encoded = tuple((name.encode("ascii"), value.encode("ascii")) for name, value in headers.items())
        if self.holds_key(map(b":".join, encoded)):
            raise InvalidRequestError("a header or on_behalf_of holds the API key of this client; remove it")
        return encoded


def check_timeout(value: float | httpx.Timeout | None) -> Timeouts:
    """The timeout of each phase, from seconds for all phases, an `httpx.Timeout`, or `None` for the default."""
    if value is None:
        return Timeouts()
    # Without a reference to httpx.Timeout, so that httpx need not be loaded.
    if isinstance(value, int | float) or not hasattr(value, "as_dict"):
        each = check_seconds("timeout", value)
        return Timeouts(connect=each, read=each, write=each, pool=each)
    phases = value.as_dict()
    if None in phases.values():
        reason = "has a phase without end: connect, read, write and pool each need a limit, or a call could hang"
        raise ConfigurationError(reason, argument="timeout")
    return Timeouts(**{phase: check_seconds("timeout", each) for phase, each in phases.items()})


def check_on_behalf_of(value: str | None, error: type[CometChatError] = InvalidRequestError) -> str | None:
    """The uid to act for, as a header can carry it; raise `error` for any other."""
    if value is None:
        return None
    if not isinstance(value, str) or not value or not _VALUE.fullmatch(value):
        raise error("must be a uid of visible ASCII characters, without space around it", argument="on_behalf_of")
    return value


def check_headers(
    headers: Mapping[str, str], error: type[CometChatError] = InvalidRequestError, hide: Callable[[str], str] = str
) -> dict[str, str]:
    """Return the user's headers, with names in lower case; raise `error` if a name or a value is invalid."""
    refuse = partial(error, argument="headers")
    if not isinstance(headers, Mapping):
        raise refuse(f"must be a mapping of names to values, not {type(headers).__name__}")
    checked = {}
    for name, value in headers.items():
        if not isinstance(name, str) or not _TOKEN.fullmatch(name):
            raise refuse("has a name that is empty or invalid; use only letters, digits and hyphens")
        if name.lower() in OWNED_HEADERS:
            raise refuse(f"must not contain {name}, which only the client sets")
        if not isinstance(value, str) or not _VALUE.fullmatch(value):
            raise refuse(f"must give {hide(name)} visible ASCII characters, without white space around them")
        checked[name.lower()] = value
    return checked


def check_fields(argument: str, fields: object, hide: Callable[[str], str]) -> dict[str, object]:
    """Return the user's query or form; raise an error if it is not texts, numbers, booleans or lists by name."""
    if not isinstance(fields, Mapping) or not all(isinstance(name, str) and name for name in fields):
        raise InvalidRequestError("must be a mapping of names to values", argument=argument)
    for name, value in fields.items():
        values = value if isinstance(value, list | tuple) else [] if value is None else [value]
        if not all(isinstance(single, str | int | float) for single in values):
            reason = f"has a value of {hide(name)} that is no text, number or boolean"
            raise InvalidRequestError(reason, argument=argument)
    return dict(fields)
