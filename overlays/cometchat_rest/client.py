"""`Client` and `AsyncClient`: they check the settings, and offer one object per resource."""

import ssl
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from cometchat_openapi.api import AsyncResources, Resources
from cometchat_runtime.checks import check_bool
from cometchat_runtime.client import ApiT, AwaitedClient, BaseClient, BlockingClient
from cometchat_runtime.hooks import OnAttempt, OnDrift
from cometchat_runtime.options import Headers, Options, check_headers, hide_headers
from cometchat_runtime.secrets import Secret

from .endpoint import Region, resolve_api_key, resolve_base_url
from .errors import ConfigurationError
from .service import SERVICE

if TYPE_CHECKING:
    import httpx

    from cometchat_runtime.api import Api, AsyncApi  # noqa: F401 - quoted in the bases below

    from .auth_tokens import AsyncAuthTokens, AuthTokens
    from .keywords import AsyncKeywords, Keywords
    from .reviewed_messages import AsyncReviewedMessages, ReviewedMessages

TransportT = TypeVar("TransportT", bound="httpx.BaseTransport | httpx.AsyncBaseTransport")
HttpClientT = TypeVar("HttpClientT", bound="httpx.Client | httpx.AsyncClient")


class _Configured(BaseClient[ApiT], Generic[ApiT, TransportT, HttpClientT]):
    """The settings of both clients."""

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
                may be retried. After a 429 that names a pause, retries go on until the deadline,
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
            for name, setting in {"proxy": proxy, "ssl_context": ssl_context}.items():
                if setting is not None:
                    fault = f"and {sender} cannot be combined: configure it on the {sender}"
                    raise ConfigurationError(fault, argument=name)
        options = Options(
            service=SERVICE,
            base_url=address,
            api_key=resolve_api_key(api_key),
            proxy=None if is_custom else find_proxy(address, proxy),
            on_behalf_of=on_behalf_of,
            headers=check_headers(headers, SERVICE),
            timeout=timeout,
            max_retries=max_retries,
            deadline=deadline,
            max_response_bytes=max_response_bytes,
            strict=strict,
            on_drift=on_drift,
            on_attempt=on_attempt,
        )
        super().__init__(options, transport, http_client, ssl_context)

    # The name that Python shows in its messages about wrong arguments.
    __init__.__qualname__ = "Client.__init__"


class Client(_Configured["Api", "httpx.BaseTransport", "httpx.Client"], BlockingClient, Resources):
    """The blocking client. All threads of a program may share one client."""

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


class AsyncClient(
    _Configured["AsyncApi", "httpx.AsyncBaseTransport", "httpx.AsyncClient"],
    AwaitedClient,
    AsyncResources,
):
    """The awaited client. It may serve any number of event loops, one after the other or at the
    same time."""

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
