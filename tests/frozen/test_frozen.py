"""What must survive every refactoring: the bytes of requests, the number of attempts, the outcomes.

`frozen.json` has the outcome of each scenario for both clients, one line for each of:

- the requests, in order, and how often each was sent;
- the result, or the class and the text of the error, with its notes;
- the attributes of the error; an attribute that its class does not have is absent.

It also has the bytes of each request, once for each group of scenarios. The port, the boundary of
a form and the version of this package are replaced by words.

After a change that is meant, write the file again, and read its diff:

    FREEZE=1 .venv/bin/pytest tests/frozen
"""

import asyncio
import inspect
import json
import os
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen

from cometchat_rest import AsyncClient, Client

from .calls import REFUSED, SCENARIOS, Call
from .service import Run, Script, Service

FROZEN = Path(__file__).with_name("frozen.json")
#: How many scenarios of each client run at the same time: most of them wait before an attempt.
AT_ONCE = 60
#: The attributes of errors that users may rely on.
ATTRIBUTES = (
    "status_code",
    "code",
    "kind",
    "request_sent",
    "outcome_unknown",
    "attempts",
    "retry_after",
    "pointer",
    "argument",
    "operation",
)

Frozen = dict[str, dict[str, list[str]]]


@frozen
class Scenario:
    """A call of one client, and the service as this client meets it."""

    group: str
    case: str
    call: Call
    run: Run
    base_url: str
    #: What happened, in lines.
    outcome: list[str] = field(factory=list)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the client."""
        common = {"base_url": self.base_url, "api_key": "frozen-key", "timeout": 60.0}
        return {**common, "max_retries": 2, **self.call.settings}


def test_both_clients_agree(found: Mapping[str, Frozen]) -> None:
    """Both clients send the same bytes, and give the same results and errors."""
    assert _differences(found["Client"], found["AsyncClient"]) == []


def test_nothing_has_changed(found: Mapping[str, Frozen]) -> None:
    """Requests, attempts, results and errors are as they were when they were frozen."""
    if os.environ.get("FREEZE") == "1":
        FROZEN.write_text(_as_text(found["Client"]), "utf-8", newline="\n")
    frozen: Frozen = json.loads(FROZEN.read_text("utf-8"))
    assert _differences(frozen, found["Client"]) == []


@pytest.fixture(scope="module")
def found() -> Iterator[Mapping[str, Frozen]]:
    """What each client does now. All scenarios of both clients run at the same time."""
    with Service() as service, ThreadPoolExecutor(AT_ONCE + 1) as threads:
        blocking, awaited = _scenarios(service), _scenarios(service)
        loop = threads.submit(asyncio.run, _run_awaited(awaited))
        list(threads.map(_run_blocking, blocking))
        loop.result()
        yield {"Client": _frozen(blocking), "AsyncClient": _frozen(awaited)}


def _scenarios(service: Service) -> list[Scenario]:
    """All scenarios, for one client."""
    return [
        _scenario(service, group, case, call, script)
        for group, cases in SCENARIOS.items()
        for case, (call, script) in cases.items()
    ]


def _scenario(service: Service, group: str, case: str, call: Call, script: Script) -> Scenario:
    run = Run(call.struck, script, call.carries_out)
    base_url = service.refusing_url if case == REFUSED else service.add(run)
    return Scenario(group, case, call, run, base_url)


def _run_blocking(scenario: Scenario) -> None:
    try:
        with Client(**scenario.settings) as chat:
            value = None
            for step in scenario.call.steps:
                value = step(chat, value)
        scenario.outcome.append(f"result: {_shown(value)}")
    except Exception as error:  # noqa: BLE001 - the class of any error is frozen
        scenario.outcome.extend(_described(error))


async def _run_awaited(scenarios: list[Scenario]) -> None:
    free = asyncio.Semaphore(AT_ONCE)

    async def run(scenario: Scenario) -> None:
        async with free:
            await _run_one_awaited(scenario)

    await asyncio.gather(*map(run, scenarios))


async def _run_one_awaited(scenario: Scenario) -> None:
    try:
        async with AsyncClient(**scenario.settings) as chat:
            value = None
            for step in scenario.call.steps:
                value = step(chat, value)
                if inspect.isawaitable(value):
                    value = await value
        scenario.outcome.append(f"result: {_shown(value)}")
    except Exception as error:  # noqa: BLE001 - the class of any error is frozen
        scenario.outcome.extend(_described(error))


def _shown(value: Any) -> str:
    """A result as JSON, after the name of its class."""
    name = type(value).__name__.removeprefix("Async")
    return f"{name} {json.dumps(_plain(value), ensure_ascii=False)}"


def _plain(value: Any) -> object:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "parsed"):
        return [value.status_code, value.parsed]
    if hasattr(value, "meta"):
        return {"data": _plain(value.data), "meta": _plain(value.meta)}
    return str(value)


def _described(error: BaseException) -> Iterator[str]:
    """The lines for an error."""
    yield f"{type(error).__name__}: {error}"
    for note in getattr(error, "__notes__", ()):
        yield f"note: {note}"
    present = [name for name in ATTRIBUTES if hasattr(error, name)]
    yield ", ".join(f"{name}={getattr(error, name)!r}" for name in present)
    if error.__cause__ is not None:
        yield f"cause: {type(error.__cause__).__name__}: {error.__cause__}"


def _frozen(scenarios: list[Scenario]) -> Frozen:
    """What the file holds: for each group the bytes of its requests, and then each outcome."""
    frozen: Frozen = {}
    for scenario in scenarios:
        known = frozen.setdefault(f"{scenario.group}: requests", {})
        names = []
        for received in scenario.run.received:
            request = _normal(received.decode("utf-8", "backslashreplace"))
            names.append(_name(known, request))
            known[names[-1]] = request.split("\r\n")
        outcome = [f"{len([*same])} x {name}" for name, same in groupby(names)]
        outcome += map(_normal, scenario.outcome)
        frozen.setdefault(scenario.group, {})[scenario.case] = outcome
    return frozen


def _name(known: Mapping[str, list[str]], request: str) -> str:
    """The name of a request: its first line, and a number if others have the same line."""
    lines = request.split("\r\n")
    name, number = lines[0], 1
    while known.get(name, lines) != lines:
        number += 1
        name = f"{lines[0]} #{number}"
    return name


def _normal(text: str) -> str:
    """The text without what differs in each run, or in each version."""
    text = re.sub(r"127\.0\.0\.1:[0-9]+(/run-[0-9]+)?", "127.0.0.1:PORT", text)
    text = re.sub(r"cometchat-rest/[0-9][^\s]*", "cometchat-rest/VERSION", text)
    for boundary in re.findall("boundary=([0-9a-f]{32})", text):
        text = text.replace(boundary, "BOUNDARY")
    return text


def _as_text(frozen: Frozen) -> str:
    return json.dumps(frozen, indent=1, ensure_ascii=False) + "\n"


def _differences(expected: Frozen, found: Frozen) -> list[str]:
    """Each case that differs, with its place."""
    before, now = _by_place(expected), _by_place(found)
    places = {**before, **now}
    pairs = ((place, before.get(place), now.get(place)) for place in places)
    return [f"{place}: {one} != {other}" for place, one, other in pairs if one != other]


def _by_place(frozen: Frozen) -> dict[str, list[str]]:
    return {f"{group} / {case}": each for group in frozen for case, each in frozen[group].items()}
