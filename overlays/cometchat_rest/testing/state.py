"""The state of the simulator, shared by the server thread and the threads of the tests."""

import threading
import time

from attrs import field, frozen

from . import data
from .data import Record
from .faults import Fault, Faults
from .rates import Quota, RateLimit


@frozen
class ReceivedRequest:
    """A request as it arrived, unchanged.

    `path` is the raw path, percent-encoded; `query` is the raw query without the question mark; `headers` are
    pairs in order, with names in lower case; `operation` is the operation of the path and the method, or
    `None`. Besides the five operations it can be `delete_auth_tokens` or `delete_user`, the two neighbouring
    operations that delete more than one token.
    """

    method: str
    path: str
    query: str
    # Contains the key and complete forms, which must not appear in the output of a failed test.
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)
    operation: str | None

    def header(self, name: str) -> str | None:
        """The value of a header, or `None`. The case of `name` is ignored; several values are joined with commas."""
        values = [value for key, value in self.headers if key == name.lower()]
        return ", ".join(values) if values else None


class State:
    """The records of the service, the requests that it received, and the queued faults.

    The records are plain dicts that the server uses: change them in place, or set the whole attribute. The server
    never changes a record in place; it replaces the record with a new one. So a record that a test has read stays
    unchanged. Hold `lock` to make several changes in one step.

    Attributes:
        keyword_lists: Keyword lists by id (service.md section 2.1).
        reviewed_messages: Reviewed messages in the order they are listed (section 2.3).
        roles: Roles in the order they are listed (section 2.4).
        users: Users by uid.
        auth_tokens: The tokens of each user, by uid.
        damage: The calls of `delete_auth_tokens` and `delete_user`, which delete more than one token, as pairs of
            operation and uid.
        lock: Held by the server during an operation.
        resets: How many times the state was set to its initial value.
    """

    def __init__(self) -> None:
        """Begin with the initial state."""
        self.lock = threading.RLock()
        self.resets = 0
        self.reset()

    def reset(self) -> None:
        """Return to the initial state: the built-in records, no faults, no rate limit, no requests, no late changes."""
        with self.lock:
            self.resets += 1
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
        """Add new reviewed messages to the start of the list, the newest first.

        Their content is the same after every reset. Returns the new records in the order of the list.
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
            # Created at the first use, because this takes longer than the rest of a reset.
            if self._reviewed_messages is None:
                self._reviewed_messages = data.reviewed_messages()
            return self._reviewed_messages

    @reviewed_messages.setter
    def reviewed_messages(self, records: list[Record]) -> None:
        self._reviewed_messages = records

    @property
    def requests(self) -> list[ReceivedRequest]:
        """All requests received since the start or the last reset, in order; a copy of the list."""
        with self.lock:
            return list(self._received)

    def receive(self, request: ReceivedRequest) -> Fault | None:
        """Record a request, and take the oldest queued fault that applies to it, or `None`."""
        with self.lock:
            self._received.append(request)
            return self._faults.take(request.operation)

    def spend(self) -> Quota:
        """Count one request against the rate limit."""
        with self.lock:
            return self._rate_limit.spend(time.time())


def copy_for_trial(state: State) -> State:
    """A copy of the records that operations can change, so that an operation can run without changing `state`."""
    copy = State()
    with state.lock:
        copy.keyword_lists = dict(state.keyword_lists)
        copy.users = dict(state.users)
        copy.auth_tokens = dict(state.auth_tokens)
    return copy
