"""Several apps at a time: each has an outcome of its own, and hides no other's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from cometchat_rest import (
    AsyncFleet,
    AuthenticationError,
    Client,
    CometChatError,
    ConfigurationError,
    Fleet,
    InvalidRequestError,
    KeywordPlan,
    KeywordUpdate,
    NotFoundError,
    Outcome,
    PlanRefusedError,
    RevisionConflictError,
    TransportError,
    WordListInput,
)
from cometchat_rest.testing import Simulator

from .support import LIST_ID

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
    """A service for each app, in its first state."""
    for each in running_simulators.values():
        each.reset()
    return running_simulators


@pytest.fixture
def fleet(any_client: AnyClient, simulators: dict[str, Simulator]) -> Any:
    return made(any_client, {name: any_client.client(base_url=each.base_url) for name, each in simulators.items()})


def made(any_client: AnyClient, apps: Any, **options: Any) -> Any:
    return (Fleet if any_client.kind == "sync" else AsyncFleet)(apps, **options)


def terms(simulator: Simulator) -> object:
    return simulator.keyword_lists[LIST_ID]["searchTerms"]


def test_plan_and_apply(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """The same terms are planned and applied for all apps, each by its own list, in the order they were given."""
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


def test_no_failure_hides_another(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """An app that fails in planning keeps its error in applying; others fail or succeed by themselves."""
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


def test_apply_of_a_part(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """Some of the plans may be applied, and the share that may go counts for each app by itself."""
    plans = any_client.call(lambda fleet: fleet.plan(LIST_ID, TERMS), fleet)
    del plans["shop"]
    updates = any_client.call(lambda fleet: fleet.apply(plans, max_removed=0), fleet)
    assert [(name, type(each.error)) for name, each in updates.items()] == [
        ("forum", PlanRefusedError),
        ("game", PlanRefusedError),
    ]
    assert {len(each.requests) for each in simulators.values()} == {1}


def test_each(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """Whatever can be done with a client can be done for each app; a job may return nothing."""
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


def test_a_fault_of_the_program(any_client: AnyClient, fleet: Any) -> None:
    """What is no error of ours is no outcome: it is raised, as it is."""
    raised = ZeroDivisionError("a fault in a job")

    def job(_: Any) -> Any:
        raise raised

    with pytest.raises(ZeroDivisionError) as caught:
        any_client.call(lambda fleet: fleet.each(job), fleet)
    assert caught.value is raised


def test_nothing_begins_after_a_fault(any_client: AnyClient) -> None:
    """Once a job has failed for a fault of its own, no other begins, however long one that began before it takes."""
    apps = {str(number): any_client.client() for number in range(40)}
    begun: list[Any] = []
    many = Event()

    def begin(chat: Any) -> None:
        begun.append(chat)
        if len(begun) >= 10:
            many.set()
        if chat is apps["1"]:
            raise ZeroDivisionError

    def blocking(chat: Any) -> None:
        begin(chat)
        # The first takes until many have begun, which must not be, or long enough for that.
        many.wait(1 if chat is apps["0"] else 0.05)

    async def awaited(chat: Any) -> None:
        begin(chat)
        await anyio.sleep(1)

    fleet = made(any_client, apps, concurrency=2)
    with pytest.raises(ZeroDivisionError):
        any_client.call(lambda fleet: fleet.each(blocking if any_client.kind == "sync" else awaited), fleet)
    assert len(begun) < 10


def test_so_many_at_once(any_client: AnyClient, simulators: dict[str, Simulator]) -> None:
    """No more apps are worked on at a time than were allowed."""
    apps = {str(number): any_client.client(base_url=simulators["shop"].base_url) for number in range(12)}
    under_way: list[int] = []
    most = 0

    def enter() -> None:
        nonlocal most
        under_way.append(1)
        most = max(most, len(under_way))

    def blocking(chat: Any) -> None:
        enter()
        chat.roles.list(per_page=1)
        under_way.pop()

    async def awaited(chat: Any) -> None:
        enter()
        await chat.roles.list(per_page=1)
        under_way.pop()

    fleet = made(any_client, apps, concurrency=2)
    done = any_client.call(lambda fleet: fleet.each(blocking if any_client.kind == "sync" else awaited), fleet)
    assert list(done) == [str(number) for number in range(12)]
    assert most == 2 or (any_client.kind == "sync" and most == 1)
    assert len(simulators["shop"].requests) == 12


@pytest.mark.parametrize("new", ["spam", None, ["a", ""], [1]], ids=repr)
def test_a_plan_of_what_is_no_input(
    any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any, new: Any
) -> None:
    """What is neither an input nor terms is refused at once, and for no app is anything sent."""
    with pytest.raises(InvalidRequestError):
        any_client.call(lambda fleet: fleet.plan(LIST_ID, new), fleet)
    assert [each.requests for each in simulators.values()] == [[], [], []]


def test_a_list_that_no_app_has(any_client: AnyClient, fleet: Any) -> None:
    """A list that is not there is each app's own error."""
    plans = any_client.call(lambda fleet: fleet.plan("nope", TERMS), fleet)
    assert [type(each.error) for each in plans.values()] == [NotFoundError] * 3


def test_apply_of_what_are_no_plans(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """Plans of apps that the fleet does not have, and what are no outcomes, are refused before anything is sent."""
    plans = any_client.call(lambda fleet: fleet.plan(LIST_ID, TERMS), fleet)
    for name, what in (("stranger", plans["shop"]), ("forum", plans["forum"].unwrap())):
        with pytest.raises(InvalidRequestError, match="plans: what plan"):
            any_client.call(partial(type(fleet).apply, plans={**plans, name: what}), fleet)
    assert {len(each.requests) for each in simulators.values()} == {1}


def test_it_closes_its_clients(any_client: AnyClient, simulators: dict[str, Simulator]) -> None:
    """Leaving a fleet closes the clients of all its apps."""
    apps = {name: any_client.client(base_url=each.base_url) for name, each in simulators.items()}

    def blocking(fleet: Any) -> None:
        with fleet as entered:
            assert entered is fleet

    async def awaited(fleet: Any) -> None:
        async with fleet as entered:
            assert entered is fleet

    any_client.call(blocking if any_client.kind == "sync" else awaited, made(any_client, apps))
    for chat in apps.values():
        with pytest.raises(CometChatError, match="closed"):
            any_client.call(lambda chat: chat.roles.list(), chat)


def test_what_is_no_fleet(any_client: AnyClient, simulators: dict[str, Simulator]) -> None:
    """Only names with clients of the right kind make a fleet, and not too many at a time."""
    shop = simulators["shop"]
    with Client(base_url=shop.base_url, api_key=shop.api_key) as chat:
        wrong = chat if any_client.kind == "async" else None
        for apps in (None, [chat], {"shop": wrong}, {"shop": shop}):
            with pytest.raises(ConfigurationError, match="apps: a mapping of names to"):
                made(any_client, apps)
    for concurrency in (0, 101, True, "8"):
        with pytest.raises(ConfigurationError, match="concurrency"):
            made(any_client, {}, concurrency=concurrency)
    assert any_client.call(lambda fleet: fleet.plan(LIST_ID, TERMS), made(any_client, {})) == {}


def test_no_key_in_what_a_fleet_shows(any_client: AnyClient, simulators: dict[str, Simulator], fleet: Any) -> None:
    """Neither a fleet nor an outcome shows a key."""
    simulators["game"].fail(status=401, body={"error": {"message": simulators["game"].api_key}})
    plans = any_client.call(lambda fleet: fleet.plan(LIST_ID, TERMS), fleet)
    shown = f"{fleet!r}{fleet}{plans!r}{fleet.apps!r}"
    assert "shop" in shown
    assert simulators["game"].api_key not in shown
