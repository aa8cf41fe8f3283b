"""Bodies of responses: content encodings, the limit of bytes, and JSON, which msgspec parses if
it is installed."""

import gzip
import itertools
import json
import sys
import tracemalloc
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cometchat_rest import Client, TransportError, UnexpectedResponse
from cometchat_testing import Simulator

from ..servers import WireServer
from ..support import (
    GET,
    PUT,
    WITH_BODY,
    AnyClient,
    Chunks,
    Operation,
    StubTransport,
    always_respond,
    error_from,
    operation_name,
    stub_client,
)
from .error_checks import check_error

MEBIBYTE, GIBIBYTE = 2**20, 2**30


def gzipped(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def unchanged(body: bytes) -> bytes:
    return body


# The content encoding, and the body that is sent in it.
INVALID_ENCODINGS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "invalid gzip": ("gzip", unchanged),
    "wrong checksum": ("gzip", lambda body: gzipped(body)[:-8] + b"\0" * 8),
    "incomplete gzip": ("gzip", lambda body: gzipped(body)[:-50]),
    "an unknown encoding": ("rot13", lambda body: body[::-1]),
}


@pytest.mark.parametrize(("encoding", "make"), INVALID_ENCODINGS.values(), ids=INVALID_ENCODINGS)
def test_invalid_content_encoding_is_an_error(
    any_client: AnyClient, encoding: str, make: Callable[[bytes], bytes]
) -> None:
    """A success whose body does not match its Content-Encoding is an error, and the outcome is
    unknown."""
    stub = StubTransport(always_respond(200, make(PUT.body), {"content-encoding": encoding}))
    error = error_from(any_client, PUT.act, stub_client(any_client, stub))
    assert isinstance(error, TransportError | UnexpectedResponse)
    assert error.outcome_unknown
    assert error.attempts == 1


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", "identity", " gzip "])
@pytest.mark.parametrize("size", [1, 7, 10**6])
def test_compressed_response_is_unpacked(any_client: AnyClient, encoding: str, size: int) -> None:
    """A compressed response is unpacked, however it is cut into chunks."""
    packed = GET.body if encoding == "identity" else gzipped(GET.body)
    pieces = [packed[start : start + size] for start in range(0, len(packed), size)]
    stub = StubTransport(
        lambda _: httpx.Response(200, headers={"content-encoding": encoding}, stream=Chunks(pieces))
    )
    assert any_client.call(GET.act, stub_client(any_client, stub)).name == "Profanity"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("operation", WITH_BODY, ids=operation_name)
def test_response_larger_than_the_limit_is_an_error(
    any_client: AnyClient, operation: Operation, *, packed: bool
) -> None:
    """A response of exactly max_response_bytes is read. One byte more is an error that names the
    option."""
    sent, headers = (
        (gzipped(operation.body), {"content-encoding": "gzip"}) if packed else (operation.body, {})
    )
    stub = StubTransport(always_respond(operation.status, sent, headers))
    limit = max(len(operation.body), len(sent))
    any_client.call(operation.act, stub_client(any_client, stub, max_response_bytes=limit))
    small = stub_client(any_client, stub, max_response_bytes=len(operation.body) - 1)
    error = check_error(error_from(any_client, operation.act, small), operation, operation.status)
    assert "max_response_bytes" in str(error)


_compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
BOMB_HEAD = _compressor.compress(b"") + _compressor.flush(zlib.Z_FULL_FLUSH)
# Full flushes make the blocks independent, so that one block can be repeated.
BOMB_BLOCK = _compressor.compress(b" " * MEBIBYTE) + _compressor.flush(zlib.Z_FULL_FLUSH)


def endless(first: bytes, block: bytes, size: int = 65536) -> Callable[[], Iterable[bytes]]:
    """A body of a gibibyte that begins with `first`; each block stands for `size` bytes."""
    return lambda: itertools.chain([first], itertools.repeat(block, GIBIBYTE // size))


FLOODS: dict[str, tuple[dict[str, str], Callable[[], Iterable[bytes]]]] = {
    "gzip bomb": ({"Content-Encoding": "gzip"}, endless(BOMB_HEAD, BOMB_BLOCK, MEBIBYTE)),
    "plain": ({}, endless(b"", b" " * 65536)),
    "a Content-Length of many digits": (
        {"Content-Length": str(10**18)},
        endless(b"", b" " * 65536),
    ),
    "one endless chunk": ({"Transfer-Encoding": "chunked"}, endless(b"40000000\r\n", b" " * 65536)),
}


def peak_of(call: Callable[[], BaseException | None]) -> tuple[BaseException | None, int]:
    """The error of a call, and the most memory that it needed."""
    tracemalloc.start()
    try:
        return call(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# By default, the limit is 10 MiB.
@pytest.mark.parametrize(
    ("flood", "status", "limit"),
    [
        *((flood, 200, MEBIBYTE) for flood in FLOODS),
        ("gzip bomb", 200, None),
        ("plain", 404, MEBIBYTE),
    ],
)
def test_memory_is_bounded(
    any_client: AnyClient, flood: str, status: int, limit: int | None
) -> None:
    """A response of a gibibyte, compressed or not, is given up early, and uses little more
    memory than the limit."""
    headers, body = FLOODS[flood]
    head = (
        f"HTTP/1.1 {status} OK\r\n"
        + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        + "\r\n"
    )
    option, bytes_read = (
        ({}, 10 * MEBIBYTE) if limit is None else ({"max_response_bytes": limit}, limit)
    )
    with WireServer(lambda _: itertools.chain([head.encode()], body())) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0, **option)
        error, peak = peak_of(lambda: error_from(any_client, PUT.act, client))
        found = check_error(error, PUT, status)
        assert status != 200 or f"larger than {bytes_read} bytes (max_response_bytes)" in str(found)
        assert server.closed.acquire(timeout=30)
        # A piece of a compressed response is unpacked at once.
        assert peak < 4 * bytes_read + (160 if flood == "gzip bomb" else 4) * MEBIBYTE
        # At most the bytes in the buffers of two sockets.
        assert server.sent < GIBIBYTE // 32


@pytest.mark.parametrize("size", [2, 33])
def test_memory_is_bounded_for_small_chunks(any_client: AnyClient, size: int) -> None:
    """A response that comes a few bytes at a time uses no more memory than a response that comes
    at once."""
    cap = MEBIBYTE // 8
    # Each chunk is a new object, as it is when it is read from a socket.
    pieces = (b"%0*d" % (size, number % 100) for number in range(2 * cap // size))
    stub = StubTransport(lambda _: httpx.Response(200, stream=Chunks(pieces)))
    client = stub_client(any_client, stub, max_response_bytes=cap)
    error, peak = peak_of(lambda: error_from(any_client, GET.act, client))
    assert "max_response_bytes" in str(check_error(error, GET, 200))
    assert peak < 8 * cap


# JSON.

#: Spaces around JSON have no meaning. With this many, a response is large.
PADDING = b" " * 2**16
NUMBERS = st.sampled_from(
    [
        "0",
        "-0",
        "-0.0",
        "1.0",
        "1e5",
        "1E-5",
        "5e-324",
        "2e-324",
        "1e-400",
        "1e308",
        "1e309",
        "-1e999",
        "NaN",
        "Infinity",
        "-Infinity",
        "01",
        "+1",
        ".5",
        "1.",
        "1e",
        "0x1",
        "1_0",
        "9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "9007199254740993.0",
        "0.1000000000000000055511151231257827",
        "123456789012345678901234567890",
    ]
) | st.integers(1, 4400).map(lambda length: "7" * length)
TEXTS = st.lists(
    st.text(st.characters(codec=None), max_size=3)
    | st.sampled_from(
        [
            r"\ud800",
            r"\udc00",
            r"\ud83d\ude00",
            r"\u0000",
            r"\x",
            r"\/",
            r"\"",
            "\\",
            "\x7f",
            "\ufeff",
        ]
    )
).map(lambda parts: '"' + "".join(parts) + '"')
KEYS = st.sampled_from(['"a"', '"b"', '""', r'"\u0061"', '"\ud800"', "a"])
SCALARS = (
    NUMBERS
    | TEXTS
    | st.sampled_from(["null", "true", "false", "nul", "", " ", "\t1\n", "\xa01", "'a'", "/**/1"])
)


def containers(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Arrays and objects; some end in the wrong way."""
    ends = st.sampled_from(["]", ",]", ""])
    arrays = st.builds(
        lambda items, end: f"[{','.join(items)}{end}", st.lists(values, max_size=4), ends
    )
    pairs = st.tuples(KEYS, values).map(":".join)
    return arrays | st.lists(pairs, max_size=4).map(lambda members: "{" + ",".join(members) + "}")


ENCODINGS: list[Callable[[str], bytes]] = [
    lambda text: text.encode("utf-8", "surrogatepass") + PADDING,
    lambda text: PADDING + text.encode("utf-8", "replace"),
    lambda text: b"\xef\xbb\xbf" + text.encode("utf-8", "surrogatepass") + PADDING,
    lambda text: (text + PADDING.decode()).encode("utf-16", "surrogatepass"),
    lambda text: (text + PADDING.decode()).encode("utf-16-le", "surrogatepass"),
    lambda text: (text + PADDING.decode()).encode("utf-32", "surrogatepass"),
    lambda text: text.encode("latin-1", "replace") + PADDING,
    lambda text: text.encode("utf-8", "surrogatepass") + PADDING + b"\x00",
]


def test_unusual_responses_are_read_like_the_standard_library(
    any_client: AnyClient, simulator: Simulator
) -> None:
    """A large response is read exactly as `json.loads` reads it, and refused if `json.loads`
    refuses it."""
    chat = any_client.client()

    @settings(
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=3 * settings().max_examples,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(st.recursive(SCALARS, containers, max_leaves=6), st.sampled_from(ENCODINGS))
    @example("[" * 900 + "]" * 900, ENCODINGS[0])
    @example("[" * 100_000, ENCODINGS[0])
    @example('{"a":' * 5_000 + "1" + "}" * 5_000, ENCODINGS[0])
    def check(odd: str, encode: Callable[[str], bytes]) -> None:
        role = f'{{"role": "guest", "name": "Guest", "createdAt": 1, "createdAt": 2, "metadata": {{"odd": {odd}}}}}'
        body = encode(f'{{"meta": {{}}, "data": [{role}]}}')
        simulator.fail("list_roles", body=body)
        try:
            expected: Any = json.loads(body)
        except (ValueError, RecursionError):
            with pytest.raises(UnexpectedResponse, match="not JSON"):
                any_client.call(lambda chat: chat.roles.list(), chat)
            return
        # As texts: in Python, 1 equals 1.0 and True, and NaN does not equal itself.
        found = any_client.call(lambda chat: chat.roles.list(), chat).to_dict()
        assert json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)

    check()


def test_msgspec_reads_responses(simulator: Simulator) -> None:
    """If msgspec is installed, it parses the responses."""
    msgspec = pytest.importorskip("msgspec")
    called: list[object] = []

    def see(_frame: object, event: str, function: object) -> None:
        if event == "c_call":
            called.append(function)

    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        sys.setprofile(see)
        try:
            chat.keywords.get("profanity-list")
        finally:
            sys.setprofile(None)
    assert msgspec.json.decode in called
