"""Hosts of addresses: whether one is this machine."""

from ipaddress import IPv4Address, IPv6Address, ip_address

#: The largest number of a port.
LARGEST_PORT = 65535


def is_loopback(host: str) -> bool:
    """Whether a host, in lower case, is this machine."""
    address = ip_of(host)
    return host == "localhost" if address is None else address.is_loopback


def ip_of(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is, perhaps in brackets; `None` for a name."""
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None
