"""Signals and child processes: the library changes nothing about how the caller's threads receive signals."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from cometchat_desk.fleet import Fleet
from cometchat_rest import Client
from cometchat_rest.testing import Simulator

from .wire_support import PATIENCE, Service, run_script

if sys.platform == "win32":
    pytest.skip("Windows has no signal masks", allow_module_level=True)

#: A program that says which signals it blocks.
SAY_BLOCKED = "import signal; print(sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, ()))))"
#: A program that runs until it is ended.
RUN = "import sys; print('running', flush=True); sys.stdin.read()"


@pytest.fixture
def fleet(simulator: Simulator) -> Iterator[Fleet]:
    apps = {name: Client(base_url=simulator.base_url, api_key=simulator.api_key) for name in ("shop", "forum", "game")}
    with Fleet(apps) as fleet:
        yield fleet


def mask() -> set[int]:
    """The signals that the calling thread blocks."""
    return set(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, ())))


def test_program_started_by_a_job_can_be_terminated(fleet: Fleet) -> None:
    """A job of `Fleet.each` can start a program and end it with `terminate()`."""

    def job(_: Client) -> int:
        command = [sys.executable, "-c", RUN]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:  # noqa: S603
            assert program.stdout is not None
            assert program.stdout.readline() == "running\n"
            program.terminate()
            try:
                return program.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                program.kill()
                return program.wait()

    ended = {name: outcome.unwrap() for name, outcome in fleet.each(job).items()}
    assert ended == dict.fromkeys(fleet.apps, -signal.SIGTERM)


def test_program_started_by_a_job_blocks_no_signal(fleet: Fleet) -> None:
    """A program that a job of `Fleet.each` starts receives every signal that the caller receives."""

    def job(_: Client) -> str:
        command = [sys.executable, "-c", SAY_BLOCKED]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603

    said = {name: outcome.unwrap() for name, outcome in fleet.each(job).items()}
    assert said == dict.fromkeys(fleet.apps, str(sorted(mask())))


@pytest.mark.parametrize("blocked", [(), (signal.SIGUSR1,), (signal.SIGTERM, signal.SIGUSR2)], ids=str)
def test_jobs_run_with_the_signal_mask_of_the_caller(fleet: Fleet, blocked: tuple[signal.Signals, ...]) -> None:
    """A job of `Fleet.each` blocks exactly the signals that the caller blocks."""
    before = signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    try:
        expected = set(map(int, blocked))
        assert [outcome.unwrap() for outcome in fleet.each(lambda _: mask()).values()] == [expected] * len(fleet.apps)
        assert mask() == expected
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def test_library_never_changes_the_signal_mask_of_the_caller() -> None:
    """New connections by host name, parallel jobs and revocations never change which signals the main thread blocks."""
    with Service(keep_alive=False) as service:
        done = run_script(
            """
            import signal, sys, threading

            real = signal.pthread_sigmask
            changes = []

            def pthread_sigmask(how, signals):
                signals = set(signals)
                # To block no further signal is how a program asks which signals are blocked.
                asks = (how, signals) == (signal.SIG_BLOCK, set())
                if threading.current_thread() is threading.main_thread() and not asks:
                    changes.append((how, signals))
                return real(how, signals)

            signal.pthread_sigmask = pthread_sigmask

            from cometchat_rest import Client, Fleet, WordListInput

            def client():
                return Client(base_url=f"http://localhost:{sys.argv[1]}/v3", api_key="a-key-of-some-length")

            with client() as chat:
                chat.keywords.get("a-list")
                chat.keywords.update("a-list", WordListInput(search_terms=["spam"]))
                chat.auth_tokens.revoke_all([("alice", "a-token"), ("bob", "b-token")])
            with Fleet({"shop": client(), "forum": client()}) as fleet:
                for outcome in fleet.each(lambda chat: chat.keywords.get("a-list")).values():
                    outcome.unwrap()
            print(changes, real(signal.SIG_BLOCK, ()))
            """,
            service.port,
        )
    assert (done.stdout, done.stderr) == ("[] set()\n", "")
    assert len(service.received) == 6


def test_exceptions_of_signal_handlers_leave_the_signal_mask_alone() -> None:
    """However many calls an exception from a signal handler interrupts, the main thread blocks no signal afterwards."""
    with Service(keep_alive=False) as service:
        done = run_script(
            """
            import faulthandler, random, signal, sys, time
            from cometchat_rest import Client, Fleet

            class Interruption(BaseException):
                pass

            armed = False
            interrupted = 0

            def handle(number, frame):
                global armed
                while frame is not None:
                    # Python ignores exceptions of finalizers and of callbacks of weak references.
                    if frame.f_code.co_name == "__del__" or "weakref" in frame.f_code.co_filename:
                        return
                    frame = frame.f_back
                if armed:
                    armed = False
                    raise Interruption

            signal.signal(signal.SIGALRM, handle)
            draw = random.Random(1)

            def interrupt(action, within):
                global armed, interrupted
                # A call that hangs ends this program, which says where it hangs.
                faulthandler.dump_traceback_later(6, exit=True)
                try:
                    armed = True
                    signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-6, within))
                    action()
                    armed = False
                except (Interruption, RuntimeError) as error:
                    # Python's own locks can raise an error while an exception interrupts them.
                    if not isinstance(error, Interruption) and not isinstance(error.__context__, Interruption):
                        raise
                    interrupted += 1
                armed = False
                signal.setitimer(signal.ITIMER_REAL, 0)
                return bool(signal.pthread_sigmask(signal.SIG_BLOCK, ()))

            def client():
                return Client(base_url=f"http://localhost:{sys.argv[1]}/v3", api_key="a-key-of-some-length", deadline=5)

            def duration(action):
                action()
                began = time.perf_counter()
                action()
                return max(1e-4, time.perf_counter() - began)

            blocked = 0
            with client() as chat, Fleet({"shop": client(), "forum": client()}) as fleet:
                one = lambda: chat.keywords.get("a-list")
                several = lambda: fleet.each(lambda chat: 1)
                for action in (one, several):
                    within = duration(action)
                    interrupted = 0
                    while interrupted < 150:
                        blocked += interrupt(action, within)
            # Python waits for threads at exit. If that hangs, this program ends with an error that says where.
            faulthandler.dump_traceback_later(20, exit=True)
            print(blocked)
            """,
            service.port,
        )
    assert (done.stdout, done.stderr) == ("0\n", "")


CTRL_C = """
import os, signal, socket, sys, threading, time
from cometchat_rest import Client, Fleet

hold = threading.Event()

def ctrl_c(*_):
    # The system gives the signal to the main thread, where it can, as it does for Ctrl-C.
    os.kill(os.getpid(), signal.SIGINT)
    hold.wait(20)

def client():
    return Client(base_url=f"http://localhost:{sys.argv[1]}/v3", api_key="a-key-of-some-length", deadline=60)

try:
    with client() as chat, Fleet({"shop": client(), "forum": client()}) as fleet:
        signal.signal(signal.SIGINT, lambda *_: (hold.set(), signal.default_int_handler(signal.SIGINT, None)))
        if sys.argv[2] == "each":
            fleet.each(ctrl_c)
        else:
            look_up = socket.getaddrinfo

            def getaddrinfo(host, *arguments, **options):
                if host == b"localhost" and options.get("flags") != socket.AI_NUMERICHOST:
                    os.kill(os.getpid(), signal.SIGINT)
                    looking.wait(20)
                return look_up(host, *arguments, **options)

            # Nothing ends the search for the host.
            looking = threading.Event()
            socket.getaddrinfo = getaddrinfo
            chat.roles.list()
except KeyboardInterrupt:
    print("interrupted", hold.is_set())
"""


@pytest.mark.parametrize("while_", ["each", "looking up a host"])
def test_ctrl_c_ends_waiting(while_: str) -> None:
    """Ctrl-C ends `Fleet.each`, and a call that is looking up a host, before what they wait for comes."""
    with Service() as service:
        done = run_script(CTRL_C, service.port, while_)
    assert (done.stdout, done.stderr) == ("interrupted True\n", "")


def test_threads_that_make_clients_at_exit_cause_no_noise() -> None:
    """A program that ends while its daemon threads make clients ends without an error message."""
    script = """
    import sys, threading
    from cometchat_rest import Client

    # Threads alternate as often as possible.
    sys.setswitchinterval(1e-6)
    busy = threading.Barrier(5)
    clients = []

    def work():
        for number in range(20_000):
            clients.append(Client(base_url="http://127.0.0.1:1/v3", api_key="a-key-of-some-length"))
            if number == 400:
                busy.wait(20)

    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    busy.wait(20)
    """
    endings = [(done.returncode, done.stderr) for done in (run_script(script) for _ in range(4))]
    assert endings == [(0, "")] * 4
