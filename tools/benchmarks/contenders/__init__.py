"""The contenders; each one has a module.

A module has the import that a user writes (`IMPORTING`), a program that prints the number of terms
in the list (`FIRST_RESPONSE`), and `work`. Each contender works as the first example of its
documentation, with default settings.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sized
from typing import NamedTuple

import httpx

API_KEY = "a-key-for-benchmarks"
LIST_ID = "profanity-list"
PATH = f"/moderation/keywords/{LIST_ID}"
#: The file of an update.
CSV = (b"spam,scam,phishing\n" * (2**20 // 19))[: 2**20 - 1] + b"\n"


class Work(NamedTuple):
    """The calls of a contender. Each returns the terms of the list, or the records."""

    get: Callable[[], Sized]
    get_ready: Callable[[], Sized]
    records: Callable[[], Sized]
    get_awaited: Callable[[], Awaitable[Sized]]
    put: Callable[[], Sized]


class ReadyTransport(httpx.BaseTransport):
    """The transport of `get_ready`: it has the body of each response in memory."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def handle_request(self, request: httpx.Request) -> httpx.Response:  # noqa: ARG002 - every request gets the same response
        headers = {"Content-Type": "application/json"}
        return httpx.Response(200, headers=headers, content=self._body)
