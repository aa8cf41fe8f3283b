"""Settings, options, and what a client shares: where calls go, for whom, over which connections."""

from __future__ import annotations

import ast
import asyncio
import gc
import importlib
import inspect
import json
import os
import pickle
import pkgutil
import socket
import subprocess
import sys
import warnings
import weakref
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Barrier, Event, Semaphore
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
import anyio.lowlevel
import httpx
import pytest

import cometchat_openapi.api
from cometchat_openapi import Operation as GeneratedOperation
from cometchat_rest import (
    AsyncClient,
    Client,
    ConfigurationError,
    InvalidRequestError,
    Region,
    TransportError,
    WordListInput,
    __version__,
)
from cometchat_rest.testing import Simulator

from .support import (
    GET,
    LIST_ID,
    OPERATIONS,
    EchoServer,
    Operation,
    ScriptedServer,
    Stub,
    always,
    named,
    path_of,
    read_request,
    stub_client,
    untouchable,
    values_in,
)

if TYPE_CHECKING:
    from conftest import AnyClient

KEY = "4d1f0b7a92c85e36d0a4f71b68e23c95ab07d418"
OTHER_KEY = "ffffffff92c85e36d0a4f71b68e23c95ab07d418"
OWN = "https://chat.example/chat/v3"


@contextmanager
def opened(any_client: AnyClient, **settings: Any) -> Iterator[Any]:
    """A client made of these settings and of nothing else; it cannot send anything."""
    settings.setdefault("transport", untouchable())
    client = (AsyncClient if any_client.kind == "async" else Client)(**settings)
    try:
        yield client
    finally:
        any_client.close(client)


def setting(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(f"COMETCHAT_{name}", value)


# Where calls go.


ADDRESSES: list[tuple[dict[str, Any], dict[str, str], str]] = [
    ({"app_id": "abc"}, {}, "https://abc.api-us.cometchat.io/v3"),
    ({"app_id": "abc", "region": "eu"}, {}, "https://abc.api-eu.cometchat.io/v3"),
    ({"app_id": "abc", "region": Region.IN}, {}, "https://abc.api-in.cometchat.io/v3"),
    ({}, {"APP_ID": "abc"}, "https://abc.api-us.cometchat.io/v3"),
    ({}, {"APP_ID": "abc", "REGION": "in"}, "https://abc.api-in.cometchat.io/v3"),
    ({"region": "eu"}, {"APP_ID": "abc", "REGION": "in"}, "https://abc.api-eu.cometchat.io/v3"),
    ({"app_id": "abc"}, {"APP_ID": "xyz", "REGION": "in"}, "https://abc.api-in.cometchat.io/v3"),
    ({"base_url": OWN}, {}, OWN),
    ({"base_url": OWN + "/"}, {}, OWN),
    ({}, {"BASE_URL": OWN}, OWN),
    ({"base_url": OWN}, {"BASE_URL": "https://other.example/v3", "APP_ID": "xyz", "REGION": "in"}, OWN),
    # What is said explicitly beats the variables; among these alone the whole address wins.
    ({"app_id": "abc"}, {"BASE_URL": OWN}, "https://abc.api-us.cometchat.io/v3"),
    ({"region": "eu"}, {"BASE_URL": OWN, "APP_ID": "abc"}, "https://abc.api-eu.cometchat.io/v3"),
    ({}, {"BASE_URL": OWN, "APP_ID": "abc", "REGION": "eu"}, OWN),
    # An empty variable is unset.
    ({}, {"BASE_URL": "", "APP_ID": "abc", "REGION": ""}, "https://abc.api-us.cometchat.io/v3"),
    ({}, {"BASE_URL": OWN, "APP_ID": "", "REGION": "nowhere"}, OWN),
    ({"base_url": "http://localhost:8080/v3"}, {}, "http://localhost:8080/v3"),
    ({"base_url": "http://[::1]:8080/v3/"}, {}, "http://[::1]:8080/v3"),
]


@pytest.mark.parametrize(("arguments", "variables", "address"), ADDRESSES)
def test_where_a_client_goes(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    arguments: dict[str, Any],
    variables: dict[str, str],
    address: str,
) -> None:
    """The address comes from the arguments, then from the environment, then from the default."""
    setting(monkeypatch, variables)
    stub = Stub(always(200, GET.success))
    with opened(any_client, api_key=KEY, transport=stub, **arguments) as client:
        assert client.base_url == address
        any_client.call(GET.act, client)
    assert str(stub.requests[0].url) == address + GET.path


@pytest.mark.parametrize(
    ("argument", "variable", "sent"),
    [
        (KEY, None, KEY),
        (None, KEY, KEY),
        (KEY, OTHER_KEY, KEY),
        (KEY, "", KEY),
        (f" \t{KEY}\r\n", None, KEY),
        (None, f"{KEY}\n", KEY),
    ],
)
def test_which_key_is_sent(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, argument: str | None, variable: str | None, sent: str
) -> None:
    """The key comes from the argument, then from the environment, without the white space around it."""
    if variable is not None:
        setting(monkeypatch, {"API_KEY": variable})
    stub = Stub(always(200, GET.success))
    with opened(any_client, base_url=OWN, api_key=argument, transport=stub) as client:
        any_client.call(GET.act, client)
    assert stub.requests[0].headers.get_list("apikey") == [sent]


WRONG: list[tuple[dict[str, Any], dict[str, str], list[str]]] = [
    ({}, {}, ["app_id", "COMETCHAT_APP_ID", "base_url", "COMETCHAT_BASE_URL"]),
    ({"region": "eu"}, {}, ["app_id", "COMETCHAT_APP_ID"]),
    ({}, {"APP_ID": "", "BASE_URL": ""}, ["app_id", "COMETCHAT_APP_ID"]),
    ({"base_url": OWN, "app_id": "abc"}, {}, ["base_url", "app_id", "COMETCHAT_BASE_URL", "COMETCHAT_APP_ID"]),
    ({"base_url": OWN, "region": "eu"}, {}, ["base_url", "region", "COMETCHAT_BASE_URL", "COMETCHAT_REGION"]),
    *(
        ({"app_id": app_id}, {}, ["app_id", "COMETCHAT_APP_ID"])
        for app_id in ("", "evil.example/", "a.b", "a/b", "a@b", "a:1", "-a", "a" * 64, "a\n", "é", "a b", 5, b"a")
    ),
    ({}, {"APP_ID": "evil.example/"}, ["app_id", "COMETCHAT_APP_ID"]),
    *(
        ({"app_id": "abc", "region": region}, {}, ["region", "COMETCHAT_REGION", "'us'", "'eu'", "'in'"])
        for region in ("", "US", "uk", "eu\n", " eu", "eu.evil.example/", 5, b"eu")
    ),
    ({"app_id": "abc"}, {"REGION": "uk"}, ["region", "COMETCHAT_REGION"]),
    *(
        ({"base_url": base_url}, {}, ["base_url", "COMETCHAT_BASE_URL"])
        for base_url in (
            *("", "http://chat.example/v3", "https://chat.example", "https://chat.example/v4", "ftp://chat.example/v3"),
            *("https://user:hunter2@chat.example/v3", "https://chat.example/v3?x=1", "https://chat.example/v3#x"),
            *("https://chat.example/../v3", "https://chat.example//v3", "https://chat.example/%2e/v3", "/v3"),
            *("https://chat.example:0/v3", "https://chat.example:x/v3", "https:///v3", "https://chat.example\n/v3"),
            *("http://127.0.0.1.evil.example/v3", "http://localhost.evil.example/v3", 5, b"https://chat.example/v3"),
        )
    ),
    ({}, {"BASE_URL": "http://chat.example/v3"}, ["base_url", "COMETCHAT_BASE_URL"]),
]


@pytest.mark.parametrize(("arguments", "variables", "names"), WRONG)
def test_a_client_that_cannot_be_made(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    arguments: dict[str, Any],
    variables: dict[str, str],
    names: list[str],
) -> None:
    """A missing or malformed address is an error that names the argument and the variable, and never a password."""
    setting(monkeypatch, variables)
    with pytest.raises(ConfigurationError) as caught, opened(any_client, api_key=KEY, **arguments):
        pass
    for name in names:
        assert name in str(caught.value)
    assert "hunter2" not in repr(caught.value)


NO_KEYS: list[Any] = [None, "", " \t", "abc\r\nX: y", "abc\0def", "abc\x7fdef", "schl\u00fcssel", 5, b"abc"]


@pytest.mark.parametrize("variable", [None, "", " \n", "\u043a\u043b\u044e\u0447" * 10, "abc\x1b" * 10])
def test_a_key_that_is_none(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, variable: str | None) -> None:
    """A key that is missing or fits in no header is an error that names both places it could come from."""
    if variable is not None:
        setting(monkeypatch, {"API_KEY": variable})
    for argument in NO_KEYS:
        with pytest.raises(ConfigurationError) as caught, opened(any_client, base_url=OWN, api_key=argument):
            pass
        assert "api_key" in str(caught.value)
        assert "COMETCHAT_API_KEY" in str(caught.value)
        assert "abc" not in str(caught.value)


NUMBERS = ("timeout", "deadline", "max_retries", "max_response_bytes")
NO_NUMBER = [-1, True, False, "5", b"5", [5], float("nan"), float("inf"), -float("inf"), 10**5000]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_that_is_none(any_client: AnyClient, name: str) -> None:
    """A limit that is no number, or none that a clock can count to, is an error that names it."""
    wrong: list[Any] = [*NO_NUMBER, *([0] if name != "max_retries" else [1.5])]
    wrong += [1.5] if name == "max_response_bytes" else [0.0]
    wrong += [None] if name != "timeout" else [httpx.Timeout(None), httpx.Timeout(5, read=None), httpx.Timeout(0)]
    for value in wrong:
        with (
            pytest.raises(ConfigurationError, match=name),
            opened(any_client, base_url=OWN, api_key=KEY, **{name: value}),
        ):
            pass
    with opened(any_client, base_url=OWN, api_key=KEY) as client:
        for value in wrong if name != "max_response_bytes" else []:
            with pytest.raises(ConfigurationError, match=name):
                client.with_options(**{name: value})


@pytest.mark.parametrize("value", [0.001, 1, 10**6, httpx.Timeout(1, read=2, write=3, pool=4)])
def test_a_timeout(any_client: AnyClient, value: Any) -> None:
    """A timeout is seconds for each phase of one attempt, or one figure for each; none is longer than the deadline."""
    stub = Stub(always(200, GET.success))
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


def test_a_timeout_is_always_there(any_client: AnyClient) -> None:
    """Who asks for no timeout gets a finite one for each phase."""
    stub = Stub(always(200, GET.success))
    any_client.call(GET.act, stub_client(any_client, stub))
    any_client.call(GET.act, stub_client(any_client, stub, timeout=1).with_options(timeout=None))
    for request in stub.requests:
        assert request.extensions["timeout"] == {"connect": 5.0, "read": 30.0, "write": 60.0, "pool": 5.0}


def test_an_argument_that_there_is_not(any_client: AnyClient) -> None:
    """An argument that there is not is a TypeError that names it, and nothing private."""
    client = any_client.client()
    for make in (any_client.client, client.with_options):
        with pytest.raises(TypeError, match=r"^[A-Z]\w*Client\..*'time_out'"):
            make(time_out=1)


# What a client shows, and what it says of itself.


def test_the_repr_shows_options_and_no_secret(any_client: AnyClient) -> None:
    """A repr tells address and options, and neither the key nor the value of a header."""
    with opened(any_client, base_url=OWN, api_key=KEY, on_behalf_of="alice", max_retries=7, deadline=9) as client:
        derived = client.with_options(headers={"X-Trace": "hunter2-hunter2"}, timeout=3)
        for shown in (repr(client), str(client), repr(client.api), repr(vars(client)), repr(derived), repr([derived])):
            assert KEY[:8] not in shown
            assert "hunter2" not in shown
        assert type(client).__name__ in repr(client)
        for told in (OWN, "alice", "max_retries=7", "deadline=9"):
            assert told in repr(client)
        assert "x-trace" in repr(derived).lower()
        with pytest.raises(TypeError):
            pickle.dumps(client)


def test_the_user_agent(any_client: AnyClient, simulator: Simulator) -> None:
    """Calls say which package made them, and in which version."""
    any_client.call(GET.act)
    assert simulator.requests[0].header("user-agent") == f"cometchat-rest/{__version__}"


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_every_call_carries_the_key_once(any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
    """Each operation sends the key once, asks for JSON, packed as gzip at most, and names its host once."""
    any_client.call(operation.act)
    (request,) = simulator.requests
    names = [name for name, _ in request.headers]
    assert request.header("apikey") == simulator.api_key
    assert request.header("accept") == "application/json"
    # "deflate" has two meanings, of which a server may use either.
    assert request.header("accept-encoding") == "gzip"
    assert len(names) == len(set(names))


def test_cookies_are_ignored(any_client: AnyClient, simulator: Simulator) -> None:
    """A cookie that the service sets is never sent back."""
    client = any_client.client()
    simulator.fail(headers={"Set-Cookie": "session=1; Path=/"}, times=2)
    for operation in OPERATIONS:
        any_client.call(operation.act, client)
    assert [request.header("cookie") for request in simulator.requests] == [None] * len(OPERATIONS)


# Options.


def test_options_leave_their_parent_alone(any_client: AnyClient, simulator: Simulator) -> None:
    """A derived client has the new options beside the old ones, and the one it came from stays as it was."""
    client = any_client.client(on_behalf_of="alice")
    before = repr(client), client.api.settings
    child = client.with_options(on_behalf_of="bob", headers={"X-One": "1"}, timeout=1, max_retries=0, deadline=5)
    grandchild = child.with_options(headers={"X-Two": "2", "X-ONE": "one"}, on_behalf_of=None)
    assert type(child) is type(grandchild) is type(client)
    for each in (client, child, grandchild, client.with_options()):
        any_client.call(GET.act, each)
    assert (repr(client), client.api.settings) == before
    sent = [tuple(map(request.header, ("onBehalfOf", "X-One", "X-Two"))) for request in simulator.requests]
    assert sent == [("alice", None, None), ("bob", "1", None), (None, "one", "2"), ("alice", None, None)]
    assert "max_retries=0" in repr(grandchild)
    assert grandchild.base_url == client.base_url


def test_options_do_not_follow_a_mapping_that_changes(any_client: AnyClient, simulator: Simulator) -> None:
    """Headers are taken when they are given: what happens to the mapping afterwards happens to nobody else."""
    headers = {"X-One": "1"}
    child = any_client.client().with_options(headers=headers)
    headers["X-Two"] = "2\r\nX-Evil: 3"
    any_client.call(GET.act, child)
    assert simulator.requests[0].header("x-one") == "1"
    assert simulator.requests[0].header("x-two") is None


@pytest.mark.parametrize(
    "name",
    [
        *("apikey", "Host", "Content-Type", "Content-Length", "onBehalfOf", "Transfer-Encoding"),
        *("Accept-Encoding", "Connection"),
    ],
)
def test_headers_that_the_client_owns(any_client: AnyClient, name: str) -> None:
    """No option can replace a header that says where a call goes, for whom, with which key, how long it is, or how its
    answer is packed."""
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
def test_headers_that_would_not_stay_one(any_client: AnyClient, value: Any) -> None:
    """A value that could end its header, or that no header can carry as it is, is refused, and not shown."""
    client = any_client.client()
    with pytest.raises(InvalidRequestError, match="X-One"):
        client.with_options(headers={"X-One": value})
    with pytest.raises(InvalidRequestError, match="on_behalf_of"):
        client.with_options(on_behalf_of=value if value is not None else " ")
    with pytest.raises(ConfigurationError, match="on_behalf_of"):
        any_client.client(on_behalf_of=value if value is not None else "")


@pytest.mark.parametrize("value", ["", "a", "a b", "a\tb", "~!"], ids=ascii)
def test_headers_that_can_be_sent(any_client: AnyClient, simulator: Simulator, value: str) -> None:
    """A value of visible characters, with white space among them or none at all, arrives as it was given."""
    client = any_client.client().with_options(headers={"X-One": value}, on_behalf_of=value or None)
    assert any_client.call(GET.act, client).id == LIST_ID
    (request,) = simulator.requests
    assert (request.header("X-One"), request.header("onBehalfOf")) == (value, value or None)


@pytest.mark.parametrize(
    "name", ["", " ", "X One", "X:One", "X\r\nY", "X\0", "é", "X\t", b"X", 5, None, "X" + "\n"], ids=ascii
)
def test_headers_without_a_name(any_client: AnyClient, name: Any) -> None:
    """A name that is no token is refused."""
    with pytest.raises(InvalidRequestError, match="name"):
        any_client.client().with_options(headers={name: "x"})


def test_options_share_connections(any_client: AnyClient) -> None:
    """Derived clients use the connections of the one they came from, and open none of their own."""
    with EchoServer() as server:
        client = any_client.client(base_url=server.base_url)
        for uid in ("a", "b", "c"):
            child = client.with_options(on_behalf_of=uid)
            assert any_client.call(GET.act, child).name == uid
        assert any_client.call(GET.act, client).name is None
        assert server.connections == 1


def in_parallel(any_client: AnyClient, clients: list[Any], act: Any) -> list[Any]:
    """What `act` gives for each client, all of them at once: in threads of their own, or in tasks of one loop."""
    if any_client.kind == "sync":
        barrier = Barrier(len(clients))

        def run(client: Any) -> Any:
            barrier.wait(timeout=30)
            return act(client)

        with ThreadPoolExecutor(len(clients)) as pool:
            return list(pool.map(run, clients))
    results: dict[int, Any] = {}

    async def all_of_them(_: Any) -> None:
        async def one(index: int, client: Any) -> None:
            results[index] = await act(client)

        async with anyio.create_task_group() as tasks:
            for index, client in enumerate(clients):
                tasks.start_soon(one, index, client)

    any_client.call(all_of_them, clients[0])
    return [results[index] for index in range(len(clients))]


def test_options_never_cross_over(any_client: AnyClient) -> None:
    """32 threads, or tasks, that act for different users over shared connections never send each other's header."""
    with EchoServer() as server:
        client = any_client.client(base_url=server.base_url)
        children = [client.with_options(on_behalf_of=f"user-{number}") for number in range(32)]
        for _ in range(10):
            found = in_parallel(any_client, children, GET.act)
            assert [each.name for each in found] == [f"user-{number}" for number in range(32)]
        assert any_client.call(GET.act, client).name is None
        assert server.connections <= 32


def test_a_call_that_fails_leaves_others_alone(any_client: AnyClient) -> None:
    """A call that fails closes the connection it used, and no other, although it opened that in an earlier call."""
    arrived, go_on = Semaphore(0), {name: Event() for name in ("first", "second")}

    def talk(connection: Any) -> None:
        while (request := read_request(connection)) and b"onBehalfOf: cut" not in request:
            for name, event in go_on.items():
                if f"onBehalfOf: {name}".encode() in request:
                    arrived.release()
                    assert event.wait(30)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(GET.body), GET.body))

    with ScriptedServer(talk) as peer, ThreadPoolExecutor(2) as others:
        client = any_client.client(base_url=f"http://127.0.0.1:{peer.port}/v3", max_retries=0)
        cut = client.with_options(on_behalf_of="cut")
        waiting: dict[str, Future[Any]] = {}

        def begin(name: str) -> None:
            waiting[name] = others.submit(any_client.call, GET.act, client.with_options(on_behalf_of=name))
            assert arrived.acquire(timeout=30)

        def end(name: str) -> None:
            go_on[name].set()
            assert waiting[name].result(timeout=30).name == "Profanity"

        def swap() -> None:
            begin("second")
            end("first")

        # Another call takes the connection that was opened first, so that a second one is opened; yet another takes
        # that, and the first one is free again.
        steps = (partial(begin, "first"), swap)

        def blocking(_: Any) -> None:
            for then in steps:
                GET.act(client)
                then()
            with pytest.raises(TransportError):
                GET.act(cut)

        async def awaited(_: Any) -> None:
            for then in steps:
                await GET.act(client)
                await anyio.to_thread.run_sync(then)
            with pytest.raises(TransportError):
                await GET.act(cut)

        any_client.call(blocking if any_client.kind == "sync" else awaited, client)
        end("second")


def test_one_client_for_all_threads(any_client: AnyClient) -> None:
    """32 threads, or tasks, that begin with a client at its first moment share one pool: later calls open nothing."""
    with EchoServer("apikey") as server:
        client = any_client.client(base_url=server.base_url, api_key=KEY)
        assert {each.name for each in in_parallel(any_client, [client] * 32, GET.act)} == {KEY}
        opened_at_first = server.connections
        assert 1 <= opened_at_first <= 32
        for _ in range(64):
            any_client.call(GET.act, client)
        assert server.connections == opened_at_first


# The end of a client.


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_a_closed_client(any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
    """Using a client after it was closed, or one derived from it, is an error that says so; nothing is sent."""
    client = any_client.client()
    child = client.with_options(max_retries=0)
    any_client.call(lambda chat: chat.roles.list(), child)
    roles = client.roles.iter()
    any_client.close(client)
    for each in (client, child, client.with_options(timeout=1)):
        with pytest.raises(InvalidRequestError, match="closed"):
            any_client.call(operation.act, each)
    with pytest.raises(InvalidRequestError, match="closed"):
        any_client.call(lambda _: roles, client)
    assert len(simulator.requests) == 1


def test_closing_a_derived_client(any_client: AnyClient) -> None:
    """Closing a derived client leaves the one it came from open, and itself too, and their connections as they were."""
    with EchoServer() as server:
        client = any_client.client(base_url=server.base_url)
        child = client.with_options(on_behalf_of="x")
        any_client.call(GET.act, child)
        any_client.close(child)
        any_client.close(child)
        assert any_client.call(GET.act, client).name is None
        assert any_client.call(GET.act, child).name == "x"
        assert server.connections == 1


def test_closing_amid_calls(any_client: AnyClient) -> None:
    """Calls that are under way when their client is closed end as they would have, and leave no connection open."""
    number = 24
    arrived, left, go_on = Semaphore(0), Semaphore(0), Event()

    def talk(connection: Any) -> None:
        while read_request(connection):
            arrived.release()
            assert go_on.wait(30)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(GET.body), GET.body))
        left.release()

    with ScriptedServer(talk) as peer, ThreadPoolExecutor(number) as threads:
        client = any_client.client(base_url=f"http://127.0.0.1:{peer.port}/v3", max_retries=0)
        calls = [threads.submit(any_client.call, GET.act, client) for _ in range(number)]
        assert all(arrived.acquire(timeout=30) for _ in range(number))
        any_client.close(client)
        go_on.set()
        assert {call.result(timeout=30).name for call in calls} == {"Profanity"}
        assert all(left.acquire(timeout=30) for _ in range(number))


def test_closing_twice(any_client: AnyClient) -> None:
    """Closing a client closes its transport once, however often it is asked to."""
    stub = Stub(always(200, GET.success))
    client = stub_client(any_client, stub)
    any_client.close(client.with_options())
    assert stub.closed == 0
    for _ in range(3):
        any_client.close(client)
    assert stub.closed == 1


def test_the_end_of_a_block(any_client: AnyClient, simulator: Simulator) -> None:
    """Leaving a client's block closes it, and leaving the block of a derived one does not."""
    client = any_client.client()

    def block(chat: Any) -> Any:
        if any_client.kind == "sync":
            with chat as same:
                assert same is chat
                return GET.act(same)

        async def awaited() -> Any:
            async with chat as same:
                assert same is chat
                return await GET.act(same)

        return awaited()

    any_client.call(block, client.with_options())
    any_client.call(block, client)
    with pytest.raises(InvalidRequestError, match="closed"):
        any_client.call(GET.act, client)
    assert len(simulator.requests) == 2


def test_a_forgotten_client(any_client: AnyClient) -> None:
    """A client that is never closed gives a ResourceWarning when it goes; one that was closed gives none."""
    kind = AsyncClient if any_client.kind == "async" else Client
    forgotten = [kind(base_url=OWN, api_key=KEY, transport=untouchable()).with_options(max_retries=0)]
    with pytest.warns(ResourceWarning, match="never closed"):
        forgotten.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with opened(any_client, base_url=OWN, api_key=KEY) as client:
            client.with_options()
        del client
        gc.collect()


FORGETFUL = """
import asyncio, gc, sys
from cometchat_rest import AsyncClient, Client

kind, how, base_url, api_key = sys.argv[1:]
chat = None

def work():
    global chat
    chat = Client(base_url=base_url, api_key=api_key)
    chat.roles.list()
    if how == "closed":
        chat.close()

async def work_async():
    global chat
    # In development mode a loop tells of what it takes for slow, as on a busy machine all is.
    asyncio.get_running_loop().slow_callback_duration = 60
    chat = AsyncClient(base_url=base_url, api_key=api_key)
    await chat.roles.list()
    if how == "closed":
        await chat.aclose()
    if how == "dropped":
        chat = None
        gc.collect()

if kind == "sync":
    work()
else:
    asyncio.run(work_async())
if how == "dropped":
    chat = None
    gc.collect()
print("done")
"""


def run_forgetful(simulator: Simulator, *flags: str, kind: str, how: str) -> str:
    """What a program of its own writes to stderr."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, *flags, "-c", FORGETFUL, kind, how, simulator.base_url, simulator.api_key],
        env={**os.environ, "PYTHONWARNINGS": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    return done.stderr


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_program_that_forgets_its_client(simulator: Simulator, kind: str) -> None:
    """A program that ends with a client still open ends in silence; one that drops it is told, where it asks to be."""
    assert run_forgetful(simulator, kind=kind, how="kept") == ""
    # The end of a program closes its sockets anyway, so that not even who asks for warnings hears of the client.
    assert run_forgetful(simulator, "-X", "dev", kind=kind, how="kept") == ""
    assert "never closed" in run_forgetful(simulator, "-W", "always::ResourceWarning", kind=kind, how="dropped")
    assert run_forgetful(simulator, "-X", "dev", "-W", "error", kind=kind, how="closed") == ""


FORKING = """
import os, sys
from cometchat_rest import Client

with Client(base_url=sys.argv[1], api_key="key") as chat:
    mine = chat.with_options(on_behalf_of="parent")
    print(mine.keywords.get("x").name, flush=True)
    if (child := os.fork()) == 0:
        print(chat.with_options(on_behalf_of="child").keywords.get("x").name, flush=True)
        chat.close()
        os._exit(0)
    os.waitpid(child, 0)
    print(mine.keywords.get("x").name, flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_program_that_forks() -> None:
    """A process that comes of a fork uses connections of its own, and leaves those of its parent as they are."""
    with EchoServer() as server:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-X", "dev", "-W", "error", "-c", FORKING, server.base_url],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.stdout, done.stderr) == ("parent\nchild\nparent\n", "")
        assert server.connections == 2


# What stands between a client and the network.


def test_certificates_that_cannot_be_read(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Certificates that the environment names and that cannot be read are an error at construction, by their name."""
    (tmp_path / "none.pem").write_text("no certificate")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    with (
        pytest.raises(ConfigurationError, match="SSL_CERT_FILE"),
        opened(any_client, app_id="abc", api_key=KEY, transport=None),
    ):
        pass


def test_a_transport_of_httpx(any_client: AnyClient, simulator: Simulator) -> None:
    """httpx's own transports, with whatever options they take, do as the caller's own."""
    kind = httpx.AsyncHTTPTransport if any_client.kind == "async" else httpx.HTTPTransport
    client = any_client.client(transport=kind(verify=False, limits=httpx.Limits(max_connections=1)))
    for operation in OPERATIONS:
        assert any_client.call(operation.act, client) is not None
    assert len(simulator.requests) == len(OPERATIONS)


# Two clients, one any_client.


def public(cls: type) -> dict[str, Any]:
    return {name: value for name, value in inspect.getmembers(cls) if not name.startswith("_")}


def spelled(function: Any) -> list[tuple[str, Any, Any, str]]:
    """Names, kinds, defaults and annotations of a function, the same for what is awaited and what is not."""
    signature = inspect.signature(function)
    told: list[tuple[str, Any, Any, str]] = [
        (each.name, each.kind, each.default, str(each.annotation)) for each in signature.parameters.values()
    ]
    told.append(("return", None, None, str(signature.return_annotation)))
    return [(name, kind, default, note.replace("Async", "").strip("'")) for name, kind, default, note in told]


def resources(client: Any) -> dict[str, Any]:
    """The resources of a client by name: what hangs on it and comes from a module of that name."""
    found = {name: getattr(client, name) for name in dir(client) if not name.startswith("_")}
    return {name: value for name, value in found.items() if type(value).__module__ == f"cometchat_rest.{name}"}


@pytest.fixture
def both() -> Iterator[tuple[Client, AsyncClient]]:
    with Client(base_url=OWN, api_key=KEY, transport=untouchable()) as client:
        other = AsyncClient(base_url=OWN, api_key=KEY, transport=untouchable())
        yield client, other
        anyio.run(other.aclose)


def test_the_clients_are_made_alike(both: tuple[Client, AsyncClient]) -> None:
    """Both clients take the same settings and options, by keyword alone, and have the same attributes."""
    for function in ("__init__", "with_options"):
        ours, others = (spelled(getattr(type(client), function)) for client in both)
        assert ours == others
        assert all(kind in (inspect.Parameter.KEYWORD_ONLY, None) for name, kind, *_ in ours if name != "self")
    names, other_names = (set(public(type(client))) | set(vars(client)) for client in both)
    assert names - {"close"} == other_names - {"aclose"}
    defaults = {name: default for name, _, default, _ in spelled(Client.__init__)}
    assert (defaults["max_retries"], defaults["deadline"], defaults["max_response_bytes"]) == (2, 120.0, 32 * 2**20)
    assert (defaults["strict"], defaults["timeout"], defaults["on_drift"]) == (False, None, None)


# What those who await have no need of: they cancel.
BLOCKING_ONLY = {"reviewed_messages.watch": {"stop"}}


def test_the_resources_are_alike(both: tuple[Client, AsyncClient]) -> None:
    """Each resource has the same methods in both clients, with the same arguments and results."""
    ours, others = map(resources, both)
    assert list(ours) == list(others) != []
    for name, resource in ours.items():
        methods, other_methods = public(type(resource)), public(type(others[name]))
        assert methods.keys() == other_methods.keys()
        for method, function in methods.items():
            alone = BLOCKING_ONLY.get(f"{name}.{method}", set())
            ours_told = [each for each in spelled(function) if each[0] not in alone]
            assert ours_told == spelled(other_methods[method]), f"{name}.{method}"
            *_, (_, _, _, returned) = ours_told
            assert inspect.iscoroutinefunction(other_methods[method]) is not returned.startswith("Iterator")
            assert not inspect.iscoroutinefunction(function)


def test_every_method_is_tested(both: tuple[Client, AsyncClient]) -> None:
    """Each method of a resource is called by a test of its own, and not only by these here, which call all of them."""
    sources = [path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)]
    tests = [
        ast.get_source_segment(source, each) or ""
        for source in sources
        for each in ast.parse(source).body
        if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")
    ]
    assert len(tests) > 100
    for name, resource in resources(both[0]).items():
        for method in public(type(resource)):
            assert any(f"chat.{name}.{method}(" in test for test in tests), f"no test calls {name}.{method}"


def generated() -> dict[str, GeneratedOperation[Any]]:
    """The operations of the generated package, by name."""
    found = {}
    folder = cometchat_openapi.api
    for info in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
        operation = getattr(importlib.import_module(info.name), "OPERATION", None)
        if operation is not None:
            found[operation.name] = operation
    return found


def test_every_operation_has_a_method(any_client: AnyClient) -> None:
    """Each operation of the description is carried out by a method of a resource."""
    carried_out: dict[str, tuple[str, str]] = {}
    for operation in OPERATIONS:
        stub = Stub(always(200, operation.body))
        any_client.call(operation.act, stub_client(any_client, stub))
        (request,) = stub.requests
        carried_out[operation.name] = (request.method, path_of(request).removeprefix("/v3"))
    assert carried_out.keys() == generated().keys()
    for name, described in generated().items():
        method, path = carried_out[name]
        assert method == described.method
        assert values_in(described.path, path) is not None


def test_an_update_that_is_derived(any_client: AnyClient, simulator: Simulator) -> None:
    """Options reach every kind of call, an update with a file as well."""
    client = any_client.client().with_options(on_behalf_of="alice", headers={"X-Trace": "1"})
    any_client.call(lambda chat: chat.keywords.update(LIST_ID, WordListInput(file=b"x")), client)
    (request,) = simulator.requests
    assert (request.header("onBehalfOf"), request.header("x-trace")) == ("alice", "1")
    assert json.dumps(request.header("content-type")).startswith('"multipart/form-data; boundary=')


def connected_to(simulator: Simulator) -> list[socket.socket]:
    """The sockets of this process that lead to a simulator."""
    port = urlsplit(simulator.base_url).port

    def leads_there(each: socket.socket) -> bool:
        try:
            return bool(each.getpeername() == ("127.0.0.1", port))
        except OSError:  # closed, or listening
            return False

    return [each for each in gc.get_objects() if isinstance(each, socket.socket) and leads_there(each)]


def test_one_event_loop_after_another() -> None:
    """An awaited client serves one event loop after another, and keeps nothing of a loop that has ended."""
    loops = []

    async def change(client: AsyncClient, words: WordListInput) -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        await client.keywords.update("profanity-list", words)
        assert connected_to(simulator)

    with Simulator() as simulator:
        client = AsyncClient(base_url=simulator.base_url, api_key=simulator.api_key)
        for number in range(3):
            anyio.run(change, client, WordListInput(search_terms=[f"term-{number}"]))
            assert connected_to(simulator) == []
            found = anyio.run(client.keywords.get, "profanity-list")
            assert found.search_terms == [f"term-{number}"]
        gc.collect()
        assert [loop() for loop in loops] == [None, None, None]
        anyio.run(client.aclose)


def test_leaving_while_being_cancelled() -> None:
    """An awaited client whose block is left by a cancellation closes all of its connections."""

    async def leave(simulator: Simulator) -> None:
        with anyio.CancelScope() as scope:
            async with AsyncClient(base_url=simulator.base_url, api_key=simulator.api_key) as client:
                async with anyio.create_task_group() as tasks:
                    for _ in range(5):
                        tasks.start_soon(client.roles.list)
                assert connected_to(simulator)
                scope.cancel()
                await anyio.lowlevel.checkpoint()
        assert connected_to(simulator) == []

    with Simulator() as simulator:
        anyio.run(leave, simulator)


def test_many_clients_in_one_event_loop() -> None:
    """An awaited client that was closed leaves nothing in the event loop that it was used in."""

    async def work(base_url: str, number: int) -> None:
        for _ in range(number):
            async with AsyncClient(base_url=base_url, api_key="key") as client:
                await client.keywords.get(LIST_ID)

    async def kept(base_url: str) -> int:
        await work(base_url, 10)
        gc.collect()
        before = len(gc.get_objects())
        await work(base_url, 100)
        gc.collect()
        return len(gc.get_objects()) - before

    with EchoServer() as server:
        assert anyio.run(kept, server.base_url) < 100


def test_closing_before_a_retry(any_client: AnyClient, simulator: Simulator) -> None:
    """A call that waits to be tried again when its client is closed ends, and sends nothing more."""
    simulator.fail("list_roles", status=429, headers={"Retry-After": "1"}, times=None)
    client = any_client.client()
    with ThreadPoolExecutor(1) as other:
        call = other.submit(any_client.call, lambda chat: chat.roles.list(), client)
        while not simulator.requests:
            assert not call.done()
        any_client.close(client)
        with pytest.raises(InvalidRequestError, match="closed"):
            call.result(timeout=30)
    assert len(simulator.requests) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [("strict", "no"), ("strict", 1), ("on_drift", "log"), ("transport", "x"), ("transport", object())],
)
def test_a_setting_of_another_type(any_client: AnyClient, name: str, value: object) -> None:
    """A setting that could only fail later, or mean its contrary, is refused when the client is made."""
    with pytest.raises(ConfigurationError, match=rf"^{name}\b"):
        any_client.client(**{name: value})


def test_a_transport_for_the_other_client(any_client: AnyClient) -> None:
    """A transport that is awaited does not go into the blocking client, nor the other way round."""
    transport = httpx.HTTPTransport() if any_client.kind == "async" else httpx.AsyncHTTPTransport()
    with pytest.raises(ConfigurationError, match=r"^transport: "):
        any_client.client(transport=transport)
