"""The way to the service: its proxy and its certificates, given or found in the environment."""

import re
import ssl
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from .checks import check_type
from .errors import ConfigurationError, InvalidRequestError
from .hosts import LARGEST_PORT, is_loopback
from .options import Options, trimmed
from .secrets import Secret

_FORM = (
    "must be an address such as http://proxy.example.com:3128, with the scheme http, https, socks5"
    " or socks5h, and without a path; write '/', '?' and '#' in a password as %2F, %3F and %23"
)
# With another slash, or one of the other signs, the host of the address would be a part of the
# password.
_ADDRESS = re.compile(r"[a-z0-9]+://[^/?#]+/?", re.IGNORECASE)


def find_proxy(base_url: str, proxy: Secret | None) -> httpx.Proxy | None:
    """The proxy for a base URL: the one that a user passed, or that of the environment; `None` for
    a direct connection."""
    service = urlsplit(base_url)
    checked = None if proxy is None else _checked(proxy, "proxy")
    # An unencrypted request goes straight to its test host, and that to a loopback address stays on
    # this machine.
    if service.scheme == "http" or is_loopback(service.hostname or ""):
        return None
    if checked is not None:
        return checked
    return None if proxy_bypass(service.netloc) else _proxy_of_environment()


def _proxy_of_environment() -> httpx.Proxy | None:
    proxies = {name: Secret(url) for name, url in getproxies().items()}
    named = proxies.get("https") or proxies.get("all") or Secret("")
    if not named.reveal():
        return None
    setting = "HTTPS_PROXY or ALL_PROXY"
    named = trimmed(named, setting)
    has_scheme = "://" in named.reveal()
    return _checked(named if has_scheme else Secret(f"http://{named.reveal()}"), setting)


def _checked(url: Secret, setting: str) -> httpx.Proxy:
    proxy = _proxy_or_none(trimmed(url, setting))
    # Raised here, so that the error has no context whose frames show the password.
    if proxy is None:
        raise ConfigurationError(_FORM, argument=setting)
    if proxy.url.scheme.startswith("socks") and find_spec("socksio") is None:
        reason = "names a SOCKS proxy: pip install 'httpx[socks]'"
        raise ConfigurationError(reason, argument=setting)
    return proxy


def _proxy_or_none(url: Secret) -> httpx.Proxy | None:
    try:
        if not _ADDRESS.fullmatch(url.reveal()):
            return None
        # Its repr shows no password.
        proxy = httpx.Proxy(url.reveal())
        is_valid = bool(proxy.url.host) and (proxy.url.port or 0) <= LARGEST_PORT
    except (TypeError, ValueError, httpx.InvalidURL):
        return None
    return proxy if is_valid else None


def custom_transport(
    transport: Any, http_client: Any, transport_kind: type, client_kind: type
) -> Any:
    """A custom transport, or one that sends through a custom client; `None` if there is neither."""
    _check_kind("transport", transport, transport_kind)
    _check_kind("http_client", http_client, client_kind)
    if http_client is None:
        return transport
    if transport is not None:
        reason = "and transport cannot be combined: give the transport to it"
        raise ConfigurationError(reason, argument="http_client")
    return _ThroughClient(http_client)


def _check_kind(name: str, value: object, kind: type) -> None:
    check_type(name, value, kind | None, f"an httpx.{kind.__name__}", ConfigurationError)


class _ThroughClient(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends requests through a client of httpx."""

    def __init__(self, client: Any) -> None:
        self._client = client
        if client.is_closed:
            raise ConfigurationError("is closed; give an open one", argument="http_client")

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._check_open()
        try:
            response: httpx.Response = self._client.send(
                request, stream=True, follow_redirects=False
            )
        except httpx.HTTPStatusError as error:
            return _refusal(error)
        return response

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._check_open()
        try:
            response: httpx.Response = await self._client.send(
                request, stream=True, follow_redirects=False
            )
        except httpx.HTTPStatusError as error:
            return _refusal(error)
        return response

    def _check_open(self) -> None:
        if self._client.is_closed:
            raise InvalidRequestError(
                "is closed: close it after this client", argument="http_client"
            )


def _refusal(error: httpx.HTTPStatusError) -> httpx.Response:
    """The response for which a hook raised an error. Its body is lost, unless the hook read it."""
    response = error.response
    try:
        _ = response.content
    except httpx.ResponseNotRead:
        return httpx.Response(response.status_code, headers=response.headers)
    return response


def arguments_for(options: Options, context: ssl.SSLContext | None) -> dict[str, Any]:
    """The certificates and the proxy as arguments for a transport of httpx."""
    kind = ssl.SSLContext | None
    check_type("ssl_context", context, kind, "an ssl.SSLContext", ConfigurationError)
    try:
        # Plain HTTP stays on this machine. To read certificates takes longer than a whole call
        # there.
        context = context or httpx.create_ssl_context(verify=options.address.scheme == "https")
    except OSError as error:
        raise ConfigurationError(
            f"SSL_CERT_FILE or SSL_CERT_DIR: the certificates cannot be read ({error})"
        ) from None
    proxy = options.proxy
    if proxy is not None and proxy.url.scheme == "https":
        proxy = httpx.Proxy(proxy.url, auth=proxy.auth, ssl_context=context)
    return {"verify": context, "trust_env": False, "proxy": proxy}
