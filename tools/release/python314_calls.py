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
from cometchat_rest import AsyncClient, Client, WordListInput

#: The method, a pattern of the path, and the body of the response of each operation, by its name.
RESPONSES = Path(__file__).with_name("responses.json")
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


class Service:
    """A transport that answers with the examples of the description."""

    def __init__(self) -> None:
        self.responses: dict[str, Any] = json.loads(RESPONSES.read_text("utf-8"))
        self.answered: list[str] = []
        self.transport = httpx.MockTransport(self._respond)

    def _respond(self, request: httpx.Request) -> httpx.Response:
        for name, (method, pattern, body) in self.responses.items():
            if request.method == method and re.fullmatch(pattern, request.url.path):
                self.answered.append(name)
                return httpx.Response(200, json=body)
        return httpx.Response(404)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of a client of this service; it accepts no drift."""
        return {
            "base_url": "https://chat.example/v3",
            "api_key": "no-key",
            "strict": True,
            "transport": self.transport,
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


def call_all(service: Service) -> dict[str, Any]:
    """Return the result of each operation, of the blocking client."""
    results = {}
    with Client(**service.settings) as chat:
        for name, call in CALLS.items():
            result = call(chat)
            results[name] = list(result) if name == "listRoles" else result
    return results


async def call_all_awaited(service: Service) -> dict[str, Any]:
    """Return the result of each operation, of the awaited client."""
    results = {}
    async with AsyncClient(**service.settings) as chat:
        for name, call in CALLS.items():
            result = call(chat)
            if name == "listRoles":
                results[name] = [role async for role in result]
            else:
                results[name] = await result
    return results


def check(service: Service, results: dict[str, Any]) -> None:
    """Exit if a call sent another request, or if a result lacks a part of the response."""
    assert service.answered == list(CALLS) == list(service.responses), service.answered
    for name, result in results.items():
        data = service.responses[name][2]["data"]
        if name == "listRoles":
            values = [role.to_dict() for role in result]
        elif name == "listReviewedMessages":
            values = result.to_dict()["data"]
        else:
            values = result.to_dict()
        assert values == data, (name, values)


async def main() -> None:
    """Call each operation, and print what passed."""
    print(f"Python {sys.version.split()[0]}, httpx {httpx.__version__}")
    print(f"{import_all()} modules imported")
    blocking = Service()
    check(blocking, call_all(blocking))
    print("Client:", *CALLS)
    awaited = Service()
    check(awaited, await call_all_awaited(awaited))
    print("AsyncClient:", *CALLS)
