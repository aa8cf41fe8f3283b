"""Fixtures for pytest: the simulator and either client, for tests of code that calls the service.

pytest loads this module wherever the package is installed, so it loads nothing else before a test asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .client import AsyncClient, Client
    from .testing import Simulator


@pytest.fixture(scope="session")
def _cometchat_server() -> Iterator[Simulator]:
    try:
        from .testing import Simulator  # noqa: PLC0415
    except ImportError as error:
        pytest.fail(str(error), pytrace=False)
    with Simulator() as simulator:
        yield simulator


@pytest.fixture
def cometchat_simulator(_cometchat_server: Simulator) -> Simulator:
    """The chat service on this machine, over real HTTP, in its first state for each test."""
    _cometchat_server.reset()
    return _cometchat_server


@pytest.fixture
def cometchat_client(cometchat_simulator: Simulator) -> Iterator[Client]:
    """A `Client` of `cometchat_simulator`, closed after the test."""
    from .client import Client  # noqa: PLC0415

    with Client(base_url=cometchat_simulator.base_url, api_key=cometchat_simulator.api_key) as client:
        yield client


@pytest.fixture
def async_cometchat_client(cometchat_simulator: Simulator) -> Iterator[AsyncClient]:
    """An `AsyncClient` of `cometchat_simulator`, closed after the test, whatever runs the event loop."""
    import ssl  # noqa: PLC0415

    import httpx  # noqa: PLC0415
    from anyio.from_thread import start_blocking_portal  # noqa: PLC0415

    from .client import AsyncClient  # noqa: PLC0415

    # The event loop belongs to another plugin, or to the test, and may be gone when this fixture ends: no connection
    # outlives its call, and closing needs nothing of that loop. Nobody is trusted, because nothing here speaks TLS.
    transport = httpx.AsyncHTTPTransport(
        verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), limits=httpx.Limits(max_keepalive_connections=0)
    )
    client = AsyncClient(
        base_url=cometchat_simulator.base_url, api_key=cometchat_simulator.api_key, transport=transport
    )
    yield client
    with start_blocking_portal() as portal:
        portal.call(client.aclose)
