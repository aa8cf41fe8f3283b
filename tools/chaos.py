"""Run both clients against a faulty service for a while, and compare the outcome of every change with the service.

python tools/chaos.py --seconds 60 --workers 50 --seed 1
python tools/chaos.py --seconds 60 --workers 50 --seed 1 --in-doubt

Half of the workers are threads that share one Client. The others are tasks that share one AsyncClient. The service is
the simulator. It runs in another process on this machine, and one response in ten is faulty.

With --in-doubt, the service also applies some changes late: after it has closed the connection, or after an error 503
or 504. Signals interrupt the calls of the main thread, and tasks are cancelled. Workers also plan and apply updates.

At the end there is a table. Its last numbers must be zero; otherwise the exit code is 1.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import logging
import math
import multiprocessing
import random
import re
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any, Literal, TypeAlias

from attrs import define, field, frozen
from rich.console import Console
from rich.table import Table

from cometchat_rest import (
    AsyncClient,
    Client,
    CometChatError,
    KeywordListInput,
    PatternListInput,
    SentenceSimilarityListInput,
    WordListInput,
)
from cometchat_rest._call.pages import AsyncPages, Pages
from cometchat_rest.testing import Simulator

#: What a caller knows about a change: it was made, it was not made, or it may have been made.
Outcome: TypeAlias = Literal["done", "refused", "unknown"]

LISTS = ("profanity-list", "scam-patterns", "threat-sentences", "default-profanity", "imported-phrases")
#: The share of requests with a fault; and with --in-doubt, the share of changes that are applied late.
SHARE, LATE_SHARE = 0.1, 0.2
#: Seconds: for each phase of an attempt, for a whole call, and until a response that comes too late.
TIMEOUT, DEADLINE, TOO_LATE = 1.0, 5.0, 1.5
#: Seconds until a late change is applied. All of them are over this long after the last request.
LATE = (0.05, 0.3, 1.0)
#: Seconds that a worker may take for its last call after the end. A worker that takes longer hangs.
GRACE = 30.0
#: With --in-doubt: the share of calls that are interrupted, and within how many seconds.
INTERRUPTED_SHARE, INTERRUPTED_WITHIN = 0.2, 0.02


# The service, in another process.


def faults() -> Iterator[Mapping[str, Any]]:
    """Every kind of fault, as `Simulator.fail` takes them."""
    yield {"status": 429, "headers": {"Retry-After": "0"}}
    yield {"status": 503, "headers": {"Retry-After": "100000"}}
    for status in (401, 418, 500, 502, 503, 504, 520, 999):
        yield {"status": status}
    yield {"status": 302, "headers": {"Location": "http://127.0.0.1:9/v3/roles"}}
    for status in (200, 502):
        yield {"status": status, "body": "<!DOCTYPE html><title>Bad Gateway</title>"}
    for body in (b"", b"null", b'"text"', b'{"data": {"id": "prof', b"\xff\xfe\x00", b'{"data": 5}'):
        yield {"body": body}
    yield {"headers": {"Content-Encoding": "gzip"}}
    for cut in ("before_headers", "in_headers", "in_body", "after_processing"):
        yield {"cut": cut}
    yield {"delay": 0.05}
    yield {"delay": TOO_LATE}
    yield {"trickle": (200, 0.005)}
    yield {"status": 500, "body": b"x" * 1000, "trickle": (1, TOO_LATE)}


def late_faults() -> Iterator[Mapping[str, Any]]:
    """Every way in which a change can be applied late, as `Simulator.fail` takes them."""
    for operation in ("update_keyword_list", "delete_auth_token"):
        for seconds in LATE:
            late = {"operation": operation, "apply_after": seconds}
            yield {**late, "cut": "before_headers"}
            yield {**late, "cut": "in_headers"}
            yield {**late, "cut": "in_body"}
            for status in (500, 502, 503, 504):
                yield {**late, "status": status}
            yield {**late, "delay": TOO_LATE}


def share_of_each(share: float, count: int) -> float:
    """The share of requests for each of several faults, so that together they reach this share."""
    return 1.0 - math.pow(1.0 - share, 1.0 / count)


class Ledger(dict[str, Any]):
    """The keyword lists; records the mark of every update that is applied."""

    def __init__(self, lists: Mapping[str, Any]) -> None:
        super().__init__(lists)
        self.carried_out: list[str] = []

    def __setitem__(self, keyword_id: str, record: Any) -> None:
        super().__setitem__(keyword_id, record)
        self.carried_out.append(f"{keyword_id}/{record['description']}")


@frozen
class Report:
    """What happened at the service."""

    requests: int
    strays: list[str]
    # Marks of the updates that were carried out, and how far the revision of each list has risen.
    updates: Counter[str]
    rises: dict[str, int]
    # The tokens that still exist.
    tokens: frozenset[str]


# The ids here contain no other characters.
_ID = "[A-Za-z0-9_-]+"
TEMPLATES = re.compile(
    rf"GET /v3/moderation/keywords/{_ID}|PUT /v3/moderation/keywords/{_ID}|GET /v3/moderation/reviewed-messages"
    rf"|GET /v3/roles|DELETE /v3/users/(?P<uid>{_ID})/auth_tokens/(?P=uid)_{_ID}"
)


def tokens_of(uid: str, count: int) -> list[str]:
    """The tokens of a worker's user."""
    return [f"{uid}_{number:06}" for number in range(count)]


def uid_of(worker: int) -> str:
    """The user whose tokens a worker deletes."""
    return f"worker-{worker:03}"


def list_of(worker: int) -> str:
    """The keyword list for which a worker applies plans."""
    return f"list-of-worker-{worker:03}"


def serve(pipe: Connection, seed: int, workers: int, tokens: int, *, in_doubt: bool) -> None:
    """Serve until the other end sends something, and then send the report."""
    with Simulator() as simulator:
        _plant_faults(simulator, random.Random(seed), in_doubt=in_doubt)  # noqa: S311 - no secret
        for keyword_id in map(list_of, range(workers) if in_doubt else ()):
            simulator.keyword_lists[keyword_id] = {**simulator.keyword_lists["profanity-list"], "id": keyword_id}
        ledger = Ledger(simulator.keyword_lists)
        before = {keyword_id: revision(record) for keyword_id, record in ledger.items()}
        simulator.keyword_lists = ledger
        for uid in map(uid_of, range(workers)):
            simulator.users[uid] = {"uid": uid}
            simulator.auth_tokens[uid] = tokens_of(uid, tokens)
        pipe.send((simulator.base_url, simulator.api_key))
        try:
            pipe.recv()
        except EOFError:  # the process that started this one has ended
            return
        if in_doubt:
            time.sleep(max(LATE) + TOO_LATE)
        with simulator.lock:
            pipe.send(_report(simulator, ledger, before))


def _plant_faults(simulator: Simulator, draw: random.Random, *, in_doubt: bool) -> None:
    late = list(late_faults()) if in_doubt else []
    for kinds, share in ((late, LATE_SHARE), (list(faults()), SHARE)):
        draw.shuffle(kinds)
        for fault in kinds:
            simulator.fail(**fault, times=None, share=share_of_each(share, len(kinds)))


def _report(simulator: Simulator, ledger: Ledger, before: Mapping[str, int]) -> Report:
    asked = [f"{request.method} {request.path}" for request in simulator.requests]
    return Report(
        requests=len(asked),
        strays=[line for line in asked if not TEMPLATES.fullmatch(line)]
        + [f"{operation} of {uid}" for operation, uid in simulator.damage],
        updates=Counter(ledger.carried_out),
        rises={keyword_id: revision(record) - before[keyword_id] for keyword_id, record in ledger.items()},
        tokens=frozenset(token for tokens in simulator.auth_tokens.values() for token in tokens),
    )


def revision(record: Mapping[str, Any]) -> int:
    """How often a list was revised."""
    return int(str(record["revisionId"]).rpartition("_")[2])


# The workers.


@frozen
class Step:
    """A call to make."""

    resource: str
    method: str
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(factory=dict)

    def __call__(self, chat: Client | AsyncClient) -> Any:
        """Make the call; returns its result, or an awaitable or iterator for its result."""
        return getattr(getattr(chat, self.resource), self.method)(*self.arguments, **self.options)


Worker: TypeAlias = Generator[Step, object, None]


class Interruption(BaseException):
    """Interrupts a call, as an exception from a signal handler or a cancellation does."""


def trace_of(error: BaseException) -> list[traceback.FrameSummary]:
    """The last places that an exception went through."""
    return traceback.extract_tb(error.__traceback__)[-4:]


@define
class Account:
    """The calls of a worker, and the outcome of each change as far as the worker knows it."""

    calls: int = 0
    errors: Counter[str] = field(factory=Counter)
    unclassified: list[str] = field(factory=list)
    updates: dict[str, Outcome] = field(factory=dict)
    deletions: dict[str, Outcome] = field(factory=dict)

    def note(self, result: object) -> Outcome:
        """Enter the result of a call, or the exception that it raised."""
        self.calls += 1
        if not isinstance(result, BaseException):
            return "done"
        self.errors[type(result).__name__] += 1
        if isinstance(result, Interruption):
            return "unknown"
        if not isinstance(result, CometChatError):
            where = " in ".join(f"{Path(each.filename).name}:{each.lineno}" for each in reversed(trace_of(result)))
            self.unclassified.append(f"{result!r} at {where}")
            return "unknown"
        return "unknown" if result.outcome_unknown else "refused"


def new_content(draw: random.Random, mark: str) -> KeywordListInput:
    """New content for a list; its description is the mark of the update."""
    match draw.randrange(4):
        case 0:
            return WordListInput(search_terms=["spam", "scam", mark], description=mark)
        case 1:
            return PatternListInput(search_terms=[r"fr[e3]{2}\s?coins"], description=mark)
        case 2:
            return SentenceSimilarityListInput(disallowed_sentences=["I know, you!", "バカ"], description=mark)
        case _:
            return WordListInput(file=b"spam\n" * draw.randrange(1, 2000), description=mark)


def work(worker: int, seed: int, tokens: int, end: float, account: Account, *, in_doubt: bool = False) -> Worker:
    """One worker: yields calls, receives their results or exceptions, and enters them in its account."""
    draw = random.Random(f"{seed}/{worker}")  # noqa: S311 - no secret
    uid = uid_of(worker)
    left = tokens_of(uid, tokens)
    kinds, weights = ("get", "update", "delete", "messages", "roles", "iter", "apply"), [25, 25, 15, 10, 15, 10, 0]
    if in_doubt:
        weights[-1] = 40
    while time.monotonic() < end:
        match draw.choices(kinds, weights)[0]:
            case "get":
                account.note((yield Step("keywords", "get", (draw.choice(LISTS),))))
            case "update":
                keyword_id, mark = draw.choice(LISTS), f"{worker}-{account.calls}"
                result = yield Step("keywords", "update", (keyword_id, new_content(draw, mark)))
                account.updates[f"{keyword_id}/{mark}"] = account.note(result)
            case "delete" if left:
                token = left.pop()
                result = yield Step("auth_tokens", "delete", (uid, token))
                account.deletions[token] = account.note(result)
            case "apply":
                keyword_id, mark = list_of(worker), f"{worker}-{account.calls}"
                new = WordListInput(search_terms=["spam", "scam", mark], description=mark)
                plan = yield Step("keywords", "plan", (keyword_id, new))
                account.note(plan)
                if not isinstance(plan, BaseException):
                    result = yield Step("keywords", "apply", (plan,), {"max_removed": 1})
                    account.updates[f"{keyword_id}/{mark}"] = account.note(result)
            case "messages":
                account.note((yield Step("reviewed_messages", "list", options={"limit": draw.randrange(1, 10)})))
            case "iter":
                account.note((yield Step("roles", "list", options={"per_page": 10})))
            case _:
                account.note((yield Step("roles", "list", options={"page": 1, "per_page": 5})))


@define
class Interrupter:
    """Interrupts the calls of the main thread with signals; one that hangs ends with `bound`."""

    draw: random.Random
    bound: float
    _is_armed: bool = False

    def start(self) -> None:
        """Receive the signals; to be called in the main thread."""
        signal.signal(signal.SIGALRM, self._handle)

    def call(self, step: Step, chat: Client) -> object:
        """Make a call; returns its result, or the exception that it raised."""
        pause = max(0.001, self.bound - time.monotonic())
        if self.draw.random() < INTERRUPTED_SHARE:
            pause = min(pause, self.draw.uniform(1e-6, INTERRUPTED_WITHIN))
        try:
            self._is_armed = True
            signal.setitimer(signal.ITIMER_REAL, pause)
            outcome = complete(step, chat)
            self._is_armed = False
        except Interruption as interruption:
            outcome = interruption
        self._is_armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        return outcome

    def _handle(self, _: int, frame: FrameType | None) -> None:
        while frame is not None:
            # Python ignores exceptions of finalizers and of callbacks of weak references.
            if frame.f_code.co_name == "__del__" or "weakref" in frame.f_code.co_filename:
                return
            frame = frame.f_back
        if self._is_armed:
            self._is_armed = False
            raise Interruption


def complete(step: Step, chat: Client) -> object:
    """Make a call; returns its result, or the exception that it raised."""
    try:
        result = step(chat)
        return list(result) if isinstance(result, Pages) else result
    except Exception as error:  # noqa: BLE001 - the class of the exception is checked later
        return error


async def complete_async(step: Step, chat: AsyncClient, draw: random.Random | None) -> object:
    """Make an awaited call, and cancel some of them if there is `draw`; returns its result, or its exception."""
    pause = None
    if draw is not None and draw.random() < INTERRUPTED_SHARE:
        pause = draw.uniform(0, INTERRUPTED_WITHIN)
    limit = asyncio.timeout(pause)
    try:
        async with limit:
            result = step(chat)
            return [role async for role in result] if isinstance(result, AsyncPages) else await result
    except Exception as error:  # noqa: BLE001 - as above
        return Interruption() if limit.expired() and isinstance(error, TimeoutError) else error


def drive(worker: Worker, call: Callable[[Step], object]) -> None:
    """Make the calls of a worker, one after another."""
    outcome: object = None
    with contextlib.suppress(StopIteration):
        while True:
            outcome = call(worker.send(outcome))


async def drive_async(worker: Worker, call: Callable[[Step], Awaitable[object]]) -> None:
    """Await the calls of a worker, one after another."""
    outcome: object = None
    with contextlib.suppress(StopIteration):
        while True:
            outcome = await call(worker.send(outcome))


async def soak_async(
    settings: Mapping[str, Any], workers: list[Worker], bound: float, draw: random.Random | None
) -> int:
    """Let tasks share one client; returns how many of them hang."""
    async with AsyncClient(**settings) as chat:
        tasks = [
            asyncio.create_task(drive_async(each, lambda step: complete_async(step, chat, draw))) for each in workers
        ]
        _, hanging = await asyncio.wait(tasks, timeout=max(0.0, bound - time.monotonic()))
        for task in hanging:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return len(hanging)


def load_everything() -> None:
    """Make every kind of call once: an exception that interrupts an import can leave Python's import lock behind."""
    with Simulator() as simulator, Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        chat.keywords.apply(chat.keywords.plan("profanity-list", WordListInput(search_terms=["spam"])), max_removed=1)
        chat.reviewed_messages.list()
        list(chat.roles.list())
        chat.auth_tokens.delete("alice", simulator.auth_tokens["alice"][0])


def soak(settings: Mapping[str, Any], workers: list[Worker], bound: float, draw: random.Random | None = None) -> int:
    """Let threads share one client, and tasks another one; returns how many of them hang.

    Args:
        settings: of both clients.
        workers: the first half runs in threads, the others in tasks.
        bound: a worker that still runs then hangs.
        draw: if given, calls are interrupted: those of the first worker, in this thread, and those of tasks.
    """
    half = len(workers) // 2
    hanging: list[int] = []

    def run_tasks() -> None:
        hanging.append(asyncio.run(soak_async(settings, workers[half:], bound, draw)))

    with Client(**settings) as chat:
        blocking = [functools.partial(drive, each, functools.partial(complete, chat=chat)) for each in workers[:half]]
        jobs: list[Callable[[], None]] = [*blocking, run_tasks]
        interrupter = Interrupter(draw, bound) if draw is not None and half else None
        if interrupter is not None:
            interrupter.start()
            del jobs[0]
        threads = [threading.Thread(target=job, daemon=True) for job in jobs]
        for thread in threads:
            thread.start()
        if interrupter is not None:
            drive(workers[0], functools.partial(interrupter.call, chat=chat))
            hanging.append(int(time.monotonic() >= bound))
        for thread in threads:
            # The tasks end at `bound` as well, and need a moment to stop.
            thread.join(max(0.0, bound - time.monotonic()) + 1.0)
        return sum(hanging) + sum(thread.is_alive() for thread in threads)


class Retries(logging.Handler):
    """Counts the retries that the clients log."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record; called under the handler's own lock."""
        self.count += vars(record).get("event_name") == "retry"


def receive(pipe: Connection) -> Any:
    """The next message of the service's process."""
    if not pipe.poll(GRACE):
        sys.exit("the simulator's process does not respond")
    return pipe.recv()


# The comparison.


def discrepancies(known: Mapping[str, Outcome], carried_out: Mapping[str, int]) -> list[str]:
    """Changes that were lost or doubled: the outcome that the caller knows is not what the service did.

    A success was applied once, a refusal was not applied, and a change in doubt was applied at most once.
    """
    allowed: Mapping[Outcome, tuple[int, ...]] = {"done": (1,), "refused": (0,), "unknown": (0, 1)}
    found = [
        f"{name}: {outcome}, and applied {carried_out.get(name, 0)} times"
        for name, outcome in known.items()
        if carried_out.get(name, 0) not in allowed[outcome]
    ]
    return found + [f"{name}: applied, and nobody asked for it" for name in carried_out.keys() - known.keys()]


def false_denials(known: Mapping[str, Outcome], carried_out: Mapping[str, int]) -> list[str]:
    """Changes that were applied although their caller was assured that they were not."""
    return [
        f"{name}: said to be not done"
        for name, outcome in known.items()
        if outcome == "refused" and carried_out.get(name)
    ]


def changes(accounts: Iterable[Account]) -> tuple[dict[str, Outcome], dict[str, Outcome]]:
    """The updates and the deletions of all workers."""
    updates: dict[str, Outcome] = {}
    deletions: dict[str, Outcome] = {}
    for account in accounts:
        updates |= account.updates
        deletions |= account.deletions
    return updates, deletions


def gone_tokens(report: Report, workers: int, tokens: int) -> dict[str, int]:
    """The tokens that were deleted."""
    every = {token for worker in range(workers) for token in tokens_of(uid_of(worker), tokens)}
    return dict.fromkeys(every - report.tokens, 1)


def reckon(accounts: Iterable[Account], report: Report, workers: int, tokens: int) -> list[str]:
    """All changes that were lost or doubled."""
    updates, deletions = changes(accounts)
    per_list = Counter(name.partition("/")[0] for name in report.updates.elements())
    return [
        *discrepancies(updates, report.updates),
        *discrepancies(deletions, gone_tokens(report, workers, tokens)),
        *(
            f"{keyword_id}: {per_list[keyword_id]} updates, and {rise} revisions"
            for keyword_id, rise in report.rises.items()
            if per_list[keyword_id] != rise
        ),
    ]


def denied(accounts: Iterable[Account], report: Report, workers: int, tokens: int) -> list[str]:
    """All changes that were applied although their caller was assured that they were not."""
    updates, deletions = changes(accounts)
    return [*false_denials(updates, report.updates), *false_denials(deletions, gone_tokens(report, workers, tokens))]


def main() -> int:
    """Run the workers, compare, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=50, help="how many at a time (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="for the random numbers (default: %(default)s)")
    parser.add_argument("--in-doubt", action="store_true", help="interrupt calls, and apply some changes late")
    options = parser.parse_args()
    seed, workers, tokens = options.seed, options.workers, 100 + int(options.seconds * 20)

    retries = Retries()
    logger = logging.getLogger("cometchat_rest")
    logger.addHandler(retries)
    logger.setLevel(logging.INFO)

    if options.in_doubt:
        load_everything()
    spawn = multiprocessing.get_context("spawn")
    pipe, other_end = spawn.Pipe()
    arguments = (other_end, seed, workers, tokens)
    service = spawn.Process(target=serve, args=arguments, kwargs={"in_doubt": options.in_doubt}, daemon=True)
    service.start()
    # The pipe must end with the process.
    other_end.close()
    base_url, api_key = receive(pipe)

    accounts = [Account() for _ in range(workers)]
    began = time.monotonic()
    end = began + options.seconds
    settings = {"base_url": base_url, "api_key": api_key, "timeout": TIMEOUT, "deadline": DEADLINE}
    drafts = enumerate(accounts)
    plans = [work(worker, seed, tokens, end, each, in_doubt=options.in_doubt) for worker, each in drafts]
    draw = random.Random(seed) if options.in_doubt else None  # noqa: S311 - no secret
    hanging = soak(settings, plans, end + GRACE, draw)
    took = time.monotonic() - began
    pipe.send("report")
    report: Report = receive(pipe)

    wrong = {
        "unclassified exceptions": [text for account in accounts for text in account.unclassified],
        "requests outside the five templates": report.strays,
        "lost or doubled changes": reckon(accounts, report, workers, tokens),
        "changes said to be not done": denied(accounts, report, workers, tokens),
        "workers that hang": [""] * hanging,
    }
    show(accounts, report, retries.count, took, wrong)
    return 1 if any(wrong.values()) else 0


def show(accounts: list[Account], report: Report, retries: int, took: float, wrong: Mapping[str, list[str]]) -> None:
    """Print the table, and a few lines about each problem."""
    calls = sum(account.calls for account in accounts)
    outcomes = Counter(
        outcome for account in accounts for outcome in (*account.updates.values(), *account.deletions.values())
    )
    table = Table(title=f"{len(accounts)} workers, {took:.0f} s, {calls / took:.0f} calls/s", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_row("calls", str(calls))
    table.add_row("requests", str(report.requests))
    table.add_row("retries", str(retries))
    for outcome in ("done", "refused", "unknown"):
        table.add_row(f"changes {outcome}", str(outcomes[outcome]))
    table.add_section()
    for name, count in sum((account.errors for account in accounts), Counter[str]()).most_common():
        table.add_row(name, str(count))
    table.add_section()
    for name, found in wrong.items():
        style = "bold red" if found else "bold green"
        table.add_row(name, str(len(found)), style=style)
    Console().print(table)
    for problems in wrong.values():
        _print_first(problems)


def _print_first(problems: list[str]) -> None:
    for line in problems[:10]:
        Console().print(line, markup=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
