"""Threads that the clients start do not receive Ctrl-C, so that it always reaches the main thread."""

from __future__ import annotations

import signal
import subprocess
import sys
from urllib.parse import urlsplit

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


def test_thread_that_looks_up_a_host_does_not_receive_ctrl_c(simulator: Simulator) -> None:
    """The thread that looks up a host blocks Ctrl-C. The thread of the caller still receives it."""
    code = f"""
import signal, sys, threading
from cometchat_rest import Client

def look(event, _):
    if event == "socket.getaddrinfo" and threading.current_thread() is not threading.main_thread():
        print(*sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())))

sys.addaudithook(look)
with Client(base_url="http://localhost:{urlsplit(simulator.base_url).port}/v3", api_key={simulator.api_key!r}) as chat:
    chat.roles.list()
print(*signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    ending = " ".join(str(int(each)) for each in sorted(STOP_SIGNALS))
    assert (done.stdout, done.stderr) == (f"{ending}\n\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="how a stack is refused differs from system to system")
def test_host_is_looked_up_without_a_thread_if_none_can_be_started(simulator: Simulator) -> None:
    """If the system cannot start a thread, the caller's thread looks up the host, and still receives all signals."""
    code = f"""
import signal, threading
from cometchat_rest import Client

with Client(base_url="http://localhost:{urlsplit(simulator.base_url).port}/v3", api_key={simulator.api_key!r}) as chat:
    threading.stack_size(2**47)  # more than there is room for
    try:
        threading.Thread(target=print).start()
    except RuntimeError:
        print(len(chat.roles.list().data) > 0, *signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    assert (done.stdout, done.stderr) == ("True\n", "")
