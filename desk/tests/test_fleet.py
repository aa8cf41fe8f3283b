"""Jobs for several apps at the same time, with a separate outcome for each app."""

from threading import Barrier, Event
from time import sleep

import pytest

from cometchat_desk.fleet import Outcome, run_jobs
from cometchat_rest import InvalidRequestError


def test_each_app_has_its_own_outcome() -> None:
    """An app whose job fails has its error as its outcome; the other apps have their results, in
    the same order."""
    refused = InvalidRequestError("refused")

    def fail() -> int:
        raise refused

    outcomes = run_jobs({"shop": lambda: 3, "forum": fail, "game": lambda: 4})
    assert list(outcomes.items()) == [
        ("shop", Outcome(result=3)),
        ("forum", Outcome(error=refused)),
        ("game", Outcome(result=4)),
    ]
    assert run_jobs({"forum": fail}) == {"forum": Outcome(error=refused)}
    assert run_jobs({}) == {}


def test_jobs_run_at_the_same_time() -> None:
    """The jobs of several apps run at the same time: each of these jobs waits for all others."""
    together = Barrier(3, timeout=60)
    outcomes = run_jobs(dict.fromkeys(("shop", "forum", "game"), together.wait))
    assert {outcome.result for outcome in outcomes.values()} == {0, 1, 2}


def test_unexpected_exception_is_raised() -> None:
    """An exception that is not of the client is raised unchanged, and no further job starts."""
    raised, failed, started = ZeroDivisionError("a fault in a job"), Event(), []

    def fail() -> None:
        failed.set()
        raise raised

    def wait() -> None:
        started.append(1)
        failed.wait(60)
        # So that the jobs take longer than the exception needs to stop them.
        sleep(0.1)

    names = [str(number) for number in range(1000)]
    with pytest.raises(ZeroDivisionError) as caught:
        run_jobs({name: wait if number else fail for number, name in enumerate(names)})
    assert caught.value is raised
    assert len(started) < len(names) - 1
