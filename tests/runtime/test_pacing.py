"""Calls above the rate limit: one pause for all calls of a client after a 429."""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import httpx
import pytest

from cometchat_rest import AsyncClient
from cometchat_testing import Simulator

from ..support import (
    PATIENCE,
    PUT,
    AnyClient,
    StubTransport,
    make_response,
    stub_client,
)
from .call_support import RetryRecorder

DELETED = {"data": {"success": True, "message": ""}}


def test_bulk_job_above_the_limit(any_client: AnyClient, simulator: Simulator) -> None:
    """120 revocations, eight at a time, at 40 calls per window: all of them succeed. `max_retries`
    does not limit the pauses."""
    simulator.auth_tokens["alice"] = [f"token-{number}" for number in range(120)]
    simulator.rate_limit(40, window=1)
    tokens = [("alice", token) for token in simulator.auth_tokens["alice"]]
    found = any_client.call(
        lambda chat: chat.auth_tokens.revoke_all(tokens), any_client.client(max_retries=1)
    )
    assert [each.outcome for each in found] == ["revoked"] * 120
    assert simulator.auth_tokens["alice"] == []


def test_200_plain_calls_above_the_limit(any_client: AnyClient, simulator: Simulator) -> None:
    """200 updates at once, of which the service allows 50 in each window, all succeed within
    their deadline."""
    simulator.rate_limit(50, window=1)

    async def all_at_once(chat: Any) -> list[Any]:
        return await asyncio.gather(*(PUT.act(chat) for _ in range(200)))

    def in_threads(chat: Any) -> list[Any]:
        with ThreadPoolExecutor(200) as threads:
            return list(threads.map(PUT.act, [chat] * 200))

    act: Callable[[Any], Any] = in_threads if any_client.kind == "sync" else all_at_once
    updated = any_client.call(act, any_client.client(timeout=100, deadline=100))
    assert len({each.revision_id for each in updated}) == 200


class Refuses(StubTransport):
    """Refuses the first calls, and asks each for a pause. It records the token and the time of
    each call."""

    def __init__(self, *pauses: int) -> None:
        super().__init__(self._answer)
        self.calls: list[tuple[str, float]] = []
        self._pauses = iter(pauses)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.calls.append((request.url.path.rpartition("/")[2], time.monotonic()))
        pause = next(self._pauses, None)
        if pause is None:
            return make_response(200, DELETED)
        return make_response(429, b"", {"Retry-After": str(pause)})

    @property
    def tokens(self) -> list[str]:
        return [token for token, _ in self.calls]


def call_in_turn(
    any_client: AnyClient, stub: StubTransport, retries: RetryRecorder, **options: Any
) -> None:
    """Make a call, and another one with these options while the first one waits."""
    chat = stub_client(any_client, stub, max_retries=1)
    with ThreadPoolExecutor(1) as other:
        first = other.submit(
            any_client.call, lambda chat: chat.auth_tokens.revoke("alice", "first"), chat
        )
        assert retries.announced.wait(PATIENCE)
        any_client.call(
            lambda chat: chat.auth_tokens.revoke("alice", "second"), chat.with_options(**options)
        )
        first.result(PATIENCE)


def test_all_calls_wait_for_one_pause(any_client: AnyClient, retries: RetryRecorder) -> None:
    """While a call waits after a 429, the calls of the client and of its derived clients wait
    too."""
    stub = Refuses(1)
    call_in_turn(any_client, stub, retries, max_retries=0)
    assert sorted(stub.tokens) == ["first", "first", "second"]
    (_, refused), *later = stub.calls
    assert all(sent >= refused + 1 for _, sent in later)


def test_call_whose_deadline_comes_before_the_end_of_the_pause(
    any_client: AnyClient, retries: RetryRecorder
) -> None:
    """A call whose deadline comes before the end of the pause is sent at once, and the service
    decides."""
    stub = Refuses(4)
    call_in_turn(any_client, stub, retries, deadline=2)
    assert stub.tokens == ["first", "second", "first"]


def test_refused_call_waits_although_the_others_wait_longer(
    any_client: AnyClient, retries: RetryRecorder
) -> None:
    """A call that is sent because its deadline comes before the end of the common pause waits as
    long as its own refusal asks, before its next attempt."""
    stub = Refuses(4, 1)
    call_in_turn(any_client, stub, retries, deadline=2)
    assert stub.tokens == ["first", "second", "second", "first"]
    assert stub.calls[2][1] >= stub.calls[1][1] + 1


def test_cancelled_call_stops_waiting(retries: RetryRecorder) -> None:
    """A call that is cancelled while it waits sends nothing more, and the next call is right."""
    stub = Refuses(1)

    async def run() -> None:
        async with AsyncClient(
            base_url="http://127.0.0.1:1/v3", api_key="key", transport=stub
        ) as chat:
            cancelled = asyncio.create_task(chat.auth_tokens.revoke("alice", "cancelled"))
            assert await asyncio.to_thread(retries.announced.wait, PATIENCE)
            cancelled.cancel()
            with anyio.fail_after(PATIENCE):
                await chat.auth_tokens.revoke("alice", "last")
            assert cancelled.cancelled()

    asyncio.run(run())
    assert stub.tokens == ["cancelled", "last"]


@pytest.mark.parametrize("any_client", ["sync"], indirect=True)
def test_stopped_job_waits_no_longer(any_client: AnyClient, retries: RetryRecorder) -> None:
    """If a bulk job ends early, as after Ctrl-C, its calls that wait for the service end too,
    and send nothing more."""

    class Interruption(BaseException):
        pass

    both_sent = threading.Barrier(2)

    def respond(request: httpx.Request) -> httpx.Response:
        both_sent.wait(PATIENCE)
        if request.url.path.endswith("first"):
            return make_response(429, b"", {"Retry-After": "60"})
        assert retries.announced.wait(PATIENCE)
        raise Interruption

    stub = StubTransport(respond)
    tokens = [("alice", "first"), ("alice", "second")]
    with pytest.raises(Interruption):
        any_client.call(
            lambda chat: chat.auth_tokens.revoke_all(tokens),
            stub_client(any_client, stub, max_retries=1),
        )
    assert len(stub.requests) == 2
