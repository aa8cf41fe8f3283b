"""What stands between generated code and the socket: `chat.api`, sync and async, and the connection behind it."""

from __future__ import annotations

import ssl
import time
import warnings
import weakref
from collections.abc import AsyncIterable, Iterable, Mapping
from typing import Any, Generic, TypeVar, cast
from urllib.request import getproxies, proxy_bypass

import anyio
import httpx
from attrs import define, field

from cometchat_openapi import Call
from cometchat_openapi.types import Response

from .answer import Answer, Body
from .endpoint import is_loopback
from .errors import CometChatError, ConfigurationError, InvalidRequestError, RateLimit
from .exchange import exchange
from .failure import FAILURES
from .settings import Settings

T = TypeVar("T")
TransportT = TypeVar("TransportT")


@define(eq=False)
class _State:
    closed: bool = False
    headers: Mapping[str, str] = field(factory=dict)


class Connection(Generic[TransportT]):
    """The transport that a client and all clients derived from it share, and the last it heard."""

    def __init__(self, transport: TransportT) -> None:
        self.transport = transport
        self.state = _State()
        # Not at exit: a program that ends closes its sockets anyway, and wants no noise.
        weakref.finalize(self, _warn_if_open, self.state).atexit = False

    @property
    def rate_limit(self) -> RateLimit:
        """What the last answer said of the rate limit."""
        return RateLimit.from_headers(self.state.headers)


def _warn_if_open(state: _State) -> None:
    if not state.closed:
        warnings.warn("a Client or AsyncClient was never closed", ResourceWarning, stacklevel=2)


@define(frozen=True, eq=False, repr=False)
class _Api(Generic[TransportT]):
    connection: Connection[TransportT]
    settings: Settings

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.settings.base_url}>"

    def _closed(self) -> InvalidRequestError | None:
        return InvalidRequestError("this client is closed") if self.connection.state.closed else None

    def _answer(self, response: httpx.Response, body: Body, headers: Mapping[str, str]) -> Answer:
        self.connection.state.headers = headers
        return Answer(response.status_code, headers, body.finish(), body.fault)


class Api(_Api[httpx.BaseTransport]):
    """Sends the calls of generated functions, under all the laws of the client it belongs to."""

    def send(self, call: Call[T], /) -> Response[T]:
        """Carry out one call.

        Raises:
            CometChatError: of the kind that fits. It is raised here, in a frame that holds no secrets, and not where it
                was found.
        """
        result = self._closed() or self._drive(call)
        if isinstance(result, CometChatError):
            raise result
        return result

    def _drive(self, call: Call[T]) -> Response[T] | CometChatError:
        steps = exchange(call, self.settings)
        outcome: Answer | Exception | None = None
        try:
            while True:
                step = steps.send(outcome)
                outcome = None
                if isinstance(step, float):
                    time.sleep(step)
                else:
                    outcome = self._attempt(step)
        except StopIteration as stop:
            return cast("Response[T] | CometChatError", stop.value)

    def _attempt(self, request: httpx.Request) -> Answer | Exception:
        deadline: float = request.extensions["deadline"]
        try:
            response = self.connection.transport.handle_request(request)
            try:
                headers = dict(response.headers)
                body = Body(headers, self.settings.max_response_bytes)
                for chunk in cast("Iterable[bytes]", response.stream):
                    body.feed(chunk)
                    if body.fault is not None:
                        break
                    if time.monotonic() > deadline:
                        return TimeoutError()
            finally:
                response.close()
        except FAILURES as exception:
            return exception
        return self._answer(response, body, headers)


class AsyncApi(_Api[httpx.AsyncBaseTransport]):
    """Sends the calls of generated functions, awaited, under all the laws of the client it belongs to."""

    async def send(self, call: Call[T], /) -> Response[T]:
        """Carry out one call.

        Raises:
            CometChatError: as `Api.send` does.
        """
        result = self._closed() or await self._drive(call)
        if isinstance(result, CometChatError):
            raise result
        return result

    async def _drive(self, call: Call[T]) -> Response[T] | CometChatError:
        steps = exchange(call, self.settings)
        outcome: Answer | Exception | None = None
        try:
            while True:
                step = steps.send(outcome)
                outcome = None
                if isinstance(step, float):
                    await anyio.sleep(step)
                else:
                    outcome = await self._attempt(step)
        except StopIteration as stop:
            return cast("Response[T] | CometChatError", stop.value)

    async def _attempt(self, request: httpx.Request) -> Answer | Exception:
        deadline: float = request.extensions["deadline"]
        try:
            with anyio.fail_after(max(0.0, deadline - time.monotonic())):
                response = await self.connection.transport.handle_async_request(request)
                try:
                    headers = dict(response.headers)
                    body = Body(headers, self.settings.max_response_bytes)
                    async for chunk in cast("AsyncIterable[bytes]", response.stream):
                        body.feed(chunk)
                        if body.fault is not None:
                            break
                finally:
                    await response.aclose()
        except FAILURES as exception:
            return exception
        return self._answer(response, body, headers)


def transport_options(base_url: str) -> dict[str, Any]:
    """What httpx's own transports are made with for one address: certificates and proxy as the environment has them.

    Raises:
        ConfigurationError: the environment names certificates or a proxy that cannot be used.
    """
    url = httpx.URL(base_url)
    proxies = getproxies()
    address = proxies.get(url.scheme) or proxies.get("all")
    proxy = None
    # What goes to this very machine may go unencrypted, so it must not go through another one.
    if address and not is_loopback(url.host) and not proxy_bypass(url.host):
        try:
            proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
        except (ValueError, httpx.InvalidURL):
            raise ConfigurationError(f"the environment's proxy for {url.scheme} is not an address") from None
    # Loading certificates takes longer than a request to this machine, which needs none.
    verify: ssl.SSLContext | bool = url.scheme == "https" or proxy is not None
    if verify:
        try:
            verify = httpx.create_ssl_context()
        except OSError as error:
            raise ConfigurationError(f"SSL_CERT_FILE or SSL_CERT_DIR: these certificates cannot be read ({error})") from None
    return {"verify": verify, "proxy": proxy, "limits": httpx.Limits(max_connections=100, max_keepalive_connections=100)}
