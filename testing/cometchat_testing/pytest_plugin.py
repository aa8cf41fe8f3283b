"""Fixtures for pytest: the simulator and both clients, for tests of code that calls the service.

pytest loads this module in every environment where the package is installed. So the module imports
the rest of the package only when a test uses a fixture.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from cometchat_rest.client import AsyncClient, Client

    from .simulator import Simulator


@pytest.fixture(scope="session")
def _cometchat_server() -> Iterator[Simulator]:
    try:
        from . import Simulator  # noqa: PLC0415
    except ImportError as error:
        pytest.fail(str(error), pytrace=False)
    with Simulator() as simulator:
        yield simulator


@pytest.fixture
def cometchat_simulator(_cometchat_server: Simulator) -> Simulator:
    """The simulator of the chat service on this machine, over real HTTP; each test gets it in
    its initial state."""
    _cometchat_server.reset()
    return _cometchat_server


@pytest.fixture
def cometchat_client(cometchat_simulator: Simulator) -> Iterator[Client]:
    """A `Client` for `cometchat_simulator`, closed after the test."""
    from cometchat_rest.client import Client  # noqa: PLC0415

    with Client(
        base_url=cometchat_simulator.base_url, api_key=cometchat_simulator.api_key
    ) as client:
        yield client


@pytest.fixture
def async_cometchat_client(cometchat_simulator: Simulator) -> Iterator[AsyncClient]:
    """An `AsyncClient` for `cometchat_simulator`, closed after the test; it works in any event
    loop."""
    from anyio.from_thread import start_blocking_portal  # noqa: PLC0415
    from httpx import AsyncHTTPTransport, Limits  # noqa: PLC0415

    from cometchat_rest.client import AsyncClient  # noqa: PLC0415

    # The event loop of the test may be closed before the client. So no connection outlives its
    # call.
    transport = AsyncHTTPTransport(limits=Limits(max_keepalive_connections=0))
    simulator = cometchat_simulator
    client = AsyncClient(
        base_url=simulator.base_url, api_key=simulator.api_key, transport=transport
    )
    yield client
    with start_blocking_portal() as portal:
        portal.call(client.aclose)
