"""Encoded and large responses: content encodings, max_response_bytes, and bounded memory."""

import gzip
import itertools
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import anyio
import anyio.lowlevel
import httpx
import pytest
from attrs import evolve

from cometchat_openapi import Call, Operation
from cometchat_openapi.api.roles.list_roles import OPERATION
from cometchat_rest import Role, RoleList, UnexpectedResponse

from ..support import (
    GET,
    PUT,
    WITH_BODY,
    AnyClient,
    Chunks,
    StubTransport,
    WireServer,
    always_respond,
    error_from,
    make_response,
    stub_client,
)
from .error_checks import check_error


def gzipped(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


INVALID_ENCODINGS: dict[str, tuple[dict[str, str], Callable[[bytes], bytes], str]] = {
    "invalid gzip": ({"content-encoding": "gzip"}, lambda body: body, "its body is not valid"),
    "deflate": ({"content-encoding": "deflate"}, zlib.compress, "in an encoding that the request does not allow"),
    "brotli": ({"content-encoding": "br"}, lambda body: body, "in an encoding that the request does not allow"),
    "an unknown encoding": (
        {"content-encoding": "rot13"},
        lambda body: body,
        "in an encoding that the request does not allow",
    ),
    "gzip twice": (
        {"content-encoding": "gzip, gzip"},
        lambda body: gzipped(gzipped(body)),
        "in an encoding that the request does not allow",
    ),
    "incomplete gzip": ({"content-encoding": "gzip"}, lambda body: gzipped(body)[:-9], "ends before the gzip stream"),
    "gzip without its end": (
        {"content-encoding": "gzip"},
        lambda body: gzipped(body)[:-1],
        "ends before the gzip stream",
    ),
    "gzip with a wrong checksum": (
        {"content-encoding": "gzip"},
        lambda body: gzipped(body)[:-8] + b"\0" * 8,
        "its body is not valid",
    ),
}


@pytest.mark.parametrize(("headers", "make", "what"), INVALID_ENCODINGS.values(), ids=INVALID_ENCODINGS)
def test_invalid_content_encoding_is_an_error(
    any_client: AnyClient, headers: dict[str, str], make: Callable[[bytes], bytes], what: str
) -> None:
    """A body that does not match its Content-Encoding is an error that says so. An error status keeps its class."""
    current: dict[str, Any] = {}
    client = stub_client(any_client, StubTransport(lambda _: make_response(**current, headers=headers)))
    for operation in WITH_BODY:
        for status in (operation.status, 404, 502):
            current.update(status=status, body=make(operation.body))
            error = check_error(error_from(any_client, operation.act, client), operation, status)
            assert status != operation.status or what in str(error)


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "GZIP", "identity", " gzip "])
@pytest.mark.parametrize("size", [1, 7, 10**6])
def test_compressed_response_is_decompressed(any_client: AnyClient, encoding: str, size: int) -> None:
    """A compressed response is decompressed, however it is cut into chunks."""
    plain = GET.body
    packed = plain if encoding == "identity" else gzipped(plain)
    pieces = [packed[start : start + size] for start in range(0, len(packed), size)]
    headers = {"content-encoding": encoding}
    client = stub_client(
        any_client, StubTransport(lambda _: httpx.Response(200, headers=headers, stream=Chunks(pieces)))
    )
    assert any_client.call(GET.act, client).name == "Profanity"


def test_response_larger_than_the_limit_is_an_error(any_client: AnyClient) -> None:
    """A response of exactly max_response_bytes is read. One byte more is an error that names the setting."""
    body = GET.body
    for packed in (False, True):
        headers = {"content-encoding": "gzip"} if packed else {}
        sent = gzipped(body) if packed else body
        stub = StubTransport(always_respond(200, sent, headers))
        assert any_client.call(GET.act, stub_client(any_client, stub, max_response_bytes=max(len(body), len(sent))))
        for operation in WITH_BODY:
            stub = StubTransport(always_respond(operation.status, sent, headers))
            small = stub_client(any_client, stub, max_response_bytes=len(body) - 1)
            error = check_error(
                error_from(any_client, operation.act, small), operation, operation.status, too_large=True
            )
            assert "max_response_bytes" in str(error)


@pytest.mark.parametrize("length", [2**26 + 1, 10**12, 10**18])
def test_response_with_too_large_a_content_length_is_not_read(any_client: AnyClient, length: int) -> None:
    """If the Content-Length is over the limit, only the beginning of the body is read, for the error."""
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode()
    with WireServer(lambda _: itertools.chain([head], itertools.repeat(b"x" * 65536, length // 65536))) as server:
        client = any_client.client(base_url=server.base_url, max_response_bytes=2**26, max_retries=0)
        error = check_error(error_from(any_client, PUT.act, client), PUT, 200, too_large=True)
        assert server.closed.acquire(timeout=30)
        # At most the bytes in the buffers of two sockets.
        assert server.sent < 2**25
    assert "max_response_bytes" in str(error)
    assert set(error.body) == {"x"}


MEBIBYTE = 2**20
GIBIBYTE = 2**30
_compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
BOMB_HEAD = _compressor.compress(b"") + _compressor.flush(zlib.Z_FULL_FLUSH)
# Full flushes make the blocks independent, so that one block can be repeated.
BOMB_BLOCK = _compressor.compress(b" " * MEBIBYTE) + _compressor.flush(zlib.Z_FULL_FLUSH)


def bomb() -> Iterable[bytes]:
    """A gzip file of a megabyte that unpacks to a gigabyte."""
    return itertools.chain([BOMB_HEAD], itertools.repeat(BOMB_BLOCK, GIBIBYTE // MEBIBYTE))


FLOODS: dict[str, tuple[dict[str, str], Callable[[], Iterable[bytes]]]] = {
    "gzip bomb": ({"Content-Encoding": "gzip"}, bomb),
    "plain": ({}, lambda: itertools.repeat(b" " * 65536, GIBIBYTE // 65536)),
    "junk after a small gzip": (
        {"Content-Encoding": "gzip"},
        lambda: itertools.chain([gzipped(GET.body)], itertools.repeat(b"x" * 65536, GIBIBYTE // 65536)),
    ),
    "gzip that unpacks to nothing": (
        {"Content-Encoding": "gzip"},
        lambda: itertools.chain([BOMB_HEAD], itertools.repeat(b"\0\0\0\xff\xff" * 13000, GIBIBYTE // 65000)),
    ),
    "one endless chunk": ({"Transfer-Encoding": "chunked"}, lambda: endless_chunk()),
}


def endless_chunk() -> Iterable[bytes]:
    return itertools.chain([b"40000000\r\n"], itertools.repeat(b" " * 65536, GIBIBYTE // 65536))


@pytest.mark.parametrize("status", [200, 404, 500])
@pytest.mark.parametrize("flood", FLOODS)
def test_memory_is_bounded(any_client: AnyClient, flood: str, status: int) -> None:
    """A response of a gibibyte, compressed or not, is given up early. The memory used depends on the limit alone."""
    headers, body = FLOODS[flood]
    head = f"HTTP/1.1 {status} OK\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
    with WireServer(lambda _: itertools.chain([head.encode()], body())) as server:
        client = any_client.client(base_url=server.base_url, max_response_bytes=MEBIBYTE, max_retries=0)
        tracemalloc.start()
        try:
            error = error_from(any_client, PUT.act, client)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        check_error(error, PUT, status, too_large=True)
        assert server.closed.acquire(timeout=30)
        assert peak < 8 * MEBIBYTE
        # At most the bytes in the buffers of two sockets.
        assert server.sent < GIBIBYTE // 8


@pytest.mark.parametrize("size", [2, 33])
def test_memory_is_bounded_for_small_chunks(any_client: AnyClient, size: int) -> None:
    """A response that comes a few bytes at a time uses no more memory than a response that comes at once."""
    cap = MEBIBYTE // 4
    # Each chunk is a new object, as it is when it is read from a socket.
    pieces = (b"%0*d" % (size, number % 100) for number in range(2 * cap // size))
    client = stub_client(
        any_client, StubTransport(lambda _: httpx.Response(200, stream=Chunks(pieces))), max_response_bytes=cap
    )
    tracemalloc.start()
    try:
        error = error_from(any_client, GET.act, client)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "max_response_bytes" in str(check_error(error, GET, 200, too_large=True))
    assert peak < 8 * cap


def test_memory_is_bounded_by_default(any_client: AnyClient) -> None:
    """By default the limit is 32 MiB, also for a compressed gibibyte."""
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
    with WireServer(lambda _: itertools.chain([head], bomb())) as server:
        client = any_client.client(base_url=server.base_url)
        tracemalloc.start()
        try:
            error = error_from(any_client, GET.act, client)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert "33554432" in str(check_error(error, GET, 200, too_large=True))
    assert peak < 4 * 32 * MEBIBYTE


@pytest.mark.parametrize("data", [b"{}," * 400_000, b'{"a":1},' * 10 + b'{"a":1' + b',"a":1' * 600_000 + b"},"])
def test_millions_of_objects_or_names_are_refused(any_client: AnyClient, data: bytes) -> None:
    """A response with more objects or names than any page has is an error: a small compressed one would stop a
    program."""
    body = gzipped(b'{"data":[' + data[:-1] + b'],"meta":{}}')
    assert len(body) < 10_000
    stub = StubTransport(always_respond(200, body, {"content-encoding": "gzip"}))
    error = error_from(any_client, lambda chat: chat.roles.list(), stub_client(any_client, stub))
    assert isinstance(error, UnexpectedResponse)
    assert "objects and arrays" in str(error)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_brackets_in_texts_are_no_objects(any_client: AnyClient, encoding: str) -> None:
    """Texts may contain any number of brackets, colons and quotes, as chat messages do: they do not count."""
    name = '[::{\\"\\\\' * 300_000
    body = f'{{"data":[{{"role":"a","name":"{name}"}}],"meta":{{}}}}'.encode(encoding)
    stub = StubTransport(always_respond(200, body))
    (role,) = any_client.call(lambda chat: chat.roles.list(), stub_client(any_client, stub)).data
    assert role.name == '[::{"\\' * 300_000


def test_first_mismatches_are_reported(any_client: AnyClient) -> None:
    """Of the mismatches of one response, only the first hundred are reported."""
    stub = StubTransport(always_respond(200, b'{"data":[' + b",".join([b"{}"] * 1000) + b'],"meta":{"pagination":{}}}'))
    drifts: list[object] = []
    chat = stub_client(any_client, stub, on_drift=drifts.append)
    assert len(any_client.call(lambda chat: chat.roles.list(), chat).data) == 1000
    assert len(drifts) == 100


class OthersFirst(RoleList):
    """A body whose description begins with another array than `data`."""

    JSON_NAMES: ClassVar[Mapping[str, str]] = {"others": "others", "data": "data"}

    others: list[Role]


def test_unusable_data_is_an_error_after_any_number_of_mismatches(any_client: AnyClient) -> None:
    """`data` of another type is an error, also if the description and the response have many mismatches before it."""
    stub = StubTransport(always_respond(200, {"others": [{}] * 1000, "data": 5}))
    call: Call[RoleList] = Call(evolve(OPERATION, result=OthersFirst))
    error = error_from(any_client, lambda chat: chat.api.send(call), stub_client(any_client, stub))
    assert isinstance(error, UnexpectedResponse)
    assert error.pointer == "/data"


@pytest.mark.parametrize("any_client", ["sync"], indirect=True)
def test_deadline_covers_the_reading_of_a_response(any_client: AnyClient) -> None:
    """If the deadline passes after the last byte of a response, the call ends with an error that names the deadline."""

    def pieces() -> Iterable[bytes]:
        yield GET.body
        threading.Event().wait(0.2)

    stub = StubTransport(lambda _: httpx.Response(200, stream=Chunks(pieces())))
    error = error_from(any_client, GET.act, stub_client(any_client, stub, deadline=0.1))
    assert isinstance(error, UnexpectedResponse)
    assert "raise the deadline" in str(error)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_deadline_covers_the_parsing_of_a_response(any_client: AnyClient, method: str) -> None:
    """If the deadline passes while a body gets its types, a GET ends with an error; the result of a change is kept."""

    def parse(document: Any, _: Any) -> Any:
        threading.Event().wait(0.3)
        return document

    call: Call[Any] = Call(Operation("slow", method, "/slow", ((200, 200),), object, parse))
    chat = stub_client(any_client, StubTransport(always_respond(200, {"data": {}})), deadline=0.2)
    error = error_from(any_client, lambda chat: chat.api.send(call), chat)
    assert ("raise the deadline" in str(error), error is None) == ((True, False) if method == "GET" else (False, True))


@pytest.mark.parametrize("any_client", ["async"], indirect=True)
def test_large_response_is_read_outside_of_the_event_loop(any_client: AnyClient) -> None:
    """While a large response is read, the event loop runs other tasks; `on_drift` is called in the loop's thread."""
    body = b'{"data":[' + b",".join([b"{}"] * 200_000) + b'],"meta":{"pagination":{}}}'
    threads: set[int] = set()
    chat = stub_client(
        any_client, StubTransport(always_respond(200, body)), on_drift=lambda _: threads.add(threading.get_ident())
    )

    async def beats_during(chat: Any) -> tuple[int, int]:
        beats = 0

        async def beat() -> None:
            nonlocal beats
            while True:
                await anyio.lowlevel.checkpoint()
                beats += 1

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(beat)
            await chat.roles.list()
            tasks.cancel_scope.cancel()
        return beats, threading.get_ident()

    beats, loop_thread = any_client.call(beats_during, chat)
    assert beats > 20
    assert threads == {loop_thread}
