"""Serve an ASGI application over loopback HTTP in a separate thread."""

import asyncio
import os
import socket
import threading
import time

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from .faults import TRANSPORT


class _Protocol(H11Protocol):
    """uvicorn's protocol. It also passes the connection to the application, so that a fault can
    close it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the base class
        super().connection_made(transport)
        self.app_state = {**self.app_state, TRANSPORT: transport}


class _Server(uvicorn.Server):
    """uvicorn's server, which stops at once, with every connection: uvicorn alone sleeps for up
    to 0.2 seconds."""

    async def main_loop(self) -> None:
        """Run until the server should stop."""
        while not await self.on_tick(0):  # noqa: ASYNC110 - uvicorn waits in this way, ten times as long
            await asyncio.sleep(0.01)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop now: an idle connection would delay the end, and so would a response that a fault
        delays."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)
        if self.server_state.tasks:
            await super().shutdown(sockets)


def _listening(host: str, port: int) -> socket.socket:
    # Not socket.create_server(): asyncio disables Nagle's algorithm only for sockets that name
    # their protocol, and with this algorithm a response can take 40 ms.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # on other systems this would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
    except BaseException:
        listening.close()
        raise
    return listening


class LoopbackServer:
    """An application on a port, from start() to stop()."""

    def __init__(self, app: ASGIApp, host: str, port: int) -> None:
        """Bind `host` and `port` now, so that the caller gets the OSError; port 0 means any free
        port."""
        self._socket = _listening(host, port)
        self.port: int = self._socket.getsockname()[1]
        config = uvicorn.Config(
            app,
            http=_Protocol,
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        self._server = _Server(config)
        self._thread = threading.Thread(target=self._run, name="cometchat-simulator", daemon=True)

    def start(self) -> None:
        """Start the server. Returns when it accepts requests; raises RuntimeError if it does not
        start."""
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("the simulator's server did not start")
            time.sleep(0.001)

    def stop(self) -> None:
        """Close every connection and the port. Returns when the thread has ended."""
        self._server.should_exit = True
        self._thread.join()

    def _run(self) -> None:
        with self._socket:
            self._server.run(sockets=[self._socket])
