"""Servers on this machine for the tests of connections."""

import contextlib
import json
import socket
import socketserver
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from typing import Any, Self

from cometchat_rest._support.concurrency import MAX_CONCURRENCY

#: Seconds that a wait takes only if something is wrong.
PATIENCE = 4.0
#: How many connections a client uses at the same time.
SLOTS = MAX_CONCURRENCY

_LIST = {"name": "Profanity", "category": "word", "isCSV": False, "createdAt": 1, "updatedAt": 2}


class Server:
    """Handles each connection in a thread.

    Attributes:
        port: the port of the server.
        opened: how many connections were accepted so far.
    """

    def __init__(self, *steps: Callable[[Any], None]) -> None:
        self.opened = 0
        self._changed = threading.Condition()
        self._sockets: set[socket.socket] = set()
        server = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                try:
                    for step in steps:
                        step(self.request)
                except (OSError, threading.BrokenBarrierError):  # the client has closed the connection
                    pass

        class Listener(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True
            request_queue_size = 2 * SLOTS

            def process_request(self, request: Any, client_address: Any) -> None:
                with server._changed:
                    server._sockets.add(request)
                    server.opened += 1
                    server._changed.notify_all()
                super().process_request(request, client_address)

            def shutdown_request(self, request: Any) -> None:
                super().shutdown_request(request)
                with server._changed:
                    server._sockets.discard(request)
                    server._changed.notify_all()

        self._server = Listener(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def base_url(self) -> str:
        """The address for a client."""
        return f"http://127.0.0.1:{self.port}/v3"

    @property
    def open(self) -> int:
        """How many connections are open now."""
        with self._changed:
            return len(self._sockets)

    def wait_for_open(self, most: int) -> bool:
        """Wait until at most this many connections are open; false if that does not happen."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._sockets) <= most, PATIENCE)

    def disconnect(self) -> None:
        """Close the server's side of all connections."""
        with self._changed:
            for connection in self._sockets:
                with contextlib.suppress(OSError):  # the client was faster
                    connection.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self.disconnect()
        self._server.server_close()
        self._thread.join()


class Service(Server):
    """Responds to every GET and PUT with the list that its path names, and to every DELETE with a success.

    Attributes:
        received: method and path of each request.
        number: a counter for the tests, so that each call can name another list.
    """

    def __init__(self, *, keep_alive: bool = True) -> None:
        super().__init__(self.serve)
        self.received: list[tuple[str, str]] = []
        self.number = 0
        self._keep_alive = keep_alive
        self._barrier: threading.Barrier | None = None

    def gather(self, count: int) -> None:
        """From now on, respond to requests for lists called `together-...` only when this many of them have arrived.

        Other requests, such as those of calls that were cancelled, do not count.
        """
        self._barrier = threading.Barrier(count, timeout=PATIENCE)

    def scatter(self) -> None:
        """From now on, respond to each request at once."""
        self._barrier = None

    def serve(self, connection: Any) -> None:
        """Respond to the requests of one connection."""
        while request := read_request(connection):
            method, path = request.split(b" ", 2)[:2]
            self.received.append((method.decode(), path.decode()))
            if (barrier := self._barrier) is not None and b"/together-" in path:
                barrier.wait()
            connection.sendall(response_to(request, keep_alive=self._keep_alive))
            if not self._keep_alive:
                return


def response_to(request: bytes, *, keep_alive: bool = True, headers: bytes = b"") -> bytes:
    """A success, which names the last segment of the request's path."""
    method, path = request.split(b" ", 2)[:2]
    record: dict[str, Any] = {"success": True, "message": "deleted"}
    if method != b"DELETE":
        record = {**_LIST, "id": path.decode().rpartition("/")[2]}
    body = json.dumps({"data": record}).encode()
    headers += b"" if keep_alive else b"Connection: close\r\n"
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n%b\r\n%b" % (len(body), headers, body)


def read_request(connection: Any) -> bytes:
    """One request with its body; empty if the client has closed the connection."""
    received = b""
    while b"\r\n\r\n" not in received:
        if not (piece := connection.recv(65536)):
            return b""
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while len(body) < sum(lengths):
        if not (piece := connection.recv(65536)):
            return b""
        body += piece
    return head + b"\r\n\r\n" + body


def get_all_at_once(chat: Any, service: Service) -> list[object]:
    """Make as many calls at the same time as a client has connections; returns the errors of the calls that failed.

    The service responds only when all of them have arrived, so a client that has lost a connection fails here.
    """
    errors: list[object] = []

    def get(number: int) -> None:
        try:
            list_id = f"together-{number}"
            if (found := chat.keywords.get(list_id).id) != list_id:
                errors.append(f"{list_id} received the response of {found}")
        except BaseException as error:  # noqa: BLE001 - every error is reported
            errors.append(error)

    service.gather(SLOTS)
    try:
        threads = [threading.Thread(target=get, args=(number,), daemon=True) for number in range(SLOTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(2 * PATIENCE)
            if thread.is_alive():
                errors.append("a call hangs")
                break
    finally:
        service.scatter()
    return errors


def run_script(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a script in another Python; its `sys.argv[1:]` are the arguments."""
    command = [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
