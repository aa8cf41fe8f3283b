"""The danger that the README describes: an empty token in a DELETE reaches the operation that deletes all tokens."""

import json
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module, invalidate_caches
from pathlib import Path
from threading import Thread

import httpx
import pytest
from attrs import define, field

from cometchat_rest import Client, InvalidRequestError

ROOT = Path(__file__).parents[1]
#: The path of the operation that deletes every token of a user.
ALL_TOKENS = "/v3/users/alice/auth_tokens"


@define
class Service:
    """A server on loopback that agrees to every DELETE; `paths` has the paths that arrived."""

    base_url: str
    paths: list[str] = field(factory=list)


@pytest.fixture
def service() -> Iterator[Service]:
    class Handler(BaseHTTPRequestHandler):
        def do_DELETE(self) -> None:
            # Routers ignore a slash at the end.
            started.paths.append(self.path.rstrip("/"))
            body = json.dumps({"data": {"success": True, "message": "Deleted."}}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class names it so
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        started = Service(f"http://127.0.0.1:{server.server_port}/v3")
        Thread(target=server.serve_forever, args=(0.05,)).start()
        yield started
        server.shutdown()


def test_a_hand_written_delete_reaches_all_tokens(service: Service) -> None:
    """A DELETE that is written by hand, with an empty token, asks the service to delete all tokens of the user."""
    token = ""
    response = httpx.delete(f"{service.base_url}/users/alice/auth_tokens/{token}", headers={"apikey": "k"})
    assert response.status_code == 200
    assert service.paths == [ALL_TOKENS]


@pytest.mark.parametrize(("token", "path"), [("", ALL_TOKENS), (".", ALL_TOKENS), ("..", "/v3/users/alice")])
def test_the_client_of_the_unchanged_generator_reaches_more(
    service: Service, unchanged: str, token: str, path: str
) -> None:
    """The client that openapi-python-client makes with its own templates deletes all tokens, or the user."""
    chat = import_module(unchanged).AuthenticatedClient(
        service.base_url, token="k", prefix="", auth_header_name="apikey"
    )
    operation = import_module(f"{unchanged}.api.auth_tokens.delete_auth_token")
    assert operation.sync_detailed("alice", token, client=chat).status_code == 200
    assert service.paths == [path]


@pytest.mark.parametrize("token", ["", ".", ".."])
def test_this_client_sends_nothing(service: Service, token: str) -> None:
    """This client refuses a token that would change the path, and no request arrives."""
    with Client(base_url=service.base_url, api_key="k") as chat, pytest.raises(InvalidRequestError):
        chat.auth_tokens.delete("alice", token)
    assert service.paths == []


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a package that the unchanged openapi-python-client has made from openapi.yaml."""
    folder = tmp_path_factory.mktemp("unchanged")
    config = folder / "config.yaml"
    # No hooks: they only format. No templates: the generator uses its own.
    config.write_text("package_name_override: unchanged_client\npost_hooks: []\n", "utf-8")
    output = folder / "unchanged_client"
    options = ("--path", ROOT / "openapi.yaml", "--config", config, "--meta", "none", "--output-path", output)
    command = [sys.executable, "-m", "openapi_python_client", "generate", *map(str, options)]
    subprocess.run(command, check=True, cwd=folder, capture_output=True, text=True)  # noqa: S603 - our own command
    sys.path.insert(0, str(folder))
    invalidate_caches()
    yield output.name
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == output.name]:
        del sys.modules[name]
