"""Settings and options: numbers, timeouts, flags, and headers of the caller."""

from typing import Any

import httpx
import pytest

from cometchat_rest import ConfigurationError, InvalidRequestError
from cometchat_rest.testing import Simulator

from ..support import (
    GET,
    INVALID_NUMBERS,
    KEY,
    LIST_ID,
    ON_PREMISE_URL,
    AnyClient,
    StubTransport,
    always_respond,
    isolated_client,
    stub_client,
)


@pytest.mark.parametrize("name", ["timeout", "deadline", "max_retries", "max_response_bytes"])
def test_invalid_number_is_refused(any_client: AnyClient, name: str) -> None:
    """A limit that is not a valid number is an error that names the limit, as a setting and as an option."""
    wrong: list[Any] = [*INVALID_NUMBERS, *([0] if name != "max_retries" else [1.5])]
    wrong += [1.5] if name == "max_response_bytes" else [0.0]
    wrong += [None] if name != "timeout" else [httpx.Timeout(None), httpx.Timeout(5, read=None), httpx.Timeout(0)]
    for value in wrong:
        with (
            pytest.raises(ConfigurationError, match=name),
            isolated_client(any_client, base_url=ON_PREMISE_URL, api_key=KEY, **{name: value}),
        ):
            pass
    with isolated_client(any_client, base_url=ON_PREMISE_URL, api_key=KEY) as client:
        for value in wrong if name != "max_response_bytes" else []:
            with pytest.raises(ConfigurationError, match=name):
                client.with_options(**{name: value})


@pytest.mark.parametrize("value", [0.001, 1, 10**6, httpx.Timeout(1, read=2, write=3, pool=4)])
def test_timeout_applies_to_each_phase(any_client: AnyClient, value: Any) -> None:
    """A timeout is a number of seconds for each phase of one attempt, or one number for each phase. No phase lasts
    longer than the deadline."""
    stub = StubTransport(always_respond(200, GET.success))
    any_client.call(GET.act, stub_client(any_client, stub, timeout=value, deadline=10**6))
    any_client.call(GET.act, stub_client(any_client, stub, deadline=10**6).with_options(timeout=value))
    any_client.call(GET.act, stub_client(any_client, stub, timeout=value, deadline=0.9))
    first, second, hurried = (request.extensions["timeout"] for request in stub.requests)
    wanted = httpx.Timeout(value).as_dict()
    assert {phase: round(seconds) for phase, seconds in first.items()} == {
        phase: round(seconds or 0) for phase, seconds in wanted.items()
    }
    assert first.keys() == second.keys() == {"connect", "read", "write", "pool"}
    assert all(second[phase] == pytest.approx(first[phase], abs=1) for phase in first)
    assert all(0 < seconds <= 0.9 for seconds in hurried.values())


def test_default_timeout_is_finite(any_client: AnyClient) -> None:
    """Without a timeout, each phase gets a finite default timeout."""
    stub = StubTransport(always_respond(200, GET.success))
    any_client.call(GET.act, stub_client(any_client, stub))
    any_client.call(GET.act, stub_client(any_client, stub, timeout=1).with_options(timeout=None))
    for request in stub.requests:
        assert request.extensions["timeout"] == {"connect": 5.0, "read": 30.0, "write": 60.0, "pool": 5.0}


@pytest.mark.parametrize(
    ("name", "value"),
    [("strict", "no"), ("strict", 1), ("on_drift", "log"), ("transport", "x"), ("transport", object())],
)
def test_setting_of_the_wrong_type_is_refused(any_client: AnyClient, name: str, value: object) -> None:
    """A setting of the wrong type is refused when the client is made. Otherwise it would fail later, or mean the
    opposite."""
    with pytest.raises(ConfigurationError, match=rf"^{name}\b"):
        any_client.client(**{name: value})


def test_headers_are_copied(any_client: AnyClient, simulator: Simulator) -> None:
    """Headers are copied when they are given. A later change to the mapping has no effect."""
    headers = {"X-One": "1"}
    child = any_client.client().with_options(headers=headers)
    headers["X-Two"] = "2\r\nX-Evil: 3"
    any_client.call(GET.act, child)
    assert simulator.requests[0].header("x-one") == "1"
    assert simulator.requests[0].header("x-two") is None


def test_headers_of_the_constructor(any_client: AnyClient, simulator: Simulator) -> None:
    """Headers of the constructor are sent with every call; `with_options` adds and replaces headers."""
    client = any_client.client(headers={"X-One": "1", "X-Two": "2"})
    derived = client.with_options(headers={"x-two": "two", "X-Three": "3"})
    for each in (client, derived):
        any_client.call(GET.act, each)
    found = [[request.header(name) for name in ("x-one", "x-two", "x-three")] for request in simulator.requests]
    assert found == [["1", "2", None], ["1", "two", "3"]]


@pytest.mark.parametrize(
    "headers", [{"apikey": "x"}, {"X One": "1"}, {"X-One": "a\r\nb"}, {"X-One": 1}, ["X-One"], "X"]
)
def test_invalid_headers_of_the_constructor_are_refused(any_client: AnyClient, headers: Any) -> None:
    """The constructor refuses the same headers as `with_options`, with a `ConfigurationError`."""
    with pytest.raises(ConfigurationError, match=r"^headers"):
        any_client.client(headers=headers)


@pytest.mark.parametrize(
    "name",
    [
        *("apikey", "Host", "Content-Type", "Content-Length", "onBehalfOf", "Transfer-Encoding"),
        *("Accept-Encoding", "Connection"),
    ],
)
def test_header_of_the_client_is_refused(any_client: AnyClient, name: str) -> None:
    """No option can replace a header that the client itself sets, such as the key or the content length."""
    client = any_client.client()
    for spelling in {name, name.lower(), name.upper(), name.title()}:
        with pytest.raises(InvalidRequestError, match=spelling):
            client.with_options(headers={"X-Fine": "1", spelling: "x"})


@pytest.mark.parametrize(
    "value",
    [
        *("a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "\r\n", "é", "\ud800", "\x7f", "\x1b[0m", b"a", 5, None, ["a"]),
        *(" a", "a ", "\ta", "a\t", " ", "\t"),
    ],
    ids=ascii,
)
def test_invalid_header_value_is_refused(any_client: AnyClient, value: Any) -> None:
    """A value that could end its header, or that no header can carry unchanged, is refused and not shown."""
    client = any_client.client()
    with pytest.raises(InvalidRequestError, match="X-One"):
        client.with_options(headers={"X-One": value})
    with pytest.raises(InvalidRequestError, match="on_behalf_of"):
        client.with_options(on_behalf_of=value if value is not None else " ")
    with pytest.raises(ConfigurationError, match="on_behalf_of"):
        any_client.client(on_behalf_of=value if value is not None else "")


@pytest.mark.parametrize("value", ["", "a", "a b", "a\tb", "~!"], ids=ascii)
def test_valid_header_value_is_sent(any_client: AnyClient, simulator: Simulator, value: str) -> None:
    """An empty value, or visible characters with white space between them, arrive unchanged."""
    client = any_client.client().with_options(headers={"X-One": value}, on_behalf_of=value or None)
    assert any_client.call(GET.act, client).id == LIST_ID
    (request,) = simulator.requests
    assert (request.header("X-One"), request.header("onBehalfOf")) == (value, value or None)


@pytest.mark.parametrize(
    "name", ["", " ", "X One", "X:One", "X\r\nY", "X\0", "é", "X\t", b"X", 5, None, "X" + "\n"], ids=ascii
)
def test_invalid_header_name_is_refused(any_client: AnyClient, name: Any) -> None:
    """A header name that is not a valid HTTP token is refused."""
    with pytest.raises(InvalidRequestError, match="name"):
        any_client.client().with_options(headers={name: "x"})
