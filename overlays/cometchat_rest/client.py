"""`Client` and `AsyncClient`: settings in, resources out; they open the connection and close it.

A resource is loaded, with its models, when it is first used, so that a program pays for those it uses.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import attrs

from ._call import settings as checked
from ._call.api import Api, AsyncApi, AsyncConnectionSource, ConnectionSource, SharedState
from ._call.settings import OnDrift, ProxyAddress, Secret, Settings
from ._support.checks import check_bool, check_callable, check_int
from ._wire.connect import connect, connect_async
from ._wire.proxy import environment_proxy
from .endpoint import Region, resolve_api_key, resolve_base_url
from .errors import CometChatError, ConfigurationError, RateLimit

if TYPE_CHECKING:
    import httpx

    from .auth_tokens import AsyncAuthTokens, AuthTokens
    from .keywords import AsyncKeywords, Keywords
    from .reviewed_messages import AsyncReviewedMessages, ReviewedMessages
    from .roles import AsyncRoles, Roles

TransportT = TypeVar("TransportT")
SourceT = TypeVar("SourceT")


class _Keep(Enum):
    """The absence of an option, where `None` has a meaning of its own."""

    KEEP = "keep"

    def __repr__(self) -> str:
        return "<keep>"


KEEP = _Keep.KEEP


def _resolve(
    app_id: str | None, region: Region | str | None, api_key: str | None, base_url: str | None, transport: object
) -> tuple[str, Secret, ProxyAddress | None] | ConfigurationError:
    """Address, key and proxy. An error is returned: a traceback must not pass through frames that hold a secret."""
    try:
        key = Secret(resolve_api_key(api_key, os.environ))
        address = resolve_base_url(app_id=app_id, region=region, base_url=base_url, environ=os.environ)
    except ConfigurationError as error:
        return error.with_traceback(None)
    # A transport of the caller's own finds its own way.
    proxy = environment_proxy(address) if transport is None else None
    return proxy if isinstance(proxy, ConfigurationError) else (address, key, proxy)


def _changed(
    settings: Settings,
    timeout: float | httpx.Timeout | _Keep | None,
    max_retries: int | _Keep,
    deadline: float | _Keep,
    on_behalf_of: str | _Keep | None,
    headers: Mapping[str, str] | _Keep,
) -> Settings | CometChatError:
    changes: dict[str, Any] = {}
    try:
        if timeout is not KEEP:
            changes["timeout"] = checked.timeouts(timeout)
        if max_retries is not KEEP:
            changes["max_retries"] = check_int("max_retries", max_retries, least=0)
        if deadline is not KEEP:
            changes["deadline"] = checked.deadline(deadline)
        if on_behalf_of is not KEEP:
            changes["on_behalf_of"] = checked.on_behalf_of(on_behalf_of)
        if headers is not KEEP:
            changes["headers"] = {**settings.headers, **checked.extra_headers(headers)}
    except CometChatError as error:
        return error.with_traceback(None)
    return attrs.evolve(settings, **changes)


class BaseClient(ABC, Generic[TransportT, SourceT]):
    """All that does not depend on how a call is sent."""

    _settings: Settings
    _state: SharedState[SourceT]
    _owner: bool

    def __init__(
        self,
        *,
        app_id: str | None = None,
        region: Region | str | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        on_behalf_of: str | None = None,
        timeout: float | httpx.Timeout | None = None,
        max_retries: int = 2,
        deadline: float = 120.0,
        max_response_bytes: int = 32 * 2**20,
        strict: bool = False,
        on_drift: OnDrift | None = None,
        transport: TransportT | None = None,
    ) -> None:
        """Settings come from the argument, then from the environment, then from the default.

        An explicit `app_id` or `region` beats `COMETCHAT_BASE_URL`; among variables alone the base URL wins. An empty
        variable counts as unset (service.md, sections 1 and 5).

        Args:
            app_id: the app's identifier, one host label; or `COMETCHAT_APP_ID`.
            region: `us`, `eu` or `in`; or `COMETCHAT_REGION`; `us` unless given.
            api_key: the app's REST API key, with fullAccess scope; or `COMETCHAT_API_KEY`.
            base_url: a whole address ending in `/v3`, instead of `app_id` and `region`; or `COMETCHAT_BASE_URL`.
                `https`, except on this machine.
            on_behalf_of: the uid of the user to act for.
            timeout: seconds for each phase of one attempt, or an `httpx.Timeout`; by default 5 to connect, 30 to read,
                60 to write, 5 to get a connection from the pool.
            max_retries: how many times a call that may be repeated is sent again.
            deadline: seconds over all attempts of one call.
            max_response_bytes: of a larger answer no more is read, and a success of that size is a
                `ResponseTooLargeError`.
            strict: raise on the first departure of an answer from the description, instead of reporting it.
            on_drift: called with each departure found, where `strict` is off. What it raises reaches whoever made the
                call, which has been carried out by then.
            transport: what sends the requests, instead of a connection pool over the network and whatever proxy the
                environment names: an `httpx.BaseTransport`, or an `httpx.AsyncBaseTransport` for `AsyncClient`. One
                that blocks is held to the deadline only between the pieces of an answer.

        Raises:
            ConfigurationError: a setting is missing or malformed.
        """
        resolved = _resolve(app_id, region, api_key, base_url, transport)
        # A traceback that shows locals must show neither the key nor a password in the address.
        del api_key, base_url
        if isinstance(resolved, ConfigurationError):
            raise resolved
        address, secret, proxy = resolved
        self._settings = Settings(
            base_url=address,
            api_key=secret,
            on_behalf_of=checked.on_behalf_of(on_behalf_of, ConfigurationError),
            timeout=checked.timeouts(timeout),
            max_retries=check_int("max_retries", max_retries, least=0),
            deadline=checked.deadline(deadline),
            max_response_bytes=check_int("max_response_bytes", max_response_bytes, least=1),
            strict=check_bool("strict", strict),
            on_drift=check_callable("on_drift", on_drift),
            proxy=proxy,
        )
        self._owner = True
        self._state = SharedState(self._open(self._settings, transport))
        self._bind()

    @staticmethod
    @abstractmethod
    def _open(settings: Settings, transport: TransportT | None) -> SourceT:
        """The caller's transport, or connections of our own."""

    @abstractmethod
    def _bind(self) -> None:
        """Make what sends, for these settings and this connection."""

    def with_options(
        self,
        *,
        timeout: float | httpx.Timeout | _Keep | None = KEEP,
        max_retries: int | _Keep = KEEP,
        deadline: float | _Keep = KEEP,
        on_behalf_of: str | _Keep | None = KEEP,
        headers: Mapping[str, str] | _Keep = KEEP,
    ) -> Self:
        """A client with other options, on the same connections; the one it comes from stays as it is.

        Closing it, or leaving its block, closes nothing: that is for the one it comes from.

        Args:
            timeout: seconds for each phase of one attempt, an `httpx.Timeout`, or `None` for the default.
            max_retries: how many times a call that may be repeated is sent again.
            deadline: seconds over all attempts of one call.
            on_behalf_of: the uid of the user to act for, or `None` for nobody.
            headers: headers to send beside the client's own and beside those of earlier options. A value of eight
                characters or more is kept out of errors and logs like the key.

        Raises:
            ConfigurationError: a number that is none, or too small.
            InvalidRequestError: a header that the client owns, or that would not stay one header.
        """
        settings = _changed(self._settings, timeout, max_retries, deadline, on_behalf_of, headers)
        # A header of the user's own may well be a secret.
        del headers
        if isinstance(settings, CometChatError):
            raise settings
        derived = object.__new__(type(self))
        derived._settings = settings
        derived._owner = False
        derived._state = self._state
        derived._bind()
        return derived

    @property
    def base_url(self) -> str:
        """The address that all paths are relative to, without a slash at its end."""
        return self._settings.base_url

    @property
    def rate_limit(self) -> RateLimit:
        """What the last answer said of the rate limit."""
        return self._state.rate_limit

    def __repr__(self) -> str:
        told: Settings | None = getattr(self, "_settings", None)
        if told is None:
            return f"<{type(self).__name__}, unfinished>"
        options = [f"base_url={told.base_url!r}"]
        if told.on_behalf_of is not None:
            options.append(f"on_behalf_of={told.on_behalf_of!r}")
        if told.headers:
            options.append(f"headers={sorted(told.headers)}")
        options.append(f"timeout={told.timeout!r}, max_retries={told.max_retries}, deadline={told.deadline}")
        options.append(f"max_response_bytes={told.max_response_bytes}, strict={told.strict}")
        return f"{type(self).__name__}({', '.join(options)})"

    def __reduce__(self) -> str:
        raise TypeError("a client holds connections and a key, and cannot be pickled")


class Client(BaseClient["httpx.BaseTransport", ConnectionSource]):
    """The service, called and waited for. Threads may share one client from its first moment.

    Attributes:
        api: what to hand to the functions of `cometchat_openapi`, for the layer below.
    """

    api: Api

    @staticmethod
    def _open(settings: Settings, transport: httpx.BaseTransport | None) -> ConnectionSource:
        return connect(settings, transport)

    def _bind(self) -> None:
        self.api = Api(self._state, self._settings)

    @cached_property
    def keywords(self) -> Keywords:
        """Moderation keyword lists."""
        from .keywords import Keywords  # noqa: PLC0415

        return Keywords(self.api)

    @cached_property
    def reviewed_messages(self) -> ReviewedMessages:
        """What moderation looked at."""
        from .reviewed_messages import ReviewedMessages  # noqa: PLC0415

        return ReviewedMessages(self.api)

    @cached_property
    def roles(self) -> Roles:
        """The roles users can have."""
        from .roles import Roles  # noqa: PLC0415

        return Roles(self.api)

    @cached_property
    def auth_tokens(self) -> AuthTokens:
        """The tokens users log in with."""
        from .auth_tokens import AuthTokens  # noqa: PLC0415

        return AuthTokens(self.api)

    def close(self) -> None:
        """Close the connections, if this client opened them; a derived client leaves them open."""
        if self._owner and not self._state.status.closed:
            self._state.status.closed = True
            self._state.source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(BaseClient["httpx.AsyncBaseTransport", AsyncConnectionSource]):
    """The service, awaited: in any event loop, with connections of its own for each.

    Attributes:
        api: what to hand to the functions of `cometchat_openapi`, for the layer below.
    """

    api: AsyncApi

    @staticmethod
    def _open(settings: Settings, transport: httpx.AsyncBaseTransport | None) -> AsyncConnectionSource:
        return connect_async(settings, transport)

    def _bind(self) -> None:
        self.api = AsyncApi(self._state, self._settings)

    @cached_property
    def keywords(self) -> AsyncKeywords:
        """Moderation keyword lists."""
        from .keywords import AsyncKeywords  # noqa: PLC0415

        return AsyncKeywords(self.api)

    @cached_property
    def reviewed_messages(self) -> AsyncReviewedMessages:
        """What moderation looked at."""
        from .reviewed_messages import AsyncReviewedMessages  # noqa: PLC0415

        return AsyncReviewedMessages(self.api)

    @cached_property
    def roles(self) -> AsyncRoles:
        """The roles users can have."""
        from .roles import AsyncRoles  # noqa: PLC0415

        return AsyncRoles(self.api)

    @cached_property
    def auth_tokens(self) -> AsyncAuthTokens:
        """The tokens users log in with."""
        from .auth_tokens import AsyncAuthTokens  # noqa: PLC0415

        return AsyncAuthTokens(self.api)

    async def aclose(self) -> None:
        """Close the connections, if this client opened them; a derived client leaves them open."""
        if self._owner and not self._state.status.closed:
            self._state.status.closed = True
            await self._state.source.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
