"""Find the terms of keyword lists that are probably wrong: how many of their messages a moderator approved.

`stats` marks rules with the same rule; see there for its assumptions about the moderation status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from attrs import field, frozen

from cometchat_rest.errors import InvalidRequestError, NotFoundError

from .matcher import RULES, ListTerms, Matcher, UnsupportedPattern
from .records import Records
from .stats import ABOVE, MIN_DECIDED, Group, Tally, rate
from .term_counts import term_counts

if TYPE_CHECKING:
    from cometchat_rest import KeywordList


@frozen(kw_only=True)
class TermGroup(Group):
    """A term of a list, and whether it probably has many false positives.

    Attributes:
        list_id: the list.
        category: `"word"` or `"pattern"`.
        tally: the numbers of the messages that contain the term; its value is the term.
        reason: why the messages are probably false positives; `None` if they are not.
    """

    list_id: str
    category: str


@frozen(kw_only=True)
class TermStats:
    """The result of `term_stats`.

    Attributes:
        groups: the terms that occur, those with the most messages first.
        group_count: the number of terms that occur, including those beyond `limit`.
        records: the number of all messages.
        rules: the rules of matching; the service does not document its rules, so its results may differ.
        unsupported: the patterns that were not used, because RE2 does not compile them.
        sentences: how many sentences the lists hold; they are not matched.
        missing: the lists whose terms are not counted, with the reason for each.
    """

    groups: tuple[TermGroup, ...]
    group_count: int
    records: int
    rules: str = RULES
    unsupported: tuple[UnsupportedPattern, ...] = ()
    sentences: int = 0
    missing: Mapping[str, str] = field(factory=dict[str, str])

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for people about all that was not counted; often empty."""
        notes = [
            f"the terms of the list {list_id} are not counted: {reason}" for list_id, reason in self.missing.items()
        ]
        if self.unsupported:
            patterns = ", ".join(each.pattern for each in self.unsupported[:3])
            more = ", ..." if len(self.unsupported) > 3 else ""
            notes.append(
                f"{len(self.unsupported):,} patterns were not used, because RE2 does not support their syntax: "
                f"{patterns}{more}"
            )
        if self.sentences:
            notes.append(f"{self.sentences:,} sentences were not matched")
        return tuple(notes)


def term_stats(
    records: Records,
    lists: Mapping[str, ListTerms],
    *,
    missing: Mapping[str, str] | None = None,
    limit: int | None = None,
    min_decided: int = MIN_DECIDED,
    above: float = ABOVE,
) -> TermStats:
    """Count the messages of each term, and mark the terms that probably have many false positives.

    ```python
    with Client() as chat, open_records("reviewed.jsonl") as records:
        lists, missing = read_lists(named_lists(records), chat.keywords.get)
        for each in term_stats(records, lists, missing=missing).groups:
            print(each.tally.value, each.tally.records, each.reason)
    ```

    A message counts for the lists that its rule names, as in `term_counts`.

    Args:
        records: the messages, from `open_records` or `records_of`.
        lists: the lists by identifier, for example from `read_lists`.
        missing: the lists that could not be read, with reasons. A list that a rule names and that is in neither of
            the two is reported as missing, too.
        limit: the largest number of terms; by default all.
        min_decided: mark a term only if at least this many of its messages are decided.
        above: mark a term if probably more than this share of its decided messages was approved, 0.0 to 1.0.

    Raises:
        InvalidRequestError: an argument is invalid, or the extra `insight` is not installed.
    """
    if limit is not None and (type(limit) is not int or limit < 1):
        raise InvalidRequestError(f"limit must be an integer of at least 1, not {limit!r}")
    matcher = Matcher(*lists.values())
    counts = term_counts(records, lists, matcher=matcher)
    rated = rate(
        (
            Tally(value=each.term, records=each.messages, approved=each.approved, disapproved=each.disapproved)
            for each in counts
        ),
        min_decided=min_decided,
        above=above,
    )
    groups = [
        TermGroup(list_id=count.list_id, category=count.category, tally=group.tally, reason=group.reason)
        for count, group in zip(counts, rated, strict=True)
    ]
    absent = {each: "its content was not given" for each in named_lists(records) if each not in lists}
    return TermStats(
        groups=tuple(groups[:limit]),
        group_count=len(groups),
        records=records.count,
        unsupported=matcher.unsupported,
        sentences=matcher.sentences,
        missing={**absent, **(missing or {})},
    )


def named_lists(records: Records) -> tuple[str, ...]:
    """The identifiers of the keyword lists that the rules of the records name, in alphabetical order.

    Args:
        records: the messages, from `open_records` or `records_of`.
    """
    rows = records.query(
        "select distinct unnest(string_split(lists, ', ')) as list_id from reviewed where lists <> '' order by list_id"
    ).rows
    return tuple(str(list_id) for (list_id,) in rows)


def read_lists(
    list_ids: Iterable[str], get_list: Callable[[str], KeywordList]
) -> tuple[dict[str, ListTerms], dict[str, str]]:
    """Read each list once.

    Args:
        list_ids: the identifiers, for example from `named_lists`.
        get_list: returns the list with an identifier; for example `chat.keywords.get`.

    Returns:
        The terms of each list, and the reason for each list that has no terms to count: it was deleted, or the service
        does not show its entries.

    Raises:
        CometChatError: another error of `get_list`.
    """
    lists: dict[str, ListTerms] = {}
    missing: dict[str, str] = {}
    for list_id in list_ids:
        try:
            fetched = get_list(list_id)
        except NotFoundError:
            missing[list_id] = "the service has no list with this identifier; perhaps it was deleted"
            continue
        try:
            lists[list_id] = ListTerms.of(fetched)
        except InvalidRequestError:
            missing[list_id] = "the service does not show its entries"
    return lists, missing
