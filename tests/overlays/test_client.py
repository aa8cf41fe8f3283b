"""The clients: derived clients, their options, closing, and what a client shows."""

import asyncio
import gc
import os
import subprocess
import sys
import weakref
from typing import Any

import pytest

from cometchat_rest import AsyncClient, Client, InvalidRequestError
from cometchat_testing import Simulator

from ..conftest import AnyClient
from ..runtime.wire_support import Service
from ..support import (
    GET,
    KEY,
    ON_PREMISE_URL,
    StubTransport,
    always_respond,
    isolated_client,
    stub_client,
)


@pytest.mark.parametrize("derived", [False, True], ids=["Client", "with_options"])
def test_unknown_argument_is_refused(any_client: AnyClient, *, derived: bool) -> None:
    """An unknown argument is a TypeError that names the argument and the public class."""
    with pytest.raises(TypeError, match=r"^Client\..*'time_out'"):
        (any_client.client().with_options if derived else any_client.client)(time_out=1)


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_positional_key_is_refused(kind: Any) -> None:
    """A key that is passed by its position is a TypeError that names the public class, and does not
    show the key."""
    with pytest.raises(TypeError, match=r"^Client\.__init__\(\) takes 1 positional") as caught:
        kind(KEY)
    assert KEY not in repr(caught.value)


def test_repr_shows_options_and_no_secret(any_client: AnyClient) -> None:
    """The repr shows the base URL and the options, but neither the key nor the value of a
    header."""
    with isolated_client(
        any_client,
        base_url=ON_PREMISE_URL,
        api_key=KEY,
        on_behalf_of="alice",
        max_retries=7,
        deadline=9,
    ) as client:
        derived = client.with_options(headers={"X-Trace": "hunter2-hunter2"}, timeout=3)
        shown = f"{client!r} {client} {client.api!r} {vars(client)!r} {derived!r} {[derived]!r}"
        assert KEY[:8] not in shown
        assert "hunter2" not in shown
        parts = (type(client).__name__, ON_PREMISE_URL, "alice", "max_retries=7", "deadline=9")
        assert [part for part in parts if part not in repr(client)] == []
        assert "x-trace" in repr(derived).lower()


def test_options_do_not_change_the_parent(any_client: AnyClient, simulator: Simulator) -> None:
    """A derived client adds new options to the existing options. The client that it came from
    does not change."""
    client = any_client.client(on_behalf_of="alice")
    before = repr(client), client.api.options
    child = client.with_options(
        on_behalf_of="bob", headers={"X-One": "1"}, timeout=1, max_retries=0, deadline=5
    )
    grandchild = child.with_options(headers={"X-Two": "2", "X-ONE": "one"}, on_behalf_of=None)
    assert type(child) is type(grandchild) is type(client)
    any_client.call(GET.act, client)
    any_client.call(GET.act, child)
    any_client.call(GET.act, grandchild)
    any_client.call(GET.act, client.with_options())
    assert (repr(client), client.api.options) == before
    sent = [
        tuple(map(request.header, ("onBehalfOf", "X-One", "X-Two")))
        for request in simulator.requests
    ]
    assert sent == [
        ("alice", None, None),
        ("bob", "1", None),
        (None, "one", "2"),
        ("alice", None, None),
    ]
    assert "max_retries=0" in repr(grandchild)
    assert grandchild.base_url == client.base_url


def test_closing_a_derived_client_closes_nothing(any_client: AnyClient) -> None:
    """Closing a derived client closes neither its parent, nor itself, nor their connections."""
    with Service() as service:
        client = any_client.client(base_url=service.base_url)
        child = client.with_options(on_behalf_of="x")
        any_client.call(GET.act, child)
        any_client.close(child)
        any_client.call(GET.act, client)
        any_client.call(GET.act, child)
        assert service.opened == 1


def test_closing_twice_closes_the_transport_once(any_client: AnyClient) -> None:
    """A client closes its transport once, however often the client is closed."""
    stub = StubTransport(always_respond(200, GET.success))
    client = stub_client(any_client, stub)
    any_client.close(client.with_options())
    assert stub.closed == 0
    any_client.close(client)
    any_client.close(client)
    assert stub.closed == 1


def test_leaving_the_block_closes_the_client(any_client: AnyClient, simulator: Simulator) -> None:
    """Leaving a client's `with` block closes the client. Leaving the block of a derived client
    does not."""
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


FORGETFUL = """
import asyncio, sys
from cometchat_rest import AsyncClient, Client

kind, how, base_url, api_key = sys.argv[1:]
chat = (Client if kind == "sync" else AsyncClient)(base_url=base_url, api_key=api_key)

async def work():
    # In development mode a loop warns of slow callbacks, and on a busy machine every callback is
    # slow.
    asyncio.get_running_loop().slow_callback_duration = 60
    await chat.roles.list()
    if how == "closed":
        await chat.aclose()

if kind == "async":
    asyncio.run(work())
else:
    chat.roles.list()
    if how == "closed":
        chat.close()
print("done")
"""


def run_forgetful(simulator: Simulator, *flags: str, kind: str, how: str) -> str:
    """Run a program, and return what it writes to stderr."""
    done = subprocess.run(
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
def test_program_that_never_closes_its_client(simulator: Simulator, kind: str) -> None:
    """A program that exits with an open client prints nothing, and so does one that closes its
    client, with all warnings as errors."""
    assert run_forgetful(simulator, kind=kind, how="kept") == ""
    assert run_forgetful(simulator, "-X", "dev", "-W", "error", kind=kind, how="closed") == ""


def test_closed_client_is_freed(simulator: Simulator) -> None:
    """A client that nobody refers to is freed at once, and does not wait for the garbage
    collector."""
    gc.disable()
    try:
        with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
            chat.roles.list()
        transports = weakref.ref(chat.api.transports)
        del chat
        assert transports() is None
    finally:
        gc.enable()


class Tenant(Client):
    """A subclass with a name, with its own resource, and with a resource of another client."""

    def __init__(self, name: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.name = name
        self.permissions = self.roles
        self.others: Any = None


class AwaitedTenant(AsyncClient):
    """The awaited client with a resource as an attribute."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.permissions = self.roles


def test_derived_awaited_client_of_a_subclass(simulator: Simulator) -> None:
    """A resource that an awaited client keeps also has the options of the derived client."""

    async def list_roles() -> None:
        settings = {"base_url": simulator.base_url, "api_key": simulator.api_key}
        async with AwaitedTenant(**settings) as chat:
            await chat.with_options(on_behalf_of="alice").permissions.list()

    asyncio.run(list_roles())
    assert [request.header("onbehalfof") for request in simulator.requests] == ["alice"]


def test_derived_client_of_a_subclass(simulator: Simulator) -> None:
    """A derived client keeps the attributes of a subclass, and its resources have its options."""
    with Tenant("shop", base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        chat.roles.list()
        with Client(app_id="other", api_key="key") as other:
            chat.others = other.roles
            derived = chat.with_options(on_behalf_of="alice")
        assert derived.others is chat.others  # a resource of another client stays as it is
        derived.roles.list()
        derived.permissions.list()
        chat.permissions.list()
    assert derived.name == "shop"
    users = [request.header("onbehalfof") for request in simulator.requests]
    assert users == [None, "alice", "alice", None]
