"""The state of the simulator, shared by the server thread and the threads of the tests."""

import threading
from contextlib import AbstractContextManager
from copy import copy
from datetime import UTC, datetime, timedelta
from typing import Self
from urllib.parse import parse_qs

from attrs import field, frozen

from . import data, history
from .faults import Fault, Faults
from .history import History
from .rates import RateLimit
from .records import KeywordListRecord, ReviewedMessageRecord, RoleRecord, UserRecord


@frozen
class ReceivedRequest:
    """A request as it arrived, unchanged.

    `path` is the raw path, percent-encoded; `query` is the raw query without the question mark;
    `headers` are pairs in order, with names in lower case; `operation` is the operation of the path
    and the method, or `None`. Besides the operations of the client it can be `delete_auth_tokens`
    or `delete_user`, the two neighbouring operations that delete more than one token.
    """

    method: str
    path: str
    query: str
    # Contains the key and complete forms, which must not appear in the output of a failed test.
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)
    operation: str | None

    @property
    def parameters(self) -> dict[str, list[str]]:
        """The decoded values of each parameter of the query."""
        return parse_qs(self.query, keep_blank_values=True)

    def header(self, name: str) -> str | None:
        """The value of a header, or `None`. The case of `name` is ignored; several values are
        joined with commas."""
        values = [value for key, value in self.headers if key == name.lower()]
        return ", ".join(values) if values else None


class State:
    """The records of the service, the requests that it received, and the queued faults.

    The records are plain dicts that the server uses: change them in place, or set the whole
    attribute. The server never changes a record in place; it replaces the record with a new one. So
    a record that a test has read stays unchanged. Hold `lock` to make several changes in one step.

    Attributes:
        keyword_lists: Keyword lists by id.
        reviewed_messages: Reviewed messages in the order they are listed.
        roles: Roles in the order they are listed.
        users: Users by uid.
        auth_tokens: The tokens of each user, by uid.
        damage: The calls of `delete_auth_tokens` and `delete_user`, which delete more than one
            token, as pairs of operation and uid.
        lock: Held by the server during an operation.
        start: Another object after each reset.
    """

    def __init__(self) -> None:
        """Begin with the initial state."""
        self.lock: AbstractContextManager[bool] = threading.RLock()
        self.reset()

    def reset(self) -> None:
        """Return to the initial state.

        These are the built-in records and the real time, without faults, rate limit, requests and
        late changes.
        """
        with self.lock:
            self.start: object = object()
            self._stopped_at: datetime | None = None
            self._ahead = timedelta()
            self.keyword_lists: dict[str, KeywordListRecord] = data.keyword_lists()
            self._reviewed_messages: list[ReviewedMessageRecord] | None = None
            self._reviews = 0
            self.roles: list[RoleRecord] = data.roles()
            self.users: dict[str, UserRecord] = {uid: data.user(uid) for uid in data.UIDS}
            self.auth_tokens: dict[str, list[str]] = data.auth_tokens()
            self.damage: list[tuple[str, str]] = []
            self._received: list[ReceivedRequest] = []
            self._faults = Faults()
            self._rate_limit = RateLimit()

    @property
    def now(self) -> datetime:
        """The time of the simulator, in UTC: of updates, of new records, and of the rate limit.

        It is the real time until you set it; then it stands still. Set a datetime with a time zone.
        The pauses of `fail` (`delay`, `trickle`, `apply_after`) are real seconds.
        """
        with self.lock:
            return (self._stopped_at or datetime.now(UTC)) + self._ahead

    @now.setter
    def now(self, moment: datetime) -> None:
        if moment.tzinfo is None:
            raise ValueError(
                "now needs a datetime with a time zone, such as datetime(2026, 7, 1, tzinfo=UTC)"
            )
        with self.lock:
            self._stopped_at = moment.astimezone(UTC)
            self._ahead = timedelta()

    def advance(self, seconds: float) -> None:
        """Move the clock forward, for example past the end of a rate limit. A running clock
        continues to run."""
        with self.lock:
            self._ahead += timedelta(seconds=seconds)

    def review(
        self, count: int = 1, *, created_at: datetime | None = None
    ) -> list[ReviewedMessageRecord]:
        """Add new reviewed messages to the start of the list, the newest first.

        Their content is the same after every reset, and without `created_at` so are their times.
        Returns the new records in the order of the list.
        """
        seconds = None if created_at is None else int(created_at.timestamp())
        with self.lock:
            before = self._reviews
            self._reviews += count
            numbers = range(self._reviews, before, -1)
            new = [data.reviewed_message(-number, seconds) for number in numbers]
            self.reviewed_messages = [*new, *self.reviewed_messages]
            return new

    def add_reviewed_message(
        self,
        text: str,
        *,
        sender: str = "alice",
        receiver: str = "bob",
        rule: str = "Block word",
        keyword_list: str | None = "profanity-list",
        status: str = "disapproved",
        action: str = "blockMessage",
        created_at: datetime | None = None,
    ) -> ReviewedMessageRecord:
        """Add a reviewed message with your own text. The list stays sorted, the newest message
        first.

        Args:
            text: the text of the message.
            sender: the uid of its sender.
            receiver: the uid of its receiver.
            rule: the name of the rule that reviewed it.
            keyword_list: the id of the list that the rule names; `None` for a rule about toxicity,
                without a list.
            status: the moderation status: `approved`, `disapproved`, `pending` or `unmoderated`.
            action: the action of the rule: `blockMessage`, `flagMessage` or `dropMessage`.
            created_at: the time of the review; `None` for now.

        Returns:
            The record, which you can change further.
        """
        condition = ("equals", "toxicity_greaterThan_70")
        if keyword_list is not None:
            condition = ("contains", keyword_list)
        seconds = int((created_at or self.now).timestamp())
        with self.lock:
            self._reviews += 1
            record = history.reviewed_message(
                f"own-{self._reviews}",
                text,
                sender=sender,
                receiver=receiver,
                rule=rule,
                condition=condition,
                status=status,
                action=action,
                created_at=seconds,
                updated_at=seconds,
            )
            self._insert([record])
            return record

    def add_history(
        self, *, days: int = 28, per_day: int = 50, end: datetime | None = None
    ) -> History:
        """Add weeks of reviewed messages and the keyword list that caused most of them.

        The same arguments always make the same messages.

        Args:
            days: the number of days, from 1.
            per_day: the number of messages on each day, from 1. The service lists only its latest
                1,000 records, so a program sees all messages only if it exports them, or if it
                reads `reviewed_messages` of the simulator.
            end: the end of the last day; `None` for now.

        Returns:
            The correct answers to questions about these messages.

        Raises:
            ValueError: `days` or `per_day` is less than 1.
        """
        if min(days, per_day) < 1:
            raise ValueError("days and per_day must be at least 1")
        moment = int((end or self.now).timestamp())
        records, answers = history.make_history(days, per_day, moment)
        with self.lock:
            self.keyword_lists[history.LIST_ID] = history.keyword_list(moment, days)
            self._insert(records)
        return answers

    def _insert(self, records: list[ReviewedMessageRecord]) -> None:
        """Add records at the place of their time; records without a time keep their place at the
        end."""
        self.reviewed_messages = sorted(
            [*records, *self.reviewed_messages],
            key=lambda record: record.get("createdAt", 0),
            reverse=True,
        )

    @property
    def reviewed_messages(self) -> list[ReviewedMessageRecord]:
        """The reviewed messages in the order they are listed."""
        with self.lock:
            # Created at the first use, because this takes longer than the rest of a reset.
            if self._reviewed_messages is None:
                self._reviewed_messages = [data.reviewed_message(number) for number in range(300)]
            return self._reviewed_messages

    @reviewed_messages.setter
    def reviewed_messages(self, records: list[ReviewedMessageRecord]) -> None:
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

    def spend(self) -> tuple[bool, dict[str, str]]:
        """Count one request against the rate limit; returns whether it is refused, and its
        headers."""
        with self.lock:
            return self._rate_limit.spend(self.now.timestamp())

    def for_trial(self) -> Self:
        """A copy, so that an operation can run without changing this state."""
        with self.lock:
            trial = copy(self)
            trial.keyword_lists = dict(self.keyword_lists)
            trial.users = dict(self.users)
            trial.auth_tokens = dict(self.auth_tokens)
            trial.damage = []
            return trial
