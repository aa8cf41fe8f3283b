"""Custom transports, and mocks of httpx: their responses, and the exceptions that they raise."""

from types import SimpleNamespace
from typing import Any

import httpx
import httpx_aiohttp
import pytest
import respx

from cometchat_rest import ConfigurationError, RequestTimeoutError, TransportError
from cometchat_rest.testing import Simulator

from ..support import (
    DELETE,
    GET,
    KEY,
    PUT,
    AnyClient,
    Chunks,
    Operation,
    StubTransport,
    error_from,
    make_response,
    operation_name,
    stub_client,
)


@pytest.mark.parametrize("any_client", ["async"], indirect=True)
def test_transport_of_another_library(any_client: AnyClient, simulator: Simulator) -> None:
    """A transport of another library, such as httpx-aiohttp, sends the same requests as the client itself."""
    client = any_client.client(transport=httpx_aiohttp.AiohttpTransport())
    for operation in (GET, PUT, DELETE):
        any_client.call(operation.act, client)
        sent = simulator.requests[-1]
        assert (sent.method, sent.path) == (operation.method, f"/v3{operation.path}")
        assert sent.header("apikey") == simulator.api_key
    any_client.close(client)


@pytest.mark.parametrize("wrong", ["a transport for the other client", "a class"])
def test_wrong_transport_is_refused(any_client: AnyClient, wrong: str) -> None:
    """A transport for the other client, and a class in place of an object, are refused when the client is made."""
    awaited = (any_client.kind == "async") is (wrong == "a class")
    kind = httpx.AsyncHTTPTransport if awaited else httpx.HTTPTransport
    with pytest.raises(ConfigurationError, match=r"^transport must be an httpx\.(Async)?BaseTransport"):
        any_client.client(transport=kind if wrong == "a class" else kind())


def response_with(**changes: Any) -> Any:
    """A response of httpx, except for some attributes."""

    async def aclose() -> None:
        pass

    parts = {"status_code": 200, "headers": httpx.Headers(), "stream": Chunks([GET.body]), "aclose": aclose}
    return SimpleNamespace(**{**parts, "close": lambda: None, **changes})


#: Results of a transport that are not a valid response.
NONSENSE: dict[str, Any] = {
    "nothing": None,
    "a text": "HTTP/1.1 200 OK",
    "headers without their bytes": response_with(headers={}),
    "a body of texts": response_with(stream=Chunks(["text"])),  # type: ignore[list-item]
    "no body": response_with(stream=None),
    "no way to close it": response_with(close=None, aclose=None),
}


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE)
def test_invalid_response_of_a_transport(any_client: AnyClient, nonsense: Any) -> None:
    """If a transport returns no valid response, the error is a TransportError of kind transport."""
    assert any_client.call(GET.act, stub_client(any_client, StubTransport(lambda _: response_with()))).name
    error = error_from(any_client, PUT.act, stub_client(any_client, StubTransport(lambda _: nonsense)))
    assert isinstance(error, TransportError), error
    assert (error.kind, error.outcome_unknown) == ("transport", True)


#: Exceptions, the kind and the text of the error, and whether a mock of httpx raises them before sending.
EXCEPTIONS: list[tuple[type[Exception], str, str, bool]] = [
    (httpx.ConnectError, "connect", "no connection to chat.example", True),
    (httpx.ConnectTimeout, "connect", "connecting to chat.example took too long", True),
    (httpx.PoolTimeout, "pool", "no connection became free in time", True),
    (httpx.ProxyError, "proxy", "no connection to chat.example: the proxy refused", True),
    (httpx.WriteError, "write", "the connection broke while the request was sent", False),
    (httpx.WriteTimeout, "write", "sending the request took too long", False),
    (httpx.ReadError, "read", "the connection broke before the response was complete", False),
    (httpx.ReadTimeout, "read", "the response took too long", False),
    (httpx.NetworkError, "read", "the connection broke before the response was complete", False),
    (httpx.RemoteProtocolError, "protocol", "the response is incomplete, or not valid HTTP", False),
    (httpx.TooManyRedirects, "protocol", "the response is incomplete, or not valid HTTP", False),
    (httpx.InvalidURL, "protocol", "the response is incomplete, or not valid HTTP", False),
    (httpx.StreamError, "protocol", "the response is incomplete, or not valid HTTP", False),
    (TimeoutError, "read", "the response took too long", False),
    (OSError, "read", "the connection broke before the response was complete", False),
]


@pytest.mark.parametrize(
    ("raised", "kind", "text", "unsent"), EXCEPTIONS, ids=[each[0].__name__ for each in EXCEPTIONS]
)
@pytest.mark.parametrize("place", ["a mock of httpx", "a custom transport", "the body"])
def test_exception_of_httpx(
    any_client: AnyClient, raised: type[Exception], kind: str, text: str, place: str, *, unsent: bool
) -> None:
    """Each exception is a TransportError that names the phase. From a custom transport it counts as after sending."""

    def respond(_: httpx.Request) -> httpx.Response:
        if place == "a custom transport":
            raise raised("why")
        return httpx.Response(200, stream=Chunks([b'{"data"', raised("why")]))

    sent = place != "a mock of httpx" or not unsent
    stub = None if place == "a mock of httpx" else StubTransport(respond)
    client = any_client.client(base_url="https://chat.example/v3", transport=stub, max_retries=1)
    if stub is None and issubclass(raised, OSError):
        pytest.skip("httpx raises no OSError; in the client's own transport, it is one of a signal handler")
    with respx.mock(assert_all_called=False) as mock:
        mock.route().mock(side_effect=raised("why"))
        error = error_from(any_client, PUT.act, client)
    assert isinstance(error, TransportError)
    assert isinstance(error, RequestTimeoutError) is ("Timeout" in raised.__name__)
    assert (str(error), error.kind) == (f"update_keyword_list: {text} (why)", kind)
    assert (error.request_sent, error.outcome_unknown, error.attempts) == (sent, sent, 1 if sent else 2)
    assert type(error.__cause__) is raised
    assert isinstance(error.__cause__, Exception)
    assert error.__cause__.__traceback__ is None


def test_failure_without_a_text(any_client: AnyClient) -> None:
    """If the exception of a transport has no text, the error ends with the name of the phase that failed."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("")

    error = error_from(any_client, GET.act, stub_client(any_client, StubTransport(respond)))
    assert str(error) == "get_keyword_list: the connection broke before the response was complete"


#: Exceptions of a transport that belong to no network library, and the end of the text of the error.
BUGS: list[tuple[Exception, str]] = [
    (KeyError("host"), "(KeyError: 'host')"),
    (AssertionError(), "(AssertionError)"),
    (ValueError(f"the key is {KEY}"), "(ValueError: the key is [redacted])"),
    (ExceptionGroup("several", [OSError()]), "(ExceptionGroup: several (1 sub-exception))"),
]


@pytest.mark.parametrize(("bug", "text"), BUGS, ids=[type(bug).__name__ for bug, _ in BUGS])
@pytest.mark.parametrize("operation", [GET, PUT], ids=operation_name)
def test_bug_in_a_transport(any_client: AnyClient, operation: Operation, bug: Exception, text: str) -> None:
    """Any other exception of a transport is a TransportError of kind transport, which is not retried."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise bug

    stub = StubTransport(respond)
    error = error_from(any_client, operation.act, stub_client(any_client, stub, api_key=KEY, max_retries=2))
    assert isinstance(error, TransportError)
    assert str(error) == f"{operation.name}: the transport of this client failed {text}"
    assert (error.kind, error.attempts, len(stub.requests)) == ("transport", 1, 1)
    assert (error.request_sent, error.outcome_unknown) == (True, operation is PUT)
    assert error.__cause__ is not None
    assert error.__cause__.__traceback__ is None


class TwoArgumentError(httpx.ReadError):
    """An exception whose constructor needs more than a text."""

    def __init__(self, response: httpx.Response, *, where: str) -> None:
        super().__init__(f"{where}: {response.status_code}")


def test_exception_that_cannot_be_copied_is_described(any_client: AnyClient) -> None:
    """If the class of an exception needs more than a text, the cause shows the name of the class and its text."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise TwoArgumentError(make_response(500), where="here")

    error = error_from(any_client, PUT.act, stub_client(any_client, StubTransport(respond)))
    assert isinstance(error, TransportError)
    assert (error.kind, error.outcome_unknown) == ("read", True)
    assert type(error.__cause__) is ConnectionError
    assert str(error.__cause__) == "TwoArgumentError: here: 500"
