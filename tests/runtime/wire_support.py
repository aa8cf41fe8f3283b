"""Servers on this machine for the tests of connections, and calls at the same time."""

import asyncio
import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from cometchat_runtime.concurrency import MAX_CONCURRENCY

from ..servers import ScriptedServer, read_request
from ..support import GET, PATIENCE, AnyClient, EitherClient

#: How many connections a client uses at the same time.
SLOTS = MAX_CONCURRENCY


class Server(ScriptedServer):
    """A server that counts its connections; over TLS, if it has a context for that.

    Attributes:
        opened: how many connections were accepted so far.
    """

    def __init__(
        self, *talks: Callable[[Any], None], context: ssl.SSLContext | None = None
    ) -> None:
        self.opened = 0
        self._talks, self._context = talks, context
        self._changed = threading.Condition()
        self._open: set[socket.socket] = set()
        super().__init__(self._talk)
        self._server.socket.listen(2 * SLOTS)

    def _talk(self, connection: socket.socket) -> None:
        with self._changed:
            self._open.add(connection)
            self.opened += 1
        used = connection
        try:
            if self._context is not None:
                used = self._context.wrap_socket(connection, server_side=True)
            with contextlib.suppress(threading.BrokenBarrierError):
                for talk in self._talks:
                    talk(used)
        finally:
            used.close()
            with self._changed:
                self._open.discard(connection)
                self._changed.notify_all()

    def wait_for_open(self, most: int, patience: float = PATIENCE) -> bool:
        """Wait until at most this many connections are open; false if that does not happen."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._open) <= most, patience)

    def disconnect(self) -> None:
        """End all connections."""
        with self._changed:
            for connection in self._open:
                with contextlib.suppress(OSError):  # the client was faster
                    connection.shutdown(socket.SHUT_RDWR)

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self.disconnect()


class Service(Server):
    """Responds to every GET and PUT with the list that its path names, and to every DELETE with a
    success.

    The service holds the response to a list called `held-...` until `release` is set.

    Attributes:
        received: the requests.
        respond: makes the response to a request.
        arrived: released once for each request for a list called `held-...`.
    """

    def __init__(self, *, context: ssl.SSLContext | None = None) -> None:
        super().__init__(self._serve, context=context)
        self.received: list[bytes] = []
        self.respond: Callable[[bytes], bytes] = response_to
        self.arrived, self.release = threading.Semaphore(0), threading.Event()
        self._together = threading.Barrier(1)

    def gather(self, count: int) -> None:
        """Respond to requests for lists called `together-...` only when this many of them have
        arrived."""
        self._together = threading.Barrier(count, timeout=PATIENCE)

    def wait_for_held(self, count: int) -> None:
        """Wait until this many requests for lists called `held-...` have arrived."""
        for _ in range(count):
            assert self.arrived.acquire(timeout=PATIENCE)

    def _serve(self, connection: Any) -> None:
        while request := read_request(connection):
            self.received.append(request)
            path = request.split(b" ", 2)[1]
            if b"/together-" in path:
                self._together.wait()
            if b"/held-" in path:
                self.arrived.release()
                self.release.wait(PATIENCE)
            connection.sendall(self.respond(request))


class Proxy(ScriptedServer):
    """A proxy that leads each connection to the service, and records each request of a client
    for a tunnel."""

    def __init__(self, service: Service, context: ssl.SSLContext | None = None) -> None:
        self.asked: list[bytes] = []
        self._service, self._context = service, context
        super().__init__(self._lead)

    def _lead(self, connection: Any) -> None:
        if self._context is not None:
            connection = self._context.wrap_socket(connection, server_side=True)
        if (first := connection.recv(1)) == b"\5":
            self._agree_on_socks(connection)
        else:
            self.asked.append(first + read_request(connection))
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        with connection, socket.create_connection(("127.0.0.1", self._service.port)) as inner:
            back = threading.Thread(target=self._pump, args=(inner, connection), daemon=True)
            back.start()
            self._pump(connection, inner)
            back.join(PATIENCE)

    def _agree_on_socks(self, connection: Any) -> None:
        method = connection.recv(2)[1:]
        connection.sendall(b"\5" + method)
        if method == b"\2":
            self.asked.append(connection.recv(512))
            connection.sendall(b"\1\0")
        self.asked.append(connection.recv(512))
        connection.sendall(b"\5\0\0\1\0\0\0\0\0\0")

    @staticmethod
    def _pump(source: Any, target: Any) -> None:
        try:
            while piece := source.recv(65536):
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:  # one of the two sides closed the connection
            pass


def response_to(request: bytes, status: int = 200, headers: bytes = b"") -> bytes:
    """A complete response; a success names the last segment of the request's path."""
    method, path = request.split(b" ", 2)[:2]
    data: dict[str, Any] = {"success": True, "message": "deleted"}
    if method != b"DELETE":
        data = {**GET.success["data"], "id": path.decode().rpartition("/")[2]}
    body = json.dumps({"data": data} if status == 200 else {"error": {"code": "ERR_X"}}).encode()
    return b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n%b\r\n%b" % (status, len(body), headers, body)


@contextlib.contextmanager
def unresponsive_service() -> Iterator[str]:
    """The address of a port that neither accepts nor refuses connections."""
    with contextlib.ExitStack() as sockets:
        full = sockets.enter_context(socket.socket())
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        # When the queue is full, further connections get no response.
        for _ in range(3):
            each = sockets.enter_context(socket.socket())
            each.setblocking(False)  # noqa: FBT003 - a parameter of the standard library
            each.connect_ex(full.getsockname())
        yield f"http://127.0.0.1:{full.getsockname()[1]}/v3"


def get(keyword_id: str, chat: EitherClient) -> Any:
    """Get the list with this id."""
    return chat.keywords.get(keyword_id)


def call_at_once(
    any_client: AnyClient, chat: EitherClient, acts: Sequence[Callable[[EitherClient], Any]]
) -> list[Any]:
    """The results of calls at the same time, in threads or in tasks of one event loop."""
    if any_client.kind == "sync":
        with ThreadPoolExecutor(len(acts)) as threads:
            return list(threads.map(lambda act: act(chat), acts))
    found: list[Any] = any_client.call(
        lambda chat: asyncio.gather(*(act(chat) for act in acts)), chat
    )
    return found


def use_all(
    any_client: AnyClient, chat: EitherClient, service: Service, count: int = SLOTS
) -> None:
    """Use all connections at the same time: the service responds only when all requests have
    arrived."""
    service.gather(count)
    names = [f"together-{number}" for number in range(count)]
    found = call_at_once(any_client, chat, [partial(get, name) for name in names])
    assert [each.id for each in found] == names
