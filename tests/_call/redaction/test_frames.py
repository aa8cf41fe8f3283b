"""Frames and tracebacks of exceptions that pass through a call: no local variable holds a secret."""

import asyncio
import io
import socket
import traceback
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest
from rich.console import Console
from rich.traceback import Traceback

from cometchat_rest import AsyncClient, Client, Drift, TransportError
from cometchat_rest._call.redaction import clear_frames
from cometchat_rest.testing import Simulator

from ...support import AnyClient, StubTransport
from .canaries import (
    CREDENTIAL,
    DELETE,
    KEY,
    LOCAL_URL,
    OURS,
    PASSWORD,
    TOKEN,
    Action,
    Echo,
    RecordCollector,
    all_views,
    assert_hidden,
    assert_silent,
    each_action,
    each_delete,
    error_chain,
    frames_of,
    leaks,
    outcome_of,
    secret_client,
    without_test_frames,
)

PASSING: dict[str, Callable[[], BaseException]] = {
    "interrupted": KeyboardInterrupt,
    "cancelled": asyncio.CancelledError,
    "exiting": SystemExit,
    "loop closed": lambda: RuntimeError("Event loop is closed"),
    "several": lambda: BaseExceptionGroup("several", [KeyboardInterrupt(), RuntimeError()]),
}
each_passing = pytest.mark.parametrize("passing", PASSING.values(), ids=PASSING.keys())


def assert_passes(error: Any, passing: BaseException) -> None:
    assert error is passing
    places = [place for place, _ in frames_of(error)]
    assert any(place.startswith(OURS) for place in places), "the traceback has no frame of the package"
    assert_hidden(all_views(error))


def assert_passes_a_transport(error: Any, passing: BaseException) -> None:
    """A bug in a transport of the caller is reported as an error of the package; other exceptions pass."""
    if isinstance(passing, Exception):
        assert isinstance(error, TransportError)
        assert error.kind == "transport"
        assert_hidden(all_views(error))
    else:
        assert_passes(error, passing)


class Interrupting:
    """In place of an `ssl.SSLContext`."""

    @property
    def wrap_bio(self) -> None:
        raise KeyboardInterrupt


@pytest.mark.parametrize("make", [Client, AsyncClient])
def test_interruption_of_the_constructor(make: Any) -> None:
    """If Ctrl-C ends the making of a client, no frame of the package holds the key, a header or a password."""
    address = f"http://me:{PASSWORD}@proxy.example"
    with pytest.raises(KeyboardInterrupt) as caught:
        make(
            app_id="app",
            api_key=KEY,
            headers={"Authorization": f"Bearer {CREDENTIAL}"},
            proxy=address.replace(PASSWORD, quote(PASSWORD, safe="")),
            ssl_context=Interrupting(),
        )
    assert_hidden(all_views(caught.value))


@each_passing
@each_action
def test_exception_through_a_custom_transport(
    any_client: AnyClient, records: RecordCollector, action: Action, passing: Callable[[], BaseException]
) -> None:
    """An interruption or a cancellation in a transport of the caller is raised unchanged, a bug there is a
    TransportError, and no frame on its way holds a secret."""
    raised = passing()

    def respond(request: httpx.Request) -> httpx.Response:
        assert leaks(str(request.headers["apikey"]))
        raise raised

    error = outcome_of(
        any_client, action.act, secret_client(any_client, base_url=LOCAL_URL, transport=StubTransport(respond))
    )
    assert_passes_a_transport(error, raised)
    assert_hidden(records.seen)


@each_passing
@pytest.mark.parametrize("any_client", ["sync"], indirect=True)
@pytest.mark.parametrize("method", ["recv", "send"])
@each_delete
def test_exception_through_httpx(
    any_client: AnyClient,
    simulator: Simulator,
    monkeypatch: pytest.MonkeyPatch,
    records: RecordCollector,
    action: Action,
    method: str,
    passing: Callable[[], BaseException],
) -> None:
    """The same holds for the client's own transports, whose frames hold whole requests."""
    raised = passing()
    original = getattr(socket.socket, method)
    port = urlsplit(simulator.base_url).port
    sent: list[str] = []

    def interrupt(sock: socket.socket, *arguments: Any) -> Any:
        # The simulator has sockets as well, and an event loop has a pair of them to wake itself up.
        if sock.family == socket.AF_UNIX or sock.getpeername()[1] != port:
            return original(sock, *arguments)
        if method == "send":
            sent.append(bytes(arguments[0]).decode())
            assert leaks(sent[0])
        raise raised

    monkeypatch.setattr(socket.socket, method, interrupt)
    error = outcome_of(any_client, action.act, secret_client(any_client))
    assert_passes_a_transport(error, raised)
    assert_hidden(records.seen)
    monkeypatch.undo()
    assert outcome_of(any_client, lambda chat: chat.roles.list(per_page=1), secret_client(any_client)).data, (
        "later calls fail"
    )
    assert simulator.damage == []


@pytest.mark.parametrize(
    ("any_client", "passing"),
    # An event loop itself ends when one of its tasks is interrupted.
    [("sync", each) for each in PASSING if each != "loop closed"],
    indirect=["any_client"],
)
def test_exception_through_many_revocations(any_client: AnyClient, passing: str) -> None:
    """The same holds while many tokens are revoked in parallel."""
    raised = PASSING[passing]()

    def respond(_: httpx.Request) -> httpx.Response:
        raise raised

    chat = secret_client(any_client, base_url=LOCAL_URL, transport=StubTransport(respond))
    error = outcome_of(any_client, lambda chat: chat.auth_tokens.revoke_all([("alice", TOKEN)]), chat)
    assert_passes(error, raised)


@pytest.mark.parametrize("how", ["cause", "context", "member"])
def test_causes_of_an_exception_are_cleared(any_client: AnyClient, how: str) -> None:
    """The frames of the causes, contexts and members of such an exception are cleared, too."""

    def deeper(request: httpx.Request) -> None:
        address = str(request.url)
        raise LookupError(len(address))

    def respond(request: httpx.Request) -> httpx.Response:
        led = LookupError()
        try:
            deeper(request)
        except LookupError as error:
            if how == "context":
                raise asyncio.CancelledError from None
            led = error
        if how == "cause":
            raise asyncio.CancelledError from led
        raise BaseExceptionGroup("several", [led, asyncio.CancelledError()])

    error = outcome_of(
        any_client, DELETE.act, secret_client(any_client, base_url=LOCAL_URL, transport=StubTransport(respond))
    )
    (led,) = (each for each in error_chain(error) if isinstance(each, LookupError))
    held = {frame.f_code.co_name: frame.f_locals for frame, _ in traceback.walk_tb(led.__traceback__)}
    assert held == {"respond": {}, "deeper": {}}


@pytest.mark.parametrize("any_client", ["async"], indirect=True)
def test_asyncio_timeout_around_a_call(any_client: AnyClient, simulator: Simulator, records: RecordCollector) -> None:
    """`asyncio.timeout` around a call keeps the cancellation that it came from, and no frame of it holds a secret."""
    simulator.fail(delay=60.0)

    async def within(chat: Any) -> Any:
        async with asyncio.timeout(0.05):
            await chat.auth_tokens.delete("alice", TOKEN)

    error = outcome_of(any_client, within, secret_client(any_client))
    assert type(error) is TimeoutError
    # The first releases of Python 3.11 set the context only.
    assert isinstance(error.__cause__ or error.__context__, asyncio.CancelledError)
    assert any("api.py" in place for place, _ in frames_of(error))
    assert_hidden(all_views(error))
    assert_hidden(records.seen)


def test_exception_of_the_callback(any_client: AnyClient, simulator: Simulator) -> None:
    """An exception of `on_drift` reaches the caller, and no frame on its way holds a secret."""
    simulator.fail(body={"data": {"success": KEY, "message": TOKEN}}, headers=Echo(DELETE).headers)

    def refuse(drift: Drift) -> None:
        raise LookupError(drift.pointer)

    error = outcome_of(any_client, DELETE.act, secret_client(any_client, on_drift=refuse))
    assert (type(error), error.args) == (LookupError, ("/data/success",))
    assert "refuse" in "".join(traceback.format_exception(error))
    assert_hidden(all_views(error))


def test_frames_of_the_caller_keep_their_locals(any_client: AnyClient) -> None:
    """An exception that the caller was handling when the call was interrupted keeps its local variables, for
    debugging."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise KeyboardInterrupt

    def fail() -> None:
        kept = "value"
        raise LookupError(kept[0])

    def blocking(chat: Any) -> None:
        try:
            fail()
        except LookupError:
            chat.roles.list()

    async def awaited(chat: Any) -> None:
        try:
            fail()
        except LookupError:
            await chat.roles.list()

    chat = secret_client(any_client, base_url=LOCAL_URL, transport=StubTransport(respond))
    error = outcome_of(any_client, blocking if any_client.kind == "sync" else awaited, chat)
    assert type(error) is KeyboardInterrupt
    context = error.__context__
    assert isinstance(context, LookupError)
    assert [frame.f_locals.get("kept") for frame, _ in traceback.walk_tb(context.__traceback__)][-1] == "value"


@each_delete
def test_rich_renders_errors_without_secrets(any_client: AnyClient, simulator: Simulator, action: Action) -> None:
    """A traceback with local variables, as rich prints it, shows the error, but no secret."""
    message = f"The user alice has no token {Echo(action).text}."
    simulator.fail(status=404, body={"error": {"code": "ERR", "message": message}})
    error = outcome_of(any_client, action.act, secret_client(any_client))
    shown = io.StringIO()
    trace = Traceback.from_exception(
        type(error),
        error,
        without_test_frames(error.__traceback__),
        show_locals=True,
        width=200,
        locals_max_string=9999,
    )
    Console(file=shown, width=200).print(trace)
    assert (
        "delete_auth_token: the response has status 404: ERR: The user alice has no token [redacted]"
        in shown.getvalue()
    )
    assert "Traceback" in shown.getvalue()
    assert_hidden([("rich's traceback", shown.getvalue())])


def test_each_exception_of_a_group_loses_its_locals() -> None:
    """The frames of every exception in a group are cleared, and those of their causes."""

    def fail() -> None:
        secret = KEY
        try:
            int(secret[:0])
        except ValueError as error:
            raise LookupError from error

    failures: list[Exception] = []
    for _ in range(3):
        try:
            fail()
        except LookupError as error:
            failures.append(error)
    clear_frames(ExceptionGroup("several", failures), None)
    for failure in failures:
        for each in (failure, failure.__cause__):
            assert each is not None
            frames = [frame for frame, _ in traceback.walk_tb(each.__traceback__) if frame.f_code is fail.__code__]
            assert [frame.f_locals for frame in frames] == [{}]


@pytest.mark.parametrize("method", ["delete", "revoke"])
@pytest.mark.parametrize("status", [None, 200, 404, 500])
@pytest.mark.parametrize(("token", "uid"), [(TOKEN, "alice"), (f"alice_1757955951{TOKEN[:30]}", "a" * 100)])
def test_token_in_place_of_the_uid(
    any_client: AnyClient, simulator: Simulator, token: str, uid: str, status: int | None, method: str
) -> None:
    """If a caller swaps the uid and the token, no error and no local variable of its traceback shows the token."""
    if status is not None:
        simulator.fail(status=status, body={"error": {"message": f"no user {token}"}, "data": token})
    client = secret_client(any_client)
    assert_silent(outcome_of(any_client, lambda chat: getattr(chat.auth_tokens, method)(token, uid), client))


def test_token_in_place_of_a_uid_with_a_slash(any_client: AnyClient) -> None:
    """A swapped call that is refused before sending shows the token nowhere."""
    swapped = f"{TOKEN}/.."
    error = outcome_of(any_client, lambda chat: chat.auth_tokens.delete(swapped, "alice"), secret_client(any_client))
    assert_silent(error)
