"""What the tests of the clients share: the five operations, transports without sockets, servers that misbehave."""

from __future__ import annotations

import json
import socket
import socketserver
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self, TypeAlias
from urllib.parse import unquote, urlsplit

import httpx
from attrs import frozen
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder, NeedData, Preamble

from cometchat_rest import WordListInput
from cometchat_rest.testing import ReceivedRequest, Simulator
from cometchat_rest.testing.faults import Operation as Name

if TYPE_CHECKING:
    from conftest import AnyClient

#: One of the two clients; both offer the same names, and a test knows them by no more than that.
Chat: TypeAlias = Any

#: A token that alice has in the simulator's first state.
TOKEN = Simulator().auth_tokens["alice"][0]
LIST_ID = "profanity-list"
UPDATE = WordListInput(search_terms=["spam", "scam"])


@frozen
class Operation:
    """One operation, called through its resource with arguments that the simulator accepts."""

    name: Name
    method: str
    act: Callable[[Chat], Any]
    # The path with the values that `act` puts in, below the base URL.
    path: str
    # The least that a success holds.
    success: object

    @property
    def changes(self) -> bool:
        """Whether carrying it out twice could do harm."""
        return self.method != "GET"

    @property
    def body(self) -> bytes:
        """The body of a success."""
        return json.dumps(self.success).encode()


_LIST = {"id": LIST_ID, "name": "Profanity", "category": "word", "isCSV": False, "createdAt": 1, "updatedAt": 2}

OPERATIONS = (
    Operation(
        "get_keyword_list",
        "GET",
        lambda chat: chat.keywords.get(LIST_ID),
        f"/moderation/keywords/{LIST_ID}",
        {"data": _LIST},
    ),
    Operation(
        "update_keyword_list",
        "PUT",
        lambda chat: chat.keywords.update(LIST_ID, UPDATE),
        f"/moderation/keywords/{LIST_ID}",
        {"data": _LIST},
    ),
    Operation(
        "list_reviewed_messages",
        "GET",
        lambda chat: chat.reviewed_messages.list(),
        "/moderation/reviewed-messages",
        {"data": [], "meta": {"current": {"limit": 50, "count": 0}}},
    ),
    Operation(
        "list_roles",
        "GET",
        lambda chat: chat.roles.list(),
        "/roles",
        {
            "data": [],
            "meta": {"pagination": {"total": 0, "count": 0, "per_page": 100, "current_page": 1, "total_pages": 0}},
        },
    ),
    Operation(
        "delete_auth_token",
        "DELETE",
        lambda chat: chat.auth_tokens.delete("alice", TOKEN),
        f"/users/alice/auth_tokens/{TOKEN}",
        {"data": {"success": True, "message": "gone"}},
    ),
)
GETS = tuple(operation for operation in OPERATIONS if not operation.changes)
CHANGES = tuple(operation for operation in OPERATIONS if operation.changes)
GET, PUT, DELETE = OPERATIONS[0], CHANGES[0], CHANGES[1]


def named(operation: Operation) -> str:
    """The id of a parametrized test."""
    return operation.name


def raised(any_client: AnyClient, action: Callable[[Chat], Any], client: Chat) -> BaseException | None:
    """What a call raises, whatever its class; `None` where it does not."""
    try:
        any_client.call(action, client)
    except BaseException as error:  # noqa: BLE001 - that it is one of ours is what is tested
        return error
    return None


def run_concurrently(jobs: Iterable[Callable[[], object]]) -> None:
    """Do all of these at the same time, and raise what any of them raises: they are mostly waiting."""
    with ThreadPoolExecutor(32) as threads:
        for done in [threads.submit(job) for job in jobs]:
            done.result()


# Transports without sockets, for `transport=`.


class Chunks(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that comes in these pieces; a piece that is an exception is raised in its place."""

    def __init__(self, pieces: Iterable[bytes | Exception]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


def answer(status: int = 200, body: object = b"", headers: dict[str, str] | None = None) -> httpx.Response:
    """An answer with exactly these headers; a body that is not bytes goes as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    raw = [(name.encode(), value.encode("latin-1")) for name, value in (headers or {}).items()]
    return httpx.Response(status, headers=raw, stream=Chunks([content]))


def always(
    status: int = 200, body: object = b"", headers: dict[str, str] | None = None
) -> Callable[[httpx.Request], httpx.Response]:
    """A service that has one answer."""
    return lambda _: answer(status, body, headers)


class Stub(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A transport for either client, which notes every request and lets a function answer, or raise."""

    def __init__(self, respond: Callable[[httpx.Request], httpx.Response]) -> None:
        self.requests: list[httpx.Request] = []
        self.closed = 0
        self._respond = respond

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self._respond(request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return self.handle_request(request)

    def close(self) -> None:
        self.closed += 1

    async def aclose(self) -> None:
        self.closed += 1


def untouchable() -> Stub:
    """A transport that no request may reach."""

    def respond(request: httpx.Request) -> httpx.Response:
        raise AssertionError(f"sent: {request.method} {request.url}")

    return Stub(respond)


def stub_client(any_client: AnyClient, stub: Stub, **settings: Any) -> Chat:
    """A client on a transport without sockets, which does not try again unless told to."""
    return any_client.client(**{"base_url": "http://127.0.0.1:1/v3", "transport": stub, "max_retries": 0, **settings})


# Servers on this machine that send what no simulator of a sound service would.


class _Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    allow_reuse_address = True
    daemon_threads = True


class WireServer:
    """Answers each connection once with the bytes it is told to, sound or not, and closes it.

    Attributes:
        received: what arrived, head and body, one entry for each connection.
        sent: how many bytes left for the callers so far.
        closed: released once for each connection that was answered and closed.
    """

    def __init__(
        self,
        respond: Callable[[bytes], Iterable[bytes]],
        read: Callable[[socket.socket], bytes] = lambda connection: read_request(connection),
    ) -> None:
        self.received: list[bytes] = []
        self.sent = 0
        self.closed = threading.Semaphore(0)
        wire = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                wire.received.append(received := read(self.request))
                try:
                    for piece in respond(received):
                        self.request.sendall(piece)
                        wire.sent += len(piece)
                except OSError:  # the caller has had enough
                    pass
                finally:
                    self.request.close()
                    wire.closed.release()

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def address(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

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


class ScriptedServer:
    """A server on this machine that talks to each connection as it is told, and closes it."""

    def __init__(self, *talks: Callable[[Any], None]) -> None:
        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                try:
                    for talk in talks:
                        talk(self.request)
                except OSError:  # the caller has had enough
                    pass
                finally:
                    self.request.close()

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        port: int = self._server.server_address[1]
        return port

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def read_request(connection: socket.socket) -> bytes:
    """One request, its body included; nothing where none came."""
    received = b""
    while b"\r\n\r\n" not in received and (piece := connection.recv(65536)):
        received += piece
    if not received:
        return b""
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while len(body) < sum(lengths) and (piece := connection.recv(65536)):
        body += piece
    return head + b"\r\n\r\n" + body


class EchoServer:
    """Keeps connections open, counts them, and answers every call with a list named after one header of it.

    Attributes:
        connections: how many were opened so far.
    """

    def __init__(self, header: str = "onBehalfOf") -> None:
        self.connections = 0
        echo = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                with echo._counting:
                    echo.connections += 1

            def do_GET(self) -> None:
                record = {**_LIST, "name": self.headers.get(header)}
                body = json.dumps({"data": record}).encode()
                # In one piece: two would wait for each other.
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's word
                pass

        self._counting = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def base_url(self) -> str:
        """The address for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v3"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


# What went out, read by others than who wrote it.


@frozen
class Part:
    """One part of a form, as an independent parser sees it."""

    name: str
    content: bytes
    filename: str | None = None
    content_type: str | None = None


def form_of(request: httpx.Request | ReceivedRequest) -> list[Part]:
    """The parts of a multipart form, in order, decoded by werkzeug."""
    if isinstance(request, ReceivedRequest):
        header, body = request.header("content-type") or "", request.body
    else:
        header, body = request.headers["content-type"], request.content
    kind, options = parse_options_header(header)
    assert kind == "multipart/form-data"
    decoder = MultipartDecoder(options["boundary"].encode())
    decoder.receive_data(body)
    decoder.receive_data(None)
    parts: list[Part] = []
    while not isinstance(event := decoder.next_event(), Epilogue):
        assert not isinstance(event, NeedData), "the form breaks off"
        if isinstance(event, Preamble):
            assert not event.data.strip(), "there is something before the first part"
        elif isinstance(event, Field | File):
            filename = event.filename if isinstance(event, File) else None
            parts.append(Part(event.name or "", b"", filename, event.headers.get("content-type")))
        elif isinstance(event, Data):
            last = parts.pop()
            parts.append(Part(last.name, last.content + event.data, last.filename, last.content_type))
    assert not event.data.strip(), "there is something after the last part"
    return parts


def path_of(request: httpx.Request | ReceivedRequest) -> str:
    """The path as it goes on the wire, without the query."""
    if isinstance(request, ReceivedRequest):
        return request.path
    return request.url.raw_path.decode("ascii").partition("?")[0]


def values_in(template: str, path: str) -> dict[str, str] | None:
    """The values that a path holds for a template, segment by segment; `None` where it does not match.

    Written for the tests alone, so that a fault in the client's own guard cannot hide in it.
    """
    own, sent = template.split("/"), path.split("/")
    if len(own) != len(sent):
        return None
    values = {}
    for expected, segment in zip(own, sent, strict=True):
        if expected.startswith("{"):
            values[expected.strip("{}")] = value = unquote(segment, errors="strict")
            if not value or any(mark in segment for mark in "?#") or value in (".", ".."):
                return None
        elif expected != segment:
            return None
    return values


def origin_of(url: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port of an address."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port
