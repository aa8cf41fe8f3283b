"""What every contender offers, so that one worker can drive them all: a module each, in an environment of its own.

Each does the work in the way its own documentation shows first, with its own defaults.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

API_KEY = "a-key-for-benchmarks"
LIST_ID = "profanity-list"
PATH = f"/moderation/keywords/{LIST_ID}"


class Contender(ABC):
    """One client, told where the service is.

    Attributes:
        package: what brings it, and its version with it.
        importing: the statement of row D.
        importing_names: the statement of row D2, for a program that updates a list; the same unless names come later.
        first_answer: the program of row F; `{base_url}` stands for the address. It prints how many terms the list has.
        tls_setup: what row F2 does before that, if the contender loads no certificates for an address without TLS.
    """

    package: str
    importing: str
    importing_names: str
    first_answer: str
    tls_setup: str = ""

    @abstractmethod
    def __init__(self, base_url: str) -> None: ...

    @abstractmethod
    def get(self) -> Any:
        """Rows A and F: one keyword list."""

    @abstractmethod
    def canned(self, body: bytes) -> Callable[[], Any] | None:
        """Row Am: `get`, answered with `body` by a transport without a socket; `None` if there is no place for one."""

    @abstractmethod
    def reviewed(self, limit: int) -> Any:
        """Row B: so many reviewed messages."""

    @abstractmethod
    async def aget(self) -> Any:
        """Row C: one keyword list, awaited."""

    @abstractmethod
    def put(self, csv: bytes) -> Any:
        """Row E: update the keyword list with a file."""

    @abstractmethod
    def keyword_list(self, result: Any) -> Any:
        """What `get`, `aget` and `put` bring, as an object with attributes."""

    @abstractmethod
    def records(self, result: Any) -> list[Any]:
        """What `reviewed` brings, as objects with attributes."""

    @abstractmethod
    def close(self) -> None:
        """Close the blocking client."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close the awaited client."""
