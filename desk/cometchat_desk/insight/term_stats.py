"""Find the terms of keyword lists that are probably wrong, as `stats` finds such rules."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from attrs import field, frozen

from cometchat_rest import InvalidRequestError, KeywordList, NotFoundError

from .matcher import RULES, ListTerms, Matcher, UnsupportedPattern
from .record import Record, Records
from .stats import Group, Marks


@frozen(kw_only=True)
class TermGroup(Group):
    """The messages that contain a term of a list; its value is the term."""

    list_id: str  # the list
    category: str  # `"word"` or `"pattern"`


@frozen(kw_only=True)
class TermStats:
    """The result of `term_stats`."""

    groups: tuple[TermGroup, ...]  # the terms that occur, those with the most messages first
    rules: str = RULES  # the rules of matching; the service does not document its rules, so its results may differ
    # the patterns that were not used, because RE2 does not compile them
    unsupported: tuple[UnsupportedPattern, ...] = ()
    sentences: int = 0  # how many sentences the lists hold; they are not matched
    # the lists whose terms are not counted, with the reason for each
    missing: Mapping[str, str] = field(factory=dict[str, str])

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for people about all that was not counted; usually no sentence."""
        notes = [f"the terms of the list {name} are not counted: {reason}" for name, reason in self.missing.items()]
        if self.unsupported:
            patterns = ", ".join(unused.pattern for unused in self.unsupported[:3])
            more = ", ..." if len(self.unsupported) > 3 else ""
            notes.append(
                f"{len(self.unsupported):,} patterns were not used, because RE2 does not compile them: {patterns}{more}"
            )
        if self.sentences:
            notes.append(f"{self.sentences:,} sentences were not matched")
        return tuple(notes)


def term_stats(
    records: Records,
    lists: Mapping[str, ListTerms],
    *,
    missing: Mapping[str, str] | None = None,
    marks: Marks | None = None,
) -> TermStats:
    """Count the messages of each term, and mark the terms that probably have many false positives.

    A message counts for each of its terms, in the lists that its rule names: in other messages, a term is not the cause
    of the review. A record that does not show its condition counts for all lists.
    """
    marks = marks or Marks()
    matcher = Matcher(*lists.values())
    names = list(lists)
    groups = [
        TermGroup(
            list_id=names[number],
            value=matcher.terms[index].text,
            category=matcher.terms[index].category,
            **marks.counted(count),
        )
        for (number, index), count in _counts(records, names, matcher).items()
    ]
    groups.sort(key=lambda group: (-group.records, group.list_id, group.value))
    absent = {name: "its content was not given" for name in named_lists(records) if name not in lists}
    absent |= missing or {}
    return TermStats(groups=tuple(groups), unsupported=matcher.unsupported, sentences=matcher.sentences, missing=absent)


def _counts(records: Records, names: list[str], matcher: Matcher) -> dict[tuple[int, int], Counter[str | None]]:
    """The counts of each decision, for each number of a list and each index of a term in it."""
    counts: dict[tuple[int, int], Counter[str | None]] = {}
    counted: set[tuple[int, str]] = set()
    for record in records:
        named = _numbers(names, record)
        if record.message_id:
            named = {number for number in named if (number, record.message_id) not in counted}
            counted.update((number, record.message_id) for number in named)
        for index in matcher.matching(record.text or "") if named else ():
            for number in named.intersection(matcher.terms[index].lists):
                counts.setdefault((number, index), Counter())[record.decision] += 1
    return counts


def _numbers(names: list[str], record: Record) -> set[int]:
    if not record.condition_operator and not record.lists:
        return set(range(len(names)))
    return {number for number, name in enumerate(names) if name in record.lists}


def named_lists(records: Records) -> tuple[str, ...]:
    """The identifiers of the keyword lists that the rules of the records name, in alphabetical order."""
    return tuple(sorted({list_id for record in records for list_id in record.lists if list_id}))


def read_lists(
    list_ids: Iterable[str], get_list: Callable[[str], KeywordList]
) -> tuple[dict[str, ListTerms], dict[str, str]]:
    """The terms of each list, and the reason for each list that has no terms to count. Each list is read once."""
    lists: dict[str, ListTerms] = {}
    missing: dict[str, str] = {}
    for list_id in list_ids:
        try:
            lists[list_id] = ListTerms.of(get_list(list_id))
        except NotFoundError:
            missing[list_id] = "the service has no list with this identifier; perhaps it was deleted"
        except InvalidRequestError:
            missing[list_id] = "the service does not show its entries"
    return lists, missing
