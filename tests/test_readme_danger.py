"""The danger that the README describes: an empty token in a DELETE reaches the operation that
deletes all tokens."""

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path

import httpx
import pytest

from .runtime.wire_support import Service

ROOT = Path(__file__).parents[1]
#: The path of the operation that deletes every token of a user.
ALL_TOKENS = "/v3/users/alice/auth_tokens"


@pytest.fixture
def service() -> Iterator[Service]:
    """A server on loopback that agrees to every DELETE."""
    with Service() as service:
        yield service


def paths(service: Service) -> list[str]:
    """The paths that arrived; routers ignore a slash at the end."""
    return [request.split(b" ")[1].decode().rstrip("/") for request in service.received]


def test_a_hand_written_delete_reaches_all_tokens(service: Service) -> None:
    """A DELETE that is written by hand, with an empty token, asks the service to delete all
    tokens of the user."""
    token = ""
    response = httpx.delete(
        f"{service.base_url}/users/alice/auth_tokens/{token}", headers={"apikey": "k"}
    )
    assert response.status_code == 200
    assert paths(service) == [ALL_TOKENS]


@pytest.mark.parametrize(
    ("token", "path"), [("", ALL_TOKENS), (".", ALL_TOKENS), ("..", "/v3/users/alice")]
)
def test_the_client_of_the_unchanged_generator_reaches_more(
    service: Service, unchanged: str, token: str, path: str
) -> None:
    """The client that openapi-python-client makes with its own templates deletes all tokens, or
    the user."""
    make = import_module(unchanged).AuthenticatedClient
    operation = import_module(f"{unchanged}.api.auth_tokens.delete_auth_token")
    with make(service.base_url, token="k", prefix="", auth_header_name="apikey") as chat:
        assert operation.sync_detailed("alice", token, client=chat).status_code == 200
    assert paths(service) == [path]


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a package that the unchanged openapi-python-client has made from openapi.yaml."""
    folder = tmp_path_factory.mktemp("unchanged")
    config = folder / "config.yaml"
    # No hooks: they only format. No templates: the generator uses its own.
    config.write_text("package_name_override: unchanged_client\npost_hooks: []\n", "utf-8")
    output = folder / "unchanged_client"
    options = (
        "--path",
        ROOT / "openapi.yaml",
        "--config",
        config,
        "--meta",
        "none",
        "--output-path",
        output,
    )
    command = [sys.executable, "-m", "openapi_python_client", "generate", *map(str, options)]
    subprocess.run(command, check=True, cwd=folder, capture_output=True, text=True)
    sys.path.insert(0, str(folder))
    invalidate_caches()
    yield output.name
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == output.name]:
        del sys.modules[name]
