"""Exceptions that interrupt a blocking call, as an exception from a signal handler does, at every place of the call.

The interrupted call is lost. The client must go on as before: each later call gets its own response in time, and no
connection of the client is lost.
"""

import contextlib
import dis
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from queue import Empty, SimpleQueue
from types import CodeType, FrameType
from typing import Any, TypeAlias

import pytest

import cometchat_openapi
import cometchat_rest
from cometchat_rest import Client, WordListInput

from .wire_support import PATIENCE, Server, Service, get_all_at_once, read_request, response_to, run_script

#: Where a call runs: in the package, in the generated code, and in the HTTP libraries.
PACKAGES = (cometchat_rest, cometchat_openapi)
FOLDERS = tuple(str(Path(str(package.__file__)).parent) for package in PACKAGES)
#: The folders of this project; all places in them are tried, and one in this many of the places in the libraries.
OWN, STRIDE = FOLDERS[:2], 5
NEW = WordListInput(search_terms=["spam", "scam"])
#: After this many interruptions all connections are used at the same time.
BETWEEN_GATHERINGS = 100

#: A place in the code: its line or its instruction, and how often the call came there before.
Place: TypeAlias = tuple[CodeType, int, int]
#: Whether an exception can come at a place.
Fits: TypeAlias = Callable[[CodeType, int], bool]


class Interruption(BaseExceptionGroup[BaseException]):
    """A signal handler raises this error: a group, because such an exception must arrive as it was raised, too."""


def is_ignored(frame: FrameType | None) -> bool:
    """Whether Python ignores exceptions here: in finalizers and in callbacks of weak references."""
    while frame is not None:
        if frame.f_code.co_name == "__del__" or "weakref" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


class Tracer:
    """Notes the places that a thread comes to, or raises at one of them."""

    def __init__(self, event: str, fits: Fits, target: Place | None = None) -> None:
        self.places: list[Place] = []
        self._event = event
        self._fits = fits
        self._target = target
        self._counts: Counter[tuple[CodeType, int]] = Counter()

    def __enter__(self) -> None:
        # Before `settrace`, or Python 3.12 reports no instruction.
        sys._getframe().f_trace_opcodes = self._event == "opcode"  # noqa: SLF001 - documented in `sys`
        sys.settrace(self._enter_frame)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _enter_frame(self, frame: FrameType, _: str, __: object) -> Any:
        code = frame.f_code
        if not (code.co_filename.startswith(FOLDERS) if self._target is None else code == self._target[0]):
            return None
        frame.f_trace_opcodes = self._event == "opcode"
        return self._trace

    def _trace(self, frame: FrameType, event: str, _: object) -> Any:
        if event == self._event:
            code, where = frame.f_code, frame.f_lineno if event == "line" else frame.f_lasti
            if self._fits(code, where):
                place = (code, where, self._counts[code, where])
                self._counts[code, where] += 1
                if self._target is None:
                    self.places.append(place)
                elif place == self._target and not is_ignored(frame):
                    raise Interruption("interrupted", [KeyboardInterrupt()])
        return self._trace


def is_any_line(_: CodeType, __: int) -> bool:
    return True


#: Python runs signal handlers after a call, at the start of a function, and at the end of each round of a loop.
HANDLING = ("CALL", "RESUME", "JUMP_BACKWARD")
_after_handling: dict[CodeType, frozenset[int]] = {}


def is_after_signal_handling(code: CodeType, where: int) -> bool:
    """Whether Python may have run a signal handler just before this instruction."""
    if (found := _after_handling.get(code)) is None:
        instructions = list(dis.get_instructions(code))
        pairs = pairwise(instructions)
        found = frozenset(after.offset for before, after in pairs if before.opname.startswith(HANDLING))
        _after_handling[code] = found
    return where in found


def chosen(places: list[Place]) -> list[Place]:
    """The first and the last visit to each place; in the libraries, only those of one in some places."""
    last = {(code, where): visit for code, where, visit in places}
    both = [place for place in places if place[2] in (0, last[place[:2]])]
    other = iter(range(len(both)))
    return [place for place in both if place[0].co_filename.startswith(OWN) or next(other) % STRIDE == 0]


def described(place: Place) -> str:
    code, where, visit = place
    return (
        f"{Path(code.co_filename).parent.name}/{Path(code.co_filename).name} {code.co_qualname} {where} visit {visit}"
    )


class Interrupting:
    """Interrupts calls in a thread, so that a call which hangs ends the test and not the run."""

    def __init__(self, chat: Client, service: Service, act: Callable[[Client, str], Any]) -> None:
        self._chat = chat
        self._service = service
        self._act = act
        self._progress: SimpleQueue[str | None] = SimpleQueue()
        self.failures: list[str] = []
        self.interrupted = 0

    def run(self, event: str, fits: Fits) -> None:
        """Interrupt a call at each place, one after another, and fail the test if the client does not go on."""
        thread = threading.Thread(target=self._interrupt_at_each_place, args=(event, fits), daemon=True)
        thread.start()
        doing: str | None = "the start"
        while doing is not None:
            try:
                doing = self._progress.get(timeout=2 * PATIENCE)
            except Empty:
                pytest.fail(f"a call hangs after an interruption at {doing}")
        assert self.failures == []

    def _interrupt_at_each_place(self, event: str, fits: Fits) -> None:
        try:
            for _ in range(2):  # what is loaded only once is loaded now
                self._call()
            places = Tracer(event, fits)
            with places:
                self._call()
            since: list[Place] = []
            for place in chosen(places.places):
                self._progress.put(described(place))
                since.append(place)
                self._interrupt(event, fits, place)
                if len(since) == BETWEEN_GATHERINGS:
                    self._gather(since)
                    since = []
                if self.failures:
                    return
            self._gather(since)
        except BaseException as error:  # noqa: BLE001 - the other thread reports it
            self.failures.append(repr(error))
        finally:
            self._progress.put(None)

    def _call(self) -> None:
        self._service.number += 1
        list_id = f"list-{self._service.number}"
        found = self._act(self._chat, list_id).id
        assert found == list_id, f"{list_id} received the response of {found}"

    def _interrupt(self, event: str, fits: Fits, place: Place) -> None:
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, ()) if sys.platform != "win32" else None
        try:
            with Tracer(event, fits, place):
                self._call()
        except Interruption:
            self.interrupted += 1
        try:
            if sys.platform != "win32":
                assert signal.pthread_sigmask(signal.SIG_SETMASK, mask or ()) == mask, "signals are blocked"
            for _ in range(10 if self.interrupted % 10 == 0 else 2):
                self._call()
        except BaseException as error:  # noqa: BLE001 - it is the failure that the test reports
            self.failures.append(f"after {described(place)}: {error!r}")

    def _gather(self, since: list[Place]) -> None:
        if errors := get_all_at_once(self._chat, self._service):
            suspects = ", ".join(sorted(map(described, since)))
            self.failures.append(f"{len(errors)} of 100 calls failed, as {errors[0]!r}, after one of: {suspects}")


def get(chat: Client, list_id: str) -> Any:
    return chat.keywords.get(list_id)


def put(chat: Client, list_id: str) -> Any:
    return chat.keywords.update(list_id, NEW)


@pytest.fixture(params=["on a new connection", "on a kept connection"])
def service(request: pytest.FixtureRequest) -> Iterator[Service]:
    with Service(keep_alive=request.param == "on a kept connection") as service:
        yield service


@pytest.fixture
def chat(service: Service) -> Iterator[Client]:
    settings: Any = {"api_key": "a-key-of-some-length", "max_retries": 0, "timeout": PATIENCE, "deadline": PATIENCE}
    # By name, so that a call on a new connection looks up the host.
    with Client(base_url=f"http://localhost:{service.port}/v3", **settings) as chat:
        yield chat


@pytest.fixture
def interruptions_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python reports exceptions in finalizers, which reach nobody; sockets of an interrupted call are among them."""
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)


@pytest.mark.usefixtures("interruptions_are_ignored")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("act", [get, pytest.param(put, marks=pytest.mark.deep)])
def test_call_interrupted_at_any_line(chat: Client, service: Service, act: Callable[[Client, str], Any]) -> None:
    """Whichever line of a call an exception interrupts, later calls succeed in time, and no connection is lost."""
    interrupting = Interrupting(chat, service, act)
    interrupting.run("line", is_any_line)
    assert interrupting.interrupted > 100


@pytest.mark.usefixtures("interruptions_are_ignored")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize(
    "service", ["on a new connection", pytest.param("on a kept connection", marks=pytest.mark.deep)], indirect=True
)
def test_call_interrupted_wherever_signals_are_handled(chat: Client, service: Service) -> None:
    """Wherever Python can run a signal handler in a call, an exception from it does not disturb later calls."""
    interrupting = Interrupting(chat, service, get)
    interrupting.run("opcode", is_after_signal_handling)
    assert interrupting.interrupted > 50


@pytest.mark.usefixtures("interruptions_are_ignored")
def test_interruption_does_not_close_the_connection_of_another_call() -> None:
    """If an exception interrupts a call after its response, a call of another thread that already uses the same
    connection goes on."""
    proceed = threading.Event()

    def serve(connection: Any) -> None:
        while request := read_request(connection):
            if b"/second" in request:
                arrived.put(None)
                assert proceed.wait(PATIENCE)
            connection.sendall(response_to(request))

    arrived: SimpleQueue[None] = SimpleQueue()
    ended: SimpleQueue[object] = SimpleQueue()

    def second() -> None:
        try:
            ended.put(chat.keywords.get("second").id)
        except BaseException as error:  # noqa: BLE001 - the test shows it
            ended.put(error)

    class Interrupter(Tracer):
        """Interrupts the first call when the second one waits for its response."""

        def _trace(self, frame: FrameType, event: str, _: object) -> Any:
            try:
                return super()._trace(frame, event, None)
            except Interruption:
                threading.Thread(target=second, daemon=True).start()
                arrived.get(timeout=PATIENCE)
                raise

    settings: Any = {"api_key": "a-key-of-some-length", "max_retries": 0, "deadline": PATIENCE}
    with Server(serve) as server, Client(base_url=server.base_url, **settings) as chat:
        chat.keywords.get("first")
        places = Tracer("line", is_any_line)
        with places:
            chat.keywords.get("first")
        # The response is complete: the rest of the call is in the pool, and reads the response.
        received = max(n for n, place in enumerate(places.places) if "receive" in place[0].co_name)
        for place in places.places[received:]:
            proceed.clear()
            with contextlib.suppress(Interruption), Interrupter("line", is_any_line, place):
                chat.keywords.get("first")
            proceed.set()
            assert ended.get(timeout=PATIENCE) == "second", f"after an interruption at {described(place)}"


SIGNALS = """
import faulthandler, random, signal, sys, time
sys.path.insert(0, sys.argv[1])
from cometchat_rest import Client, WordListInput
from wire_support import PATIENCE, Service, get_all_at_once

class Interruption(BaseException):
    pass

armed = False

def handle(number, frame):
    global armed
    while frame is not None:
        # Python ignores exceptions of finalizers and of callbacks of weak references. An exception just as httpcore
        # takes or frees its lock leaves the lock locked: the page about limits says so.
        code = frame.f_code
        if code.co_name == "__del__" or code.co_filename.endswith(("weakref.py", "_synchronization.py")):
            return
        frame = frame.f_back
    if armed:
        armed = False
        raise Interruption

signal.signal(signal.SIGALRM, handle)
sys.unraisablehook = lambda _: None
draw = random.Random(1)
new = WordListInput(search_terms=["spam", "scam"])
interrupted = 0
settings = {"api_key": "a-key-of-some-length", "max_retries": 0, "timeout": PATIENCE, "deadline": PATIENCE}

def call(number):
    list_id = f"list-{number}"
    found = chat.keywords.update(list_id, new) if number % 2 else chat.keywords.get(list_id)
    assert found.id == list_id, f"{list_id} received the response of {found.id}"

def interrupt(number, within):
    global armed, interrupted
    try:
        armed = True
        signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-6, within))
        call(number)
        armed = False
    except Interruption:
        interrupted += 1
    armed = False
    signal.setitimer(signal.ITIMER_REAL, 0)

with Service(keep_alive=sys.argv[2] == "kept") as service, Client(base_url=service.base_url, **settings) as chat:
    for number in range(20):
        began = time.perf_counter()
        call(number)
        within = time.perf_counter() - began
    while interrupted < int(sys.argv[3]):
        number += 10
        # A call that hangs ends this program, which says where it hangs.
        faulthandler.dump_traceback_later(2 * PATIENCE, exit=True)
        interrupt(number + number // 10 % 2, within)
        for following in (2, 3):
            call(number + following)
    faulthandler.cancel_dump_traceback_later()
    print(interrupted, get_all_at_once(chat, service))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no timers that send signals")
@pytest.mark.parametrize("connection", ["new", "kept"])
@pytest.mark.parametrize("times", ["100", pytest.param("300", marks=pytest.mark.deep)])
def test_calls_interrupted_by_signals(connection: str, times: str) -> None:
    """Exceptions of signal handlers at any moment of a call disturb no later call, and lose no connection."""
    done = run_script(SIGNALS, Path(__file__).parent, connection, times)
    assert (done.stdout, done.stderr) == (f"{times} []\n", "")
