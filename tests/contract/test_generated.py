"""The generated code is up to date with `openapi.yaml`, and new operations are generated without manual work."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import pytest
import yaml

from tools.description import ROOT

from .description import load

Change: TypeAlias = Callable[[Path], object]
Done: TypeAlias = subprocess.CompletedProcess[str]


def run(*command: str | Path, path: tuple[Path, ...] = (), folder: Path | None = None) -> Done:
    """Run a Python command in a folder; the folders in `path` are searched first."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "NO_COLOR": "1"}
    return subprocess.run(  # noqa: S603 - our own tools on our own files
        [sys.executable, *map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the input and the output of the generator."""
    folder = tmp_path_factory.mktemp("original")
    for name in ("openapi.yaml", "generator-config.yaml"):
        shutil.copy(ROOT / name, folder)
    for name in ("generator-templates", "generated", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def scratch(original: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return shutil.copytree(original, tmp_path / "scratch")


def generate(folder: Path, *options: str) -> Done:
    return run("-m", "tools.generate", *options, folder=folder)


def append(name: str, text: str) -> Change:
    def change(folder: Path) -> None:
        path = folder / name
        path.write_text(path.read_text("utf-8") + text, "utf-8")

    return change


def edit(name: str, old: str, new: str) -> Change:
    def change(folder: Path) -> None:
        path = folder / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    return change


def test_committed_code_is_up_to_date(original: Path) -> None:
    """No generated file was edited, and the code was generated after the last change of the description."""
    done = generate(original, "--check")
    assert done.returncode == 0, done.stdout + done.stderr


PACKAGE = "generated/cometchat_openapi"


#: For each line of the check, the change that leads to it: of a generated file, or of the description, the settings or
#: a template.
CHANGES: dict[str, dict[str, Change]] = {
    "by hand": {
        "different models/role.py": append(f"{PACKAGE}/models/role.py", "\n"),
        "different types.py": append(f"{PACKAGE}/types.py", "# by hand\n"),
        "unknown   extra.py": lambda folder: (folder / PACKAGE / "extra.py").touch(),
        "missing   api/roles/list_roles.py": lambda folder: (folder / PACKAGE / "api/roles/list_roles.py").unlink(),
        "missing   py.typed": lambda folder: (folder / PACKAGE / "py.typed").unlink(),
    },
    "outdated": {
        "different api/roles/list_roles.py": edit("openapi.yaml", "List roles", "List all roles"),
        "different models/role.py": edit("openapi.yaml", "A role that users", "One role that users"),
        "keyword_category.py": edit("generator-config.yaml", "literal_enums: true", "literal_enums: false"),
        "different types.py": edit("generator-templates/types.py.jinja", "A file to send", "Some file to send"),
    },
}


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)
def test_other_code_is_reported(scratch: Path, changes: Mapping[str, Change]) -> None:
    """The check names every file that was edited, added or removed by hand, or that was generated before the last
    change of the description or of a template."""
    for change in changes.values():
        change(scratch)
    before = snapshot(scratch / PACKAGE)
    done = generate(scratch, "--check")
    assert done.returncode != 0
    assert [problem for problem in (*changes, "make generate") if problem not in done.stderr] == []
    assert snapshot(scratch / PACKAGE) == before


def snapshot(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_generating_restores_every_file(scratch: Path, original: Path) -> None:
    """Generating restores every file and removes unknown files."""
    package = scratch / PACKAGE
    (package / "extra.py").touch()
    (package / "types.py").write_text("", "utf-8")
    (package / "py.typed").unlink()
    done = generate(scratch)
    assert done.returncode == 0, done.stdout + done.stderr
    assert snapshot(package) == snapshot(original / PACKAGE)


@pytest.mark.parametrize("package", ["cometchat_rest", "cometchat_openapi"])
def test_both_packages_are_marked_as_typed(package: str) -> None:
    """Type checkers use the types of both packages."""
    assert files(package).joinpath("py.typed").is_file()


# New operations: three that have no hand-written Python.


def described(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "description": "Text.", **more}


def reference(name: str) -> dict[str, Any]:
    return {"description": "Text.", "$ref": f"#/components/schemas/{name}"}


GROWTH_SCHEMAS: dict[str, Any] = {
    "UserResponse": described("object", required=["data"], properties={"data": reference("User")}),
    "User": described(
        "object",
        required=["uid", "name", "createdAt"],
        properties={
            "uid": described("string"),
            "name": described("string"),
            "createdAt": described("integer"),
            "link": described("string", format="uri"),
            "bornOn": described("string", format="date"),
            "tags": described("array", items={"type": "string"}),
            "role": reference("Role"),
            "friends": described("array", items={"$ref": "#/components/schemas/User"}),
        },
    ),
    "UserList": described(
        "object",
        required=["data", "meta"],
        properties={"data": described("array", items=reference("User")), "meta": reference("RoleListMeta")},
    ),
    "Picture": described(
        "object",
        required=["file"],
        properties={"file": described("string", format="binary"), "title": described("string", maxLength=9)},
    ),
    "NewUser": described(
        "object",
        required=["uid"],
        additionalProperties=False,
        properties={"uid": described("string"), "name": described("string"), "role": reference("Role")},
    ),
}


#: The parameters of a list with pages.
PAGES = [
    {"name": name, "in": "query", "description": "Text.", "schema": described("integer")}
    for name in ("page", "perPage")
]


def operation(name: str, responses: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "operationId": name,
        "tags": ["Chat Users"],
        "summary": "Text",
        "description": "Text.",
        "security": [{"apikey": []}],
        "responses": responses,
        **more,
    }


def grown() -> dict[str, Any]:
    """The description with operations for users: get, a deprecated list with pages, create, replace, upload, delete."""
    document = load()
    document["components"]["schemas"].update(GROWTH_SCHEMAS)
    document["tags"].append({"name": "Chat Users", "description": "Users."})
    json_of_user = {"application/json": {"schema": reference("UserResponse")}}
    user = {"description": "A user.", "content": json_of_user}
    users = {"description": "Users.", "content": {"application/json": {"schema": reference("UserList")}}}
    flag = {"name": "withFriends", "in": "query", "description": "Text.", "schema": described("boolean")}
    number = {"name": "number", "in": "path", "required": True, "description": "Text.", "schema": described("integer")}
    body = {"required": True, "content": {"application/json": {"schema": reference("NewUser")}}}
    picture = {"required": True, "content": {"multipart/form-data": {"schema": reference("Picture")}}}
    trace = {"name": "X-Trace", "in": "header", "description": "Text.", "schema": described("string")}
    document["paths"]["/users/{uid}"] = {
        "parameters": [{"$ref": "#/components/parameters/Uid"}],
        "get": operation("getChatUser", {"200": user}, parameters=[flag]),
        "delete": operation("deleteChatUser", {"204": {"description": "The user is deleted."}}),
    }
    document["paths"]["/users/{uid}/friends/{number}"] = {
        "parameters": [{"$ref": "#/components/parameters/Uid"}, number],
        "patch": operation("replaceFriend", {"201": user}, requestBody=body),
    }
    document["paths"]["/users/{uid}/picture"] = {
        "parameters": [{"$ref": "#/components/parameters/Uid"}],
        "post": operation("uploadPicture", {"201": user}, requestBody=picture),
    }
    old = {"deprecated": True, "description": "Lists users. Deprecated: use the search instead.", "parameters": PAGES}
    document["paths"]["/users"] = {
        "get": operation("listChatUsers", {"200": users}, **old),
        "post": operation("createChatUser", {"201": user}, requestBody=body, parameters=[trace]),
    }
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
from cometchat_rest import AsyncClient, Client, InvalidRequestError, NewUser, Picture, Role, User

# A class that refers to itself is one definition, which refers to itself.
SCHEMA = TypeAdapter(User).json_schema()
assert SCHEMA["$ref"] == "#/$defs/User"
assert SCHEMA["$defs"]["User"]["properties"]["friends"]["items"] == {"$ref": "#/$defs/User"}
assert SCHEMA["$defs"].keys() == {"User", "Role", "RoleMetadata", "RoleSettings"}


def show(user: User) -> None:
    assert_type(user.name, str)
    assert_type(user.created_at, int)
    assert_type(user.tags, list[str] | None)
    assert_type(user.friends, list[User] | None)
    assert_type(user.role, Role | None)
    print(json.dumps({"user": user.to_dict(), "born": user.born_on, "friends": len(user.friends or ())}))


NEW = NewUser(uid="zoe", name="Zoe", role=Role(role="guest", name="Guest", description="New", created_at=1))
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


@pytest.mark.deep
def test_new_region_needs_no_python(scratch: Path) -> None:
    """A region added to the description is a region of the client, with its address."""
    document = load()
    document["servers"][0]["variables"]["region"]["enum"].append("sa-east")
    (scratch / "openapi.yaml").write_text(yaml.safe_dump(document, sort_keys=False), "utf-8")
    done = generate(scratch)
    assert done.returncode == 0, done.stdout + done.stderr
    code = "from cometchat_rest.endpoint import Region, base_url; print(base_url('a', Region.SA_EAST))"
    shown = run("-c", code, path=(scratch / "generated", ROOT / "overlays"))
    assert shown.stdout == "https://a.api-sa-east.cometchat.io/v3\n"


def test_new_operation_needs_no_python(scratch: Path, address: str) -> None:
    """Operations added to the description become typed methods of both clients, with all checks and pages. A deprecated
    method is marked for type checkers, and warns. Results have a JSON Schema."""
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
    new = {
        "uid": "zoe",
        "name": "Zoe",
        "role": {"role": "guest", "name": "Guest", "description": "New", "createdAt": 1},
    }
    pages = [("GET", "/v3/users?perPage=1", None), ("GET", "/v3/users?page=2&perPage=1", None)]
    assert Users.received == [
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
