"""Serve an ASGI application over loopback HTTP in a separate thread.

uvicorn does not document all names used here; tests/testing/test_server.py checks that each of them exists.
"""

import asyncio
import contextlib
import os
import socket
import threading

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from .faults import TRANSPORT


class _Protocol(H11Protocol):
    """uvicorn's protocol. It also passes the connection to the application, so that a fault can close it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the base class
        super().connection_made(transport)
        self.app_state = {**self.app_state, TRANSPORT: transport}


class _Server(uvicorn.Server):
    """uvicorn's server, with an event that reports the start, and a stop without polling."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None

    async def main_loop(self) -> None:
        """Serve until stopped."""
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        await self.on_tick(0)
        self.up.set()
        while not self._stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), timeout=1)
            await self.on_tick(0)  # sets the Date header
        # An idle connection would delay the shutdown, and so would a response that a fault delays.
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)

    def stop(self) -> None:
        """End the main loop; any thread may call this."""
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)


def _listening(host: str, port: int) -> socket.socket:
    # Not socket.create_server(): asyncio disables Nagle's algorithm only for sockets that name their protocol,
    # and with this algorithm a response can take 40 ms.
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
        """Bind `host` and `port` now, so that the caller gets the OSError; port 0 means any free port."""
        self._socket = _listening(host, port)
        self.port: int = self._socket.getsockname()[1]
        config = uvicorn.Config(
            app,
            http=_Protocol,
            loop="asyncio",
            ws="none",
            lifespan="off",
            interface="asgi3",
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
        """Start the server. Returns when it accepts requests; raises RuntimeError if it does not start."""
        self._thread.start()
        # A start takes milliseconds. The limit ends the wait if uvicorn never calls `main_loop`.
        if not self._server.up.wait(timeout=30):
            raise RuntimeError("the simulator's server did not start within 30 seconds")
        if not self._server.started:
            self._thread.join()
            raise RuntimeError("the simulator's server did not start")

    def stop(self) -> None:
        """Close every connection and the port. Returns when the thread has ended."""
        self._server.stop()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()
            # If the start failed, start() must not wait any longer.
            self._server.up.set()
