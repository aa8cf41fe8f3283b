"""New operations are generated without manual work: they are an edit of the description."""

import json
from pathlib import Path
from typing import Any

import yaml

from tools.description import ROOT

from .description import load
from .generation import copied, regenerate, run

ADDED = yaml.safe_load(Path(__file__).with_name("new_operations.yaml").read_text("utf-8"))


def grown() -> dict[str, Any]:
    """The description with operations for users: get, a deprecated list with pages, create,
    replace, upload, delete."""
    document = load()
    document["components"]["schemas"].update(ADDED["schemas"])
    document["tags"] += ADDED["tags"]
    document["paths"].update(ADDED["paths"])
    return document


#: A program that uses the new operations of a service in this process. The test checks its types
#: and runs it; it prints every user that it gets, and at last every request.
PROGRAM = """
import asyncio
import json
import sys
import warnings
from typing import Any, assert_type

import httpx
from pydantic import TypeAdapter

from cometchat_runtime.model import File
from cometchat_openapi.api.chat_users import ChatUsers, create_chat_user
from cometchat_rest import AsyncClient, Client, InvalidRequestError
from cometchat_rest import BestFriend, ChatRole, NewChatUser, ChatPicture, ChatUser, ChatUserListMeta
from cometchat_testing.conformance import Exchange

# A class that refers to itself is one definition, which refers to itself.
SCHEMA = TypeAdapter(ChatUser).json_schema()
assert SCHEMA["$ref"] == "#/$defs/ChatUser"
assert SCHEMA["$defs"]["ChatUser"]["properties"]["friends"]["items"] == {"$ref": "#/$defs/ChatUser"}
assert SCHEMA["$defs"].keys() == {"ChatUser", "ChatRole"}
# So have a class of an object that is no component, and one whose component has another spelling.
assert TypeAdapter(ChatUserListMeta).json_schema()["required"] == ["pagination"]
assert TypeAdapter(BestFriend).json_schema()["$ref"] == "#/$defs/BestFriend"
# A response without a body is as described.
assert not Exchange(operation="find_friend", status=204, parameters={}, json_type=False, unread="not JSON").differences


def show(user: ChatUser) -> None:
    assert_type(user.name, str)
    assert_type(user.created_at, int)
    assert_type(user.tags, list[str] | None)
    assert_type(user.friends, list[ChatUser] | None)
    assert_type(user.role, ChatRole | None)
    print(json.dumps({"user": user.to_dict(), "born": user.born_on, "friends": len(user.friends or ())}))


ZOE = json.loads(sys.argv[1])
SENT: list[tuple[str, str, Any]] = []


def respond(request: httpx.Request) -> httpx.Response:
    assert request.headers["apikey"] == "key"
    parts = request.content.count(b"Content-Disposition: form-data")
    path = request.url.raw_path.decode() + request.headers.get("X-Trace", "")
    SENT.append((request.method, path, parts or (json.loads(request.content) if request.content else None)))
    if request.method == "DELETE":
        return httpx.Response(204)
    if request.url.path != "/v3/users" or request.method == "POST":
        return httpx.Response(200 if request.method == "GET" else 201, json={"data": ZOE})
    page = int(request.url.params.get("page", 1))
    count = {"total": 2, "count": 1, "per_page": 1, "current_page": page, "total_pages": 2}
    return httpx.Response(200, json={"data": [{**ZOE, "uid": f"zoe{page}"}], "meta": {"pagination": count}})


OLD = "list_chat_users, which is deprecated: use the search instead."
SERVICE = httpx.MockTransport(respond)
NEW = NewChatUser(uid="zoe", name="Zoe", role=ChatRole(role="guest", name="Guest"))
with Client(base_url="https://example.com/v3", api_key="key", transport=SERVICE) as chat:
    users: ChatUsers = chat.chat_users
    show(users.get("zoe", with_friends=True))
    show(users.create(NEW, x_trace="#t"))
    show(users.upload("zoe", ChatPicture(file=File(b"x", "zoe.png", "image/png"), title="Zoe")))
    show(chat.chat_users.replace("zoe", 7, NEW))
    assert chat.api.send(create_chat_user.prepare(body=NEW)).status_code == 201
    chat.chat_users.delete("zoe")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for user in chat.chat_users.list(per_page=1):  # type: ignore[deprecated]
            show(user)
        assert chat.chat_users.list(per_page=1).meta.pagination.total == 2  # type: ignore[deprecated]
    assert {str(each.message) for each in caught} == {f"ChatUsers.list uses {OLD}"}
    assert caught[0].filename == __file__
    for uid in ("", ".", "..", "%2e%2e", "a/b", "../roles"):
        try:
            chat.chat_users.delete(uid)
        except InvalidRequestError:
            continue
        raise SystemExit(f"the request for {uid} was sent")


async def main() -> None:
    async with AsyncClient(base_url="https://example.com/v3", api_key="key", transport=SERVICE) as chat:
        show(await chat.chat_users.get("zoe"))
        show(await chat.chat_users.create(NEW, x_trace="#t"))
        show(await chat.chat_users.upload("zoe", ChatPicture(file=File(b"x", "zoe.png", "image/png"))))
        await chat.chat_users.delete("zoe")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            async for user in chat.chat_users.list(per_page=1):  # type: ignore[deprecated]
                show(user)
        assert [str(each.message) for each in caught] == [f"AsyncChatUsers.list uses {OLD}"]
        try:
            await chat.chat_users.delete("..")
        except InvalidRequestError:
            return
        raise SystemExit("the request was sent")


asyncio.run(main())
print(json.dumps(SENT))
"""

ZOE = {
    "uid": "zoe",
    "name": "Zoe",
    "createdAt": 1757955951,
    "bornOn": "2001-02-03",
    "tags": ["new"],
    "friends": [{"uid": "amy", "name": "Amy", "createdAt": 1757955952, "since": {"year": 2031}}],
}


def test_new_operation_needs_no_python(tmp_path: Path) -> None:
    """Operations added to the description become typed methods of both clients, with all checks and
    pages. A deprecated method is marked for type checkers, and warns. Results have a JSON Schema.
    """
    scratch = copied(tmp_path / "scratch")
    (scratch / "openapi.yaml").write_text(yaml.safe_dump(grown(), sort_keys=False), "utf-8")
    regenerate(scratch)

    program = scratch / "program.py"
    program.write_text(PROGRAM, "utf-8")
    generated = scratch / "generated"
    path = (generated, ROOT / "overlays")
    options = (
        "--strict",
        f"--cache-dir={ROOT / '.mypy_cache' / 'new'}",
        "--config-file=",
        "--python-version=3.11",
    )
    modules = (program, generated / "cometchat_openapi")
    checked = run("-m", "mypy", *options, "--enable-error-code=deprecated", *modules, path=path)
    assert checked.returncode == 0, checked.stdout + checked.stderr

    ran = run("-W", "error", program, json.dumps(ZOE), path=path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    *users, sent = map(json.loads, ran.stdout.splitlines())
    listed = [{**ZOE, "uid": f"zoe{page}"} for page in (1, 2)]
    assert [each["user"] for each in users] == [ZOE, ZOE, ZOE, ZOE, *listed, ZOE, ZOE, ZOE, *listed]
    new = {"uid": "zoe", "name": "Zoe", "role": {"role": "guest", "name": "Guest"}}
    pages = [["GET", "/v3/users?perPage=1", None], ["GET", "/v3/users?page=2&perPage=1", None]]
    assert sent == [
        ["GET", "/v3/users/zoe?withFriends=true", None],
        ["POST", "/v3/users#t", new],
        ["POST", "/v3/users/zoe/picture", 2],
        ["PATCH", "/v3/users/zoe/friends/7", new],
        ["POST", "/v3/users", new],
        ["DELETE", "/v3/users/zoe", None],
        *pages,
        pages[0],
        ["GET", "/v3/users/zoe", None],
        ["POST", "/v3/users#t", new],
        ["POST", "/v3/users/zoe/picture", 1],
        ["DELETE", "/v3/users/zoe", None],
        *pages,
    ]
