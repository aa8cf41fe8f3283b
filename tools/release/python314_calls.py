"""Calls each operation with both clients, and prints what passed. `python314.py` copies this
module into a folder of packages, and runs it in Pyodide."""

from __future__ import annotations

import json
import pkgutil
import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx

import cometchat_openapi
import cometchat_rest
import cometchat_runtime
from cometchat_openapi.server import BASE_PATH
from cometchat_rest import AsyncClient, Client, WordListInput

#: The method, a pattern of the path, and the body of the response of each operation, by its name.
RESPONSES: dict[str, Any] = json.loads(
    Path(__file__).with_name("responses.json").read_text("utf-8")
)
#: The call of each operation.
CALLS: dict[str, Callable[[Any], Any]] = {
    "getKeywordList": lambda chat: chat.keywords.get("profanity-list"),
    "updateKeywordList": lambda chat: chat.keywords.update(
        "profanity-list", WordListInput(search_terms=["spam", "scam"])
    ),
    "listReviewedMessages": lambda chat: chat.reviewed_messages.list(limit=1),
    "listRoles": lambda chat: chat.roles.list(per_page=100),
    "deleteAuthToken": lambda chat: chat.auth_tokens.delete("alice", "alice_1757955951"),
}
answered: list[str] = []


def respond(request: httpx.Request) -> httpx.Response:
    """Answer with the example of the description."""
    for name, (method, pattern, body) in RESPONSES.items():
        if request.method == method and re.fullmatch(pattern, request.url.path):
            answered.append(name)
            return httpx.Response(200, json=body)
    return httpx.Response(404)


#: The settings of a client that accepts no drift.
SETTINGS: dict[str, Any] = {
    "base_url": f"https://chat.example{BASE_PATH}",
    "api_key": "no-key",
    "strict": True,
    "transport": httpx.MockTransport(respond),
}


def import_all() -> int:
    """Import every module of the client, except the one for pydantic; return their number."""
    count = 0
    for package in (cometchat_openapi, cometchat_rest, cometchat_runtime):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name != "cometchat_runtime.frameworks":
                import_module(module.name)
                count += 1
    return count


def check(name: str, result: Any) -> None:
    """Exit if a result lacks a part of the response."""
    expected = RESPONSES[name][2]["data"]
    if isinstance(result, list):
        data = [item.to_dict() for item in result]
    else:
        values = result.to_dict()
        data = values["data"] if name == "listReviewedMessages" else values
    assert data == expected, (name, data)


async def main() -> None:
    """Call each operation, and print what passed."""
    print(f"Python {sys.version.split()[0]}, httpx {httpx.__version__}")
    print(f"{import_all()} modules imported")
    with Client(**SETTINGS) as chat:
        for name, call in CALLS.items():
            result = call(chat)
            check(name, list(result) if name == "listRoles" else result)
    print("Client:", *CALLS)
    async with AsyncClient(**SETTINGS) as chat:
        for name, call in CALLS.items():
            result = call(chat)
            check(name, [role async for role in result] if name == "listRoles" else await result)
    print("AsyncClient:", *CALLS)
    assert answered == [*CALLS, *CALLS] == [*RESPONSES, *RESPONSES], answered
