"""`http_client=`: a client of httpx that belongs to the user sends the requests, under the rules
of this package."""

import gzip
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from cometchat_rest import (
    ConfigurationError,
    InvalidRequestError,
    NotFoundError,
    RequestTimeoutError,
    UnexpectedResponse,
)
from cometchat_testing import Simulator

from ..conftest import AnyClient
from ..support import (
    DELETE,
    GET,
    KEY,
    LIST_ID,
    PUT,
    Chunks,
    Operation,
    StubTransport,
    error_from,
    operation_name,
    unused_transport,
)


@pytest.fixture
def http_client(any_client: AnyClient) -> Iterator[Callable[..., Any]]:
    """Makes a client of httpx of the same kind, which is closed after the test."""
    made: list[Any] = []

    def make(**settings: Any) -> Any:
        made.append(
            httpx.AsyncClient(**settings)
            if any_client.kind == "async"
            else httpx.Client(**settings)
        )
        return made[-1]

    yield make
    for each in made:
        close(any_client, each)


def close(any_client: AnyClient, inner: Any) -> None:
    any_client.call(lambda _: inner.aclose() if any_client.kind == "async" else inner.close())


def hook(any_client: AnyClient, act: Any) -> Any:
    """A hook of httpx for either client."""

    async def awaited(event: Any) -> None:
        result = act(event)
        if result is not None:
            await result

    return awaited if any_client.kind == "async" else act


@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=operation_name)
def test_requests_are_sent_as_they_are(
    any_client: AnyClient, http_client: Any, simulator: Simulator, operation: Operation
) -> None:
    """The client's hooks and auth act on a request; its base URL, headers, parameters and
    cookies do not change it."""
    seen: list[str] = []
    client = http_client(
        auth=("name", "password"),
        event_hooks={"request": [hook(any_client, lambda request: seen.append(request.method))]},
        base_url="https://other.example/",
        headers={"User-Agent": "other", "X-Other": "1"},
        params={"page": "7"},
        cookies={"session": "1"},
    )
    any_client.call(operation.act, any_client.client(http_client=client))
    (request,) = simulator.requests
    assert seen == [operation.method]
    assert request.path == f"/v3{operation.path}"
    assert request.query == ""
    assert request.header("authorization") is not None
    assert [request.header(name) for name in ("x-other", "cookie")] == [None, None]
    assert "cometchat-rest/" in str(request.header("user-agent"))


@pytest.mark.parametrize("packed", [False, True])
def test_hook_may_read_the_response(
    any_client: AnyClient, http_client: Any, *, packed: bool
) -> None:
    """A hook that reads a response takes nothing away from the call, also if the response is
    compressed."""
    body, headers = (
        (gzip.compress(GET.body), {"Content-Encoding": "gzip"}) if packed else (GET.body, {})
    )

    def read(response: httpx.Response) -> Any:
        return response.aread() if any_client.kind == "async" else response.read() and None

    transport = StubTransport(
        lambda _: httpx.Response(200, headers=headers, stream=Chunks(iter([body])))
    )
    inner = http_client(transport=transport, event_hooks={"response": [hook(any_client, read)]})
    assert any_client.call(GET.act, any_client.client(http_client=inner)).id == LIST_ID


@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=operation_name)
def test_hook_may_raise_for_an_error_status(
    any_client: AnyClient, http_client: Any, simulator: Simulator, operation: Operation
) -> None:
    """If a hook calls `raise_for_status`, an error status is still the error of its class, after
    one attempt."""
    simulator.fail(status=404)
    raising = hook(any_client, lambda response: response.raise_for_status() and None)
    client = any_client.client(http_client=http_client(event_hooks={"response": [raising]}))
    error = error_from(any_client, operation.act, client)
    assert isinstance(error, NotFoundError)
    assert (error.attempts, error.outcome_unknown, len(simulator.requests)) == (1, False, 1)


@pytest.mark.parametrize("packed", [False, True])
def test_hook_may_read_and_raise(any_client: AnyClient, http_client: Any, *, packed: bool) -> None:
    """If a hook reads the body of a refusal before it raises, the error still has the reason."""
    body = b'{"error": {"code": "ERR_X", "message": "not here"}}'
    headers = {"Content-Encoding": "gzip"} if packed else {}
    stream = [gzip.compress(body) if packed else body]

    def read_and_raise(response: httpx.Response) -> Any:
        async def awaited() -> None:
            await response.aread()
            response.raise_for_status()

        if any_client.kind == "async":
            return awaited()
        response.read()
        return response.raise_for_status() and None

    transport = StubTransport(lambda _: httpx.Response(404, headers=headers, stream=Chunks(stream)))
    hooks = {"response": [hook(any_client, read_and_raise)]}
    client = any_client.client(http_client=http_client(transport=transport, event_hooks=hooks))
    error = error_from(any_client, GET.act, client)
    assert isinstance(error, NotFoundError)
    assert (error.code, error.message, error.body) == ("ERR_X", "not here", body.decode())


def test_large_response_is_not_read(any_client: AnyClient, http_client: Any) -> None:
    """Of a response above the limit of bytes, only the beginning is read."""
    pieces = iter([b" " * 1024] * 1000)
    inner = http_client(
        transport=StubTransport(lambda _: httpx.Response(200, stream=Chunks(pieces)))
    )
    client = any_client.client(http_client=inner, max_response_bytes=4096)
    assert isinstance(error_from(any_client, GET.act, client), UnexpectedResponse)
    assert len(list(pieces)) > 900


def test_redirects_are_not_followed(
    any_client: AnyClient, http_client: Any, simulator: Simulator
) -> None:
    """A redirect is an error, even if the client of httpx follows redirects."""
    simulator.fail(status=302, headers={"Location": "/v3/roles"})
    client = any_client.client(http_client=http_client(follow_redirects=True))
    assert isinstance(error_from(any_client, GET.act, client), UnexpectedResponse)
    assert len(simulator.requests) == 1


def test_deadline_holds(any_client: AnyClient, http_client: Any, simulator: Simulator) -> None:
    """The deadline ends a call, even if the client of httpx has no timeout."""
    simulator.fail(delay=30)
    client = any_client.client(http_client=http_client(timeout=None), deadline=0.2, max_retries=0)
    error = error_from(any_client, GET.act, client)
    assert isinstance(error, RequestTimeoutError)
    assert "the deadline of the call passed after 0.2 s" in str(error)


def test_http_client_stays_open(
    any_client: AnyClient, http_client: Any, simulator: Simulator
) -> None:
    """Closing this client leaves the client of httpx open; once that is closed, nothing is sent."""
    inner = http_client()
    any_client.close(any_client.client(http_client=inner))
    client = any_client.client(http_client=inner)
    any_client.call(GET.act, client)
    close(any_client, inner)
    error = error_from(any_client, PUT.act, client)
    assert isinstance(error, InvalidRequestError)
    assert "http_client is closed" in str(error)
    assert len(simulator.requests) == 1


@pytest.mark.parametrize("other", ["transport", "proxy", "ssl_context", "the other kind", "closed"])
def test_wrong_http_client_is_refused(any_client: AnyClient, http_client: Any, other: str) -> None:
    """A client that is closed or of the other kind is refused, and one beside a transport, a
    proxy or certificates."""
    inner = http_client()
    settings: dict[str, Any] = {"transport": unused_transport(), "proxy": "http://127.0.0.1:1"}
    if other == "the other kind":
        inner = httpx.Client() if any_client.kind == "async" else httpx.AsyncClient()
    if other == "closed":
        close(any_client, inner)
    if other == "ssl_context":
        settings[other] = httpx.create_ssl_context()
    with pytest.raises(ConfigurationError, match="http_client"):
        any_client.client(
            http_client=inner, api_key=KEY, **{k: v for k, v in settings.items() if k == other}
        )


def test_client_of_another_library_is_named_with_its_module(any_client: AnyClient) -> None:
    """A client of another library, whose class has the same name, is refused with its module."""
    other: Any = type("Client", (), {"__module__": "httpx2"})()
    with pytest.raises(ConfigurationError, match=r"must be an httpx\.\w+, not httpx2\.Client"):
        any_client.client(http_client=other)
