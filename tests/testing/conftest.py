"""A fixture for the tests of the simulator."""

from collections.abc import Iterator

import httpx
import pytest

from cometchat_testing import Simulator

from .service_calls import client_of


@pytest.fixture
def http_client(simulator: Simulator) -> Iterator[httpx.Client]:
    with client_of(simulator) as client:
        yield client
