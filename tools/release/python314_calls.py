"""Calls each operation with both clients. `python314.py` copies this module into a folder of
packages, and runs it in Pyodide."""

import json
import pkgutil
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

#: The responses of the service, by method and path: the examples of the description.
RESPONSES = json.loads(Path(__file__).with_name("python314_responses.json").read_text("utf-8"))
WORDS = WordListInput(search_terms=["darn", "heck"])
CALLS: list[Callable[[Any], Any]] = [
    lambda chat: chat.keywords.get("words"),
    lambda chat: chat.keywords.update("words", WORDS),
    lambda chat: chat.reviewed_messages.list(),
    lambda chat: chat.roles.list(),
    lambda chat: chat.auth_tokens.delete("alice", "token"),
]


def respond(request: httpx.Request) -> httpx.Response:
    """Answer as the service does."""
    return httpx.Response(200, json=RESPONSES[f"{request.method} {request.url.path}"])


def import_all() -> None:
    """Import every module of the client, except the one for pydantic."""
    for package in (cometchat_openapi, cometchat_rest, cometchat_runtime):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name != "cometchat_runtime.frameworks":
                import_module(module.name)


def data(result: Any) -> Any:
    """Return the items of a list, or the result itself."""
    return getattr(result, "data", result)


async def main() -> None:
    """Make the calls with both clients, which accept no drift, and compare the results."""
    import_all()
    settings: dict[str, Any] = {
        "base_url": "https://chat.example/v3",
        "api_key": "key",
        "strict": True,
        "transport": httpx.MockTransport(respond),
    }
    with Client(**settings) as chat:
        results = [data(call(chat)) for call in CALLS]
    async with AsyncClient(**settings) as awaited:
        assert results == [data(await call(awaited)) for call in CALLS]
    assert results[0].search_terms == ["darn", "heck"]
    print(f"Python {sys.version.split()[0]}: {len(results)} calls with each client")
