"""Threads that the clients start do not receive Ctrl-C, so that it always reaches the main thread."""

from __future__ import annotations

import signal
import sys

import httpx
import pytest

from cometchat_rest import Client
from cometchat_rest.testing import Simulator

from ..support import TOKEN, make_response

if sys.platform == "win32":
    pytest.skip("Windows gives signals to no thread", allow_module_level=True)


STOP_SIGNALS = {signal.SIGINT, signal.SIGTERM}


def test_threads_that_make_calls_have_the_signals_of_the_caller(simulator: Simulator) -> None:
    """Threads that make calls block the same signals as the caller, and the caller's signals stay as they are."""
    blocked: list[set[signal.Signals]] = []

    class Transport(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            assert request.method == "DELETE"
            blocked.append({signal.Signals(each) for each in signal.pthread_sigmask(signal.SIG_BLOCK, ())})
            return make_response(200, {"data": {"success": True, "message": ""}})

    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with Client(base_url=simulator.base_url, api_key=simulator.api_key, transport=Transport()) as chat:
        chat.auth_tokens.revoke_all([("alice", TOKEN), ("bob", TOKEN)])
    assert len(blocked) == 2
    assert all(each == before for each in blocked)
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
