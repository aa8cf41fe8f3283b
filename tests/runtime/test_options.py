"""Options: each has one home, and `Client` and `with_options` check it in the same way."""

import inspect
import ssl
from typing import Any

import attrs
import httpx
import pytest

from cometchat_rest import AttemptRecord, Client, ConfigurationError, InvalidRequestError
from cometchat_runtime.options import Options
from cometchat_testing import Simulator

from ..support import (
    GET,
    INVALID_NUMBERS,
    LIST_ID,
    AnyClient,
    StubTransport,
    always_respond,
    stub_client,
)


def parameters(function: Any) -> set[str]:
    return inspect.signature(function).parameters.keys() - {"self"}


def test_an_option_has_one_home() -> None:
    """Each option is a field of `Options`, and has a parameter of the same name: in `Client`, and
    in `with_options` if a derived client can change it. Only the service is fixed."""
    options = {field.name for field in attrs.fields(Options) if field.init} - {"service"}
    assert options <= parameters(Client.__init__)
    assert parameters(Client.with_options) <= options


async def awaited_hook(_: AttemptRecord) -> None:
    """A hook that nobody awaits."""


#: Values that would end their header, or that no header can carry unchanged.
NO_HEADER_VALUES: list[Any] = [
    "a\r\nX-Evil: 1",
    "a\nb",
    "a\rb",
    "a\0b",
    "\r\n",
    "é",
    "\ud800",
    "\x7f",
    "\x1b[0m",
    b"a",
    5,
    ["a"],
    " a",
    "a ",
    "\ta",
    "a\t",
    " ",
    "\t",
]
NO_HEADER_NAMES: list[Any] = [
    "",
    " ",
    "X One",
    "X:One",
    "X\r\nY",
    "X\0",
    "é",
    "X\t",
    b"X",
    5,
    None,
    "X\n",
]
# These decide where a request goes, for whom, and how it is framed.
HEADERS_OF_THE_CLIENT = [
    "apikey",
    "APIKEY",
    "Host",
    "host",
    "Content-Type",
    "Content-Length",
    "onBehalfOf",
    "onbehalfof",
    "Transfer-Encoding",
    "Accept-Encoding",
    "Connection",
    "Upgrade",
]
INVALID: dict[str, list[Any]] = {
    "timeout": [
        *INVALID_NUMBERS,
        0,
        0.0,
        httpx.Timeout(None),
        httpx.Timeout(5, read=None),
        httpx.Timeout(0),
    ],
    "deadline": [*INVALID_NUMBERS, 0, 0.0, None],
    "max_retries": [*INVALID_NUMBERS, 1.5, None],
    "max_response_bytes": [*INVALID_NUMBERS, 0, 1.5, None],
    "strict": ["no", 1, None],
    "on_drift": ["log", 1, awaited_hook],
    "on_attempt": ["print", 1, awaited_hook],
    "on_behalf_of": [*NO_HEADER_VALUES, ""],
    "headers": [
        ["X-One"],
        "X",
        5,
        *({"X-Fine": "1", "X-One": value} for value in [*NO_HEADER_VALUES, None]),
        *({name: "x"} for name in [*NO_HEADER_NAMES, *HEADERS_OF_THE_CLIENT]),
    ],
    "allow_http": ["no", 1, None],
    "proxy": [
        "",
        "ftp://proxy.example",
        "http://",
        "http://user:Evil@",
        "http://user:Evil@a.example:y",
        5,
        "http://proxy.example:99999999",
        "http://xn--a:80",
        b"http://a.example",
        ["http://a.example", "http://b.example"],
        {"https": "http://a.example"},
    ],
    "ssl_context": [5, ssl.SSLContext],
    "transport": [5, StubTransport],
    "query": ["page=1", ["page"], {"": 1}, {5: 1}, {"page": {}}, {"page": [None]}],
}


@pytest.mark.parametrize(
    ("any_client", "where", "name", "value"),
    [
        (kind, each.__name__, name, value)
        # Both clients check their options in one place.
        for kind, each in (("sync", Client.__init__), ("async", Client.with_options))
        for name in INVALID
        if name in parameters(each)
        for value in INVALID[name]
    ],
    indirect=["any_client"],
)
def test_invalid_option_is_refused(
    any_client: AnyClient, where: str, name: str, value: Any
) -> None:
    """An invalid value is an error that names the option and does not show a text, wherever the
    option is given."""
    derived = where == "with_options"
    make = any_client.client().with_options if derived else any_client.client
    of_requests = derived and name in ("headers", "on_behalf_of", "query")
    with pytest.raises(
        InvalidRequestError if of_requests else ConfigurationError, match=rf"^{name}\b"
    ) as caught:
        make(**{name: value})
    assert caught.value.argument == name
    assert str(caught.value) == f"{name} {caught.value.reason}"
    assert "Evil" not in repr(caught.value)


@pytest.mark.parametrize("value", [0.001, 1, 10**6, httpx.Timeout(1, read=2, write=3, pool=4)])
def test_timeout_applies_to_each_phase(any_client: AnyClient, value: Any) -> None:
    """A timeout is a number of seconds for each phase of one attempt, or one number for each phase.
    No phase lasts longer than the deadline."""
    stub = StubTransport(always_respond(200, GET.success))
    any_client.call(GET.act, stub_client(any_client, stub, timeout=value, deadline=10**6))
    any_client.call(
        GET.act, stub_client(any_client, stub, deadline=10**6).with_options(timeout=value)
    )
    any_client.call(GET.act, stub_client(any_client, stub, timeout=value, deadline=0.9))
    first, second, hurried = (request.extensions["timeout"] for request in stub.requests)
    assert first.keys() == second.keys() == {"connect", "read", "write", "pool"}
    assert first == pytest.approx(httpx.Timeout(value).as_dict(), abs=1)
    assert second == pytest.approx(first, abs=1)
    assert all(0 < seconds <= 0.9 for seconds in hurried.values())


@pytest.mark.parametrize("value", ["", "a", "a b", "a\tb", "~!"], ids=ascii)
def test_valid_header_value_is_sent(
    any_client: AnyClient, simulator: Simulator, value: str
) -> None:
    """An empty value, or visible characters with white space between them, arrive unchanged."""
    client = any_client.client().with_options(headers={"X-One": value}, on_behalf_of=value or None)
    assert any_client.call(GET.act, client).id == LIST_ID
    (request,) = simulator.requests
    assert (request.header("X-One"), request.header("onBehalfOf")) == (value, value or None)


def test_default_timeout_is_finite(any_client: AnyClient) -> None:
    """Without a timeout, each phase gets a finite default timeout."""
    stub = StubTransport(always_respond(200, GET.success))
    any_client.call(GET.act, stub_client(any_client, stub))
    any_client.call(GET.act, stub_client(any_client, stub, timeout=1).with_options(timeout=None))
    expected = {"connect": 5.0, "read": 30.0, "write": 60.0, "pool": 5.0}
    assert [request.extensions["timeout"] for request in stub.requests] == [expected] * 2


def test_headers_are_copied(any_client: AnyClient, simulator: Simulator) -> None:
    """Headers are copied when they are given, so a later change to the mapping has no effect."""
    headers = {"X-One": "1"}
    client = any_client.client(headers=headers)
    headers |= {"X-One": "2\r\nX-Evil: 3", "X-Two": "2"}
    any_client.call(GET.act, client)
    assert [simulator.requests[0].header(name) for name in ("x-one", "x-two")] == ["1", None]
