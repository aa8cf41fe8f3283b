"""`Client` and `AsyncClient`: they check the settings, own the connections, and offer one object
per resource."""

import ssl
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from attrs import NOTHING, NothingType, evolve

from cometchat_openapi.api import AsyncResources, Resources
from cometchat_runtime.checks import check_bool, check_type
from cometchat_runtime.hooks import OnAttempt, OnDrift
from cometchat_runtime.options import (
    Headers,
    Options,
    check_headers,
    check_on_behalf_of,
    hide_headers,
)
from cometchat_runtime.secrets import Secret

from .endpoint import Region, resolve_api_key, resolve_base_url
from .errors import ConfigurationError, InvalidRequestError, RateLimit
from .service import SERVICE

# httpx takes half of the time to the first response. A program that makes no client loads neither
# httpx nor the modules that use it.
if TYPE_CHECKING:
    import httpx

    from cometchat_runtime.api import Api, AsyncApi
    from cometchat_runtime.operation import Response

    from .auth_tokens import AsyncAuthTokens, AuthTokens
    from .keywords import AsyncKeywords, Keywords
    from .reviewed_messages import AsyncReviewedMessages, ReviewedMessages

TransportT = TypeVar("TransportT", bound="httpx.BaseTransport | httpx.AsyncBaseTransport")
HttpClientT = TypeVar("HttpClientT", bound="httpx.Client | httpx.AsyncClient")
ApiT = TypeVar("ApiT", bound="Api | AsyncApi")


class BaseClient(ABC, Generic[TransportT, HttpClientT, ApiT]):
    """The part that both clients share: settings, options, and who closes the connections."""

    _api: ApiT
    _is_owner = False

    def __init__(
        self,
        *,
        app_id: str | None = None,
        region: Region | str | None = None,
        api_key: str | Secret | None = None,
        base_url: str | None = None,
        on_behalf_of: str | None = None,
        headers: Headers | None = None,
        timeout: "float | httpx.Timeout | None" = None,
        max_retries: int = 2,
        deadline: float = 120.0,
        max_response_bytes: int = 10 * 2**20,
        strict: bool = False,
        on_drift: OnDrift | None = None,
        on_attempt: OnAttempt | None = None,
        proxy: str | Secret | None = None,
        ssl_context: ssl.SSLContext | None = None,
        transport: TransportT | None = None,
        http_client: HttpClientT | None = None,
        allow_http: bool = False,
    ) -> None:
        """Make a client. Settings come from the argument, then from the environment, then from the
        default.

        An explicit `app_id` or `region` takes precedence over `COMETCHAT_BASE_URL`; among variables
        alone, `COMETCHAT_BASE_URL` does. An empty variable counts as unset.

        Args:
            app_id: the app's identifier, one host label; or `COMETCHAT_APP_ID`.
            region: a `Region`, or its value such as `eu`; or `COMETCHAT_REGION`; by default `us`.
            api_key: the app's REST API key, with fullAccess scope; or `COMETCHAT_API_KEY`.
            base_url: a complete address that ends in `/v3`, instead of `app_id` and `region`; or
                `COMETCHAT_BASE_URL`. `https`, except for this machine and with `allow_http`.
            on_behalf_of: the uid of the user to act for.
            headers: headers to send with every call. Errors and logs hide a value if the name of
                its header is `authorization` or `cookie`, or contains `key`, `token`, `secret` or
                `password`.
            timeout: seconds for each phase of one attempt, or an `httpx.Timeout`; by default 5 to
                connect, 30 to read, 60 to write, 5 to get a connection from the pool.
            max_retries: the largest number of further attempts after the first one, for a call that
                may be retried. After a 429 with `Retry-After`, retries go on until the deadline,
                unless this is 0.
            deadline: seconds for all attempts of one call together, pauses included.
            max_response_bytes: the largest response. Reading stops there, and a larger success is
                an `UnexpectedResponse`.
            strict: raise an error at the first difference between a response and the description,
                instead of reporting it.
            on_drift: called with each difference that is found, unless `strict` is set. An
                exception that it raises reaches the caller, although the call was carried out.
            on_attempt: called with an `AttemptRecord` after each attempt of a call, in the thread
                or the task of the call, which waits for it. An exception that it raises is logged,
                and does not reach the call.
            proxy: the address of a proxy, such as `http://user:password@proxy.example.com:3128`, in
                place of the proxy that the environment names. Its scheme is `http`, `https`,
                `socks5` or `socks5h`. A `base_url` with `http`, and a loopback address, never use a
                proxy.
            ssl_context: the trusted certificates, and perhaps a client certificate, in place of
                those that the environment names. It also serves the connection to a proxy with
                `https`.
            transport: sends the requests in place of the client's own connection pool, proxy and
                certificates: an `httpx.BaseTransport`, or an `httpx.AsyncBaseTransport` for
                `AsyncClient`. With a blocking transport, the deadline is checked only between the
                chunks of a response.
            http_client: an `httpx.Client`, or an `httpx.AsyncClient` for `AsyncClient`, that sends
                the requests with its own hooks, auth, proxies and certificates. Close it yourself,
                after this client. Tools that watch its `send` see the address of a deletion, which
                contains the token.
            allow_http: also accept a `base_url` with `http` if its host is a test host: a private
                address, a name of one label such as `mock`, or a name that ends in `.local`,
                `.test` or `.internal`.

        Raises:
            ConfigurationError: a setting is missing or invalid.
        """
        # First, so that no frame of this call shows a secret.
        api_key = None if api_key is None else Secret(api_key)
        proxy = None if proxy is None else Secret(proxy)
        headers = hide_headers(headers)
        from cometchat_runtime.route import find_proxy  # noqa: PLC0415 - it loads httpx

        check_bool("allow_http", allow_http)
        address = resolve_base_url(
            app_id=app_id, region=region, base_url=base_url, allow_http=allow_http
        )
        is_custom = transport is not None or http_client is not None
        if is_custom:
            sender = "transport" if http_client is None else "http_client"
            _refuse_beside("proxy", proxy, sender)
            _refuse_beside("ssl_context", ssl_context, sender)
        options = Options(
            service=SERVICE,
            base_url=address,
            api_key=resolve_api_key(api_key),
            proxy=None if is_custom else find_proxy(address, proxy),
            on_behalf_of=on_behalf_of,
            headers=check_headers({} if headers is None else headers, SERVICE),
            timeout=timeout,
            max_retries=max_retries,
            deadline=deadline,
            max_response_bytes=max_response_bytes,
            strict=strict,
            on_drift=on_drift,
            on_attempt=on_attempt,
        )
        self._is_owner = True
        self._api = self._new_api(options, transport, http_client, ssl_context)

    @abstractmethod
    def _new_api(self, options: Options, *connections: Any) -> ApiT:
        """The object that sends the calls. Its transports check what a user gave for the
        `connections`: a transport, a client of httpx, and certificates."""

    def with_options(
        self,
        *,
        timeout: "float | httpx.Timeout | NothingType | None" = NOTHING,
        max_retries: int | NothingType = NOTHING,
        deadline: float | NothingType = NOTHING,
        on_behalf_of: str | NothingType | None = NOTHING,
        headers: Headers | NothingType = NOTHING,
        on_attempt: OnAttempt | NothingType | None = NOTHING,
    ) -> Self:
        """A derived client with other options that shares the connections; this client does not
        change.

        Closing the derived client, or leaving its `with` block, closes nothing: only the original
        client closes the connections.

        Args:
            timeout: as for `Client`; `None` for the default.
            max_retries: as for `Client`.
            deadline: as for `Client`.
            on_behalf_of: as for `Client`; `None` to act for no user.
            headers: headers to send in addition to those of the client and of earlier options.
            on_attempt: as for `Client`, in place of the hook of this client; `None` for no hook.

        Raises:
            ConfigurationError: a number is invalid or too small, or `on_attempt` is not a plain
                function.
            InvalidRequestError: only the client may set the header, or the value would not stay one
                header.
        """
        options = self._api.options
        if headers is not NOTHING:
            headers = hide_headers(headers) or {}
            added = check_headers(headers, SERVICE, InvalidRequestError)
            headers = {**options.headers, **added}
        if on_behalf_of is not NOTHING:
            check_on_behalf_of(on_behalf_of, InvalidRequestError)
        changes: dict[str, Any] = {
            "timeout": timeout,
            "max_retries": max_retries,
            "deadline": deadline,
            "on_behalf_of": on_behalf_of,
            "headers": headers,
            "on_attempt": on_attempt,
        }
        changes = {name: value for name, value in changes.items() if value is not NOTHING}
        derived = object.__new__(type(self))
        # The attributes of a subclass, without the resources that were made for other options.
        for name, value in vars(self).items():
            if not isinstance(getattr(type(self), name, None), cached_property):
                setattr(derived, name, value)
        derived._is_owner = False
        derived._api = evolve(self._api, options=evolve(options, **changes))
        return derived

    # The names that Python shows in its messages about wrong arguments.
    __init__.__qualname__ = "Client.__init__"
    with_options.__qualname__ = "Client.with_options"

    @property
    def base_url(self) -> str:
        """The address that all paths are relative to, without a slash at the end."""
        return self._api.options.base_url

    @property
    def rate_limit(self) -> RateLimit:
        """The rate limit as the last response gave it."""
        from cometchat_runtime.headers import rate_limit  # noqa: PLC0415 - few programs need it

        return rate_limit(self._api.shared.headers, SERVICE)

    def __repr__(self) -> str:
        name = type(self).__name__
        # A traceback may show a client that is not finished.
        if "_api" not in vars(self):
            return f"{name}(unfinished)"
        return repr(self._api.options).replace("Options", name, 1)


def _refuse_beside(name: str, setting: object, sender: str) -> None:
    if setting is not None:
        reason = f"and {sender} cannot be combined: configure it on the {sender}"
        raise ConfigurationError(reason, argument=name)


def _hidden_values(path_values: Mapping[str, str | Secret] | None) -> dict[str, Secret]:
    if path_values is not None:
        check_type("path_values", path_values, Mapping, "a mapping of names to values")
    return {name: Secret(value) for name, value in (path_values or {}).items()}


class Client(BaseClient["httpx.BaseTransport", "httpx.Client", "Api"], Resources):
    """The blocking client. All threads of a program may share one client."""

    @property
    def api(self) -> "Api":
        """Sends the calls of `cometchat_openapi`, the layer below:
        `chat.api.send(list_roles.prepare())`."""
        return self._api

    @cached_property
    def keywords(self) -> "Keywords":
        """Moderation keyword lists."""
        from .keywords import Keywords  # noqa: PLC0415 - loaded when it is first used

        return Keywords(self.api)

    @cached_property
    def reviewed_messages(self) -> "ReviewedMessages":
        """Messages that moderation reviewed."""
        from .reviewed_messages import ReviewedMessages  # noqa: PLC0415

        return ReviewedMessages(self.api)

    @cached_property
    def auth_tokens(self) -> "AuthTokens":
        """The auth tokens of users."""
        from .auth_tokens import AuthTokens  # noqa: PLC0415

        return AuthTokens(self.api)

    def request(
        self,
        method: str,
        path: str | Secret,
        *,
        path_values: Mapping[str, str | Secret] | None = None,
        query: Mapping[str, object] | None = None,
        json: object = None,
    ) -> "Response[object]":
        """Make a call that openapi.yaml does not describe, under all rules of the client.

        Args:
            method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. Only a GET is retried after it may
                have been processed.
            path: the path below the base URL, such as `/users/{uid}`. Put identifiers and tokens
                into `path_values`, where they are checked, and hidden in logs and errors.
            path_values: the value of each name in the path; each becomes exactly one segment.
            query: query parameters; logs show them. A list is sent as a repeated parameter.
            json: the body as JSON values.

        Returns:
            `status_code`, `headers`, `content`, and the decoded JSON in `parsed`, which is `None`
            for an empty body.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        from cometchat_runtime.arguments import other_call  # noqa: PLC0415 - few programs need it

        path = Secret(path)
        hidden = _hidden_values(path_values)
        del path_values  # so that no frame shows a token
        call = other_call(method, path, hidden, query or {}, json, self._api.options)
        return self._api.send(call)

    def close(self) -> None:
        """Close the connections, if this client opened them; a derived client leaves them open."""
        if self._is_owner and not self._api.transports.closed:
            self._api.transports.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _new_api(self, options: Options, *connections: Any) -> "Api":
        from cometchat_runtime.api import Api  # noqa: PLC0415
        from cometchat_runtime.steps import Shared  # noqa: PLC0415
        from cometchat_runtime.transport import Transports  # noqa: PLC0415

        transports = Transports(options, *connections)
        return Api(shared=Shared(), options=options, transports=transports)


class AsyncClient(
    BaseClient["httpx.AsyncBaseTransport", "httpx.AsyncClient", "AsyncApi"], AsyncResources
):
    """The awaited client. It may serve any number of event loops, one after the other or at the
    same time."""

    @property
    def api(self) -> "AsyncApi":
        """Sends the calls of `cometchat_openapi`, the layer below:
        `await chat.api.send(list_roles.prepare())`."""
        return self._api

    @cached_property
    def keywords(self) -> "AsyncKeywords":
        """Moderation keyword lists."""
        from .keywords import AsyncKeywords  # noqa: PLC0415 - loaded when it is first used

        return AsyncKeywords(self.api)

    @cached_property
    def reviewed_messages(self) -> "AsyncReviewedMessages":
        """Messages that moderation reviewed."""
        from .reviewed_messages import AsyncReviewedMessages  # noqa: PLC0415

        return AsyncReviewedMessages(self.api)

    @cached_property
    def auth_tokens(self) -> "AsyncAuthTokens":
        """The auth tokens of users."""
        from .auth_tokens import AsyncAuthTokens  # noqa: PLC0415

        return AsyncAuthTokens(self.api)

    async def request(
        self,
        method: str,
        path: str | Secret,
        *,
        path_values: Mapping[str, str | Secret] | None = None,
        query: Mapping[str, object] | None = None,
        json: object = None,
    ) -> "Response[object]":
        """Like `Client.request`, awaited."""
        from cometchat_runtime.arguments import other_call  # noqa: PLC0415 - few programs need it

        path = Secret(path)
        hidden = _hidden_values(path_values)
        del path_values  # so that no frame shows a token
        call = other_call(method, path, hidden, query or {}, json, self._api.options)
        return await self._api.send(call)

    async def aclose(self) -> None:
        """Close the connections, if this client opened them; a derived client leaves them open."""
        if self._is_owner and not self._api.transports.closed:
            await self._api.transports.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _new_api(self, options: Options, *connections: Any) -> "AsyncApi":
        from cometchat_runtime.api import AsyncApi  # noqa: PLC0415
        from cometchat_runtime.async_transport import AsyncTransports  # noqa: PLC0415
        from cometchat_runtime.steps import Shared  # noqa: PLC0415

        transports = AsyncTransports(options, *connections)
        return AsyncApi(shared=Shared(), options=options, transports=transports)
