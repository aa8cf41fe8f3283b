"""`Client` and `AsyncClient`: they check the settings, own the connections, and offer one object per resource.

A resource is loaded, with its models, when it is first used, so that a program pays only for the resources it uses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import attrs
from attrs import NOTHING, NothingType

from cometchat_openapi.api import AsyncResources, Resources

from ._call.api import Api, AsyncApi, SharedState
from ._call.other_calls import call_of
from ._call.settings import OnDrift, Secret, Settings, check_fields, check_headers, check_on_behalf_of, check_timeout
from ._support.checks import check_bool, check_callable, check_int, check_seconds
from ._support.frames import without_frames
from .endpoint import Region, resolve_api_key, resolve_base_url
from .errors import ConfigurationError, RateLimit

if TYPE_CHECKING:
    import ssl
    from collections.abc import Coroutine  # noqa: F401 - in the bases below

    import httpx

    from cometchat_openapi.types import Response  # noqa: F401 - as above

    from ._call.attempts import OnAttempt
    from ._call.telemetry import Telemetry
    from ._call.transport import AsyncTransport, AsyncTransports, Transport, Transports
    from .auth_tokens import AsyncAuthTokens, AuthTokens
    from .keywords import AsyncKeywords, Keywords
    from .reviewed_messages import AsyncReviewedMessages, ReviewedMessages

TransportT = TypeVar("TransportT")
SourceT = TypeVar("SourceT")
ResponseT = TypeVar("ResponseT")


class BaseClient(ABC, Generic[TransportT, SourceT, ResponseT]):
    """The part that both clients share: settings, options, and who closes the connections."""

    _settings: Settings
    _state: SharedState[SourceT]
    _owner: bool

    @without_frames
    def __init__(
        self,
        *,
        app_id: str | None = None,
        region: Region | str | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        on_behalf_of: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | httpx.Timeout | None = None,
        max_retries: int = 2,
        deadline: float = 120.0,
        max_response_bytes: int = 32 * 2**20,
        strict: bool = False,
        on_drift: OnDrift | None = None,
        on_attempt: OnAttempt | None = None,
        telemetry: Telemetry | bool = False,
        proxy: str | None = None,
        ssl_context: ssl.SSLContext | None = None,
        transport: TransportT | None = None,
    ) -> None:
        """Make a client. Settings come from the argument, then from the environment, then from the default.

        An explicit `app_id` or `region` takes precedence over `COMETCHAT_BASE_URL`; among variables alone,
        `COMETCHAT_BASE_URL` does. An empty variable counts as unset.

        Args:
            app_id: the app's identifier, one host label; or `COMETCHAT_APP_ID`.
            region: a `Region`, or its value such as `eu`; or `COMETCHAT_REGION`; by default `us`.
            api_key: the app's REST API key, with fullAccess scope; or `COMETCHAT_API_KEY`.
            base_url: a complete address that ends in `/v3`, instead of `app_id` and `region`; or `COMETCHAT_BASE_URL`.
                `https`, except for this machine.
            on_behalf_of: the uid of the user to act for.
            headers: headers to send with every call. A value of eight characters or more is kept out of errors and
                logs, as the key is.
            timeout: seconds for each phase of one attempt, or an `httpx.Timeout`; by default 5 to connect, 30 to read,
                60 to write, 5 to get a connection from the pool.
            max_retries: the largest number of further attempts after the first one, for a call that may be retried. For
                a 429, only the deadline limits the attempts, unless this is 0.
            deadline: seconds for all attempts of one call together, pauses included.
            max_response_bytes: the largest response. The rest of a larger one is not read, and a success of that size
                is a `ResponseTooLargeError`.
            strict: raise an error at the first difference between a response and the description, instead of
                reporting it.
            on_drift: called with each difference that is found, unless `strict` is set. An exception that it raises
                reaches the caller, although the call was carried out.
            on_attempt: called with an `AttemptRecord` after each attempt of a call, in the thread or the task of the
                call, which waits for it. An exception that it raises is logged, and does not reach the call.
            telemetry: whether to make a span and record the duration of each attempt with OpenTelemetry; or a
                `Telemetry` with providers other than the global ones. It needs the extra `otel`.
            proxy: the address of a proxy, such as `http://user:password@proxy.example.com:3128`, in place of the proxy
                that the environment names. Its scheme is `http`, `https`, `socks5` or `socks5h`. Loopback addresses
                never use a proxy.
            ssl_context: the trusted certificates, and perhaps a client certificate, in place of those that the
                environment names. It also serves the connection to a proxy with `https`.
            transport: sends the requests in place of the client's own connection pool, proxy and certificates: an
                `httpx.BaseTransport`, or an `httpx.AsyncBaseTransport` for `AsyncClient`; or the same classes of
                `httpx2`. With a blocking transport, the deadline is checked only between the chunks of a response.

        Raises:
            ConfigurationError: a setting is missing or invalid.
        """
        key = Secret(resolve_api_key(api_key))
        address = resolve_base_url(app_id=app_id, region=region, base_url=base_url)
        from ._call.proxy import find_proxy  # noqa: PLC0415 - loads httpx

        if proxy is not None and transport is not None:
            raise ConfigurationError(
                "and transport cannot be combined: give the proxy to the transport", argument="proxy"
            )
        self._settings = Settings(
            base_url=address,
            api_key=key,
            on_behalf_of=check_on_behalf_of(on_behalf_of, ConfigurationError),
            timeout=check_timeout(timeout),
            max_retries=check_int("max_retries", max_retries, least=0),
            deadline=check_seconds("deadline", deadline),
            max_response_bytes=check_int("max_response_bytes", max_response_bytes, least=1),
            strict=check_bool("strict", strict),
            on_drift=check_callable("on_drift", on_drift),
            on_attempt=check_callable("on_attempt", on_attempt),
            headers={} if headers is None else check_headers(headers, ConfigurationError),
            proxy=find_proxy(address, proxy) if transport is None else None,
        )
        # If Ctrl-C ends the reading of certificates, no local variable must hold the key or a password.
        del api_key, base_url, headers, proxy
        if telemetry is not False:
            from ._call.telemetry import check_telemetry  # noqa: PLC0415 - rarely used

            self._settings = attrs.evolve(self._settings, tracing=check_telemetry(telemetry, address))
        self._owner = True
        self._state = SharedState(self._open(self._settings, transport, ssl_context))

    @staticmethod
    @abstractmethod
    def _open(settings: Settings, transport: TransportT | None, ssl_context: ssl.SSLContext | None) -> SourceT:
        """The connections: the caller's transport, or the client's own."""

    @property
    @abstractmethod
    def api(self) -> Any:
        """The object that sends the calls."""

    @without_frames
    def with_options(
        self,
        *,
        timeout: float | httpx.Timeout | NothingType | None = NOTHING,
        max_retries: int | NothingType = NOTHING,
        deadline: float | NothingType = NOTHING,
        on_behalf_of: str | NothingType | None = NOTHING,
        headers: Mapping[str, str] | NothingType = NOTHING,
        query: Mapping[str, object] | NothingType = NOTHING,
        on_attempt: OnAttempt | NothingType | None = NOTHING,
    ) -> Self:
        """A derived client with other options that shares the connections; this client does not change.

        Closing the derived client, or leaving its `with` block, closes nothing: only the original client closes the
        connections.

        Args:
            timeout: seconds for each phase of one attempt, an `httpx.Timeout`, or `None` for the default.
            max_retries: the largest number of further attempts after the first one, for a call that may be retried.
            deadline: seconds for all attempts of one call together, pauses included.
            on_behalf_of: the uid of the user to act for, or `None` to act for no user.
            headers: headers to send in addition to those of the client and of earlier options. A value of eight
                characters or more is kept out of errors and logs, as the key is.
            query: query parameters to send in addition to those of each call and of earlier options, for parameters
                that openapi.yaml lacks; `None` removes one.
            on_attempt: called with an `AttemptRecord` after each attempt, in place of the hook of this client; `None`
                for no hook.

        Raises:
            ConfigurationError: a number is invalid or too small, or `on_attempt` is not a plain function.
            InvalidRequestError: only the client may set the header, or the value would not stay one header.
        """
        changes: dict[str, Any] = {}
        if timeout is not NOTHING:
            changes["timeout"] = check_timeout(timeout)
        if max_retries is not NOTHING:
            changes["max_retries"] = check_int("max_retries", max_retries, least=0)
        if deadline is not NOTHING:
            changes["deadline"] = check_seconds("deadline", deadline)
        if on_behalf_of is not NOTHING:
            changes["on_behalf_of"] = check_on_behalf_of(on_behalf_of)
        if headers is not NOTHING:
            changes["headers"] = {**self._settings.headers, **check_headers(headers, hide=self._settings.hide_key)}
        if query is not NOTHING:
            changes["query"] = {**self._settings.query, **check_fields("query", query, self._settings.hide_key)}
        if on_attempt is not NOTHING:
            changes["on_attempt"] = check_callable("on_attempt", on_attempt)
        derived = object.__new__(type(self))
        derived._settings = attrs.evolve(self._settings, **changes)
        derived._owner = False
        derived._state = self._state
        return derived

    @without_frames
    def request(
        self,
        method: str,
        path: str,
        *,
        path_values: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        json: object = None,
        form: Mapping[str, object] | None = None,
    ) -> ResponseT:
        """Make a call that openapi.yaml does not describe, under all rules of the client.

        Args:
            method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. Only a GET is retried after it may have been processed.
            path: the path below the base URL, such as `/users/{uid}`. Put identifiers and tokens into `path_values`,
                where they are checked, and hidden in logs and errors.
            path_values: the value of each name in the path; each becomes exactly one segment.
            query: the query parameters; a list is sent as a repeated parameter.
            json: the body as JSON values.
            form: the body as the fields of a URL-encoded form, in place of `json`; a list is sent as a repeated field.

        Returns:
            `status_code`, `headers`, `content`, and the decoded JSON in `parsed`, which is `None` for an empty body.
            The result of `AsyncClient` must be awaited.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        call = call_of(method, path, path_values or {}, query or {}, json, form, self._settings.hide_key)
        del path_values
        response: ResponseT = self.api.send(call)
        return response

    @property
    def base_url(self) -> str:
        """The address that all paths are relative to, without a slash at the end."""
        return self._settings.base_url

    @property
    def proxy(self) -> str | None:
        """The address of the proxy, without its user name and password; `None` for direct connections.

        It is `None`, too, if the client has a transport of the caller.
        """
        proxy = self._settings.proxy
        return None if proxy is None else proxy.address

    @property
    def rate_limit(self) -> RateLimit:
        """The rate limit as the last response gave it."""
        return RateLimit.from_headers(self._state.headers)

    def __repr__(self) -> str:
        settings: Settings | None = getattr(self, "_settings", None)
        if settings is None:
            return f"<{type(self).__name__}, unfinished>"
        options = [f"base_url={settings.base_url!r}"]
        if settings.on_behalf_of is not None:
            options.append(f"on_behalf_of={settings.on_behalf_of!r}")
        for name, values in (("headers", settings.headers), ("query", settings.query)):
            if values:
                options.append(f"{name}={sorted(values)}")
        names = ("timeout", "max_retries", "deadline", "max_response_bytes", "strict")
        options += [f"{name}={getattr(settings, name)!r}" for name in names]
        return settings.hide_key(f"{type(self).__name__}({', '.join(options)})")

    def __reduce__(self) -> str:
        raise TypeError("a client holds connections and a key, and cannot be pickled")


class Client(BaseClient["Transport", "Transports", "Response[object]"], Resources):
    """The blocking client. Any number of threads may share one client."""

    @staticmethod
    def _open(settings: Settings, transport: Transport | None, ssl_context: ssl.SSLContext | None) -> Transports:
        from ._call.transport import Transports  # noqa: PLC0415 - loads httpx

        return Transports(settings, transport, ssl_context)

    @property
    def api(self) -> Api:
        """The argument for the functions of `cometchat_openapi`, the layer below."""
        return Api(self._state, self._settings)

    @cached_property
    def keywords(self) -> Keywords:
        """Moderation keyword lists."""
        from .keywords import Keywords  # noqa: PLC0415

        return Keywords(self.api)

    @cached_property
    def reviewed_messages(self) -> ReviewedMessages:
        """Messages that moderation reviewed."""
        from .reviewed_messages import ReviewedMessages  # noqa: PLC0415

        return ReviewedMessages(self.api)

    @cached_property
    def auth_tokens(self) -> AuthTokens:
        """The auth tokens of users."""
        from .auth_tokens import AuthTokens  # noqa: PLC0415

        return AuthTokens(self.api)

    def close(self) -> None:
        """Close the connections, if this client opened them; a derived client leaves them open."""
        if self._owner and not self._state.closed:
            self._state.closed = True
            self._state.source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(
    BaseClient["AsyncTransport", "AsyncTransports", "Coroutine[Any, Any, Response[object]]"], AsyncResources
):
    """The awaited client. It may serve any number of event loops, one after the other or at the same time."""

    @staticmethod
    def _open(
        settings: Settings, transport: AsyncTransport | None, ssl_context: ssl.SSLContext | None
    ) -> AsyncTransports:
        from ._call.transport import AsyncTransports  # noqa: PLC0415 - loads httpx

        return AsyncTransports(settings, transport, ssl_context)

    @property
    def api(self) -> AsyncApi:
        """The argument for the functions of `cometchat_openapi`, the layer below."""
        return AsyncApi(self._state, self._settings)

    @cached_property
    def keywords(self) -> AsyncKeywords:
        """Moderation keyword lists."""
        from .keywords import AsyncKeywords  # noqa: PLC0415

        return AsyncKeywords(self.api)

    @cached_property
    def reviewed_messages(self) -> AsyncReviewedMessages:
        """Messages that moderation reviewed."""
        from .reviewed_messages import AsyncReviewedMessages  # noqa: PLC0415

        return AsyncReviewedMessages(self.api)

    @cached_property
    def auth_tokens(self) -> AsyncAuthTokens:
        """The auth tokens of users."""
        from .auth_tokens import AsyncAuthTokens  # noqa: PLC0415

        return AsyncAuthTokens(self.api)

    async def aclose(self) -> None:
        """Close the connections, if this client opened them; a derived client leaves them open."""
        if self._owner and not self._state.closed:
            self._state.closed = True
            await self._state.source.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
