"""Count how often each term of keyword lists occurs in reviewed messages, and how often a moderator approved them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from attrs import define, frozen

from .matcher import ListTerms, Matcher
from .records import Record, Records
from .try_list import APPROVED, RecentIds

_DISAPPROVED = "disapproved"


@frozen(kw_only=True)
class TermCount:
    """A term of a list, and the messages that it occurs in.

    Attributes:
        list_id: the list.
        term: the term as the list writes it.
        category: `"word"` or `"pattern"`.
        messages: how many messages contain it. A message with several terms counts for each of them.
        approved: how many of these a moderator approved. A large share shows that the term causes false positives.
        disapproved: how many of these stay blocked.
    """

    list_id: str
    term: str
    category: str
    messages: int
    approved: int
    disapproved: int = 0

    @property
    def share_approved(self) -> float:
        """The share of the messages that a moderator approved, 0.0 to 1.0; 0.0 if there are no messages."""
        return self.approved / self.messages if self.messages else 0.0


def term_counts(
    messages: Iterable[Record], lists: Mapping[str, ListTerms], *, matcher: Matcher | None = None
) -> tuple[TermCount, ...]:
    """Count the terms of lists in messages, in one pass. Memory does not depend on the number of messages.

    Only the lists that a message's rule names are counted: in other messages, a term is not the cause of the review.
    A record that does not show the condition, as in some CSV files, counts for all lists. If two rules name the same
    list, their records of one message count once, unless they are far from each other.

    Args:
        messages: the records, for example from `open_records`.
        lists: the lists by identifier, for example `{"profanity-list": ListTerms.of(fetched)}`.
        matcher: the matcher of these lists, in the same order, if you have one.

    Returns:
        The terms that occur, those with the most messages first.

    Raises:
        InvalidRequestError: the extra `insight` is not installed.
    """
    names = list(lists)
    matcher = Matcher(*lists.values()) if matcher is None else matcher
    counts: dict[tuple[int, int], _Count] = {}
    recent = RecentIds()
    for message in _reviews(messages):
        named = [
            number
            for number, name in enumerate(names)
            if (name in message.lists or message.all_lists) and recent.add(f"{number} {message.message_id}")
        ]
        for index in matcher.matching(message.text) if named else ():
            for number in matcher.terms[index].lists:
                if number in named:
                    counts.setdefault((number, index), _Count()).add(message.status)
    found = [
        TermCount(
            list_id=names[number],
            term=matcher.terms[index].text,
            category=matcher.terms[index].category,
            messages=count.messages,
            approved=count.approved,
            disapproved=count.disapproved,
        )
        for (number, index), count in counts.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.messages, each.list_id, each.term)))


@frozen
class _Review:
    """The values of a record that are counted. `all_lists` is whether the record does not show its condition."""

    message_id: str
    text: str
    status: str
    lists: Sequence[str]
    all_lists: bool


def _reviews(messages: Iterable[Record]) -> Iterator[_Review]:
    """The messages with a text. Of a database, only the columns that are needed are read."""
    if isinstance(messages, Records):
        rows = messages.query(
            "select message_id, text, lower(status), lists, condition_operator is null from reviewed "
            "where text <> '' order by created_at, message_id"
        ).rows
        for number, row in enumerate(rows):
            message_id, text, status, lists, no_condition = cast("tuple[str | None, str, str | None, str, bool]", row)
            named = lists.split(", ") if lists else ()
            yield _Review(message_id or f"\0{number}", text, status or "", named, no_condition and not named)
        return
    for number, each in enumerate(messages):
        if each.text:
            everywhere = not each.lists and each.condition_operator is None
            message_id = each.message_id or f"\0{number}"
            yield _Review(message_id, each.text, (each.status or "").lower(), each.lists, everywhere)


@define
class _Count:
    messages: int = 0
    approved: int = 0
    disapproved: int = 0

    def add(self, status: str) -> None:
        self.messages += 1
        self.approved += status == APPROVED
        self.disapproved += status == _DISAPPROVED
