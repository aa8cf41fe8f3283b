"""Fleets: jobs for several apps at the same time, with a separate outcome for each app."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from threading import Barrier, Event

import pytest

from cometchat_desk.fleet import Fleet, Outcome
from cometchat_rest import AuthenticationError, Client, CometChatError
from cometchat_rest.testing import Simulator

NAMES = ("shop", "forum", "game")


@pytest.fixture(scope="module")
def running_simulators() -> Iterator[dict[str, Simulator]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(Simulator()) for name in NAMES}


@pytest.fixture
def simulators(running_simulators: dict[str, Simulator]) -> dict[str, Simulator]:
    """A simulator for each app, in its initial state."""
    for simulator in running_simulators.values():
        simulator.reset()
    return running_simulators


def clients(simulators: dict[str, Simulator]) -> dict[str, Client]:
    return {name: Client(base_url=app.base_url, api_key=app.api_key) for name, app in simulators.items()}


@pytest.fixture
def fleet(simulators: dict[str, Simulator]) -> Iterator[Fleet]:
    with Fleet(clients(simulators)) as fleet:
        yield fleet


def test_each_app_has_its_own_outcome(simulators: dict[str, Simulator], fleet: Fleet) -> None:
    """An app whose job fails has its error as its outcome; the other apps have their results, in the same order."""
    simulators["forum"].fail(status=401)
    outcomes = fleet.each(lambda chat: len(chat.roles.list(per_page=3).data))
    assert list(outcomes) == list(NAMES)
    assert (outcomes["shop"], outcomes["game"]) == (Outcome(result=3), Outcome(result=3))
    assert isinstance(outcomes["forum"].error, AuthenticationError)
    with pytest.raises(AuthenticationError):
        outcomes["forum"].unwrap()


def test_jobs_of_some_apps(simulators: dict[str, Simulator], fleet: Fleet) -> None:
    """Each named app has its own job, which may return nothing; the other apps have no job."""
    outcomes = fleet.run({"game": lambda _: None, "shop": lambda chat: chat.base_url})
    assert [outcome.unwrap() for outcome in outcomes.values()] == [None, simulators["shop"].base_url]
    assert fleet.run({}) == Fleet({}).each(lambda _: None) == {}


def test_jobs_run_at_the_same_time(fleet: Fleet) -> None:
    """The jobs of several apps run at the same time: each of these jobs waits for all others."""
    together = Barrier(len(NAMES), timeout=30)
    assert sorted(outcome.unwrap() for outcome in fleet.each(lambda _: together.wait()).values()) == [0, 1, 2]


def test_unexpected_exception_is_raised(fleet: Fleet) -> None:
    """An exception that is not a CometChatError is raised unchanged, and is no outcome."""
    raised = ZeroDivisionError("a fault in a job")

    def job(_: Client) -> None:
        raise raised

    with pytest.raises(ZeroDivisionError) as caught:
        fleet.each(job)
    assert caught.value is raised


def test_no_job_starts_after_an_unexpected_exception(simulators: dict[str, Simulator]) -> None:
    """After an unexpected exception in a job, no further job starts, even while other jobs are still running."""
    failed, started = Event(), []

    def fail(_: Client) -> None:
        failed.set()
        raise ZeroDivisionError

    def wait(_: Client) -> None:
        started.append(1)
        failed.wait(30)

    with Client(base_url=simulators["shop"].base_url, api_key=simulators["shop"].api_key) as chat:
        names = [str(number) for number in range(1000)]
        fleet = Fleet(dict.fromkeys(names, chat))
        with pytest.raises(ZeroDivisionError):
            fleet.run({name: fail if name == "7" else wait for name in names})
    assert len(started) < len(names) - 1


def test_fleet_closes_its_clients(simulators: dict[str, Simulator]) -> None:
    """Leaving the `with` block of a fleet closes the clients of all its apps."""
    apps = clients(simulators)
    with Fleet(apps):
        pass
    for chat in apps.values():
        with pytest.raises(CometChatError, match="closed"):
            chat.roles.list()


def test_fleet_shows_no_key(simulators: dict[str, Simulator], fleet: Fleet) -> None:
    """The repr of a fleet and of an outcome shows no API key."""
    key = simulators["game"].api_key
    simulators["game"].fail(status=401, body={"error": {"message": key}})
    outcomes = fleet.each(lambda chat: chat.roles.list(per_page=1))
    assert key not in f"{fleet!r}{fleet}{outcomes!r}{fleet.apps!r}"
