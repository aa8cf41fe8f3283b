"""Calls above the rate limit: one pause for all calls of a client after a 429."""

import asyncio
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import httpx
import pytest
from attrs import define

from cometchat_rest import AsyncClient, CometChatError, Revocation
from cometchat_rest._call.pacing import Pacing

from ..support import AnyClient, StubTransport, always_respond, error_from, make_response, run_concurrently, stub_client
from .call_support import RetryRecorder

DELETED = {"data": {"success": True, "message": ""}}


@define
class Limit:
    """A limit of calls in each window."""

    limit: int
    window: float
    used: int = 0
    refused: int = 0
    end: float = 0.0

    def take(self) -> bool:
        """Take one call of the window, or refuse it."""
        if time.monotonic() >= self.end:
            self.used, self.end = 0, time.monotonic() + self.window
        if self.used >= self.limit:
            self.refused += 1
            return False
        self.used += 1
        return True


class LimitedTransport(StubTransport):
    """A service with a limit, which asks for a pause of a quarter of the window. A response takes ten milliseconds, so
    that several calls are under way at the same time."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(self._answer)
        self._limit = limit
        self._lock = threading.Lock()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        time.sleep(0.01)
        return response

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        await anyio.sleep(0.01)
        return response

    def _answer(self, _: httpx.Request) -> httpx.Response:
        with self._lock:
            accepted = self._limit.take()
        if accepted:
            return make_response(200, DELETED)
        return make_response(429, b"", {"Retry-After": str(self._limit.window / 4)})


def revoke_120(any_client: AnyClient, transport: LimitedTransport, **settings: Any) -> None:
    chat = stub_client(any_client, transport, **settings)
    tokens = [("alice", f"token-{number}") for number in range(120)]
    found = any_client.call(lambda chat: chat.auth_tokens.revoke_all(tokens, concurrency=8), chat)
    assert [each.outcome for each in found] == [Revocation.REVOKED] * 120


def test_bulk_job_above_the_limit(any_client: AnyClient) -> None:
    """120 revocations, eight at a time, at 40 calls per window: all of them succeed. After a pause, only one call tries
    whether the service accepts calls again. `max_retries` does not limit the pauses."""
    limit = Limit(40, 0.8)
    revoke_120(any_client, LimitedTransport(limit), max_retries=1)
    # At most eight calls are sent after the last call of a window, and then one in each quarter of the window; twice.
    assert 0 < limit.refused <= 2 * (8 + 4)


@pytest.mark.timeout(60)
def test_200_plain_calls_above_the_limit(any_client: AnyClient) -> None:
    """200 calls at once, of which the service allows 50 in each window, all succeed within their deadline. Beside those
    that were sent before the first refusal, it refuses only some calls in each window."""
    limit = Limit(50, 0.5)
    chat = stub_client(any_client, LimitedTransport(limit), max_retries=2, deadline=30.0)

    async def all_at_once(chat: Any) -> list[Any]:
        return await asyncio.gather(*(chat.auth_tokens.delete("alice", f"token-{n}") for n in range(200)))

    def in_threads(chat: Any) -> list[Any]:
        with ThreadPoolExecutor(200) as threads:
            return list(threads.map(lambda n: chat.auth_tokens.delete("alice", f"token-{n}"), range(200)))

    deleted = any_client.call(in_threads if any_client.kind == "sync" else all_at_once, chat)
    assert [result.success for result in deleted] == [True] * 200
    assert 0 < limit.refused <= 150 + 3 * 20


@pytest.mark.parametrize("value", ["0", "-5", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_refusals_without_a_pause(any_client: AnyClient, value: str) -> None:
    """A call does not flood a service that refuses every call and asks for no pause."""
    transport = StubTransport(always_respond(429, b"{}", {"Retry-After": value}))
    chat = stub_client(any_client, transport, max_retries=2, deadline=1.0)
    error = error_from(any_client, lambda chat: chat.auth_tokens.delete("alice", "token"), chat)
    assert isinstance(error, CometChatError)
    assert 2 < len(transport.requests) <= 5


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def in_line(pacing: Pacing, number: int, deadline: float = 100.0) -> list[Any]:
    turns = [pacing.turn(deadline) for _ in range(number)]
    for turn in turns:
        assert pacing.wait(turn) > 0
    return turns


def paused(clock: Clock, *, seconds: float = 10.0) -> Pacing:
    """A client whose service has just asked for a pause."""
    pacing = Pacing(clock)
    refused = pacing.turn(100.0)
    pacing.settle(refused, seconds, refused=True)
    pacing.leave(refused)
    return pacing


def test_first_come_first_served() -> None:
    """After the pause, the call that has waited longest is sent alone; if it is accepted, the next two follow. Nobody
    waits for a call that was cancelled, or whose deadline has passed. If no call waits, all is calm."""
    clock = Clock()
    pacing = paused(clock)
    cancelled, first, second, third, fourth = in_line(pacing, 5)
    (late,) = in_line(pacing, 1, deadline=10.001)
    assert 0 < pacing.wait(late) <= 10.0
    pacing.leave(cancelled)
    clock.now = 10.0
    assert pacing.wait(third) > pacing.wait(second) > 0
    assert pacing.wait(first) == 0.0
    assert pacing.wait(second) > 0
    clock.now = 10.01
    pacing.settle(first, None, refused=False)
    assert [pacing.wait(turn) > 0 for turn in (fourth, third, second)] == [True, False, False]
    pacing.settle(third, None, refused=False)
    assert not pacing.calm
    assert pacing.wait(fourth) == 0.0
    pacing.settle(second, None, refused=False)
    assert pacing.calm


def test_refused_trial_extends_the_pause() -> None:
    """If the first call after the pause is refused again, all others wait for the new pause, and it stays the first."""
    clock = Clock()
    pacing = paused(clock)
    first, second = in_line(pacing, 2)
    clock.now = 10.0
    assert pacing.wait(first) == 0.0
    pacing.settle(first, 5.0, refused=True)
    assert (pacing.wait(second), pacing.wait(first)) == (5.0, 5.0)
    clock.now = 15.0
    assert pacing.wait(second) > 0
    assert pacing.wait(first) == 0.0
    pacing.leave(first)
    assert pacing.wait(second) == 0.0


def test_pause_after_the_deadline() -> None:
    """A call whose deadline comes before the end of the pause does not wait: it is sent, and the service decides."""
    clock = Clock()
    pacing = paused(clock)
    assert pacing.wait(pacing.turn(9.0)) == 0.0
    assert not pacing.calm


def test_call_keeps_half_of_its_time() -> None:
    """A call waits for other calls at most half of its time after the pause, so that its response can still arrive."""
    clock = Clock()
    pacing = paused(clock)
    trial = pacing.turn(100.0)
    waiting = pacing.turn(30.0)
    clock.now = 10.0
    assert pacing.wait(trial) == 0.0
    clock.now = 19.9
    assert pacing.wait(waiting) > 0
    clock.now = 20.0
    assert pacing.wait(waiting) == 0.0


class CountedDeadline(float):
    """A deadline that counts how often it was compared."""

    compared = 0

    def __gt__(self, other: float) -> bool:
        CountedDeadline.compared += 1
        return float(self) > other


def test_thousands_of_calls_wait() -> None:
    """Each of thousands of waiting calls looks only at a few others, so that an event loop does not stop."""
    clock = Clock()
    pacing = paused(clock)
    turns = in_line(pacing, 3000, CountedDeadline(100.0))
    clock.now = 10.0
    CountedDeadline.compared = 0
    assert pacing.wait(turns[-1]) > 0
    assert 0 < CountedDeadline.compared < 100


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork here")
def test_forked_process_waits_for_no_call_of_its_parent() -> None:
    """A call in a forked process does not wait for the calls of its parent, which nothing in the child ends."""
    clock = Clock()
    pacing = paused(clock)
    in_line(pacing, 2)
    clock.now = 10.0
    child = os.fork()
    if child == 0:
        os._exit(0 if pacing.wait(pacing.turn(100.0)) == 0.0 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert pacing.wait(pacing.turn(100.0)) > 0


@pytest.mark.timeout(30)
@pytest.mark.parametrize("any_client", ["sync"], indirect=True)
def test_on_drift_can_make_a_call(any_client: AnyClient) -> None:
    """`on_drift` can make a call with the same client, also while the response after a pause is read."""
    drifted = {"data": [{"role": 5}], "meta": {"pagination": {}}}
    responses = iter([make_response(429, b"", {"Retry-After": "0.01"}), make_response(200, drifted)])
    stub = StubTransport(lambda _: next(responses, None) or make_response(200, DELETED))
    inner: list[Revocation] = []
    on_drift: Any = lambda _: inner.append(chat.auth_tokens.revoke("alice", "inner"))  # noqa: E731
    chat: Any = stub_client(any_client, stub, max_retries=1, on_drift=on_drift)
    any_client.call(lambda chat: chat.roles.list(), chat)
    assert set(inner) == {Revocation.REVOKED}


def refused_once(seconds: float) -> StubTransport:
    """A service that refuses the first call, and asks for a pause."""
    refusals = iter([make_response(429, b"", {"Retry-After": str(seconds)})])
    return StubTransport(lambda _: next(refusals, None) or make_response(200, DELETED))


def tokens_of(stub: StubTransport) -> list[str]:
    return [request.url.path.rpartition("/")[2] for request in stub.requests]


def test_all_calls_wait_for_one_pause(any_client: AnyClient, retries: RetryRecorder) -> None:
    """While a call waits after a 429, the calls of the client and of its derived clients wait too, and come later."""
    stub = refused_once(0.5)
    chat = stub_client(any_client, stub, max_retries=1)

    def first() -> None:
        any_client.call(lambda chat: chat.auth_tokens.revoke("alice", "first"), chat)

    def second() -> None:
        assert retries.announced.wait(20)
        any_client.call(lambda chat: chat.auth_tokens.revoke("alice", "second"), chat.with_options(max_retries=0))

    run_concurrently([first, second])
    assert tokens_of(stub) == ["first", "first", "second"]


def test_cancelled_call_stops_waiting() -> None:
    """A call that is cancelled while it waits sends nothing, and no call waits for it, even if a program keeps its
    exception."""
    stub = refused_once(0.2)
    kept: list[BaseException] = []

    async def cancelled(chat: AsyncClient) -> None:
        try:
            await chat.auth_tokens.revoke("alice", "cancelled")
        except BaseException as error:
            kept.append(error)
            raise

    async def run() -> None:
        async with AsyncClient(base_url="http://127.0.0.1:1/v3", api_key="key", transport=stub) as chat:
            with anyio.move_on_after(0.1):
                await cancelled(chat)
            with anyio.fail_after(20):
                await chat.auth_tokens.revoke("alice", "last")

    anyio.run(run)
    assert len(kept) == 1
    assert tokens_of(stub) == ["cancelled", "last"]


@pytest.mark.timeout(30)
@pytest.mark.parametrize("any_client", ["sync"], indirect=True)
def test_stopped_job_waits_no_longer(any_client: AnyClient, retries: RetryRecorder) -> None:
    """If a bulk job ends early, as after Ctrl-C, its calls that wait for the service end too, and send nothing more."""

    class Interruption(BaseException):
        pass

    both_sent = threading.Barrier(2)

    def respond(request: httpx.Request) -> httpx.Response:
        both_sent.wait(20)
        if request.url.path.endswith("first"):
            return make_response(429, b"", {"Retry-After": "60"})
        assert retries.announced.wait(20)
        raise Interruption

    stub = StubTransport(respond)
    tokens = [("alice", "first"), ("alice", "second")]
    with pytest.raises(Interruption):
        any_client.call(lambda chat: chat.auth_tokens.revoke_all(tokens), stub_client(any_client, stub, max_retries=1))
    assert sorted(tokens_of(stub)) == ["first", "second"]
