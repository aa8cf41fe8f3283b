"""Serves an ASGI application over loopback HTTP from a thread of its own."""

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
    """uvicorn's protocol, which also hands its connection to the application, for a fault to break it off."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the base class
        super().connection_made(transport)
        self.app_state = {**self.app_state, TRANSPORT: transport}


class _Server(uvicorn.Server):
    """uvicorn's server, which tells when it is up and stops when told, both at once and without polling."""

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
        # A kept-alive connection would hold the shutdown up, and so would an answer that a fault delays.
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)

    def stop(self) -> None:
        """Make the main loop end; safe from any thread."""
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)


def _listening(host: str, port: int) -> socket.socket:
    # Not socket.create_server(): asyncio switches Nagle's algorithm off only on sockets that name their
    # protocol, and with it an answer can take 40 ms.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere this would let two servers share a port
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
        """Bind `host` and `port` at once, 0 for any free port, so that OSError reaches the caller."""
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
        """Serve from now on; returns when requests are answered. Raises RuntimeError if that cannot be."""
        self._thread.start()
        self._server.up.wait()
        if not self._server.started:
            self._thread.join()
            raise RuntimeError("the simulator's server did not start")

    def stop(self) -> None:
        """Close every connection and the port; returns when the thread is gone."""
        self._server.stop()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()
            # Whoever waits for the start must not wait for ever if there is none.
            self._server.up.set()
