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
        first_response: the program of row E. `{base_url}` is the address. It prints the number of
            terms in the list.
    """

    first_response: str

    @abstractmethod
    def __init__(self, base_url: str) -> None: ...

    @abstractmethod
    def get(self) -> Any:
        """Rows A and E: get one keyword list."""

    @abstractmethod
    def reviewed(self, limit: int) -> Any:
        """Row B: get `limit` reviewed messages."""

    @abstractmethod
    async def aget(self) -> Any:
        """Row C: get one keyword list with the asynchronous client."""

    @abstractmethod
    def put(self, csv: bytes) -> Any:
        """Row D: update the keyword list with a file."""

    @abstractmethod
    def terms(self, result: Any) -> list[str]:
        """Return the terms in the result of `get`, `aget` or `put`."""

    @abstractmethod
    def records(self, result: Any) -> list[Any]:
        """Return the records in the result of `reviewed`."""

    @abstractmethod
    def close(self) -> None:
        """Close the blocking client."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close the asynchronous client."""
