"""The interface of every contender; each one has a module.

Each contender works as the first example of its documentation, with default settings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import httpx

API_KEY = "a-key-for-benchmarks"
LIST_ID = "profanity-list"
PATH = f"/moderation/keywords/{LIST_ID}"


class ReadyTransport(httpx.BaseTransport):
    """The transport of row Am: it has the body of each response in memory."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def handle_request(self, request: httpx.Request) -> httpx.Response:  # noqa: ARG002 - every request gets the same response
        headers = {"Content-Type": "application/json"}
        return httpx.Response(200, headers=headers, content=self._body)


class Contender(ABC):
    """One client for one service.

    Attributes:
        importing: the program of row D, the import that a user writes.
        first_response: the program of row F. `{base_url}` is the address. It prints the number of
            terms in the list.
    """

    importing: str
    first_response: str

    @abstractmethod
    def __init__(self, base_url: str, ready: httpx.BaseTransport) -> None: ...

    @abstractmethod
    def get(self) -> Any:
        """Row A: get one keyword list."""

    @abstractmethod
    def get_ready(self) -> Any:
        """Row Am: get one keyword list through the transport `ready`."""

    @abstractmethod
    def reviewed(self, limit: int) -> Any:
        """Row B: get `limit` reviewed messages."""

    @abstractmethod
    async def aget(self) -> Any:
        """Row C: get one keyword list with the asynchronous client."""

    @abstractmethod
    def put(self, csv: bytes) -> Any:
        """Row E: update the keyword list with a file."""

    @abstractmethod
    def terms(self, result: Any) -> list[str]:
        """Return the terms in the result of `get`, `get_ready`, `aget` or `put`."""

    @abstractmethod
    def records(self, result: Any) -> list[Any]:
        """Return the records in the result of `reviewed`."""

    @abstractmethod
    def close(self) -> None:
        """Close the blocking clients."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close the asynchronous client."""
