"""Try a keyword list on messages before it is used: the messages that it would match and the
live list does not."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from attrs import define

from .matcher import RULES, ListTerms, Matcher
from .reviewed import Reviewed

# The numbers of the two lists.
_LIVE = 0
_NEW = 1


@define(kw_only=True)
class TermChange:
    """A term that only one of the two lists holds, and the messages that contain it."""

    term: str  # the term as its list writes it
    category: str  # `"word"` or `"pattern"`
    #: Which list holds it: only the new list, or only the live list
    change: Literal["added", "removed"]
    messages: int = 0  # how many messages contain it
    # How many of these the other list does not match at all. For an added term they are newly
    # matched, for a removed term they are no longer matched. A message with two such terms counts
    # for both.
    affected: int = 0
    approved: int = 0  # how many of the affected messages a moderator approved
    example_id: str | None = None  # the identifier of the first affected message
    example: str | None = None  # the beginning of the text of the first affected message

    def add(self, message: Reviewed, *, affected: bool) -> None:
        """Count a message that contains the term."""
        self.messages += 1
        if affected:
            self.affected += 1
            self.approved += message.is_approved
            if self.example is None:
                self.example_id, self.example = message.message_id, (message.text or "")[:200]


@define(kw_only=True)
class TryResult:
    """The messages that a new list would match, compared with the live list."""

    #: The rules of matching; the service does not document its rules, so its results may differ
    rules: str = RULES
    live_terms: int  # how many terms of the live list can be matched, each once
    new_terms: int  # how many terms of the new list can be matched, each once
    messages: int = 0  # how many different messages have a text
    #: How many of these have a moderation status; if none, the number of approvals is unknown
    with_status: int = 0
    without_text: int = 0  # how many records have no text
    #: How many records were left out, because an earlier record is about the same message
    repeated: int = 0
    matched_by_both: int = 0  # how many messages both lists match
    newly_matched: int = 0  # how many messages only the new list matches
    newly_matched_approved: int = 0  # how many of these a moderator approved
    no_longer_matched: int = 0  # how many messages only the live list matches
    no_longer_matched_approved: int = 0  # how many of these a moderator approved
    #: The changed terms that occur; those with the most affected messages first
    terms: tuple[TermChange, ...] = ()
    unsupported: tuple[str, ...]  # the patterns that RE2 does not compile; they are not used
    sentences: int  # how many sentences the lists hold; they are not matched

    def add(self, message: Reviewed, matching: set[int]) -> None:
        """Count a message that the lists with these numbers match."""
        approved = message.is_approved
        self.messages += 1
        self.with_status += message.status is not None
        if matching == {_NEW}:
            self.newly_matched += 1
            self.newly_matched_approved += approved
        elif matching == {_LIVE}:
            self.no_longer_matched += 1
            self.no_longer_matched_approved += approved
        elif matching:
            self.matched_by_both += 1


def try_list(
    live: ListTerms,
    new: ListTerms,
    messages: Iterable[Reviewed],
    *,
    on_newly_matched: Callable[[Reviewed], object] | None = None,
) -> TryResult:
    """Compare two lists on messages, in one pass. `on_newly_matched` gets each message that only
    the new list matches."""
    matcher = Matcher(live, new)
    counts = Counter(number for term in matcher.terms for number in term.lists)
    result = TryResult(
        live_terms=counts[_LIVE],
        new_terms=counts[_NEW],
        unsupported=matcher.unsupported,
        sentences=matcher.sentences,
    )
    changes = _changes(matcher)
    for message, text in _different(messages, result):
        matched = matcher.matching(text)
        matching = {number for index in matched for number in matcher.terms[index].lists}
        result.add(message, matching)
        if matching == {_NEW} and on_newly_matched is not None:
            on_newly_matched(message)
        for index in matched & changes.keys():
            changes[index].add(message, affected=len(matching) == 1)
    result.terms = _occurring(changes.values())
    return result


def _occurring(changes: Iterable[TermChange]) -> tuple[TermChange, ...]:
    """The terms that occur in messages, those with the most affected messages first."""
    occurring = [change for change in changes if change.messages]
    occurring.sort(key=lambda change: (-change.affected, -change.messages, change.term))
    return tuple(occurring)


def _changes(matcher: Matcher) -> dict[int, TermChange]:
    """The terms that only one of the lists holds, by their index."""
    return {
        index: TermChange(
            term=term.text,
            category=term.category,
            change="added" if _NEW in term.lists else "removed",
        )
        for index, term in enumerate(matcher.terms)
        if len(term.lists) == 1
    }


def _different(messages: Iterable[Reviewed], result: TryResult) -> Iterator[tuple[Reviewed, str]]:
    """The messages with their texts; messages without text and further records of a message are
    only counted."""
    seen: set[tuple[str | None, str | None]] = set()
    for message in messages:
        # Two apps may have messages with the same identifier.
        key = (message.app, message.message_id)
        if not message.text:
            result.without_text += 1
        elif message.message_id and key in seen:
            result.repeated += 1
        else:
            seen.add(key)
            yield message, message.text
