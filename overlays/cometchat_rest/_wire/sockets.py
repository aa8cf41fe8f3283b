"""Opens a socket to a host, which may have several addresses."""

from __future__ import annotations

import os
import socket
from collections import deque

from .streams import Limits
from .waits import AddressInfo, Lookup, Waiting, Writable

# Seconds after which the next address of a host is tried as well (RFC 8305, section 5).
_NEXT_ADDRESS = 0.25


def open_socket(host: str, port: int, limits: Limits) -> Waiting[socket.socket]:
    """Connect to a host. Each address gets a quarter of a second before the next one is tried as well.

    Raises:
        OSError: no address accepts, or the host has none; the first error of several.
        TimeoutError: no address has accepted in time.
    """
    addresses = deque((yield from _addresses(host, port, limits)))
    connecting: list[socket.socket] = []
    errors: list[OSError] = []
    try:
        while addresses or connecting:
            if addresses:
                try:
                    connecting.append(_begin_to_connect(addresses.popleft()))
                except OSError as error:
                    errors.append(error.with_traceback(None))
            if not connecting:
                continue
            left = limits.left()
            ready: list[socket.socket] = yield Writable(connecting, min(left, _NEXT_ADDRESS) if addresses else left)
            for sock in ready:
                connecting.remove(sock)
                if not (code := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)):
                    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    return sock
                sock.close()
                errors.append(OSError(code, os.strerror(code)))
    finally:
        for sock in connecting:
            sock.close()
    raise errors[0]


def _begin_to_connect(address: AddressInfo) -> socket.socket:
    """A socket that connects; an `OSError` if that fails at once, such as on a system without IPv6."""
    family, kind, protocol, _, target = address
    sock = socket.socket(family, kind, protocol)
    sock.setblocking(False)  # noqa: FBT003 - a parameter of the standard library
    try:
        sock.connect(target)
    except BlockingIOError:  # not connected yet
        pass
    except OSError:
        sock.close()
        raise
    return sock


def _addresses(host: str, port: int, limits: Limits) -> Waiting[list[AddressInfo]]:
    # As bytes, because Python would load its IDNA codec for a string.
    name = host.encode("ascii")
    try:
        # A numeric address needs no DNS lookup.
        return list(socket.getaddrinfo(name, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST))
    except OSError:
        pass
    found = yield Lookup(name, port, limits.left())
    if found is None:
        raise TimeoutError
    if isinstance(found, OSError):
        raise found
    # The same address may be listed twice.
    return list({each[4]: each for each in found}.values())
