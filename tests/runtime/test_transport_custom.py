"""Custom transports, and mocks of httpx: their responses, and the exceptions that they raise."""

from types import SimpleNamespace
from typing import Any

import httpx
import httpx_aiohttp
import pytest
import respx

from cometchat_rest import (
    ConfigurationError,
    KeywordListInput,
    RequestTimeoutError,
    SentenceSimilarityListInput,
    TransportError,
    WordListInput,
)
from cometchat_testing import Simulator

from ..support import (
    DELETE,
    GET,
    KEY,
    PUT,
    AnyClient,
    Chunks,
    Operation,
    StubTransport,
    always_respond,
    error_from,
    operation_name,
    stub_client,
)


@pytest.mark.parametrize("any_client", ["async"], indirect=True)
@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=operation_name)
def test_transport_of_another_library(
    any_client: AnyClient, simulator: Simulator, operation: Operation
) -> None:
    """A transport of another library, such as httpx-aiohttp, sends the same requests as the
    client itself."""
    client = any_client.client(transport=httpx_aiohttp.AiohttpTransport())
    any_client.call(operation.act, client)
    any_client.close(client)
    (sent,) = simulator.requests
    assert (sent.method, sent.path) == (operation.method, f"/v3{operation.path}")
    assert sent.header("apikey") == simulator.api_key


@pytest.mark.parametrize("wrong", ["a transport for the other client", "a class"])
def test_wrong_transport_is_refused(any_client: AnyClient, wrong: str) -> None:
    """A transport for the other client, and a class in place of an object, are refused when the
    client is made."""
    awaited = (any_client.kind == "async") is (wrong == "a class")
    kind = httpx.AsyncHTTPTransport if awaited else httpx.HTTPTransport
    with pytest.raises(
        ConfigurationError, match=r"^transport must be an httpx\.(Async)?BaseTransport"
    ):
        any_client.client(transport=kind if wrong == "a class" else kind())


class PieceTransport(StubTransport):
    """A transport that records the pieces of the last body."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        assert isinstance(request.stream, httpx.SyncByteStream)
        self.pieces = list(request.stream)
        return super().handle_request(request)


@pytest.mark.parametrize(
    ("new", "pieces"),
    [
        (WordListInput(search_terms=["spam"]), 1),
        (SentenceSimilarityListInput(disallowed_sentences=map(str, range(1000))), 1),
        (WordListInput(file=b"spam,scam\n" * 50_000), 3),
    ],
    ids=["terms", "sentences", "a large file"],
)
def test_a_form_is_sent_in_few_pieces(
    any_client: AnyClient, new: KeywordListInput, pieces: int
) -> None:
    """All small parts of a form are sent together, so that each does not cost a packet; a large
    file is not copied."""
    transport = PieceTransport(always_respond(200, PUT.body))
    any_client.call(
        lambda chat: chat.keywords.update("profanity-list", new), stub_client(any_client, transport)
    )
    assert len(transport.pieces) == pieces
    assert b"".join(transport.pieces) == transport.requests[0].content


def response_with(**changes: Any) -> Any:
    """A response of httpx, except for some attributes."""

    async def aclose() -> None:
        pass

    parts = {
        "status_code": 200,
        "headers": httpx.Headers(),
        "stream": Chunks([GET.body]),
        "is_stream_consumed": False,
    }
    return SimpleNamespace(**{**parts, "aclose": aclose, "close": lambda: None, **changes})


#: Results of a transport that are not a valid response.
NONSENSE: dict[str, Any] = {
    "nothing": None,
    "a text": "HTTP/1.1 200 OK",
    "no headers": response_with(headers=None),
    "a body of texts": response_with(stream=Chunks(["text"])),  # type: ignore[list-item]
    "no body": response_with(stream=None),
    "no way to close it": response_with(close=None, aclose=None),
}


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE)
def test_invalid_response_of_a_transport(any_client: AnyClient, nonsense: Any) -> None:
    """If a transport returns no valid response, the error is a TransportError of kind transport."""
    assert any_client.call(
        GET.act, stub_client(any_client, StubTransport(lambda _: response_with()))
    ).name
    error = error_from(
        any_client, PUT.act, stub_client(any_client, StubTransport(lambda _: nonsense))
    )
    assert isinstance(error, TransportError), error
    assert (error.kind, error.outcome_unknown) == ("transport", True)


class TwoArgumentError(httpx.ReadError):
    """An exception whose constructor needs more than a text."""

    def __init__(self, text: str, *, where: str) -> None:
        super().__init__(f"{where}: {text}")


BROKEN = "the connection broke before the response was complete"
INVALID = "the response is incomplete, or not valid HTTP"
FAILED = "the transport of this client failed"
#: Exceptions, the kind and the text of the error, and whether a mock of httpx raises them before
#: sending.
EXCEPTIONS: list[tuple[Exception, str, str, bool]] = [
    (httpx.ConnectError("why"), "connect", "no connection to chat.example (why)", True),
    (
        httpx.ConnectTimeout("why"),
        "connect",
        "connecting to chat.example took too long (why)",
        True,
    ),
    (httpx.PoolTimeout("why"), "pool", "no connection became free in time (why)", True),
    (
        httpx.ProxyError("why"),
        "proxy",
        "no connection to chat.example: the proxy refused (why)",
        True,
    ),
    (
        httpx.WriteError("why"),
        "write",
        "the connection broke while the request was sent (why)",
        False,
    ),
    (httpx.WriteTimeout("why"), "write", "sending the request took too long (why)", False),
    (httpx.ReadError(""), "read", BROKEN, False),
    (httpx.ReadTimeout("why"), "read", "the response took too long (why)", False),
    (httpx.NetworkError("why"), "read", f"{BROKEN} (why)", False),
    (TwoArgumentError("why", where="x"), "read", f"{BROKEN} (x: why)", False),
    (httpx.RemoteProtocolError("why"), "protocol", f"{INVALID} (why)", False),
    (httpx.InvalidURL("why"), "protocol", f"{INVALID} (why)", False),
    (httpx.StreamError("why"), "protocol", f"{INVALID} (why)", False),
    (TimeoutError("why"), "read", "the response took too long (why)", False),
    (OSError("why"), "read", f"{BROKEN} (why)", False),
    # Bugs: exceptions that belong to no network library.
    (KeyError("host"), "transport", f"{FAILED} (KeyError: 'host')", False),
    (AssertionError(), "transport", f"{FAILED} (AssertionError)", False),
    (ValueError(KEY), "transport", f"{FAILED} (ValueError: [redacted])", False),
    (
        ExceptionGroup("x", [OSError()]),
        "transport",
        f"{FAILED} (ExceptionGroup: x (1 sub-exception))",
        False,
    ),
]


PLACES = ("a mock of httpx", "a custom transport", "the body")
# httpx raises no other exception; in the client's own transport, it is one of a signal handler.
HTTPX = (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError)


@pytest.mark.parametrize(
    ("place", "raised", "kind", "text", "unsent"),
    [
        pytest.param(place, *each, id=f"{type(each[0]).__name__} from {place}")
        for each in EXCEPTIONS
        for place in (PLACES if isinstance(each[0], HTTPX) else PLACES[1:])
    ],
)
def test_exception_of_a_transport(
    any_client: AnyClient, place: str, raised: Exception, kind: str, text: str, *, unsent: bool
) -> None:
    """Each exception is a TransportError that names the phase. From a custom transport it counts
    as after sending."""

    def respond(_: httpx.Request) -> httpx.Response:
        if place == "a custom transport":
            raise raised
        return httpx.Response(200, stream=Chunks([b'{"data"', raised]))

    sent = place != "a mock of httpx" or not unsent
    stub = None if place == "a mock of httpx" else StubTransport(respond)
    client = any_client.client(
        base_url="https://chat.example/v3", transport=stub, api_key=KEY, max_retries=1
    )
    with respx.mock(assert_all_called=False) as mock:
        mock.route().mock(side_effect=raised)
        error = error_from(any_client, PUT.act, client)
    assert isinstance(error, TransportError)
    assert isinstance(error, RequestTimeoutError) is ("Timeout" in type(raised).__name__)
    assert (error.reason, error.kind) == (text, kind)
    assert (error.request_sent, error.outcome_unknown, error.attempts) == (
        sent,
        sent,
        1 if sent else 2,
    )
    assert isinstance(error.__cause__, Exception)
    assert error.__cause__.__traceback__ is None


@pytest.mark.parametrize(
    ("raised", "attempts"), [(httpx.ConnectError("no"), 3), (KeyError("host"), 1)], ids=repr
)
def test_retries_of_a_get(any_client: AnyClient, raised: Exception, attempts: int) -> None:
    """A GET is retried after an exception of httpx. One that belongs to no network library ends
    the call at once."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise raised

    stub = StubTransport(respond)
    assert isinstance(
        error_from(any_client, GET.act, stub_client(any_client, stub, max_retries=2)),
        TransportError,
    )
    assert len(stub.requests) == attempts


@pytest.mark.parametrize("operation", [GET, PUT], ids=operation_name)
def test_refused_connection_of_a_custom_transport(
    any_client: AnyClient, operation: Operation
) -> None:
    """If a custom transport finds nobody who listens, the request counts as not sent, whatever
    its method."""
    transport = httpx.AsyncHTTPTransport() if any_client.kind == "async" else httpx.HTTPTransport()
    client = any_client.client(base_url="http://127.0.0.1:1/v3", transport=transport, max_retries=0)
    error = error_from(any_client, operation.act, client)
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
