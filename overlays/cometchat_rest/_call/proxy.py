"""The proxy of a client: the one that the caller names, else the one that httpx would find in the environment."""

from __future__ import annotations

from importlib.util import find_spec
from ipaddress import ip_address
from typing import NoReturn
from urllib.parse import urlsplit
from urllib.request import getproxies

import httpx

from cometchat_rest._support.frames import without_frames
from cometchat_rest.endpoint import is_host, is_loopback
from cometchat_rest.errors import ConfigurationError

from .settings import Proxy

_FORM = "an address such as http://proxy.example.com:3128, with the scheme http, https, socks5 or socks5h"
# SOCKS sends a length in one byte.
_LONGEST_IN_SOCKS = 255


@without_frames
def find_proxy(base_url: str, proxy: str | None) -> Proxy | None:
    """The proxy for this address. For a proxy of the caller, NO_PROXY does not count."""
    if proxy is not None and not isinstance(proxy, str):
        reason = f"must be the address of one proxy, as a str, not {type(proxy).__name__}"
        raise ConfigurationError(reason, argument="proxy")
    given = None if proxy is None else _checked(proxy, "proxy")
    # Requests to a loopback address may be unencrypted, so they must not leave this machine.
    if is_loopback(urlsplit(base_url).hostname or ""):
        return None
    if given is not None:
        return given
    address = _from_environment(base_url)
    return None if address is None else _checked(address, "HTTPS_PROXY or ALL_PROXY")


class _Choice(httpx.BaseTransport):
    """A transport that sends nothing. It notes the proxy that it stands for, so that the choice of httpx is known."""

    def __init__(self, chosen: list[str | None], proxy: str | None = None) -> None:
        self._chosen, self._proxy = chosen, proxy

    def handle_request(self, request: httpx.Request) -> NoReturn:
        del request
        self._chosen.append(self._proxy)
        raise httpx.ConnectError("nothing is sent")


def _from_environment(base_url: str) -> str | None:
    chosen: list[str | None] = []
    try:
        # httpx matches the patterns, as it does for the proxies that its own clients find.
        with httpx.Client(
            verify=False,  # noqa: S501 - nothing is sent
            trust_env=False,
            transport=_Choice(chosen),
            mounts=_mounts(chosen),
        ) as client:
            client.get(base_url)
    except httpx.ConnectError:
        pass
    except (ValueError, httpx.InvalidURL):
        raise ConfigurationError("NO_PROXY has an invalid entry: name hosts, with a comma between them") from None
    address = chosen[0]
    return address if address is None or "://" in address else f"http://{address}"


def _mounts(chosen: list[str | None]) -> dict[str, _Choice]:
    """The proxies of the environment, and the hosts that need none."""
    proxies = getproxies()
    excluded = [entry for entry in map(str.strip, proxies.get("no", "").split(",")) if entry]
    named = [scheme for scheme in ("http", "https", "all") if proxies.get(scheme)]
    if "*" in excluded or not named:
        return {}
    mounts = {f"{scheme}://": _Choice(chosen, proxies[scheme]) for scheme in named}
    return mounts | {_pattern(entry): _Choice(chosen) for entry in excluded}


def _pattern(entry: str) -> str:
    """An entry of NO_PROXY as a pattern of httpx, which its clients also make of it."""
    if "://" in entry:
        return entry
    try:
        ip = ip_address(entry.partition("/")[0])
    except ValueError:
        return f"all://{entry}" if entry.lower() == "localhost" else f"all://*{entry}"
    return f"all://[{entry}]" if ip.version == 6 else f"all://{entry}"


def _checked(address: str, setting: str) -> Proxy:
    try:
        proxy = httpx.Proxy(address)
    except (ValueError, httpx.InvalidURL):
        raise ConfigurationError(f"{setting} must be {_FORM}") from None
    if not is_host(proxy.url.host) or (proxy.url.port or 1) > 65535:
        raise ConfigurationError(f"{setting} must be {_FORM}")
    credentials = proxy.auth or ("", "")
    if proxy.url.scheme.startswith("socks"):
        if find_spec("socksio") is None:
            raise ConfigurationError(f"{setting} names a SOCKS proxy: pip install 'httpx[socks]'")
        if max(len(each.encode()) for each in credentials) > _LONGEST_IN_SOCKS:
            raise ConfigurationError(
                f"{setting}: the name and the password for a SOCKS proxy take up to {_LONGEST_IN_SOCKS} bytes each"
            )
    return Proxy(address, str(proxy.url), credentials)
