"""`Client` and `AsyncClient`: they check the settings, own the connections, and offer one object
per resource."""

import ssl
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import attrs
from attrs import NOTHING, NothingType

from cometchat_openapi.api import AsyncResources, Resources
from cometchat_openapi.types import Response
from cometchat_runtime.api import Api, AsyncApi, SharedState
from cometchat_runtime.arguments import other_call
from cometchat_runtime.checks import check_bool, check_type
from cometchat_runtime.drift import Drift
from cometchat_runtime.errors import ConfigurationError, InvalidRequestError, RateLimit
from cometchat_runtime.observe import OnAttempt
from cometchat_runtime.options import Options, check_headers, check_on_behalf_of, hide_headers
from cometchat_runtime.secrets import Secret

from .auth_tokens import AsyncAuthTokens, AuthTokens
from .endpoint import Region, resolve_api_key, resolve_base_url
from .keywords import AsyncKeywords, Keywords
from .reviewed_messages import AsyncReviewedMessages, ReviewedMessages
from .version import __version__

if TYPE_CHECKING:
    import httpx

TransportT = TypeVar("TransportT", bound="httpx.BaseTransport | httpx.AsyncBaseTransport")
HttpClientT = TypeVar("HttpClientT", bound="httpx.Client | httpx.AsyncClient")
ResponseT = TypeVar("ResponseT")
# A resource here extends the generated one, but pyright wants an attribute to have the same type in
# both classes.
# pyright: reportIncompatibleVariableOverride=false


class BaseClient(ABC, Generic[TransportT, HttpClientT, ResponseT]):
    """The part that both clients share: settings, options, and who closes the connections."""

    _options: Options
    _state: SharedState
    _owner = False

    def __init__(
        self,
        *,
        app_id: str | None = None,
        region: Region | str | None = None,
        api_key: str | Secret | None = None,
        base_url: str | None = None,
        on_behalf_of: str | None = None,
        headers: Mapping[str, str | Secret] | None = None,
        timeout: "float | httpx.Timeout | None" = None,
        max_retries: int = 2,
        deadline: float = 120.0,
        max_response_bytes: int = 10 * 2**20,
        strict: bool = False,
        on_drift: Callable[[Drift], object] | None = None,
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
                may be retried. For a 429 that names a pause, only the deadline limits the attempts,
                unless this is 0.
            deadline: seconds for all attempts of one call together, pauses included.
            max_response_bytes: the largest response. The rest of a larger one is not read, and a
                success of that size is an `UnexpectedResponse`.
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
        api_key, proxy = (None if each is None else Secret(each) for each in (api_key, proxy))
        headers = hide_headers(headers)
        # httpx takes half of the time to the first response. A program that makes no client does
        # not load it.
        from cometchat_runtime.route import custom_transport, find_proxy  # noqa: PLC0415
        from cometchat_runtime.transport import AsyncTransports, Transports  # noqa: PLC0415

        kind = AsyncTransports if isinstance(self, AsyncResources) else Transports
        check_bool("allow_http", allow_http)
        address = resolve_base_url(
            app_id=app_id, region=region, base_url=base_url, allow_http=allow_http
        )
        custom = custom_transport(transport, http_client, *kind.custom_kinds)
        for name, setting in (("proxy", proxy), ("ssl_context", ssl_context)):
            if setting is not None and custom is not None:
                other = "transport" if http_client is None else "http_client"
                raise ConfigurationError(
                    f"and {other} cannot be combined: give it to the {other}", argument=name
                )
        self._options = Options(
            base_url=address,
            api_key=resolve_api_key(api_key),
            user_agent=f"cometchat-rest/{__version__}",
            proxy=find_proxy(address, proxy) if custom is None else None,
            on_behalf_of=on_behalf_of,
            headers={} if headers is None else headers,
            timeout=timeout,
            max_retries=max_retries,
            deadline=deadline,
            max_response_bytes=max_response_bytes,
            strict=strict,
            on_drift=on_drift,
            on_attempt=on_attempt,
        )
        self._owner = True
        self._state = SharedState(kind(self._options, custom, ssl_context))

    @property
    @abstractmethod
    def api(self) -> Any:
        """The object that sends the calls."""

    def with_options(
        self,
        *,
        timeout: "float | httpx.Timeout | NothingType | None" = NOTHING,
        max_retries: int | NothingType = NOTHING,
        deadline: float | NothingType = NOTHING,
        on_behalf_of: str | NothingType | None = NOTHING,
        headers: Mapping[str, str | Secret] | NothingType = NOTHING,
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
        if headers is not NOTHING:
            headers = hide_headers(headers)
            headers = {**self._options.headers, **check_headers(headers, InvalidRequestError)}
        if on_behalf_of is not NOTHING:
            check_on_behalf_of(on_behalf_of, InvalidRequestError)
        changes: dict[str, Any] = {
            "timeout": timeout,
            "max_retries": max_retries,
            "deadline": deadline,
        }
        changes |= {"on_attempt": on_attempt, "on_behalf_of": on_behalf_of, "headers": headers}
        derived = object.__new__(type(self))
        derived._options = attrs.evolve(
            self._options, **{k: v for k, v in changes.items() if v is not NOTHING}
        )
        derived._state = self._state
        return derived

    def request(
        self,
        method: str,
        path: str | Secret,
        *,
        path_values: Mapping[str, str | Secret] | None = None,
        query: Mapping[str, object] | None = None,
        json: object = None,
    ) -> ResponseT:
        """Make a call that openapi.yaml does not describe, under all rules of the client.

        Args:
            method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. Only a GET is retried after it may
                have been processed.
            path: the path below the base URL, such as `/users/{uid}`. Put identifiers and tokens
                into `path_values`, where they are checked, and hidden in logs and errors.
            path_values: the value of each name in the path; each becomes exactly one segment.
            query: the query parameters, which no log hides; a list is sent as a repeated parameter.
            json: the body as JSON values.

        Returns:
            `status_code`, `headers`, `content`, and the decoded JSON in `parsed`, which is `None`
            for an empty body. The result of `AsyncClient` must be awaited.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        path = Secret(path)
        check_type("path_values", path_values, Mapping | None, "a mapping of names to values")
        path_values = values = {name: Secret(value) for name, value in (path_values or {}).items()}
        call = other_call(method, path, values, query or {}, json, self._options.secrets)
        response: ResponseT = self.api.send(call)
        return response

    @property
    def base_url(self) -> str:
        """The address that all paths are relative to, without a slash at the end."""
        return self._options.base_url

    @property
    def rate_limit(self) -> RateLimit:
        """The rate limit as the last response gave it."""
        return RateLimit.from_headers(self._state.headers)

    def __repr__(self) -> str:
        # A traceback may show a client that is not finished.
        return repr(getattr(self, "_options", "Options(unfinished)")).replace(
            "Options", type(self).__name__, 1
        )


class Client(BaseClient["httpx.BaseTransport", "httpx.Client", Response[object]], Resources):
    """The blocking client. All threads of a program may share one client."""

    keywords: cached_property[Keywords] = cached_property(lambda client: Keywords(client.api))
    """Moderation keyword lists."""
    reviewed_messages: cached_property[ReviewedMessages] = cached_property(
        lambda client: ReviewedMessages(client.api)
    )
    """Messages that moderation reviewed."""
    auth_tokens: cached_property[AuthTokens] = cached_property(
        lambda client: AuthTokens(client.api)
    )
    """The auth tokens of users."""

    @property
    def api(self) -> Api:
        """Sends the calls of `cometchat_openapi`, the layer below:
        `chat.api.send(list_roles.prepare())`."""
        return Api(self._state, self._options)

    def close(self) -> None:
        """Close the connections, if this client opened them; a derived client leaves them open."""
        if self._owner and not self._state.transports.closed:
            self._state.transports.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(
    BaseClient[
        "httpx.AsyncBaseTransport", "httpx.AsyncClient", Coroutine[Any, Any, Response[object]]
    ],
    AsyncResources,
):
    """The awaited client. It may serve any number of event loops, one after the other or at the
    same time."""

    keywords: cached_property[AsyncKeywords] = cached_property(
        lambda client: AsyncKeywords(client.api)
    )
    """Moderation keyword lists."""
    reviewed_messages: cached_property[AsyncReviewedMessages] = cached_property(
        lambda client: AsyncReviewedMessages(client.api)
    )
    """Messages that moderation reviewed."""
    auth_tokens: cached_property[AsyncAuthTokens] = cached_property(
        lambda client: AsyncAuthTokens(client.api)
    )
    """The auth tokens of users."""

    @property
    def api(self) -> AsyncApi:
        """Sends the calls of `cometchat_openapi`, the layer below:
        `chat.api.send(list_roles.prepare())`."""
        return AsyncApi(self._state, self._options)

    async def aclose(self) -> None:
        """Close the connections, if this client opened them; a derived client leaves them open."""
        if self._owner and not self._state.transports.closed:
            await self._state.transports.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
