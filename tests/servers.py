"""Servers on this machine that send invalid HTTP, or responses that no correct service would
send."""

import socket
import socketserver
import threading
from collections.abc import Callable, Iterable
from typing import Any, Self


class _Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    allow_reuse_address = True
    daemon_threads = True


class ScriptedServer:
    """A server on this machine. It runs the given functions on each connection, in a thread, and
    closes it.

    Attributes:
        port: the port of the server.
    """

    def __init__(self, *talks: Callable[[Any], None]) -> None:
        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                try:
                    for talk in talks:
                        talk(self.request)
                except OSError:  # the client closed the connection
                    pass
                finally:
                    self.request.close()

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self.port: int = self._server.server_address[1]

    @property
    def address(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        """The address for a client."""
        return f"{self.address}/v3"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class WireServer(ScriptedServer):
    """A server that responds once to each connection with any bytes, and closes the connection.

    Attributes:
        received: the requests, head and body, one for each connection.
        sent: the number of bytes sent so far.
        closed: released once for each connection that was closed.
    """

    def __init__(
        self,
        respond: Callable[[bytes], Iterable[bytes]],
        read: Callable[[socket.socket], bytes] = lambda connection: read_request(connection),
    ) -> None:
        self.received: list[bytes] = []
        self.sent = 0
        self.closed = threading.Semaphore(0)

        def talk(connection: socket.socket) -> None:
            self.received.append(received := read(connection))
            try:
                for piece in respond(received):
                    connection.sendall(piece)
                    self.sent += len(piece)
            finally:
                connection.close()
                self.closed.release()

        super().__init__(talk)


def read_request(connection: socket.socket) -> bytes:
    """Read one request with its body; empty if the client sent nothing."""
    received = b""
    while b"\r\n\r\n" not in received and (piece := connection.recv(65536)):
        received += piece
    if not received:
        return b""
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [
        int(line.split(b":")[1])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length:")
    ]
    while len(body) < sum(lengths) and (piece := connection.recv(65536)):
        body += piece
    return head + b"\r\n\r\n" + body
