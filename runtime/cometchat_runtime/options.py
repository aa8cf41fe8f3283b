"""The options of a client, checked once: `Client`, `with_options` and the repr of a client use
this one class."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from attrs import Attribute, field, frozen

from .checks import check_bool, check_callable, check_int, check_seconds, check_type
from .errors import CometChatError, ConfigurationError
from .secrets import Secret

if TYPE_CHECKING:
    import httpx

    from .drift import Drift
    from .observe import OnAttempt

#: Headers that only the client sets, in lower case: they decide where a request goes, for whom, and
#: how it is framed.
OWNED_HEADERS = frozenset(
    {"connection", "content-length", "content-type", "transfer-encoding", "upgrade"}
    | {"accept-encoding", "apikey", "host", "onbehalfof"}
)
_SECRET_HEADER = re.compile("authorization|cookie|key|token|secret|password", re.IGNORECASE)
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
# In HTTP, white space around a value is not part of it.
_HEADER_VALUE = re.compile(r"(?![\t ])[\t -~]*(?<![\t ])")


def check_timeout(name: str, value: "float | httpx.Timeout | None") -> Mapping[str, float]:
    """The seconds of each phase, from seconds for all phases, an `httpx.Timeout`, or `None` for
    the default."""
    phases: Mapping[str, object] = {"connect": 5.0, "read": 30.0, "write": 60.0, "pool": 5.0}
    if value is not None:
        phases = getattr(value, "as_dict", lambda: dict.fromkeys(phases, value))()
    if None in phases.values():
        reason = (
            "has a phase without end: connect, read, write and pool each need a limit, or a call"
            " could hang"
        )
        raise ConfigurationError(reason, argument=name)
    return {phase: check_seconds(name, seconds) for phase, seconds in phases.items()}


def check_on_behalf_of(
    value: str | None, error: type[CometChatError] = ConfigurationError
) -> str | None:
    """The uid to act for, as a header can carry it; raise `error` for any other."""
    if value is not None and not (value and _is_header_value(value)):
        raise error(
            "must be a uid of visible ASCII characters, without space around it",
            argument="on_behalf_of",
        )
    return value


def hide_headers(headers: object) -> Mapping[str, str | Secret]:
    """Headers with a `Secret` in place of each value that is secret by its name; anything else
    unchanged."""
    if not isinstance(headers, Mapping):
        return headers  # type: ignore[return-value] # check_headers refuses it
    return {
        name: Secret(value) if _SECRET_HEADER.search(str(name)) else value
        for name, value in headers.items()
    }


def check_headers(
    headers: Mapping[str, str | Secret], error: type[CometChatError] = ConfigurationError
) -> dict[str, str | Secret]:
    """Return the user's headers, with names in lower case; raise `error` if a name or a value is
    invalid."""
    refuse = partial(error, argument="headers")
    check_type("headers", headers, Mapping, "a mapping of names to values", error)
    checked = {}
    for name, value in headers.items():
        if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
            raise refuse(
                "has a name that is empty or invalid; use only letters, digits and hyphens"
            )
        if name.lower() in OWNED_HEADERS:
            raise refuse(f"must not contain {name}, which only the client sets")
        if not _is_header_value(Secret(value).reveal()):
            raise refuse(
                f"must give {name} visible ASCII characters, without white space around them"
            )
        checked[name.lower()] = value
    return checked


def _is_header_value(value: object) -> bool:
    return isinstance(value, str) and _HEADER_VALUE.fullmatch(value) is not None


def _checked(
    check: Callable[..., object], **limits: int
) -> "Callable[[object, Attribute[Any], object], None]":
    """A validator that calls one of the checks with the name of its option."""

    def validate(_: object, attribute: "Attribute[Any]", value: object) -> None:
        check(attribute.name, value, **limits)

    return validate


@frozen(kw_only=True, eq=False, slots=False)
class Options:
    """Everything that a call needs beside its own arguments; `Client` documents each option, and
    its repr is this one.

    The validators and converters raise `ConfigurationError`.
    """

    base_url: str
    api_key: Secret = field(repr=False)
    user_agent: str = field(repr=False)
    proxy: "httpx.Proxy | None" = field(repr=False)
    on_behalf_of: str | None = field(converter=check_on_behalf_of)
    headers: Mapping[str, str | Secret] = field(
        converter=check_headers, repr=lambda each: repr([*each])
    )
    timeout: "float | httpx.Timeout | None" = field(validator=_checked(check_timeout))
    max_retries: int = field(validator=_checked(check_int, least=0))
    deadline: float = field(validator=_checked(check_seconds))
    max_response_bytes: int = field(validator=_checked(check_int, least=1))
    strict: bool = field(validator=_checked(check_bool))
    on_drift: "Callable[[Drift], object] | None" = field(
        validator=_checked(check_callable), repr=False
    )
    on_attempt: "OnAttempt | None" = field(validator=_checked(check_callable), repr=False)

    @cached_property
    def address(self) -> SplitResult:
        """Where every request goes."""
        return urlsplit(self.base_url)

    @cached_property
    def phases(self) -> Mapping[str, float]:
        """The seconds that each phase of an attempt may take."""
        return check_timeout("timeout", self.timeout)

    @property
    def route(self) -> str:
        """The way to the service, for error messages."""
        service, proxy = self.address.netloc, self.proxy
        if proxy is None:
            return service
        # httpx leaves out a port that is the default of its scheme.
        port = proxy.url.port or {"http": 80, "https": 443}.get(proxy.url.scheme, 1080)
        return f"{service} through the proxy {proxy.url.host}:{port}"

    @cached_property
    def secrets(self) -> tuple[Secret, ...]:
        """The values of all calls that no error and no log may show."""
        headers = (value for value in self.headers.values() if isinstance(value, Secret))
        name, password = (self.proxy and self.proxy.auth) or ("", "")
        return (self.api_key, *headers, Secret(password or name))

    @cached_property
    def sent_headers(self) -> "httpx.Headers":
        """The headers that are the same for every call."""
        import httpx  # noqa: PLC0415 - see BaseClient.__init__

        own = {"Host": self.address.netloc, "accept": "application/json", "accept-encoding": "gzip"}
        own["user-agent"] = self.user_agent
        own |= {name: Secret(value).reveal() for name, value in self.headers.items()}
        own |= {} if self.on_behalf_of is None else {"onBehalfOf": self.on_behalf_of}
        return httpx.Headers({**own, "apikey": self.api_key.reveal()})
