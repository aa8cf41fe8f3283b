"""New operations are generated without manual work: they are an edit of the description."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from tools.description import ROOT

from .description import load
from .generation import copied, generate, run

ADDED = yaml.safe_load(Path(__file__).with_name("new_operations.yaml").read_text("utf-8"))


def grown() -> dict[str, Any]:
    """The description with operations for users: get, a deprecated list with pages, create, replace, upload, delete."""
    document = load()
    document["components"]["schemas"].update(ADDED["schemas"])
    document["tags"] += ADDED["tags"]
    document["paths"].update(ADDED["paths"])
    return document


#: A program that uses the new operations. The test checks its types and runs it; it prints every user that it gets.
PROGRAM = """
import asyncio
import json
import sys
import warnings
from typing import assert_type

from pydantic import TypeAdapter

from cometchat_openapi.types import File
from cometchat_openapi.api.chat_users import ChatUsers, create_chat_user
from cometchat_rest import AsyncClient, ChatRole, Client, InvalidRequestError, NewUser, Picture, User
from cometchat_rest.conformance import probe

# A class that refers to itself is one definition, which refers to itself.
SCHEMA = TypeAdapter(User).json_schema()
assert SCHEMA["$ref"] == "#/$defs/User"
assert SCHEMA["$defs"]["User"]["properties"]["friends"]["items"] == {"$ref": "#/$defs/User"}
assert SCHEMA["$defs"].keys() == {"User", "ChatRole"}


def show(user: User) -> None:
    assert_type(user.name, str)
    assert_type(user.created_at, int)
    assert_type(user.tags, list[str] | None)
    assert_type(user.friends, list[User] | None)
    assert_type(user.role, ChatRole | None)
    print(json.dumps({"user": user.to_dict(), "born": user.born_on, "friends": len(user.friends or ())}))


NEW = NewUser(uid="zoe", name="Zoe", role=ChatRole(role="guest", name="Guest"))
with Client(base_url=sys.argv[1], api_key="key") as chat:
    users: ChatUsers = chat.chat_users
    show(users.get("zoe", with_friends=True))
    show(users.create(NEW, x_trace="#t"))
    show(users.upload("zoe", Picture(file=File(b"x", "zoe.png", "image/png"), title="Zoe")))
    show(chat.chat_users.replace("zoe", 7, NEW))
    assert chat.api.send(create_chat_user.prepare(body=NEW)).status_code == 201
    chat.chat_users.delete("zoe")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for user in chat.chat_users.list(per_page=1):  # type: ignore[deprecated]
            show(user)
        assert chat.chat_users.list(per_page=1).meta.pagination.total == 2  # type: ignore[deprecated]
    assert {str(each.message) for each in caught} == {"ChatUsers.list is deprecated: use the search instead."}
    assert caught[0].filename == __file__
    for uid in ("", ".", "..", "%2e%2e", "a/b", "../roles"):
        try:
            chat.chat_users.delete(uid)
        except InvalidRequestError:
            continue
        raise SystemExit(f"the request for {uid} was sent")


async def main() -> None:
    async with AsyncClient(base_url=sys.argv[1], api_key="key") as chat:
        show(await chat.chat_users.get("zoe"))
        show(await chat.chat_users.create(NEW, x_trace="#t"))
        show(await chat.chat_users.upload("zoe", Picture(file=File(b"x", "zoe.png", "image/png"))))
        await chat.chat_users.delete("zoe")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            async for user in chat.chat_users.list(per_page=1):  # type: ignore[deprecated]
                show(user)
        assert [str(each.message) for each in caught] == ["AsyncChatUsers.list is deprecated: use the search instead."]
        try:
            await chat.chat_users.delete("..")
        except InvalidRequestError:
            return
        raise SystemExit("the request was sent")


asyncio.run(main())
with Client(base_url=sys.argv[1], api_key="key") as chat:
    report = probe(chat, path_values={"uid": "zoe", "number": "7"})
assert {"find_friend", "get_chat_user", "list_chat_users"} <= {each.operation for each in report.exchanges}
"""

ZOE = {
    "uid": "zoe",
    "name": "Zoe",
    "createdAt": 1757955951,
    "bornOn": "2001-02-03",
    "tags": ["new"],
    "friends": [{"uid": "amy", "name": "Amy", "createdAt": 1757955952, "since": {"year": 2031}}],
}


class Users(BaseHTTPRequestHandler):
    """Responds to the new operations, and records the requests."""

    protocol_version = "HTTP/1.1"
    received: ClassVar[list[tuple[str, str, Any]]] = []

    def respond(self, status: int, document: object = None) -> None:
        sent = self.rfile.read(int(self.headers.get("content-length", 0)))
        parts = sent.count(b"Content-Disposition: form-data")
        path = f"{self.path}{self.headers.get('X-Trace', '')}"
        self.received.append((self.command, path, parts or (json.loads(sent) if sent else None)))
        assert self.headers["apikey"] == "key"
        body = b"" if document is None else json.dumps(document).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        page = 2 if "page=2" in self.path else 1
        count = {"total": 2, "count": 1, "per_page": 1, "current_page": page, "total_pages": 2}
        users = {"data": [{**ZOE, "uid": f"zoe{page}"}], "meta": {"pagination": count}}
        self.respond(200, users if self.path.startswith("/v3/users?") else {"data": ZOE})

    def do_POST(self) -> None:
        self.respond(201, {"data": ZOE})

    def do_PATCH(self) -> None:
        self.respond(201, {"data": ZOE})

    def do_DELETE(self) -> None:
        self.respond(204)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in the base class
        """Log nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    Users.received.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Users) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v3"
        server.shutdown()
        thread.join()


def test_new_operation_needs_no_python(tmp_path: Path, address: str) -> None:
    """Operations added to the description become typed methods of both clients, with all checks and pages. A deprecated
    method is marked for type checkers, and warns. Results have a JSON Schema."""
    scratch = copied(tmp_path / "scratch")
    (scratch / "openapi.yaml").write_text(yaml.safe_dump(grown(), sort_keys=False), "utf-8")
    done = generate(scratch)
    assert done.returncode == 0, done.stdout + done.stderr

    program = scratch / "program.py"
    program.write_text(PROGRAM, "utf-8")
    generated = scratch / "generated"
    path = (generated, ROOT / "overlays")
    options = ("--strict", "--no-incremental", "--config-file=", "--python-version=3.11")
    modules = (program, generated / "cometchat_openapi")
    checked = run("-m", "mypy", *options, "--enable-error-code=deprecated", *modules, path=path)
    assert checked.returncode == 0, checked.stdout + checked.stderr

    ran = run("-W", "error", program, address, path=path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    shown = [json.loads(line)["user"] for line in ran.stdout.splitlines()]
    listed = [{**ZOE, "uid": f"zoe{page}"} for page in (1, 2)]
    assert shown == [ZOE, ZOE, ZOE, ZOE, *listed, ZOE, ZOE, ZOE, *listed]
    new = {"uid": "zoe", "name": "Zoe", "role": {"role": "guest", "name": "Guest"}}
    pages = [("GET", "/v3/users?perPage=1", None), ("GET", "/v3/users?page=2&perPage=1", None)]
    # After them, the probe calls every GET.
    assert Users.received[:15] == [
        ("GET", "/v3/users/zoe?withFriends=true", None),
        ("POST", "/v3/users#t", new),
        ("POST", "/v3/users/zoe/picture", 2),
        ("PATCH", "/v3/users/zoe/friends/7", new),
        ("POST", "/v3/users", new),
        ("DELETE", "/v3/users/zoe", None),
        *pages,
        pages[0],
        ("GET", "/v3/users/zoe", None),
        ("POST", "/v3/users#t", new),
        ("POST", "/v3/users/zoe/picture", 1),
        ("DELETE", "/v3/users/zoe", None),
        *pages,
    ]
