"""Auth tokens: a deletion deletes one token and nothing else; a revocation can be repeated, and
reports its outcome."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextvars import ContextVar
from operator import methodcaller
from typing import Any

import anyio
import pytest

from cometchat_rest import (
    ApiError,
    AsyncClient,
    AuthTokenDeletion,
    CometChatError,
    Drift,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    Revocation,
    ServerError,
    TokenRevocation,
    TransportError,
    UnexpectedResponse,
)
from cometchat_runtime.secrets import Secret
from cometchat_testing import Simulator

from ..conftest import AnyClient
from ..runtime.wire_support import Service
from ..support import (
    PATIENCE,
    TOKEN,
    StubTransport,
    error_from,
    make_response,
    own_locals,
    stub_client,
)


def test_delete(any_client: AnyClient, simulator: Simulator) -> None:
    """A deletion deletes one token, and neither the user's other tokens nor the user."""
    before = simulator.auth_tokens["alice"]
    deletion = any_client.call(lambda chat: chat.auth_tokens.delete("alice", TOKEN))
    assert isinstance(deletion, AuthTokenDeletion)
    assert deletion.success is True
    assert isinstance(deletion.message, str)
    assert simulator.auth_tokens["alice"] == [token for token in before if token != TOKEN]
    assert "alice" in simulator.users
    assert simulator.damage == []
    (request,) = simulator.requests
    assert (request.method, request.path) == ("DELETE", f"/v3/users/alice/auth_tokens/{TOKEN}")
    assert (request.query, request.body) == ("", b"")


def test_delete_twice(any_client: AnyClient) -> None:
    """The second deletion of a token is a NotFoundError with the code of the service; it does
    not show the token."""
    client = any_client.client()
    any_client.call(lambda chat: chat.auth_tokens.delete("alice", TOKEN), client)
    with pytest.raises(NotFoundError) as caught:
        any_client.call(lambda chat: chat.auth_tokens.delete("alice", TOKEN), client)
    error = caught.value
    assert (error.code, error.outcome_unknown) == ("ERR_AUTH_TOKEN_NOT_FOUND", False)
    shown = f"{error} {error!r} {error.message} {error.body} {error.headers}"
    assert TOKEN[-30:] not in shown
    assert "[redacted]" in shown


@pytest.mark.parametrize("success", [False, "false", "no", 0, "", [], {}], ids=repr)
def test_delete_without_success(
    any_client: AnyClient, simulator: Simulator, success: object
) -> None:
    """If the service says that it did not delete the token, a deletion is an error with its
    reason, because the token may still be valid. Without a word about it, the result is what the
    service sent."""
    simulator.fail(body={"data": {"success": success, "message": "not now"}})
    with pytest.raises(UnexpectedResponse, match="/data/success is not true: not now") as caught:
        any_client.call(lambda chat: chat.auth_tokens.delete("alice", TOKEN))
    error = caught.value
    assert (error.outcome_unknown, error.attempts) == (True, 1)
    assert (error.status_code, error.pointer) == (200, "/data/success")
    simulator.fail(body={"data": {"message": "done"}})
    deletion = any_client.call(lambda chat: chat.auth_tokens.delete("alice", TOKEN))
    assert (deletion.success, deletion.message) == (None, "done")
    assert len(simulator.requests) == 2


def test_revoke(any_client: AnyClient, simulator: Simulator) -> None:
    """The first revocation deletes the token; the second reports that it is not found."""
    before = simulator.auth_tokens["alice"]
    outcomes = [
        any_client.call(lambda chat: chat.auth_tokens.revoke("alice", TOKEN)) for _ in range(2)
    ]
    assert outcomes == [Revocation.REVOKED, Revocation.NOT_FOUND]
    assert outcomes == ["revoked", "not_found"]
    assert simulator.auth_tokens["alice"] == [token for token in before if token != TOKEN]
    assert [request.operation for request in simulator.requests] == ["delete_auth_token"] * 2


@pytest.mark.parametrize("status", [400, 404, 410])
def test_revoke_recognises_a_deleted_token_by_the_error_code(
    any_client: AnyClient, simulator: Simulator, status: int
) -> None:
    """The error code says that a token is not found; its HTTP status is not documented."""
    simulator.fail(
        status=status, body={"error": {"code": "ERR_AUTH_TOKEN_NOT_FOUND", "message": "gone"}}
    )
    assert (
        any_client.call(lambda chat: chat.auth_tokens.revoke("alice", TOKEN))
        is Revocation.NOT_FOUND
    )


@pytest.mark.parametrize(
    ("fault", "error", "unknown"),
    [
        ({"status": 404, "body": {"error": {"code": "ERR_UID_NOT_FOUND"}}}, NotFoundError, False),
        ({"status": 404, "body": {"error": {"code": "ERR_API_NOT_FOUND"}}}, NotFoundError, False),
        ({"status": 404, "body": "<html>"}, NotFoundError, False),
        (
            {"status": 403, "body": {"error": {"code": "ERR_AUTHTOKEN_NOT_ACCESSIBLE"}}},
            PermissionDeniedError,
            False,
        ),
        (
            {"status": 501, "body": {"error": {"code": "ERR_AUTH_TOKEN_NOT_FOUND"}}},
            ServerError,
            True,
        ),
        ({"body": {"data": {"success": False, "message": "not now"}}}, UnexpectedResponse, True),
        ({"body": {"data": {"message": "who knows"}}}, UnexpectedResponse, True),
    ],
    ids=["no user", "no path", "HTML", "other user", "501", "success false", "success missing"],
)
def test_revoke_raises_if_the_token_may_still_be_valid(
    any_client: AnyClient,
    simulator: Simulator,
    fault: Any,
    error: type[CometChatError],
    *,
    unknown: bool,
) -> None:
    """A response that does not say that the token is deleted or unknown is an error, and is not
    asked for again."""
    simulator.fail(**fault)
    with pytest.raises(error) as caught:
        any_client.call(lambda chat: chat.auth_tokens.revoke("alice", TOKEN))
    assert (caught.value.outcome_unknown, caught.value.attempts) == (unknown, 1)
    assert len(simulator.requests) == 1


@pytest.mark.parametrize(
    ("data", "pointer", "unknown"),
    [
        ({"success": "yes", "message": "gone"}, "/data/success", True),
        ({"message": "gone"}, "/data/success", True),
        ({"success": False, "message": 5}, "/data/message", True),
        ({"success": True, "message": 5}, "/data/message", False),
    ],
    ids=["success not a boolean", "success missing", "success false", "success true"],
)
def test_strict_revoke_reports_an_unknown_outcome(
    any_client: AnyClient, simulator: Simulator, data: object, pointer: str, *, unknown: bool
) -> None:
    """With `strict=True`, the outcome of a malformed success is known only if it says that the
    token was deleted."""
    simulator.fail(body={"data": data})
    with pytest.raises(UnexpectedResponse) as caught:
        any_client.call(
            lambda chat: chat.auth_tokens.revoke("alice", TOKEN), any_client.client(strict=True)
        )
    assert (caught.value.pointer, caught.value.outcome_unknown) == (pointer, unknown)


def test_revoke_without_success_has_a_complete_error(
    any_client: AnyClient, simulator: Simulator
) -> None:
    """The error for a token that was not deleted has all attributes, and headers and body
    without the token."""
    simulator.fail(status=429, headers={"Retry-After": "0"})
    body = {"data": {"success": False, "message": f"token {TOKEN} stays"}}
    simulator.fail(body=body, headers={"X-Rate-Limit": "5", "X-Echo": TOKEN})
    with pytest.raises(UnexpectedResponse, match="200: /data/success is not true") as caught:
        any_client.call(lambda chat: chat.auth_tokens.revoke("alice", TOKEN))
    error = caught.value
    assert (error.attempts, error.outcome_unknown, error.pointer) == (2, True, "/data/success")
    assert (error.operation, error.status_code, error.rate_limit.limit) == (
        "delete_auth_token",
        200,
        5,
    )
    assert "[redacted]" in error.headers["x-echo"]
    assert error.body.startswith('{"data": {"success": false, "message": "token ')
    assert "[redacted] stays" in error.body


@pytest.mark.parametrize("method", ["delete", "revoke"])
def test_unknown_user(any_client: AnyClient, simulator: Simulator, method: str) -> None:
    """A uid with a typing error is a NotFoundError that names the uid, because the token is
    still valid."""
    with pytest.raises(NotFoundError, match="The user alcie does not exist") as caught:
        any_client.call(methodcaller(method, "alcie", TOKEN), any_client.client().auth_tokens)
    assert caught.value.code == "ERR_UID_NOT_FOUND"
    assert TOKEN in simulator.auth_tokens["alice"]


@pytest.mark.parametrize(
    "fault", [{"cut": "after_processing"}, {"status": 503, "apply_after": 0}], ids=["lost", "503"]
)
def test_revocation_is_repeated(any_client: AnyClient, simulator: Simulator, fault: Any) -> None:
    """A revocation whose outcome is unknown is sent again, and finds no token; a deletion is
    never sent again."""
    simulator.fail("delete_auth_token", **fault)
    assert (
        any_client.call(lambda chat: chat.auth_tokens.revoke("alice", TOKEN))
        is Revocation.NOT_FOUND
    )
    assert len(simulator.requests) == 2
    simulator.fail("delete_auth_token", **fault)
    with pytest.raises((TransportError, ServerError)) as caught:
        any_client.call(
            lambda chat: chat.auth_tokens.delete("bob", simulator.auth_tokens["bob"][0])
        )
    assert (caught.value.outcome_unknown, len(simulator.requests)) == (True, 3)


@pytest.mark.parametrize(
    ("answer", "outcome"), [("error", Revocation.NOT_FOUND), ("success", Revocation.REVOKED)]
)
def test_misspelt_token(any_client: AnyClient, answer: Any, outcome: Revocation) -> None:
    """A misspelt token is not found, and stays valid; the client cannot see it if the service
    calls it a success."""
    with Simulator(unknown_token=answer) as simulator:
        chat = any_client.client(base_url=simulator.base_url, api_key=simulator.api_key)
        assert (
            any_client.call(lambda chat: chat.auth_tokens.revoke("alice", TOKEN[:-1]), chat)
            is outcome
        )
        assert TOKEN in simulator.auth_tokens["alice"]


@pytest.mark.parametrize("method", ["delete", "revoke"])
@pytest.mark.parametrize(
    ("uid", "token"), [("", TOKEN), ("alice", ""), ("alice", ".."), ("..", ".."), ("a/b", "x")]
)
def test_unsafe_arguments_are_refused(
    any_client: AnyClient, simulator: Simulator, method: str, uid: str, token: str
) -> None:
    """Arguments that could delete more than one token are refused before anything is sent."""
    with pytest.raises(InvalidRequestError):
        any_client.call(methodcaller(method, uid, token), any_client.client().auth_tokens)
    (found,) = any_client.call(lambda chat: chat.auth_tokens.revoke_all([(uid, token)]))
    assert (found.uid, found.outcome, type(found.error)) == (uid, None, InvalidRequestError)
    assert (simulator.requests, simulator.damage) == ([], [])


@pytest.mark.parametrize("method", ["delete", "revoke"])
@pytest.mark.parametrize("wrap", [str, Secret])
def test_swapped_arguments_are_refused(
    any_client: AnyClient, simulator: Simulator, method: str, wrap: Any
) -> None:
    """A token in the place of the uid is refused before anything is sent: a log of the service
    would show it. Neither the error nor a frame shows the uid or the token."""
    for uid, token in ((wrap(TOKEN), "alice"), (TOKEN, wrap("alice"))):
        error = error_from(
            any_client, methodcaller(method, uid, token), any_client.client().auth_tokens
        )
        assert isinstance(error, InvalidRequestError)
        assert error.argument == "auth_token"
        assert str(error) == "auth_token is swapped with the uid, which begins with it and '_'"
        assert "alice" not in own_locals(error)
    pairs = [("bob", "b"), (TOKEN, "alice")]
    error = error_from(
        any_client, lambda chat: chat.auth_tokens.revoke_all(pairs), any_client.client()
    )
    assert isinstance(error, InvalidRequestError)
    assert str(error).startswith(
        "tokens must contain pairs of a uid and a token; item 2 has a token that is swapped"
    )
    assert "alice" not in str(error) + own_locals(error)
    assert simulator.requests == []


def test_tokens_that_cannot_be_read(any_client: AnyClient) -> None:
    """An error that the caller's iterable raises passes unchanged, and our frames show no token."""

    def tokens() -> Iterator[tuple[str, str]]:
        yield "alice", TOKEN
        raise RuntimeError("the file ends here")

    with pytest.raises(RuntimeError) as caught:
        any_client.call(lambda chat: chat.auth_tokens.revoke_all(tokens()))
    assert TOKEN not in own_locals(caught.value)


def test_uid_with_an_underscore(any_client: AnyClient, simulator: Simulator) -> None:
    """A uid may contain underscores and begin like a token of another user."""
    simulator.users["alice_b"] = simulator.users["alice"]
    simulator.auth_tokens["alice_b"] = ["alice_b_1", "alic"]
    pairs = [("alice_b", "alice_b_1"), ("alice_b", "alic")]
    results = any_client.call(lambda chat: chat.auth_tokens.revoke_all(pairs))
    assert [each.outcome for each in results] == [Revocation.REVOKED] * 2


def test_revoke_all(any_client: AnyClient, simulator: Simulator) -> None:
    """Each token has its own result, in the order of the tokens; an error does not hide other
    results."""
    mine, others = simulator.auth_tokens["alice"], simulator.auth_tokens["bob"]
    tokens = [
        ("alice", mine[0]),
        ("nobody", mine[1]),
        ("bob", mine[1]),
        ("bob", others[0]),
        ("alice", "no-such-token"),
    ]
    found = any_client.call(lambda chat: chat.auth_tokens.revoke_all(iter(tokens)))
    assert all(isinstance(each, TokenRevocation) for each in found)
    codes = [each.error.code if isinstance(each.error, ApiError) else each.error for each in found]
    assert [(each.uid, each.outcome, code) for each, code in zip(found, codes, strict=True)] == [
        ("alice", Revocation.REVOKED, None),
        ("nobody", None, "ERR_UID_NOT_FOUND"),
        ("bob", None, "ERR_AUTHTOKEN_NOT_ACCESSIBLE"),
        ("bob", Revocation.REVOKED, None),
        ("alice", Revocation.NOT_FOUND, None),
    ]
    assert (simulator.auth_tokens["alice"], simulator.auth_tokens["bob"]) == (mine[1:], others[1:])
    assert len(simulator.requests) == len(tokens)
    assert [each.attempts for each in found] == [1] * 5


@pytest.mark.parametrize(
    ("status", "outcome"), [(200, Revocation.REVOKED), (429, None)], ids=["success", "error"]
)
def test_attempts_of_a_revocation(
    any_client: AnyClient, simulator: Simulator, status: int, outcome: Revocation | None
) -> None:
    """The result for a token has the number of attempts, whether it succeeded or failed."""
    simulator.fail(status=503, headers={"Retry-After": "0"})
    if status != 200:
        simulator.fail(status=status, headers={"Retry-After": "0"}, times=None)
    client = any_client.client(max_retries=1)
    (found,) = any_client.call(lambda chat: chat.auth_tokens.revoke_all([("alice", TOKEN)]), client)
    assert (found.outcome, found.attempts) == (outcome, len(simulator.requests))
    assert found.attempts > 1
    (refused,) = any_client.call(lambda chat: chat.auth_tokens.revoke_all([("a/b", "x")]))
    assert refused.attempts == 0


def test_results_as_they_arrive(any_client: AnyClient, simulator: Simulator) -> None:
    """`on_result` is called once with each result, as soon as there is one and with one at a time;
    the call returns the same results in the order of the tokens."""
    tokens = [
        (uid, token) for uid, tokens_of in simulator.auth_tokens.items() for token in tokens_of
    ]
    tokens.append(("nobody", "x"))
    results: list[TokenRevocation] = []
    active: list[int] = []

    def note(result: TokenRevocation) -> None:
        active.append(1)
        results.append(result)
        time.sleep(0.002)  # other threads get their results meanwhile
        assert len(active) == 1
        active.pop()

    returned = any_client.call(lambda chat: chat.auth_tokens.revoke_all(tokens, on_result=note))
    assert {id(each) for each in results} == {id(each) for each in returned}
    assert [each.uid for each in returned] == [uid for uid, _ in tokens]
    assert len(results) == len(tokens)


def test_function_for_results_that_raises(any_client: AnyClient, simulator: Simulator) -> None:
    """An exception of `on_result` ends the job, and is raised unchanged. A coroutine function is
    refused before anything is sent, because nobody would await it."""
    raised = RuntimeError("the disk is full")

    def fail(_: TokenRevocation) -> None:
        raise raised

    async def wrong(_: TokenRevocation) -> None: ...

    class Wrong:
        async def __call__(self, _: TokenRevocation) -> None: ...

    tokens = [("alice", f"token-{number}") for number in range(500)]
    for on_result in (wrong, Wrong(), "print"):
        with pytest.raises(InvalidRequestError, match=r"^on_result must be"):
            any_client.call(
                lambda chat: chat.auth_tokens.revoke_all(tokens, on_result=on_result)  # noqa: B023
            )
    assert simulator.requests == []
    with pytest.raises(RuntimeError) as caught:
        any_client.call(
            lambda chat: chat.auth_tokens.revoke_all(tokens, concurrency=2, on_result=fail)
        )
    assert caught.value is raised
    assert len(simulator.requests) < len(tokens)


def test_revoke_all_limits_concurrent_calls(any_client: AnyClient) -> None:
    """The number of concurrent calls reaches `concurrency` and does not exceed it."""
    with Service() as service:
        service.gather(3)
        tokens = [("alice", f"together-{number}") for number in range(9)]
        client = any_client.client(base_url=service.base_url)
        found = any_client.call(
            lambda chat: chat.auth_tokens.revoke_all(tokens, concurrency=3), client
        )
        assert [each.outcome for each in found] == ["revoked"] * 9
        assert service.opened == 3


@pytest.mark.parametrize(
    "tokens", [["alice"], [("alice",)], [("alice", TOKEN, "x")], [None], "ab", {"alice": TOKEN}]
)
def test_revoke_all_refuses_items_that_are_not_pairs(
    any_client: AnyClient, simulator: Simulator, tokens: Any
) -> None:
    """An item that is not a pair of a uid and a token is refused before anything is sent; the
    error has its number."""
    with pytest.raises(
        InvalidRequestError,
        match="tokens must contain pairs of a uid and a token; item 1 is not a pair",
    ):
        any_client.call(lambda chat: chat.auth_tokens.revoke_all(tokens))
    assert simulator.requests == []


@pytest.mark.parametrize("concurrency", [0, -1, 101, True, 1.5, None], ids=repr)
def test_revoke_all_refuses_invalid_concurrency(
    any_client: AnyClient, simulator: Simulator, concurrency: Any
) -> None:
    """`concurrency` must be an integer from 1 to 100."""
    with pytest.raises(InvalidRequestError, match="concurrency must be an integer from 1 to 100"):
        any_client.call(
            lambda chat: chat.auth_tokens.revoke_all([("alice", TOKEN)], concurrency=concurrency)
        )
    assert simulator.requests == []


def test_revoke_all_stops_after_an_unexpected_exception(any_client: AnyClient) -> None:
    """An exception that is not a CometChatError is raised unchanged, and no further revocation
    starts."""
    raised = RuntimeError("a fault in a callback")

    def fail(_: Drift) -> None:
        raise raised

    stub = StubTransport(lambda _: make_response(body={"data": {"success": True, "message": 5}}))
    chat = stub_client(any_client, stub, on_drift=fail)
    tokens = [("alice", f"token-{number}") for number in range(2000)]
    with pytest.raises(RuntimeError) as caught:
        any_client.call(lambda chat: chat.auth_tokens.revoke_all(tokens, concurrency=2), chat)
    assert caught.value is raised
    assert len(stub.requests) < len(tokens)


def test_revoke_all_in_the_context_of_the_caller(
    any_client: AnyClient, simulator: Simulator
) -> None:
    """The revocations run in the context of the caller, which may hold the span of a trace."""
    user: ContextVar[str] = ContextVar("user")
    seen: list[str | None] = []
    tokens = [("alice", token) for token in simulator.auth_tokens["alice"]]
    user.set("a moderator")
    client = any_client.client(on_attempt=lambda _: seen.append(user.get(None)))
    any_client.call(lambda chat: chat.auth_tokens.revoke_all(tokens, concurrency=2), client)
    assert seen == ["a moderator"] * len(tokens)


def test_revoke_all_in_a_thread_that_outlives_the_main_thread(simulator: Simulator) -> None:
    """A thread may revoke tokens after the main thread has ended, and so may a function that runs
    at the exit of the program."""
    code = f"""
import atexit, threading
from cometchat_rest import Client

tokens = {[("alice", token) for token in simulator.auth_tokens["alice"][:2]]!r}
chat = Client(base_url={simulator.base_url!r}, api_key={simulator.api_key!r})

def revoke():
    print(*(revoked.outcome for revoked in chat.auth_tokens.revoke_all(tokens)))

def revoke_later():
    threading.main_thread().join()
    revoke()

threading.Thread(target=revoke_later).start()
atexit.register(revoke)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("revoked revoked\nnot_found not_found\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("status", [503, 429])
def test_revoke_all_ends_after_ctrl_c_in_a_pause(simulator: Simulator, status: int) -> None:
    """After Ctrl-C, a revocation that waits for its next attempt ends, and `on_result` gets the
    error of its last attempt."""
    code = f"""
import os, signal
import httpx
from cometchat_rest import Client

class Transport(httpx.BaseTransport):
    sent = 0
    def handle_request(self, request):
        Transport.sent += 1
        return httpx.Response({status}, headers={{"Retry-After": "4"}})

def interrupt(record):
    waiting.append(record.retry_in)
    # After a 429, both revocations wait for the same time, perhaps before the first attempt.
    if len(waiting) == (2 if {status} == 503 else 1):
        os.kill(os.getpid(), signal.SIGINT)

waiting = []
results = []
chat = Client(base_url={simulator.base_url!r}, api_key="key", transport=Transport(), on_attempt=interrupt)
try:
    chat.auth_tokens.revoke_all([("alice", "a-token"), ("bob", "b-token")], concurrency=2, on_result=results.append)
except KeyboardInterrupt:
    sent = [revoked.error for revoked in results if revoked.attempts]
    print(len(sent) == Transport.sent, *{{(error.status_code, error.outcome_unknown, error.attempts) for error in sent}})
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    expected = (status, status == 503, 1)
    assert (done.stdout, done.stderr) == (f"True {expected}\n", "")


def test_revoke_all_can_be_cancelled() -> None:
    """A cancelled task starts no further revocations, and waits for no response."""

    async def run(service: Service) -> None:
        chat = AsyncClient(base_url=service.base_url, api_key="key")
        tokens = [("alice", f"held-{number}") for number in range(9)]
        async with chat, anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: chat.auth_tokens.revoke_all(tokens, concurrency=3))
            await anyio.to_thread.run_sync(service.wait_for_held, 3)
            tasks.cancel_scope.cancel()

    with Service() as service:
        anyio.run(run, service)
        service.release.set()
        assert len(service.received) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_revoke_all_ends_after_ctrl_c(simulator: Simulator) -> None:
    """After Ctrl-C, the revocations in progress end, no others start, and no token is shown.
    `on_result` has got a result for each revocation that was sent."""
    code = f"""
import os, signal, sys, threading, time
import httpx
from cometchat_rest import Client

def is_waiting():
    # Whether the main thread waits for the other threads, in a method of Python.
    frame = sys._current_frames()[threading.main_thread().ident]
    inner = frame.f_code.co_filename
    while frame is not None and not frame.f_code.co_filename.endswith("cometchat_runtime/concurrency.py"):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_name == "_wait_for" and inner == threading.__file__

class Transport(httpx.BaseTransport):
    begun = []
    def handle_request(self, request):
        self.begun.append(request)
        if len(self.begun) == 2:
            while not is_waiting():
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)
        # Send no response before the main thread is interrupted.
        interrupted.wait({PATIENCE})
        return httpx.Response(200, json={{"data": {{"success": True, "message": ""}}}})

results = []
interrupted = threading.Event()
signal.signal(signal.SIGINT, lambda *_: (interrupted.set(), signal.default_int_handler(signal.SIGINT, None)))
with Client(base_url={simulator.base_url!r}, api_key="key", transport=Transport()) as chat:
    try:
        chat.auth_tokens.revoke_all([("alice", f"{TOKEN}-{{n}}") for n in range(2000)], concurrency=2,
                                    on_result=results.append)
    except KeyboardInterrupt as error:
        import traceback
        print("interrupted", 2 <= len(Transport.begun) < 1000, len(results) == len(Transport.begun))
        shown = traceback.TracebackException.from_exception(error, capture_locals=True)
        print({TOKEN[-20:]!r} in "".join(line for line in shown.format() if "<string>" not in line))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (
        0,
        ["interrupted", "True", "True", "False"],
        "",
    )


def test_job_without_tokens(any_client: AnyClient, simulator: Simulator) -> None:
    """A job without tokens has no results, and sends nothing."""
    assert any_client.call(lambda chat: chat.auth_tokens.revoke_all([])) == []
    assert simulator.requests == []


@pytest.mark.parametrize(
    "copied",
    ["Bearer {}", "bearer\u00a0{}", '"{}"', "{}'", "\u201c{}\u201d", "\ufeff{}", " {}", "{} "],
    ids=repr,
)
@pytest.mark.parametrize("method", ["delete", "revoke"])
def test_token_that_was_copied_with_something_else(
    any_client: AnyClient, simulator: Simulator, copied: str, method: str
) -> None:
    """A token with quotes, white space or `Bearer` around it is refused before sending: the service
    does not know it, and the right one would stay valid. The error names the argument, and does not
    show the token."""
    token = simulator.auth_tokens["alice"][0]
    act = methodcaller(method, "alice", copied.format(token))
    error = error_from(any_client, lambda chat: act(chat.auth_tokens), any_client.client())
    assert isinstance(error, InvalidRequestError)
    assert error.argument == "auth_token"
    assert str(error).startswith("auth_token must not ")
    assert token not in repr(vars(error)) + str(error)
    assert simulator.requests == []
