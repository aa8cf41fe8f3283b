"""What the tests of keyword lists share: a list of the simulator, its entries, and two apps with profiles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from cometchat_rest.testing import Simulator

from ...conftest import CommandLine, Result

LIST = "profanity-list"
BEFORE = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ"]


def terms(simulator: Simulator, list_id: str = LIST) -> Any:
    return simulator.keyword_lists[list_id].get("searchTerms")


def records(done: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.out.splitlines()]


def updates(simulator: Simulator) -> int:
    """The number of updates that the service received."""
    return [request.method for request in simulator.requests].count("PUT")


def app(name: str, simulator: Simulator, *, key: str | None = None) -> str:
    """The profile of an app."""
    return f'[apps.{name}]\nbase_url = "{simulator.base_url}"\napi_key = "{key or simulator.api_key}"\n'


@pytest.fixture
def forum() -> Iterator[Simulator]:
    """The service of a second app."""
    with Simulator() as second:
        yield second


@pytest.fixture
def two(cli: CommandLine, simulator: Simulator, forum: Simulator) -> CommandLine:
    """The apps `shop` and `forum`."""
    cli.profiles(app("shop", simulator) + app("forum", forum))
    return cli


@pytest.fixture
def three(cli: CommandLine, simulator: Simulator, forum: Simulator) -> CommandLine:
    """The apps `shop`, `forum` with other entries, and `closed`, whose key the service refuses; and a changed list."""
    forum.keyword_lists[LIST]["searchTerms"] = ["own word", "scam"]
    cli.profiles(app("shop", simulator) + app("forum", forum) + app("closed", forum, key=forum.auth_only_key))
    cli.write("list.txt", "".join(f"{term}\n" for term in [*BEFORE, "new"]))
    return cli
