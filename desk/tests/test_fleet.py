"""Fleets: jobs for several apps at the same time, with a separate outcome for each app."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from threading import Event
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from cometchat_desk.fleet import AsyncFleet, Fleet, Outcome
from cometchat_rest import (
    AuthenticationError,
    Client,
    CometChatError,
    ConfigurationError,
    InvalidRequestError,
    KeywordPlan,
    KeywordUpdate,
    NotFoundError,
    PlanRefusedError,
    RevisionConflictError,
    TransportError,
    WordListInput,
)
from cometchat_rest.testing import Simulator
from tests.support import LIST_ID

if TYPE_CHECKING:
    from conftest import AnyClient

NAMES = ("shop", "forum", "game")
TERMS = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "phishing"]


@pytest.fixture(scope="module")
def running_simulators() -> Iterator[dict[str, Simulator]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(Simulator()) for name in NAMES}


@pytest.fixture
def simulators(running_simulators: dict[str, Simulator]) -> dict[str, Simulator]:
    """A simulator for each app, in its initial state."""
    for each in running_simulators.values():
        each.reset()
    return running_simulators


@pytest.fixture
def fleet(any_client: AnyClient, simulators: dict[str, Simulator]) -> Any:
    return make_fleet(
        any_client, {name: any_client.client(base_url=each.base_url) for name, each in simulators.items()}
    )


def make_fleet(any_client: AnyClient, apps: Any, **options: Any) -> Any:
    return (Fleet if any_client.kind == "sync" else AsyncFleet)(apps, **options)


def terms(simulator: Simulator) -> object:
    return simulator.keyword_lists[LIST_ID]["searchTerms"]


def test_plan_and_apply(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """The same terms are planned and applied for each app's own list; the results have the order of the apps."""
    simulators["forum"].keyword_lists[LIST_ID]["searchTerms"] = TERMS[:5]
    plans = any_client.call(lambda fleet: fleet.plan(LIST_ID, iter(TERMS)), fleet)
    assert list(plans) == list(NAMES)
    assert all(isinstance(each, Outcome) and isinstance(each.unwrap(), KeywordPlan) for each in plans.values())
    assert [plan.unwrap().removed for plan in plans.values()] == [("バカ",), (), ("バカ",)]
    updates = any_client.call(lambda fleet: fleet.apply(plans), fleet)
    assert list(updates) == list(NAMES)
    for update in updates.values():
        assert isinstance(update.unwrap(), KeywordUpdate)
        assert (update.result.matches, update.error) == (True, None)
    assert [terms(each) for each in simulators.values()] == [TERMS] * 3


def test_each_app_has_its_own_outcome(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """If planning fails for an app, `apply` returns the same error; other apps fail or succeed independently."""
    simulators["shop"].fail(status=401)
    plans = any_client.call(lambda fleet: fleet.plan(LIST_ID, WordListInput(search_terms=TERMS)), fleet)
    refusal = plans["shop"].error
    assert isinstance(refusal, AuthenticationError)
    with pytest.raises(AuthenticationError):
        plans["shop"].unwrap()
    simulators["forum"].keyword_lists[LIST_ID]["revisionId"] = "moved"
    updates = any_client.call(lambda fleet: fleet.apply(plans), fleet)
    assert [type(each.error) for each in updates.values()] == [AuthenticationError, RevisionConflictError, type(None)]
    assert updates["shop"].error is refusal
    assert [updates["shop"].result, updates["forum"].result] == [None, None]
    assert [terms(each) == TERMS for each in simulators.values()] == [False, False, True]
    assert [len(each.requests) for each in simulators.values()] == [1, 2, 4]


def test_apply_some_of_the_plans(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """Some of the plans can be applied; `max_removed` is checked for each app."""
    plans = any_client.call(lambda fleet: fleet.plan(LIST_ID, TERMS), fleet)
    del plans["shop"]
    updates = any_client.call(lambda fleet: fleet.apply(plans, max_removed=0), fleet)
    assert [(name, type(each.error)) for name, each in updates.items()] == [
        ("forum", PlanRefusedError),
        ("game", PlanRefusedError),
    ]
    assert {len(each.requests) for each in simulators.values()} == {1}


def test_each(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """A job can do anything with the client of each app, and may return nothing."""
    simulators["game"].fail(cut="before_headers", times=None)
    roles = any_client.call(lambda fleet: fleet.each(lambda chat: chat.roles.list(per_page=3)), fleet)
    assert [len(outcome.result.data) if outcome.result else outcome.error for outcome in roles.values()] == [
        3,
        3,
        roles["game"].error,
    ]
    assert isinstance(roles["game"].error, TransportError)

    async def nothing(_: Any) -> None:
        await anyio.lowlevel.checkpoint()

    done = any_client.call(lambda fleet: fleet.each(nothing if any_client.kind == "async" else lambda _: None), fleet)
    assert [outcome.unwrap() for outcome in done.values()] == [None] * 3


def test_unexpected_exception_is_raised(any_client: AnyClient, fleet: Any) -> None:
    """An exception that is not a CometChatError is raised unchanged, and is no outcome."""
    raised = ZeroDivisionError("a fault in a job")

    def job(_: Any) -> Any:
        raise raised

    with pytest.raises(ZeroDivisionError) as caught:
        any_client.call(lambda fleet: fleet.each(job), fleet)
    assert caught.value is raised


def test_no_job_starts_after_an_unexpected_exception(any_client: AnyClient) -> None:
    """After an unexpected exception in a job, no further job starts, even while an earlier job is still running."""
    apps = {str(number): any_client.client() for number in range(40)}
    numbers = count()
    started: list[int] = []
    many = Event()

    def start() -> int:
        started.append(number := next(numbers))
        if len(started) >= 10:
            many.set()
        if number == 1:
            raise ZeroDivisionError
        return number

    def blocking(_: Any) -> None:
        # The first job runs for a second, or until many jobs have started, which must not happen.
        many.wait(0.05 if start() else 1)

    async def awaited(_: Any) -> None:
        start()
        await anyio.sleep(1)

    fleet = make_fleet(any_client, apps, concurrency=2)
    with pytest.raises(ZeroDivisionError):
        any_client.call(lambda fleet: fleet.each(blocking if any_client.kind == "sync" else awaited), fleet)
    assert len(started) < 10


def test_concurrency_is_limited(any_client: AnyClient, simulators: dict[str, Simulator]) -> None:
    """The number of apps in progress does not exceed `concurrency`."""
    apps = {str(number): any_client.client(base_url=simulators["shop"].base_url) for number in range(12)}
    in_progress: list[int] = []
    most = 0

    def enter() -> None:
        nonlocal most
        in_progress.append(1)
        most = max(most, len(in_progress))

    def blocking(chat: Any) -> None:
        enter()
        chat.roles.list(per_page=1)
        in_progress.pop()

    async def awaited(chat: Any) -> None:
        enter()
        await chat.roles.list(per_page=1)
        in_progress.pop()

    fleet = make_fleet(any_client, apps, concurrency=2)
    done = any_client.call(lambda fleet: fleet.each(blocking if any_client.kind == "sync" else awaited), fleet)
    assert list(done) == [str(number) for number in range(12)]
    assert most == 2 or (any_client.kind == "sync" and most == 1)
    assert len(simulators["shop"].requests) == 12


@pytest.mark.parametrize("new", ["spam", None, ["a", ""], [1], {"category": "word"}], ids=repr)
def test_plan_refuses_invalid_input(
    any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any, new: Any
) -> None:
    """A value that is neither an input nor terms is refused at once; nothing is sent for any app. For a mapping, the
    error names the function that makes an input."""
    with pytest.raises(InvalidRequestError, match=r"keyword_input\.parse" if isinstance(new, dict) else None):
        any_client.call(lambda fleet: fleet.plan(LIST_ID, new), fleet)
    assert [each.requests for each in simulators.values()] == [[], [], []]


def test_plan_of_an_unknown_list(any_client: AnyClient, fleet: Any) -> None:
    """If no app has the list, the outcome of each app is a NotFoundError."""
    plans = any_client.call(lambda fleet: fleet.plan("nope", TERMS), fleet)
    assert [type(each.error) for each in plans.values()] == [NotFoundError] * 3


def test_apply_refuses_invalid_plans(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """A plan for an app outside the fleet, and a value that is not an Outcome, are refused before anything is sent."""
    plans = any_client.call(lambda fleet: fleet.plan(LIST_ID, TERMS), fleet)
    for name, value in (("stranger", plans["shop"]), ("forum", plans["forum"].unwrap())):
        with pytest.raises(
            InvalidRequestError, match=rf"plans must be the result of plan\(\) of this fleet; the entry '{name}' is not"
        ):
            any_client.call(partial(type(fleet).apply, plans={**plans, name: value}), fleet)
    with pytest.raises(InvalidRequestError, match=r"plans must be the result of plan\(\) of this fleet, not list"):
        any_client.call(lambda fleet: fleet.apply([plans["shop"]]), fleet)
    assert {len(each.requests) for each in simulators.values()} == {1}


def test_fleet_closes_its_clients(any_client: AnyClient, simulators: dict[str, Simulator]) -> None:
    """Leaving the `with` block of a fleet closes the clients of all its apps."""
    apps = {name: any_client.client(base_url=each.base_url) for name, each in simulators.items()}

    def blocking(fleet: Any) -> None:
        with fleet as entered:
            assert entered is fleet

    async def awaited(fleet: Any) -> None:
        async with fleet as entered:
            assert entered is fleet

    any_client.call(blocking if any_client.kind == "sync" else awaited, make_fleet(any_client, apps))
    for chat in apps.values():
        with pytest.raises(CometChatError, match="closed"):
            any_client.call(lambda chat: chat.roles.list(), chat)


def test_invalid_fleet_is_refused(any_client: AnyClient, simulators: dict[str, Simulator]) -> None:
    """A fleet needs a mapping from names to clients of the right kind, and a valid `concurrency`."""
    shop = simulators["shop"]
    with Client(base_url=shop.base_url, api_key=shop.api_key) as chat:
        wrong = chat if any_client.kind == "async" else None
        for apps in (None, [chat], {"shop": wrong}, {"shop": shop}):
            with pytest.raises(ConfigurationError, match="apps must map each name to one"):
                make_fleet(any_client, apps)
    for concurrency in (0, 101, True, "8"):
        with pytest.raises(ConfigurationError, match="concurrency must be an integer from 1 to 100"):
            make_fleet(any_client, {}, concurrency=concurrency)
    assert any_client.call(lambda fleet: fleet.plan(LIST_ID, TERMS), make_fleet(any_client, {})) == {}


def test_fleet_shows_no_key(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """The repr of a fleet and of an outcome shows no API key."""
    simulators["game"].fail(status=401, body={"error": {"message": simulators["game"].api_key}})
    plans = any_client.call(lambda fleet: fleet.plan(LIST_ID, TERMS), fleet)
    shown = f"{fleet!r}{fleet}{plans!r}{fleet.apps!r}"
    assert "shop" in shown
    assert simulators["game"].api_key not in shown
