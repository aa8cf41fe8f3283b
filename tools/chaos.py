"""Soaks both clients in faults and keeps account of what became of every change.

python tools/chaos.py --seconds 60 --workers 50 --seed 1

Half of the workers are threads that share one Client, the others are tasks that share one AsyncClient. The service is
the simulator, in a process of its own on this machine, and answers one request in ten in some bad way. At the end there
is a table; its last figures must be zero, and the exit code is 1 if one is not.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import multiprocessing
import random
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Generator, Iterable, Iterator, Mapping
from multiprocessing.connection import Connection
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
from cometchat_rest.testing import Simulator

#: What a caller knows of a change: it was made, it was not, or nobody can tell.
Outcome: TypeAlias = Literal["done", "refused", "unknown"]

LISTS = ("profanity-list", "scam-patterns", "threat-sentences", "default-profanity", "imported-phrases")
#: How many requests meet a fault.
SHARE = 0.1
#: Seconds: for each phase of an attempt, for a whole call, and how long an answer is held up that is to come too late.
TIMEOUT, DEADLINE, TOO_LATE = 1.0, 5.0, 1.5
#: Seconds that workers may take to end their last call after time is up; who takes longer hangs.
GRACE = 30.0


# The service, in a process of its own.


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


class Ledger(dict[str, Any]):
    """The keyword lists, which note the mark of every update that is carried out."""

    def __init__(self, lists: Mapping[str, Any]) -> None:
        super().__init__(lists)
        self.carried_out: list[str] = []

    def __setitem__(self, list_id: str, record: Any) -> None:
        super().__setitem__(list_id, record)
        self.carried_out.append(f"{list_id}/{record['description']}")


@frozen
class Report:
    """What happened at the service."""

    requests: int
    strays: list[str]
    # Marks of the updates that were carried out, and how far the revision of each list has risen.
    updates: Counter[str]
    rises: dict[str, int]
    # The tokens that are left.
    tokens: frozenset[str]


# Written for this purpose alone: the ids in use here hold nothing else.
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


def serve(pipe: Connection, seed: int, workers: int, tokens: int) -> None:
    """Serve until there is word from the other end, and then tell what happened."""
    with Simulator() as simulator:
        kinds = list(faults())
        random.Random(seed).shuffle(kinds)  # noqa: S311 - no secret
        for fault in kinds:
            simulator.fail(**fault, times=None, share=1 - (1 - SHARE) ** (1 / len(kinds)))
        ledger = Ledger(simulator.keyword_lists)
        before = {list_id: revision(record) for list_id, record in ledger.items()}
        simulator.keyword_lists = ledger
        for uid in map(uid_of, range(workers)):
            simulator.users[uid] = {"uid": uid}
            simulator.auth_tokens[uid] = tokens_of(uid, tokens)
        pipe.send((simulator.base_url, simulator.api_key))
        try:
            pipe.recv()
        except EOFError:  # whoever started this is gone
            return
        with simulator.lock:
            asked = [f"{request.method} {request.path}" for request in simulator.requests]
            pipe.send(
                Report(
                    requests=len(asked),
                    strays=[line for line in asked if not TEMPLATES.fullmatch(line)]
                    + [f"{operation} of {uid}" for operation, uid in simulator.damage],
                    updates=Counter(ledger.carried_out),
                    rises={list_id: revision(record) - before[list_id] for list_id, record in ledger.items()},
                    tokens=frozenset(token for tokens in simulator.auth_tokens.values() for token in tokens),
                )
            )


def revision(record: Mapping[str, Any]) -> int:
    """How often a list was revised."""
    return int(str(record["revisionId"]).rpartition("_")[2])


# The workers.


@frozen
class Step:
    """A call that a worker wants made."""

    resource: str
    method: str
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(factory=dict)

    def __call__(self, chat: Client | AsyncClient) -> Any:
        """Make it: its result, or what to await or iterate over for it."""
        return getattr(getattr(chat, self.resource), self.method)(*self.arguments, **self.options)


Worker: TypeAlias = Generator[Step, object, None]


@define
class Account:
    """What a worker did, and what it was told became of it."""

    calls: int = 0
    errors: Counter[str] = field(factory=Counter)
    unclassified: list[str] = field(factory=list)
    updates: dict[str, Outcome] = field(factory=dict)
    deletions: dict[str, Outcome] = field(factory=dict)

    def note(self, result: object) -> Outcome:
        """Enter the result of a call, or what it raised."""
        self.calls += 1
        if not isinstance(result, BaseException):
            return "done"
        self.errors[type(result).__name__] += 1
        if not isinstance(result, CometChatError):
            self.unclassified.append(repr(result))
            return "unknown"
        return "unknown" if result.outcome_unknown else "refused"


def new_content(draw: random.Random, mark: str) -> KeywordListInput:
    """Something to change a list to, which says by which update."""
    match draw.randrange(4):
        case 0:
            return WordListInput(search_terms=["spam", "scam", mark], description=mark)
        case 1:
            return PatternListInput(search_terms=[r"fr[e3]{2}\s?coins"], description=mark)
        case 2:
            return SentenceSimilarityListInput(disallowed_sentences=["I know, you!", "バカ"], description=mark)
        case _:
            return WordListInput(file=b"spam\n" * draw.randrange(1, 2000), description=mark)


def work(worker: int, seed: int, tokens: int, end: float, account: Account) -> Worker:
    """One worker: yields calls, takes their results or what they raised, and enters them in its account."""
    draw = random.Random(f"{seed}/{worker}")  # noqa: S311 - no secret
    uid = uid_of(worker)
    left = tokens_of(uid, tokens)
    while time.monotonic() < end:
        match draw.choices(("get", "update", "delete", "messages", "roles", "iter"), (25, 25, 15, 10, 15, 10))[0]:
            case "get":
                account.note((yield Step("keywords", "get", (draw.choice(LISTS),))))
            case "update":
                list_id, mark = draw.choice(LISTS), f"{worker}-{account.calls}"
                result = yield Step("keywords", "update", (list_id, new_content(draw, mark)))
                account.updates[f"{list_id}/{mark}"] = account.note(result)
            case "delete" if left:
                token = left.pop()
                result = yield Step("auth_tokens", "delete", (uid, token))
                account.deletions[token] = account.note(result)
            case "messages":
                account.note((yield Step("reviewed_messages", "list", options={"limit": draw.randrange(1, 10)})))
            case "iter":
                account.note((yield Step("roles", "iter", options={"per_page": 10})))
            case _:
                account.note((yield Step("roles", "list", options={"page": 1, "per_page": 5})))


def drive(worker: Worker, chat: Client) -> None:
    """Make a worker's calls, waiting for each."""
    outcome: object = None
    try:
        while True:
            step = worker.send(outcome)
            try:
                result = step(chat)
                outcome = list(result) if isinstance(result, Iterator) else result
            except Exception as error:  # noqa: BLE001 - which class it is of is the question
                outcome = error
    except StopIteration:
        return


async def drive_async(worker: Worker, chat: AsyncClient) -> None:
    """Make a worker's calls, awaiting each."""
    outcome: object = None
    try:
        while True:
            step = worker.send(outcome)
            try:
                result = step(chat)
                outcome = [each async for each in result] if isinstance(result, AsyncIterator) else await result
            except Exception as error:  # noqa: BLE001 - as above
                outcome = error
    except StopIteration:
        return


async def soak_async(settings: Mapping[str, Any], workers: list[Worker], bound: float) -> int:
    """Let tasks share one client; returns how many of them hang."""
    async with AsyncClient(**settings) as chat:
        tasks = [asyncio.create_task(drive_async(worker, chat)) for worker in workers]
        _, hanging = await asyncio.wait(tasks, timeout=max(0.0, bound - time.monotonic()))
        for task in hanging:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return len(hanging)


def soak(settings: Mapping[str, Any], workers: list[Worker], bound: float) -> int:
    """Let threads share one client, and tasks another; returns how many of them hang."""
    half = len(workers) // 2
    with Client(**settings) as chat:
        threads = [threading.Thread(target=drive, args=(worker, chat), daemon=True) for worker in workers[:half]]
        for thread in threads:
            thread.start()
        hanging = asyncio.run(soak_async(settings, workers[half:], bound))
        for thread in threads:
            thread.join(max(0.0, bound - time.monotonic()))
        return hanging + sum(thread.is_alive() for thread in threads)


class Retries(logging.Handler):
    """Counts the retries that the clients log."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record; called under the handler's own lock."""
        self.count += vars(record).get("event") == "retry"


def heard(pipe: Connection) -> Any:
    """What the service's process says, if it says anything at all."""
    if not pipe.poll(GRACE):
        sys.exit("the simulator's process does not answer")
    return pipe.recv()


# The reckoning.


def discrepancies(told: Mapping[str, Outcome], carried_out: Mapping[str, int]) -> list[str]:
    """Changes that were lost or doubled: where what callers were told is not what was done.

    A success was carried out once, a refusal never, and what nobody can tell at most once.
    """
    allowed: Mapping[Outcome, tuple[int, ...]] = {"done": (1,), "refused": (0,), "unknown": (0, 1)}
    found = [
        f"{name}: {outcome}, and carried out {carried_out.get(name, 0)} times"
        for name, outcome in told.items()
        if carried_out.get(name, 0) not in allowed[outcome]
    ]
    return found + [f"{name}: carried out, and nobody asked for it" for name in carried_out.keys() - told.keys()]


def reckon(accounts: Iterable[Account], report: Report, workers: int, tokens: int) -> list[str]:
    """All changes that were lost or doubled."""
    updates: dict[str, Outcome] = {}
    deletions: dict[str, Outcome] = {}
    for account in accounts:
        updates |= account.updates
        deletions |= account.deletions
    every = {token for worker in range(workers) for token in tokens_of(uid_of(worker), tokens)}
    gone = dict.fromkeys(every - report.tokens, 1)
    per_list = Counter(name.partition("/")[0] for name in report.updates.elements())
    return [
        *discrepancies(updates, report.updates),
        *discrepancies(deletions, gone),
        *(
            f"{list_id}: {per_list[list_id]} updates, and {rise} revisions"
            for list_id, rise in report.rises.items()
            if per_list[list_id] != rise
        ),
    ]


def main() -> int:
    """Soak, reckon, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=50, help="how many at a time (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="what the workers draw from (default: %(default)s)")
    told = parser.parse_args()
    seed, workers, tokens = told.seed, told.workers, 100 + int(told.seconds * 20)

    retries = Retries()
    logger = logging.getLogger("cometchat_rest")
    logger.addHandler(retries)
    logger.setLevel(logging.INFO)

    spawn = multiprocessing.get_context("spawn")
    pipe, other_end = spawn.Pipe()
    service = spawn.Process(target=serve, args=(other_end, seed, workers, tokens), daemon=True)
    service.start()
    # Or the pipe would not end when the process does.
    other_end.close()
    base_url, api_key = heard(pipe)

    accounts = [Account() for _ in range(workers)]
    began = time.monotonic()
    end = began + told.seconds
    settings = {"base_url": base_url, "api_key": api_key, "timeout": TIMEOUT, "deadline": DEADLINE}
    plans = [work(worker, seed, tokens, end, account) for worker, account in enumerate(accounts)]
    hanging = soak(settings, plans, end + GRACE)
    took = time.monotonic() - began
    pipe.send("tell")
    report: Report = heard(pipe)

    wrong = {
        "unclassified exceptions": [text for account in accounts for text in account.unclassified],
        "requests outside the five templates": report.strays,
        "lost or doubled changes": reckon(accounts, report, workers, tokens),
        "workers that hang": [""] * hanging,
    }
    show(accounts, report, retries.count, took, wrong)
    return 1 if any(wrong.values()) else 0


def show(accounts: list[Account], report: Report, retries: int, took: float, wrong: Mapping[str, list[str]]) -> None:
    """Print the table, and a few lines about whatever is wrong."""
    calls = sum(account.calls for account in accounts)
    changes = Counter(
        outcome for account in accounts for outcome in (*account.updates.values(), *account.deletions.values())
    )
    table = Table(title=f"{len(accounts)} workers, {took:.0f} s, {calls / took:.0f} calls/s", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_row("calls", str(calls))
    table.add_row("requests", str(report.requests))
    table.add_row("retries", str(retries))
    for outcome in ("done", "refused", "unknown"):
        table.add_row(f"changes {outcome}", str(changes[outcome]))
    table.add_section()
    for name, count in sum((account.errors for account in accounts), Counter[str]()).most_common():
        table.add_row(name, str(count))
    table.add_section()
    for name, found in wrong.items():
        style = "bold red" if found else "bold green"
        table.add_row(name, str(len(found)), style=style)
    console = Console()
    console.print(table)
    for found in wrong.values():
        for line in found[:10]:
            console.print(line, markup=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
