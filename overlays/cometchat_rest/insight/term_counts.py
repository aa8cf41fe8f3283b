"""Count how often each term of keyword lists occurs in reviewed messages, and how often a moderator approved them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import define, frozen

from .matcher import ListTerms, Matcher
from .records import Record
from .try_list import APPROVED


@frozen(kw_only=True)
class TermCount:
    """A term of a list, and the messages that it occurs in.

    Attributes:
        list_id: the list.
        term: the term as the list writes it.
        category: `"word"` or `"pattern"`.
        messages: how many messages contain it. A message with several terms counts for each of them.
        approved: how many of these a moderator approved. A large share shows that the term causes false positives.
    """

    list_id: str
    term: str
    category: str
    messages: int
    approved: int

    @property
    def share_approved(self) -> float:
        """The share of the messages that a moderator approved, 0.0 to 1.0; 0.0 if there are no messages."""
        return self.approved / self.messages if self.messages else 0.0


def term_counts(messages: Iterable[Record], lists: Mapping[str, ListTerms]) -> tuple[TermCount, ...]:
    """Count the terms of lists in messages, in one pass. Memory does not depend on the number of messages.

    Only the lists that a message's rule names are counted: in other messages, a term is not the cause of the review.
    A record that does not show the condition, as in some CSV files, counts for all lists.

    Args:
        messages: the records.
        lists: the lists by identifier, for example `{"profanity-list": ListTerms.of(fetched)}`.

    Returns:
        The terms that occur, those with the most messages first.

    Raises:
        InvalidRequestError: the extra `insight` is not installed.
    """
    names = list(lists)
    matcher = Matcher(*lists.values())
    counts: dict[tuple[int, int], _Count] = {}
    for message in messages:
        if not message.text:
            continue
        everywhere = not message.lists and message.condition_operator is None
        for index in matcher.matching(message.text):
            for number in matcher.terms[index].lists:
                if everywhere or names[number] in message.lists:
                    count = counts.setdefault((number, index), _Count())
                    count.messages += 1
                    count.approved += message.status == APPROVED
    found = [
        TermCount(
            list_id=names[number],
            term=matcher.terms[index].text,
            category=matcher.terms[index].category,
            messages=count.messages,
            approved=count.approved,
        )
        for (number, index), count in counts.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.messages, each.list_id, each.term)))


@define
class _Count:
    messages: int = 0
    approved: int = 0
