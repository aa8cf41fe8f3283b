"""Fixtures for tests of redaction: a simulator with canaries as its secrets, and all log records."""

import logging
from collections.abc import Iterator

import pytest

from cometchat_rest.testing import Simulator

from .canaries import KEY, SPECIAL_TOKEN, TOKEN, RecordCollector


@pytest.fixture
def records() -> Iterator[RecordCollector]:
    """All log records during the test, at every level."""
    root, records = logging.getLogger(), RecordCollector()
    level = root.level
    root.setLevel(logging.DEBUG)
    root.addHandler(records)
    yield records
    root.removeHandler(records)
    root.setLevel(level)


@pytest.fixture(scope="module")
def running_simulator() -> Iterator[Simulator]:
    with Simulator(api_key=KEY) as simulator:
        yield simulator


@pytest.fixture
def simulator(running_simulator: Simulator) -> Simulator:
    """The simulator, with the canaries as its key and tokens."""
    running_simulator.reset()
    running_simulator.auth_tokens["alice"] += [TOKEN, SPECIAL_TOKEN]
    return running_simulator


@pytest.fixture(autouse=True)
def forget_reported_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the differences that other tests reported."""
    monkeypatch.setattr("cometchat_rest._call.drift._reported", {})


@pytest.fixture
def no_proxy_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
