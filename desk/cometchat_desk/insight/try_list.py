"""Try a keyword list on messages before it is used: the messages that it would match and the live list does not (pure).

The messages are read once, and only counts and identifiers are kept. The rules of matching are in `matcher`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from attrs import define, field, frozen

from .matcher import RULES, ListTerms, Matcher, UnsupportedPattern
from .stats import APPROVED
from .summary import ReviewSummary

# How many characters of a message an example shows.
_EXAMPLE_LENGTH = 200
_LIVE, _NEW = 0, 1


@frozen(kw_only=True)
class TermChange:
    """A term that only one of the two lists holds, and the messages that contain it."""

    term: str  # the term as its list writes it
    category: str  # `"word"` or `"pattern"`
    # `"added"` if only the new list holds it, `"removed"` if only the live list does
    change: Literal["added", "removed"]
    messages: int  # how many messages contain it
    # how many of these the other list does not match at all. For an added term they are newly matched, for a removed
    # term they are no longer matched. A message with two such terms counts for both
    affected: int
    approved: int  # how many of the affected messages a moderator approved
    example_id: str | None  # the identifier of the first affected message
    example: str | None  # the beginning of the text of the first affected message; `None` if no message is affected


@frozen(kw_only=True)
class TryResult:
    """The messages that a new list would match, compared with the live list."""

    rules: str = RULES  # the rules of matching; the service does not document its rules, so its results may differ
    live_terms: int  # how many terms of the live list can be matched, each once
    new_terms: int  # how many terms of the new list can be matched, each once
    messages: int  # how many different messages have a text
    with_status: int  # how many of these have a moderation status. If it is 0, the number of approvals is unknown
    without_text: int  # how many records have no text
    repeated: int  # how many records were left out, because an earlier record is about the same message
    matched_by_both: int  # how many messages both lists match
    newly_matched: int  # how many messages only the new list matches
    newly_matched_approved: int  # how many of these a moderator approved
    no_longer_matched: int  # how many messages only the live list matches
    no_longer_matched_approved: int  # how many of these a moderator approved
    # the terms that only one list holds and that occur in messages; those with the most affected messages first
    terms: tuple[TermChange, ...]
    # the patterns of both lists that were not used, because RE2 does not compile them
    unsupported: tuple[UnsupportedPattern, ...]
    sentences: int  # how many sentences the lists hold; they are not matched

    @property
    def share_newly_matched(self) -> float:
        """The share of the messages that only the new list matches, 0.0 to 1.0; 0.0 if there are no messages."""
        return self.newly_matched / self.messages if self.messages else 0.0

    @property
    def share_no_longer_matched(self) -> float:
        """The share of the messages that only the live list matches, 0.0 to 1.0; 0.0 if there are no messages."""
        return self.no_longer_matched / self.messages if self.messages else 0.0


def try_list(
    live: ListTerms,
    new: ListTerms,
    messages: Iterable[ReviewSummary],
    *,
    on_newly_matched: Callable[[ReviewSummary, tuple[str, ...]], object] | None = None,
) -> TryResult:
    """Compare a new list with the live list on messages, in one pass.

    Args:
        live: the list as it is.
        new: the list as it would be.
        messages: the messages, for example `Messages`. Records of the same message count once.
        on_newly_matched: called with each message that only the new list matches, and the terms of the new list that
            it contains.

    Raises:
        InvalidRequestError: the extra `insight` is not installed.
    """
    matcher = Matcher(live, new)
    tally = _Tally([term.lists for term in matcher.terms])
    known: set[str | None] = {None}
    for message in messages:
        if not message.text:
            tally.without_text += 1
        elif message.message_id in known and message.message_id is not None:
            tally.repeated += 1
        else:
            known.add(message.message_id)
            matched = matcher.matching(message.text)
            newly = tally.add(message, message.text, matched)
            if newly and on_newly_matched is not None:
                on_newly_matched(message, tuple(matcher.terms[index].text for index in sorted(matched)))
    return tally.result(matcher)


@define
class _Affected:
    """The counts of one term that only one list holds."""

    messages: int = 0
    affected: int = 0
    approved: int = 0
    example_id: str | None = None
    example: str | None = None


@define
class _Tally:
    """The counts so far. `holders` holds, for each term, the numbers of the lists that hold it."""

    holders: Sequence[tuple[int, ...]]
    messages: int = 0
    with_status: int = 0
    without_text: int = 0
    repeated: int = 0
    both: int = 0
    # The number of messages that only one list matches, and how many of them a moderator approved, for each list.
    only: list[int] = field(factory=lambda: [0, 0])
    approved: list[int] = field(factory=lambda: [0, 0])
    terms: dict[int, _Affected] = field(factory=dict)

    def add(self, message: ReviewSummary, text: str, matched: frozenset[int]) -> bool:
        """Count a message, and return whether only the new list matches it."""
        approved = message.status == APPROVED
        self.messages += 1
        self.with_status += message.status is not None
        matching = {number for index in matched for number in self.holders[index]}
        only = matching.pop() if len(matching) == 1 else None
        if only is not None:
            self.only[only] += 1
            self.approved[only] += approved
        elif matching:
            self.both += 1
        for index in matched:
            if len(self.holders[index]) == 1:
                count = self.terms.setdefault(index, _Affected())
                count.messages += 1
                if only is not None:
                    count.affected += 1
                    count.approved += approved
                    if count.example is None:
                        count.example_id, count.example = message.message_id, text[:_EXAMPLE_LENGTH]
        return only == _NEW

    def result(self, matcher: Matcher) -> TryResult:
        """The counts as a result."""
        terms = [
            TermChange(
                term=matcher.terms[index].text,
                category=matcher.terms[index].category,
                change="removed" if self.holders[index] == (_LIVE,) else "added",
                messages=count.messages,
                affected=count.affected,
                approved=count.approved,
                example_id=count.example_id,
                example=count.example,
            )
            for index, count in self.terms.items()
        ]
        return TryResult(
            live_terms=sum(_LIVE in numbers for numbers in self.holders),
            new_terms=sum(_NEW in numbers for numbers in self.holders),
            messages=self.messages,
            with_status=self.with_status,
            without_text=self.without_text,
            repeated=self.repeated,
            matched_by_both=self.both,
            newly_matched=self.only[_NEW],
            newly_matched_approved=self.approved[_NEW],
            no_longer_matched=self.only[_LIVE],
            no_longer_matched_approved=self.approved[_LIVE],
            terms=tuple(sorted(terms, key=lambda change: (-change.affected, -change.messages, change.term))),
            unsupported=matcher.unsupported,
            sentences=matcher.sentences,
        )
