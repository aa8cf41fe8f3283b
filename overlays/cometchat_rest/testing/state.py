"""What the simulator knows and remembers, shared by the thread that serves and the threads that test."""

import threading
import time

from attrs import field, frozen

from . import data
from .data import Record
from .faults import Fault, Faults
from .rates import Quota, RateLimit


@frozen
class ReceivedRequest:
    """A request as it arrived, before anything was made of it.

    `path` is the raw path, still percent-encoded; `query` the raw query without its question mark; `headers`
    are pairs in order, with lower-cased names; `operation` names what the path and the method stand for, or
    is `None`. Besides the five operations it can be `delete_auth_tokens` or `delete_user`, the two neighbours
    that destroy more than one token.
    """

    method: str
    path: str
    query: str
    # Holds the key and whole forms: not for failure messages.
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)
    operation: str | None

    def header(self, name: str) -> str | None:
        """The value of the header `name` in any case, or `None`; several values are joined with commas."""
        values = [value for key, value in self.headers if key == name.lower()]
        return ", ".join(values) if values else None


class State:
    """The records the service holds, what it received, and the faults that are waiting.

    The records are plain and live: change them in place or set the whole attribute. The server never changes
    a record in place but puts a new one in its stead, so a record that was read stays as it was; hold `lock`
    to change several things as one.

    Attributes:
        keyword_lists: Keyword lists by id (service.md section 2.1).
        reviewed_messages: Reviewed messages in the order they are listed (section 2.3).
        roles: Roles in the order they are listed (section 2.4).
        users: Users by uid.
        auth_tokens: The tokens of each user, by uid.
        damage: What the two destructive neighbours of the token deletion did, as pairs of operation and uid.
        lock: Held by the server while it carries out an operation.
    """

    def __init__(self) -> None:
        """Begin in the first state."""
        self.lock = threading.RLock()
        self.reset()

    def reset(self) -> None:
        """Go back to the first state: records as built in, no faults, no rate limit, nothing received."""
        with self.lock:
            self.keyword_lists: dict[str, Record] = data.keyword_lists()
            self._reviewed_messages: list[Record] | None = None
            self._reviews = 0
            self.roles: list[Record] = data.roles()
            self.users: dict[str, Record] = data.users()
            self.auth_tokens: dict[str, list[str]] = data.auth_tokens()
            self.damage: list[tuple[str, str]] = []
            self._received: list[ReceivedRequest] = []
            self._faults = Faults()
            self._rate_limit = RateLimit()

    def review(self, count: int = 1) -> list[Record]:
        """Let so many new messages be reviewed: they become the first in the list, the newest first of all.

        What they hold is the same after every reset. Returns their records in the order they are listed.
        """
        with self.lock:
            first = self._reviews + 1
            self._reviews += count
            new = [data.reviewed_message(-number) for number in range(self._reviews, first - 1, -1)]
            self.reviewed_messages = [*new, *self.reviewed_messages]
            return new

    @property
    def reviewed_messages(self) -> list[Record]:
        """The reviewed messages in the order they are listed."""
        with self.lock:
            # Made when they are asked for: that takes longer than the whole rest of a reset.
            if self._reviewed_messages is None:
                self._reviewed_messages = data.reviewed_messages()
            return self._reviewed_messages

    @reviewed_messages.setter
    def reviewed_messages(self, records: list[Record]) -> None:
        self._reviewed_messages = records

    @property
    def requests(self) -> list[ReceivedRequest]:
        """Everything received since the start or the last reset, in order; a copy."""
        with self.lock:
            return list(self._received)

    def receive(self, request: ReceivedRequest) -> Fault | None:
        """Note a request that arrived, and take the fault that waits for it, if one does."""
        with self.lock:
            self._received.append(request)
            return self._faults.take(request.operation)

    def spend(self) -> Quota:
        """Count one request against the rate limit."""
        with self.lock:
            return self._rate_limit.spend(time.time())
