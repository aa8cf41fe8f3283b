"""The options of a client, checked once: `Client`, `with_options` and the repr of a client use
this one class."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import SplitResult, urlsplit

from attrs import Factory, field, frozen

from .checks import check_bool, check_callable, check_int, check_seconds, check_type
from .errors import CometChatError, ConfigurationError
from .hooks import OnAttempt, OnDrift
from .secrets import Secret
from .service import Service

if TYPE_CHECKING:
    import httpx

#: Headers of a user, by name. A `Secret` is a value that no error and no log shows.
Headers: TypeAlias = Mapping[str, str | Secret]

# Headers that only the client sets, in lower case: they decide where a request goes, and how it is
# framed. Those with the key and the user belong to them.
_OWNED_HEADERS = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
        "upgrade",
    }
)
_SECRET_HEADER = re.compile(
    r"""
    authorization   # Proxy-Authorization
    | cookie
    | key           # X-Api-Key
    | token         # X-Auth-Token
    | secret
    | password
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
# In HTTP, white space around a value is not part of it.
_HEADER_VALUE = re.compile(r"(?![\t ])[\t -~]*(?<![\t ])")
# Some programs that read an env file keep the quotes around a value. Some editors write curly ones,
# and Excel a byte order mark.
_AROUND_WORD = ('"', "'", "\u201c", "\u201d", "\ufeff")
_DEFAULT_PHASES = {"connect": 5.0, "read": 30.0, "write": 60.0, "pool": 5.0}


def trimmed(setting: Secret, argument: str, also_called: str | None = None) -> Secret:
    """A setting without the white space around it, which a file or a dashboard often adds; an error
    if it is not one word, or was copied together with something else.

    Anything that is not a text stays as it is: later checks refuse it.
    """
    if not isinstance(setting.reveal(), str):
        return setting
    setting = Secret(setting.reveal().strip())
    fault = fault_in_word(setting)
    if fault is not None:
        raise ConfigurationError(fault, argument=argument, also_called=also_called)
    return setting


def fault_in_word(word: Secret) -> str | None:
    """The sign that a word was copied together with something else; `None` for a word without
    such a sign, and for anything that is not a text."""
    text = word.reveal()
    if not isinstance(text, str):
        return None
    if text.startswith(_AROUND_WORD) or text.endswith(_AROUND_WORD):
        return "must not have quotation marks or a byte order mark around it"
    if text.lower().startswith("bearer "):
        return "must not begin with 'Bearer': give only what follows"
    if any(map(str.isspace, text)):
        return "must not contain white space"
    return None


def check_timeout(name: str, value: "float | httpx.Timeout | None") -> Mapping[str, float]:
    """The seconds of each phase, from seconds for all phases, an `httpx.Timeout`, or `None` for
    the default."""
    if value is None:
        return _DEFAULT_PHASES
    # An `httpx.Timeout`, without loading httpx.
    as_dict: Callable[[], dict[str, float]] | None = getattr(value, "as_dict", None)
    phases = dict.fromkeys(_DEFAULT_PHASES, value) if as_dict is None else as_dict()
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
    """The identifier of the user to act for, as a header can carry it; raise `error` for any
    other."""
    if value is None:
        return None
    if not value or not _is_header_value(value):
        raise error(
            "must be a uid of visible ASCII characters, without space around it",
            argument="on_behalf_of",
        )
    return value


def hide_headers(headers: Headers | None) -> Headers:
    """Headers with a `Secret` in place of each value that is secret by its name; `None` means no
    headers.

    Anything that is not a mapping stays as it is: `check_headers` refuses it.
    """
    if headers is None:
        return {}
    if not isinstance(headers, Mapping):
        return headers
    return {
        name: Secret(value) if _SECRET_HEADER.search(str(name)) else value
        for name, value in headers.items()
    }


def check_headers(
    headers: Headers,
    service: Service,
    error: type[CometChatError] = ConfigurationError,
) -> dict[str, str | Secret]:
    """Return a user's headers, with names in lower case; raise `error` if one is invalid."""
    check_type("headers", headers, Mapping, "a mapping of names to values", error)
    owned = _OWNED_HEADERS | {service.key_header.lower(), service.user_header.lower()}
    checked = {}
    for name, value in headers.items():
        fault = _fault_in_header(name, value, owned)
        if fault is not None:
            raise error(fault, argument="headers")
        checked[name.lower()] = value
    return checked


def _fault_in_header(name: object, value: str | Secret, owned: frozenset[str]) -> str | None:
    if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
        return "has a name that is empty or invalid; use only letters, digits and hyphens"
    if name.lower() in owned:
        return f"must not contain {name}, which only the client sets"
    if not _is_header_value(Secret(value).reveal()):
        return f"must give {name} visible ASCII characters, without white space around them"
    return None


def _is_header_value(value: object) -> bool:
    return isinstance(value, str) and _HEADER_VALUE.fullmatch(value) is not None


def _names(headers: Headers) -> str:
    return repr([*headers])


def _phases(options: "Options") -> Mapping[str, float]:
    return check_timeout("timeout", options.timeout)


@frozen(kw_only=True, eq=False, slots=False)
class Options:
    """Everything that a call needs besides its own arguments.

    `Client` documents each option, and `repr(client)` shows them. A wrong option is a
    `ConfigurationError`. `headers` are those that `check_headers` returned.
    """

    service: Service = field(repr=False)
    base_url: str
    api_key: Secret = field(repr=False)
    proxy: "httpx.Proxy | None" = field(repr=False)
    on_behalf_of: str | None = field(converter=check_on_behalf_of)
    headers: Headers = field(repr=_names)
    timeout: "float | httpx.Timeout | None"
    max_retries: int
    deadline: float
    max_response_bytes: int
    strict: bool
    on_drift: OnDrift | None = field(repr=False)
    on_attempt: OnAttempt | None = field(repr=False)
    #: The seconds that each phase of an attempt may take.
    phases: Mapping[str, float] = field(
        init=False, repr=False, default=Factory(_phases, takes_self=True)
    )

    def __attrs_post_init__(self) -> None:
        check_int("max_retries", self.max_retries, least=0)
        check_seconds("deadline", self.deadline)
        check_int("max_response_bytes", self.max_response_bytes, least=1)
        check_bool("strict", self.strict)
        check_callable("on_drift", self.on_drift)
        check_callable("on_attempt", self.on_attempt)

    @cached_property
    def address(self) -> SplitResult:
        """Where every request goes."""
        return urlsplit(self.base_url)

    @property
    def route(self) -> str:
        """The way to the service, for error messages."""
        service = self.address.netloc
        if self.proxy is None:
            return service
        return f"{service} through the proxy {self.proxy.url.netloc.decode()}"

    @cached_property
    def secrets(self) -> tuple[Secret, ...]:
        """The values of all calls that no error and no log may show."""
        headers = [value for value in self.headers.values() if isinstance(value, Secret)]
        secrets = [self.api_key, *headers]
        if self.proxy is not None and self.proxy.auth is not None:
            user, password = self.proxy.auth
            secrets.append(Secret(password or user))
        return tuple(secrets)

    @cached_property
    def sent_headers(self) -> "httpx.Headers":
        """The headers that are the same for every call."""
        import httpx  # noqa: PLC0415 - a program that makes no client does not load httpx

        headers = {
            "Host": self.address.netloc,
            "accept": "application/json",
            "accept-encoding": "gzip",
            "user-agent": self.service.user_agent,
        }
        for name, value in self.headers.items():
            headers[name] = Secret(value).reveal()
        if self.on_behalf_of is not None:
            headers[self.service.user_header] = self.on_behalf_of
        headers[self.service.key_header] = self.api_key.reveal()
        return httpx.Headers(headers)
