"""The interface of every contender; each one has a module.

Each contender works as the first example of its documentation, with default settings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

API_KEY = "a-key-for-benchmarks"
LIST_ID = "profanity-list"
PATH = f"/moderation/keywords/{LIST_ID}"


class Contender(ABC):
    """One client for one service.

    Attributes:
        package: what brings it, and its version with it.
        importing: the statement of row D, for a program that updates a list.
        first_response: the program of row F. `{base_url}` is the address. It prints the number of terms in the list.
    """

    package: str
    importing: str
    first_response: str

    @abstractmethod
    def __init__(self, base_url: str) -> None: ...

    @abstractmethod
    def get(self) -> Any:
        """Rows A and F: get one keyword list."""

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
    def keyword_list(self, result: Any) -> Any:
        """Return the result of `get`, `aget` or `put` as an object with attributes."""

    @abstractmethod
    def records(self, result: Any) -> list[Any]:
        """Return the result of `reviewed` as objects with attributes."""

    @abstractmethod
    def close(self) -> None:
        """Close the blocking client."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close the asynchronous client."""
