"""The proxy and the certificates that a client uses, for tools that look for errors in a set-up.

A client reads both from the environment when it is made. These functions give the same results without a client.
"""

from __future__ import annotations

from attrs import frozen

from ._wire import proxy
from ._wire.proxy import trusted_certificates

__all__ = ["ProxyAddress", "find_proxy", "trusted_certificates"]


@frozen
class ProxyAddress:
    """The address of a proxy, without its user name and password.

    Attributes:
        scheme: `http`, `https`, `socks5` or `socks5h`.
        host: a host name or an IP address.
        port: the port, 1 to 65535.
    """

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def find_proxy(base_url: str) -> ProxyAddress | None:
    """The proxy between a client and the service.

    Args:
        base_url: the address of the service, such as `Client.base_url`.

    Returns:
        The proxy that the environment sets for this address; `None` if connections are direct.

    Raises:
        ConfigurationError: the environment sets an invalid proxy.
    """
    found = proxy.find_proxy(base_url)
    return None if found is None else ProxyAddress(found.scheme, found.host, found.port)
