"""Whatever the service answers, and however it fails to: an error of the tree, which tells what is known."""

from __future__ import annotations

import gzip
import itertools
import json
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from cometchat_rest import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    CometChatError,
    ConfigurationError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimit,
    RateLimitError,
    RequestTimeoutError,
    ResponseTooLargeError,
    ServerError,
    TransportError,
    UnexpectedResponse,
    UnprocessableEntityError,
)
from cometchat_rest.testing import Simulator

from .support import (
    DELETE,
    GET,
    OPERATIONS,
    PUT,
    TOKEN,
    Chunks,
    Operation,
    Stub,
    WireServer,
    always,
    answer,
    named,
    raised,
    stub_client,
)

if TYPE_CHECKING:
    from conftest import AnyClient

NAMED: dict[int, type[CometChatError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableEntityError,
    429: RateLimitError,
}
SAMPLE = 4096


def expected(status: int) -> type[CometChatError]:
    """The class for a status whose body means nothing."""
    if 400 <= status < 500:
        return NAMED.get(status, ApiError)
    return ServerError if 500 <= status < 600 else UnexpectedResponse


def check(error: BaseException | None, operation: Operation, status: int, *, too_large: bool = False) -> Any:
    """What holds for every error that stands for an answer."""
    assert type(error) is (ResponseTooLargeError if too_large and status == 200 else expected(status)), error
    told: Any = error
    assert told.status_code == status
    assert told.operation == operation.name
    assert told.attempts == 1
    # A refusal was not carried out; of all else nobody can know.
    assert told.outcome_unknown is (operation.changes and not 400 <= status < 500)
    assert isinstance(told.body, str)
    assert len(told.body) <= SAMPLE
    assert isinstance(told.rate_limit, RateLimit)
    assert str(status) in str(error)
    assert operation.name in str(error)
    assert len(str(error)) < 4 * SAMPLE
    return told


SENSIBLE = {
    "code": "ERR_SOMETHING",
    "message": "Something is not as it should be.",
    "devMessage": "Look again.",
    "source": "request",
    "details": {"name": ["is too long", "is odd"]},
}

BODIES: dict[str, bytes] = {
    "valid error": json.dumps({"error": SENSIBLE}).encode(),
    "html": b"<!DOCTYPE html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>" * 100,
    "empty": b"",
    "blank": b" \r\n\t",
    "null": b"null",
    "string": b'"no"',
    "number": b"42",
    "float": b"1e400",
    "nan": b"NaN",
    "true": b"true",
    "array": b"[]",
    "array of errors": b'[{"error": {"code": "X"}}]',
    "empty object": b"{}",
    "data null": b'{"data": null}',
    "data of another kind": b'{"data": "x", "meta": 5}',
    "error null": b'{"error": null}',
    "error string": b'{"error": "no"}',
    "error array": b'{"error": []}',
    "error of wrong types": b'{"error": {"code": 5, "message": ["a"], "devMessage": {}, "details": "x"}}',
    "error with odd details": b'{"error": {"details": {"a": 1, "b": null, "c": [1, {"d": []}], "": ["x"]}}}',
    "error with half a surrogate pair": rb'{"error": {"code": "\ud800", "message": "\udfff\u0000"}}',
    "error of great length": json.dumps({"error": {"code": "C" * 9999, "message": "M" * 10**6}}).encode(),
    "truncated": b'{"data": {"id": "profanity-li',
    "truncated escape": rb'{"error": {"message": "\u12',
    "two documents": b'{"data": null}{"data": null}',
    "wrong charset": '{"error": {"message": "Größe"}}'.encode("latin-1"),
    "not text": bytes(range(256)) * 40,
    "utf-16": '{"error": {"message": "x"}}'.encode("utf-16"),
    "utf-32": '{"error": {"message": "x"}}'.encode("utf-32-le"),
    "marked": b'\xef\xbb\xbf{"error": {"message": "x"}}',
    "nested arrays": b"[" * 100_000,
    "nested arrays, closed": b"[" * 100_000 + b"]" * 100_000,
    "nested objects": b'{"error":' * 100_000,
    "nested in an error": b'{"error": {"details": ' + b"[" * 900 + b"]" * 900 + b"}}",
    "a number of many digits": b"9" * 100_000,
    "a number of many digits inside": b'{"error": {"code": ' + b"9" * 100_000 + b"}}",
    "nul": b"\0" * 5000,
    "form": b"error=1&message=no",
}
TYPES = (
    "application/json",
    "application/json; charset=utf-8",
    "text/html; charset=iso-8859-1",
    "application/json; charset=klingon",
    "text/plain; charset=utf-16",
    "multipart/form-data",
    "\x7f;;=,",
    "",
    None,
)
# Of every class of statuses: the named ones, ends, and what is in no list of statuses.
STATUSES = (100, 101, 199, 200, 201, 204, 206, 299, 300, 302, 304, 399, *NAMED, 402, 405, 418, 451, 499)
STATUSES += (500, 502, 503, 504, 520, 599, 600, 700, 999)


def types() -> Iterator[dict[str, str]]:
    """Headers with each content type in turn."""
    for content_type in itertools.cycle(TYPES):
        yield {} if content_type is None else {"content-type": content_type}


def test_the_tree() -> None:
    """Each error is caught by its class, by the class above it, and by CometChatError; two are ValueErrors."""
    for error in (*NAMED.values(), ServerError):
        assert issubclass(error, ApiError)
    for error in (ApiError, UnexpectedResponse, TransportError, ConfigurationError, InvalidRequestError):
        assert issubclass(error, CometChatError)
    assert issubclass(RequestTimeoutError, TransportError)
    assert issubclass(ConfigurationError, ValueError)
    assert issubclass(InvalidRequestError, ValueError)
    assert not issubclass(UnexpectedResponse, ApiError)
    assert issubclass(ResponseTooLargeError, UnexpectedResponse)
    assert (CometChatError().outcome_unknown, CometChatError().attempts) == (False, 0)


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_every_status(any_client: AnyClient, operation: Operation) -> None:
    """Each status from 100 to 999, with bodies of every kind in turn, is an error of the class it should be."""
    current: dict[str, Any] = {}
    client = stub_client(any_client, Stub(lambda _: answer(**current)))
    bodies = itertools.cycle(BODIES.values())
    for status, headers in zip(range(100, 1000), types(), strict=False):
        current.update(status=status, body=next(bodies), headers=headers)
        check(raised(any_client, operation.act, client), operation, status)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_every_body(any_client: AnyClient, body: bytes) -> None:
    """Each kind of body, at a status of each class, under content types that fit and do not, is such an error."""
    current: dict[str, Any] = {}
    client = stub_client(any_client, Stub(lambda _: answer(**current)))
    operations = itertools.cycle(OPERATIONS)
    for status, headers in zip(STATUSES, types(), strict=False):
        for operation in itertools.islice(operations, 2):
            current.update(status=status, body=body, headers=headers)
            check(raised(any_client, operation.act, client), operation, status)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_every_body_of_a_success(any_client: AnyClient, body: bytes) -> None:
    """A 200 whose body is none of a success is an UnexpectedResponse for every operation, never half a result."""
    client = stub_client(any_client, Stub(always(200, body, {"content-type": "application/json"})))
    for operation in OPERATIONS:
        error = check(raised(any_client, operation.act, client), operation, 200)
        assert body or "empty" in str(error)


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_every_operation_over_the_network(any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
    """Over real connections, too, each status and body is the error it should be, and the next call works."""
    bodies = {name: BODIES[name] for name in ("valid error", "html", "empty", "null", "truncated", "wrong charset")}
    client = any_client.client(max_retries=0)
    for status, body in zip(
        (200, 201, 302, *NAMED, 405, 500, 502, 504, 520, 599), itertools.cycle(bodies.values()), strict=False
    ):
        simulator.fail(operation=operation.name, status=status, body=body, headers={"Content-Type": "text/html"})
        check(raised(any_client, operation.act, client), operation, status)
    for status in (204, 304, 600, 999):
        simulator.fail(operation=operation.name, status=status)
        check(raised(any_client, operation.act, client), operation, status)
    assert any_client.call(operation.act, client) is not None


@pytest.mark.parametrize("status", [100, 101, 102, 103, 150, 199])
@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=named)
def test_an_answer_that_is_none(any_client: AnyClient, simulator: Simulator, operation: Operation, status: int) -> None:
    """An interim status with nothing after it is an error that tells that the outcome is unknown."""
    simulator.fail(status=status)
    error = raised(any_client, operation.act, any_client.client(max_retries=0))
    assert isinstance(error, TransportError | UnexpectedResponse)
    assert error.operation == operation.name
    assert (error.attempts, error.outcome_unknown) == (1, operation.changes)


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_a_refusal_is_told_in_full(any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
    """What the service says of a refusal is on the error: code, texts, details, headers, rate limit, body."""
    simulator.fail(status=422, body={"error": SENSIBLE}, headers={"X-Rate-Limit-Remaining": "7", "X-Odd": "yes"})
    error = check(raised(any_client, operation.act, any_client.client()), operation, 422)
    assert (error.code, error.message) == (SENSIBLE["code"], SENSIBLE["message"])
    assert (error.dev_message, error.source) == (SENSIBLE["devMessage"], SENSIBLE["source"])
    assert error.details == SENSIBLE["details"]
    assert error.headers["x-odd"] == "yes"
    assert error.rate_limit.remaining == 7
    assert json.loads(error.body) == {"error": SENSIBLE}
    told = "ERR_SOMETHING: Something is not as it should be: name: is too long, is odd"
    assert str(error) == f"{operation.name} was answered with 422: {told}"


def test_a_refusal_without_a_word(any_client: AnyClient, simulator: Simulator) -> None:
    """What the service leaves out of a refusal is None, or empty, and never missing."""
    simulator.fail(status=404, body=b"")
    error = check(raised(any_client, GET.act, any_client.client()), GET, 404)
    assert (error.code, error.message, error.dev_message, error.source) == (None, None, None, None)
    assert (error.details, error.body) == ({}, "")


@pytest.mark.parametrize("key", ["", "auth only", "unknown"])
def test_a_key_that_is_refused(any_client: AnyClient, simulator: Simulator, key: str) -> None:
    """An unknown key is an AuthenticationError, one of the wrong scope a PermissionDeniedError; neither shows it."""
    keys = {"": "0123456789" * 4, "auth only": simulator.auth_only_key, "unknown": simulator.api_key[::-1]}
    error = raised(any_client, GET.act, any_client.client(api_key=keys[key]))
    assert isinstance(error, PermissionDeniedError if key == "auth only" else AuthenticationError)
    assert keys[key][:12] not in f"{error!r} {error} {error.body} {error.message}"


LONG = 90_000
LENGTHY: dict[str, tuple[int, dict[str, str], bytes]] = {
    "target": (302, {"location": "https://elsewhere.example/" + "y" * LONG}, b""),
    "details": (400, {}, json.dumps({"error": {"details": {"name": ["z" * 100] * 99}}}).encode()),
    "message": (404, {}, json.dumps({"error": {"code": "C" * LONG, "message": "M" * LONG}}).encode()),
}


@pytest.mark.parametrize(("status", "headers", "body"), LENGTHY.values(), ids=LENGTHY)
def test_the_text_of_an_error_is_short(
    any_client: AnyClient, status: int, headers: dict[str, str], body: bytes
) -> None:
    """Of whatever is long in an answer an error's own text shows the beginning, and that there is more."""
    error = check(
        raised(any_client, GET.act, stub_client(any_client, Stub(always(status, body, headers)))), GET, status
    )
    assert "..." in str(error)
    assert len(str(error)) < 1500


def test_the_text_of_an_error_about_no_answer_is_short(any_client: AnyClient) -> None:
    """The same holds where what came is no answer, and for the cause."""
    with WireServer(lambda _: [b"HTTP/1.1 200 OK\r\nbad" + b"\1" * LONG + b"\r\n\r\n"]) as server:
        error = raised(any_client, GET.act, any_client.client(base_url=server.base_url, max_retries=0))
    assert isinstance(error, TransportError)
    assert error.__cause__ is not None
    for each in (error, error.__cause__):
        assert "..." in str(each)
        assert len(str(each)) < 1000


# Redirects.


@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 305, 307, 308, 399])
def test_a_redirect_is_not_followed(any_client: AnyClient, status: int) -> None:
    """A redirect is an error that shows where it pointed; nothing, the key least of all, goes there."""
    with WireServer(lambda _: [b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"]) as other:
        target = f"{other.address}/v3/elsewhere"
        head = f"HTTP/1.1 {status} Away\r\nLocation: {target}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        with WireServer(lambda _: [head.encode()]) as first:
            client = any_client.client(base_url=first.base_url)
            for operation in OPERATIONS:
                error = check(raised(any_client, operation.act, client), operation, status)
                assert target in str(error)
                assert error.headers["location"] == target
            assert len(first.received) == len(OPERATIONS)
        assert other.received == []


@pytest.mark.parametrize("location", [None, "", "/v3/users", "//evil.example", "\xff\xfe", "http://[", "javascript:x"])
def test_a_redirect_to_nowhere(any_client: AnyClient, location: str | None) -> None:
    """A redirect without a usable target is the same error."""
    headers = {} if location is None else {"location": location}
    client = stub_client(any_client, Stub(always(302, b"", headers)))
    assert (location or "") in str(check(raised(any_client, GET.act, client), GET, 302))


def test_a_redirect_that_repeats_a_secret(any_client: AnyClient) -> None:
    """Where the target of a redirect holds the auth token or the key, the error shows the rest of it."""
    key = "4d1f0b7a92c85e36d0a4f71b68e23c95ab07d418"
    target = f"https://moved.example/users/alice/auth_tokens/{TOKEN}?apikey={key}"
    stub = Stub(always(307, b"", {"location": target}))
    error = check(raised(any_client, DELETE.act, stub_client(any_client, stub, api_key=key)), DELETE, 307)
    shown = f"{error} {error.headers}"
    assert "https://moved.example/users/" in shown
    assert TOKEN[-30:] not in shown
    assert key not in shown


# Bodies that are not what their headers say.


def squeezed(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


MISFITS: dict[str, tuple[dict[str, str], Callable[[bytes], bytes], str]] = {
    "gzip that is none": ({"content-encoding": "gzip"}, lambda body: body, "not encoded as its headers say"),
    "deflate": ({"content-encoding": "deflate"}, zlib.compress, "not asked for"),
    "brotli": ({"content-encoding": "br"}, lambda body: body, "not asked for"),
    "an unknown encoding": ({"content-encoding": "rot13"}, lambda body: body, "not asked for"),
    "gzip twice": ({"content-encoding": "gzip, gzip"}, lambda body: squeezed(squeezed(body)), "not asked for"),
    "gzip that breaks off": ({"content-encoding": "gzip"}, lambda body: squeezed(body)[:-9], "ends too early"),
    "gzip without its end": ({"content-encoding": "gzip"}, lambda body: squeezed(body)[:-1], "ends too early"),
    "gzip with a wrong sum": (
        {"content-encoding": "gzip"},
        lambda body: squeezed(body)[:-8] + b"\0" * 8,
        "not encoded as its headers say",
    ),
}


@pytest.mark.parametrize(("headers", "make", "what"), MISFITS.values(), ids=MISFITS)
def test_an_encoding_that_does_not_fit(
    any_client: AnyClient, headers: dict[str, str], make: Callable[[bytes], bytes], what: str
) -> None:
    """A body that its headers describe wrongly is an error that says so, and a refusal stays what it is."""
    current: dict[str, Any] = {}
    client = stub_client(any_client, Stub(lambda _: answer(**current, headers=headers)))
    for operation in OPERATIONS:
        for status in (200, 404, 502):
            current.update(status=status, body=make(operation.body))
            error = check(raised(any_client, operation.act, client), operation, status)
            assert status != 200 or what in str(error)


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "GZIP", "identity", " gzip "])
@pytest.mark.parametrize("size", [1, 7, 10**6])
def test_an_encoding_that_fits(any_client: AnyClient, encoding: str, size: int) -> None:
    """A compressed answer is unpacked, in whatever pieces it comes."""
    plain = GET.body
    packed = plain if encoding == "identity" else squeezed(plain)
    pieces = [packed[start : start + size] for start in range(0, len(packed), size)]
    headers = {"content-encoding": encoding}
    client = stub_client(any_client, Stub(lambda _: httpx.Response(200, headers=headers, stream=Chunks(pieces))))
    assert any_client.call(GET.act, client).name == "Profanity"


def test_the_answer_may_be_as_large_as_allowed(any_client: AnyClient) -> None:
    """An answer of exactly max_response_bytes is read, and one byte more is an error that names the setting."""
    body = GET.body
    for packed in (False, True):
        headers = {"content-encoding": "gzip"} if packed else {}
        sent = squeezed(body) if packed else body
        stub = Stub(always(200, sent, headers))
        assert any_client.call(GET.act, stub_client(any_client, stub, max_response_bytes=max(len(body), len(sent))))
        small = stub_client(any_client, stub, max_response_bytes=len(body) - 1)
        for operation in OPERATIONS:
            error = check(raised(any_client, operation.act, small), operation, 200, too_large=True)
            assert "max_response_bytes" in str(error)


@pytest.mark.parametrize("length", [2**26 + 1, 10**12, 10**18])
def test_a_promise_that_is_too_large(any_client: AnyClient, length: int) -> None:
    """Of an answer that promises to be larger than allowed only the beginning is read, to be shown."""
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode()
    with WireServer(lambda _: itertools.chain([head], itertools.repeat(b"x" * 65536, length // 65536))) as server:
        client = any_client.client(base_url=server.base_url, max_response_bytes=2**26, max_retries=0)
        error = check(raised(any_client, PUT.act, client), PUT, 200, too_large=True)
        assert server.closed.acquire(timeout=30)
        # What was on its way in the buffers of two sockets, at the most.
        assert server.sent < 2**25
    assert "max_response_bytes" in str(error)
    assert set(error.body) == {"x"}


# Memory.

CHUNK = 2**20
HUGE = 2**30
_squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
BOMB_HEAD = _squeeze.compress(b"") + _squeeze.flush(zlib.Z_FULL_FLUSH)
# Full flushes make the blocks independent of each other, so that the same one may be repeated for ever.
BOMB_BLOCK = _squeeze.compress(b" " * CHUNK) + _squeeze.flush(zlib.Z_FULL_FLUSH)


def bomb() -> Iterable[bytes]:
    """A gzip file of a megabyte that unpacks to a gigabyte."""
    return itertools.chain([BOMB_HEAD], itertools.repeat(BOMB_BLOCK, HUGE // CHUNK))


FLOODS: dict[str, tuple[dict[str, str], Callable[[], Iterable[bytes]]]] = {
    "gzip bomb": ({"Content-Encoding": "gzip"}, bomb),
    "plain": ({}, lambda: itertools.repeat(b" " * 65536, HUGE // 65536)),
    "junk after a small gzip": (
        {"Content-Encoding": "gzip"},
        lambda: itertools.chain([squeezed(GET.body)], itertools.repeat(b"x" * 65536, HUGE // 65536)),
    ),
    "gzip that unpacks to nothing": (
        {"Content-Encoding": "gzip"},
        lambda: itertools.chain([BOMB_HEAD], itertools.repeat(b"\0\0\0\xff\xff" * 13000, HUGE // 65000)),
    ),
    "one endless chunk": ({"Transfer-Encoding": "chunked"}, lambda: endless_chunk()),
}


def endless_chunk() -> Iterable[bytes]:
    return itertools.chain([b"40000000\r\n"], itertools.repeat(b" " * 65536, HUGE // 65536))


@pytest.mark.parametrize("status", [200, 404, 500])
@pytest.mark.parametrize("flood", FLOODS)
def test_memory_is_bounded(any_client: AnyClient, flood: str, status: int) -> None:
    """An answer of a gigabyte, packed or plain, is given up early, in memory that depends on the cap alone."""
    headers, body = FLOODS[flood]
    head = f"HTTP/1.1 {status} OK\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
    with WireServer(lambda _: itertools.chain([head.encode()], body())) as server:
        client = any_client.client(base_url=server.base_url, max_response_bytes=CHUNK, max_retries=0)
        tracemalloc.start()
        try:
            error = raised(any_client, PUT.act, client)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        check(error, PUT, status, too_large=True)
        assert server.closed.acquire(timeout=30)
        assert peak < 8 * CHUNK
        # What was on its way in the buffers of two sockets, at the most.
        assert server.sent < HUGE // 8


@pytest.mark.parametrize("size", [2, 33])
def test_memory_is_bounded_however_small_the_pieces(any_client: AnyClient, size: int) -> None:
    """An answer that comes a few bytes at a time costs no more memory than one that comes at once."""
    cap = CHUNK // 4
    # Each an object of its own, as they are off the wire.
    pieces = (b"%0*d" % (size, number % 100) for number in range(2 * cap // size))
    client = stub_client(any_client, Stub(lambda _: httpx.Response(200, stream=Chunks(pieces))), max_response_bytes=cap)
    tracemalloc.start()
    try:
        error = raised(any_client, GET.act, client)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "max_response_bytes" in str(check(error, GET, 200, too_large=True))
    assert peak < 8 * cap


def test_memory_is_bounded_by_default(any_client: AnyClient) -> None:
    """Without a setting the cap is 32 MiB, for a bomb of a gigabyte as well."""
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
    with WireServer(lambda _: itertools.chain([head], bomb())) as server:
        client = any_client.client(base_url=server.base_url)
        tracemalloc.start()
        try:
            error = raised(any_client, GET.act, client)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert "33554432" in str(check(error, GET, 200, too_large=True))
    assert peak < 4 * 32 * CHUNK


def test_a_sample_of_the_body(any_client: AnyClient) -> None:
    """Of a large body an error keeps the beginning."""
    body = b"abcdefgh" * 100_000
    for status in (200, 302, 404, 500):
        client = stub_client(any_client, Stub(always(status, body)))
        assert check(raised(any_client, GET.act, client), GET, status).body == body[:SAMPLE].decode()


@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize("shown", [1, 7])
def test_a_sample_that_ends_amid_a_secret(any_client: AnyClient, status: int, shown: int) -> None:
    """Where the end of the sample cuts a token in two, its first characters are not shown either."""
    body = b"x" * (SAMPLE - shown) + TOKEN.encode() + b"y" * SAMPLE
    error = check(raised(any_client, DELETE.act, stub_client(any_client, Stub(always(status, body)))), DELETE, status)
    assert error.body == "x" * (SAMPLE - shown) + "[redacted]"[:shown]


# Answers that never become whole.


@pytest.mark.parametrize("cut", ["before_headers", "in_headers", "in_body", "after_processing"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_a_connection_that_is_cut(any_client: AnyClient, simulator: Simulator, operation: Operation, cut: Any) -> None:
    """A connection cut at any point is a TransportError that says whether the outcome is known; the next call works."""
    before = dict(simulator.keyword_lists), dict(simulator.auth_tokens)
    simulator.fail(operation=operation.name, cut=cut)
    client = any_client.client(max_retries=0)
    error = raised(any_client, operation.act, client)
    assert type(error) is TransportError
    assert (error.operation, error.attempts, error.request_sent) == (operation.name, 1, True)
    assert error.outcome_unknown is operation.changes
    assert error.kind in ("read", "protocol")
    assert type(error.__cause__).__name__ in ("ReadError", "RemoteProtocolError")
    carried_out = cut != "before_headers" and operation.changes
    assert ((simulator.keyword_lists, simulator.auth_tokens) != before) is carried_out
    assert len(simulator.requests) == 1
    assert any_client.call(lambda chat: chat.roles.list(), client).data


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_no_connection(any_client: AnyClient, operation: Operation) -> None:
    """Where nothing listens, a TransportError says where, and that nothing was sent, and nothing is in doubt."""
    with WireServer(lambda _: []) as server:
        base_url = server.base_url
    error = raised(any_client, operation.act, any_client.client(base_url=base_url, max_retries=0))
    assert type(error) is TransportError
    assert (error.operation, error.kind, error.attempts) == (operation.name, "connect", 1)
    assert (error.request_sent, error.outcome_unknown) == (False, False)
    assert f"no connection to {base_url.removeprefix('http://').removesuffix('/v3')} (" in str(error)
    assert type(error.__cause__).__name__ == "ConnectError"


@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=named)
def test_a_connection_that_is_cut_between_calls(any_client: AnyClient, operation: Operation) -> None:
    """A connection that the service closed after an answer is not used again: the next call gets a new one."""
    body = operation.body
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with WireServer(lambda _: [head + body]) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0)
        for _ in range(3):
            assert any_client.call(operation.act, client) is not None
            assert server.closed.acquire(timeout=30)
        assert len(server.received) == 3


def test_an_answer_longer_than_promised(any_client: AnyClient) -> None:
    """What comes after the promised length is no part of this answer, nor of the next."""
    body = GET.body
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with WireServer(lambda _: [head + body + b"HTTP/1.1 500 No\r\n\r\n" + b"x" * 10**6]) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0)
        for _ in range(3):
            assert any_client.call(GET.act, client).name == "Profanity"
            assert server.closed.acquire(timeout=30)


OK = b"HTTP/1.1 200 OK\r\n"
TOO_MUCH: dict[str, bytes] = {
    "an answer to nobody": OK + b"Content-Length: 20\r\n\r\n" + b'{"data":{"name":1}}\n',
    "half of one": OK + b"X: ",
    "text": b"junk\r\n",
    "a line break": b"\r\n",
}


@pytest.mark.parametrize("size", [0, 65_536])
@pytest.mark.parametrize("more", TOO_MUCH.values(), ids=TOO_MUCH)
def test_what_follows_an_answer_is_no_answer(any_client: AnyClient, more: bytes, size: int) -> None:
    """What a service sends after an answer, on a connection that it keeps open, is not taken for the next one."""

    def answers() -> Iterator[bytes]:
        for number in range(3):
            body = json.dumps({"data": {"name": f"list-{number}"}}).encode()
            # What a reader takes from a socket may end just where the answer does.
            body += b" " * (size - len(OK + b"Content-Length: 65536\r\n\r\n" + body))
            yield OK + b"Content-Length: %05d\r\n\r\n" % len(body) + body + more

    coming = answers()
    over = threading.Event()

    def respond(_: bytes) -> Iterator[bytes]:
        yield next(coming)
        assert over.wait(10)

    with WireServer(respond) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0, deadline=5)
        found = [any_client.call(act, client).name for act in (GET.act, PUT.act, GET.act)]
        over.set()
    assert found == ["list-0", "list-1", "list-2"]


def test_a_body_where_none_belongs(any_client: AnyClient) -> None:
    """The body of a 204, which has none, does not spoil the next call."""
    over = threading.Event()
    answers = iter(
        [b"HTTP/1.1 204 No Content\r\n\r\n{}", OK + b"Content-Length: %d\r\n\r\n" % len(PUT.body) + PUT.body]
    )

    def respond(_: bytes) -> Iterator[bytes]:
        yield next(answers)
        assert over.wait(10)

    with WireServer(respond) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0, deadline=5)
        assert isinstance(raised(any_client, DELETE.act, client), UnexpectedResponse)
        assert any_client.call(PUT.act, client).name == "Profanity"
        over.set()


NO_HTTP: dict[str, bytes] = {
    "nothing": b"",
    "a line break": b"\r\n",
    "half a status line": b"HTTP/1.",
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n",
    "html alone": b"<html>no</html>",
    "json alone": b'{"data": {}}\r\n\r\n',
    "a status of words": b"HTTP/1.1 OK OK\r\n\r\n",
    "a status of two digits": b"HTTP/1.1 20 OK\r\n\r\n",
    "a status of four digits": b"HTTP/1.1 2000 OK\r\n\r\n",
    "a negative status": b"HTTP/1.1 -200 OK\r\n\r\n",
    "http/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "http/9": b"HTTP/9.9 200 OK\r\n\r\n",
    "nul in a header": OK + b"X-A: a\0b\r\n\r\n",
    "a header without a colon": OK + b"no colon\r\n\r\n",
    "a header without a name": OK + b": x\r\n\r\n",
    "a header with a space": OK + b"X A: b\r\n\r\n",
    "a length of words": OK + b"Content-Length: many\r\n\r\n",
    "a negative length": OK + b"Content-Length: -1\r\n\r\n",
    "a length of many digits": OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    "two lengths": OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    "a length in other digits": OK + "Content-Length: ١٢\r\n\r\n".encode(),
    "an unknown transfer encoding": OK + b"Transfer-Encoding: zigzag\r\n\r\n{}",
    "chunks of odd size": OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}",
    "chunks that break off": OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{}",
    "chunks without an end": OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    "a chunk of many digits": OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 5000 + b"\r\n{}",
    "a body that breaks off": OK + b"Content-Length: 100\r\n\r\n{}",
    "headers without an end": OK + b"X: y\r\n",
    "headers of great length": OK + b"X: " + b"y" * 10**6 + b"\r\n\r\n",
    "many headers": OK + b"X: y\r\n" * 100_000 + b"\r\n",
    "interim answers only": b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * 100,
    "a switch of protocols": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: tls\r\nConnection: upgrade\r\n\r\n{}",
    "bytes": bytes(range(256)) * 100,
}


@pytest.mark.parametrize("sent", NO_HTTP.values(), ids=NO_HTTP)
def test_an_answer_that_is_no_http(any_client: AnyClient, sent: bytes) -> None:
    """Whatever stands on the wire instead of an answer is an error of the tree, with the outcome in doubt."""
    with WireServer(lambda _: [sent]) as server:
        for operation in (GET, PUT):
            error = raised(any_client, operation.act, any_client.client(base_url=server.base_url, max_retries=0))
            assert isinstance(error, TransportError | UnexpectedResponse), error
            assert (error.operation, error.attempts) == (operation.name, 1)
            assert error.outcome_unknown is operation.changes
            assert len(str(error)) < 4 * SAMPLE
        assert len(server.received) == 2


BREAKS: dict[str, Exception] = {
    error.__name__: error("broken")
    for error in (
        *(httpx.ConnectError, httpx.ReadError, httpx.WriteError, httpx.CloseError, httpx.ProxyError),
        *(httpx.ConnectTimeout, httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout),
        *(httpx.LocalProtocolError, httpx.RemoteProtocolError, httpx.UnsupportedProtocol, httpx.DecodingError),
        *(httpx.TooManyRedirects, httpx.TransportError, httpx.NetworkError, httpx.InvalidURL, httpx.StreamError),
        *(TimeoutError,),
    )
}
KINDS = {
    "ConnectError": "connect",
    "ConnectTimeout": "connect",
    "PoolTimeout": "pool",
    "ProxyError": "proxy",
    "ReadError": "read",
    "ReadTimeout": "read",
    "WriteError": "write",
    "WriteTimeout": "write",
    "TimeoutError": "deadline",
}
UNSENT = {"ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError", "UnsupportedProtocol"}


@pytest.mark.parametrize("name", BREAKS)
def test_every_exception_of_the_layer_below(any_client: AnyClient, name: str) -> None:
    """No exception of httpx ever reaches a caller: each becomes a TransportError that keeps it as its cause."""
    cause = BREAKS[name]

    def respond(_: httpx.Request) -> httpx.Response:
        raise cause

    client = stub_client(any_client, Stub(respond))
    for operation in OPERATIONS:
        error = raised(any_client, operation.act, client)
        assert isinstance(error, TransportError)
        assert isinstance(error, RequestTimeoutError) is ("Timeout" in name)
        assert (error.operation, error.attempts) == (operation.name, 1)
        assert error.request_sent is (name not in UNSENT)
        assert error.outcome_unknown is (operation.changes and name not in UNSENT)
        assert error.kind == KINDS.get(name, error.kind)
        kept = error.__cause__
        assert type(kept) is type(cause)
        assert kept is not None
        assert kept is not cause
        assert kept.__traceback__ is None


@pytest.mark.parametrize("name", BREAKS)
def test_every_exception_amid_the_body(any_client: AnyClient, name: str) -> None:
    """An exception of httpx while the body is read is no less a TransportError."""
    pieces: list[bytes | Exception] = [b'{"data"', BREAKS[name]]
    client = stub_client(any_client, Stub(lambda _: httpx.Response(200, stream=Chunks(pieces))))
    for operation in OPERATIONS:
        error = raised(any_client, operation.act, client)
        assert isinstance(error, TransportError)
        assert (error.operation, error.attempts) == (operation.name, 1)
        if name not in UNSENT:
            assert error.outcome_unknown is operation.changes


class OddError(httpx.ReadError):
    """Wants something else than a text."""

    def __init__(self, response: httpx.Response, *, where: str) -> None:
        super().__init__(f"{where}: {response.status_code}")


class VeryOddError(httpx.ReadError):
    """Looks at what it is given before it says so."""

    def __init__(self, response: Any) -> None:
        super().__init__(f"here: {response.status_code}")


@pytest.mark.parametrize("make", [lambda: OddError(answer(500), where="here"), lambda: VeryOddError(answer(500))])
def test_an_exception_of_a_transport_that_cannot_be_made_again(
    any_client: AnyClient, make: Callable[[], httpx.ReadError]
) -> None:
    """Where the class of an exception wants more than a text, the cause names it and says what it said."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise make()

    error = raised(any_client, PUT.act, stub_client(any_client, Stub(respond)))
    assert isinstance(error, TransportError)
    assert (error.kind, error.outcome_unknown) == ("read", True)
    cause = error.__cause__
    assert type(cause) is ConnectionError
    assert str(cause) == f"{type(make()).__name__}: here: 500"
    assert cause.__traceback__ is None


def test_an_error_in_a_transport_of_the_users_own(any_client: AnyClient) -> None:
    """A fault of the program, such as in a transport of the user's own, is not disguised as one of the service."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise ZeroDivisionError

    assert isinstance(raised(any_client, GET.act, stub_client(any_client, Stub(respond))), ZeroDivisionError)
