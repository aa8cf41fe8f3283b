"""Hosts of addresses: whether a host is valid, is this machine, or is a test host."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address

#: The largest number of a port.
LARGEST_PORT = 65535

# The host of an on-premise installation may contain underscores, as container names do. A resolver
# reads a name that ends in a number as an IP address.
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?:{_LABEL}\.)*(?![0-9]+$|0x){_LABEL}")
_PRIVATE = (".local", ".test", ".internal")


def is_host(host: str) -> bool:
    """Whether a text, in lower case, is a valid name or address of a host."""
    return _NAME.fullmatch(host) is not None or _ip_of(host) is not None


def is_loopback(host: str) -> bool:
    """Whether a host, in lower case, is this machine."""
    address = _ip_of(host)
    return host == "localhost" if address is None else address.is_loopback


def is_private(host: str) -> bool:
    """Whether a host, in lower case, is a test host: a private address, a name of one label, or a
    name that no public host has."""
    address = _ip_of(host)
    if address is None:
        return "." not in host or host.endswith(_PRIVATE)
    return address.is_private


def _ip_of(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is, perhaps in brackets; `None` for a name."""
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None
