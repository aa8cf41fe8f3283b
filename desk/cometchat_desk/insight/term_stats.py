"""Find the terms of keyword lists that are probably wrong, as `stats` finds such rules."""

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import TypeAlias

from attrs import field, frozen

from cometchat_rest import InvalidRequestError, NotFoundError

from .collected import Records
from .matcher import ListReader, ListTerms, Matcher, Term, not_matched
from .stats import Group

#: A keyword list: the name of its app, which may be empty, and its identifier.
ListName: TypeAlias = tuple[str, str]
# A term of a list: the number of the list, and the index of the term in a `Matcher`.
_TermOfList: TypeAlias = tuple[int, int]
_Counts: TypeAlias = dict[_TermOfList, dict[str | None, list[int]]]


@frozen(kw_only=True)
class TermGroup(Group):
    """The messages that contain a term of a list; its value is the term, as the list writes it."""

    app: str  # the app of the list
    keyword_id: str  # the list
    category: str  # `"word"` or `"pattern"`
    #: The places of the counted records in the table `reviewed` of their `Records`
    places: Sequence[int] = field(default=(), repr=False, eq=False)


@frozen(kw_only=True)
class TermStats:
    """The result of `term_stats`."""

    groups: tuple[TermGroup, ...]  # the terms that occur, those with the most messages first
    #: The terms that occur in no message, by list and in the order of the list
    unused: tuple[TermGroup, ...] = ()
    unsupported: tuple[str, ...] = ()  # the patterns that RE2 does not compile; they are not used
    sentences: int = 0  # how many sentences the lists hold; they are not matched
    # the lists whose terms are not counted, with the reason for each
    missing: Mapping[ListName, str] = field(factory=dict[ListName, str])

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for people about all that was not counted; usually no sentence."""
        apps = {group.app for group in (*self.groups, *self.unused)}
        apps.update(app for app, _ in self.missing)
        notes = [
            f"the entries of the list {_named(name, apps)} are not counted: {reason}"
            for name, reason in self.missing.items()
        ]
        if not (self.groups or self.missing or self.sentences):
            notes.append(
                "no message contains an entry"
                if self.unused
                else "no rule of the records names a list"
            )
        return (*notes, *not_matched(self.unsupported, self.sentences))


def _named(name: ListName, apps: set[str]) -> str:
    app, keyword_id = name
    return f"{keyword_id} of {app}" if app and len(apps) > 1 else keyword_id


def term_stats(
    records: Records,
    lists: Mapping[ListName, ListTerms],
    *,
    missing: Mapping[ListName, str] | None = None,
) -> TermStats:
    """Count the messages of each term.

    A message counts for each of its terms, in the lists that the rule of its record names: in other
    messages, a term is not the cause of the review. A record that does not show its condition
    counts for all lists of its app. A term is unused only if no message of its app contains it,
    whatever the rules name.
    """
    matcher = Matcher(*lists.values())
    counts, seen = _counts(records, tuple(lists), matcher)
    used: list[TermGroup] = []
    unused: list[TermGroup] = []
    for number, name in enumerate(lists):
        for index, term in enumerate(matcher.terms):
            if number not in term.lists:
                continue
            group = _group(name, term, counts.get((number, index), {}))
            if group.records:
                used.append(group)
            if (number, index) not in seen:
                unused.append(group)
    used.sort(key=lambda group: (-group.records, group.keyword_id))
    return TermStats(
        groups=tuple(used),
        unused=tuple(unused),
        unsupported=matcher.unsupported,
        sentences=matcher.sentences,
        missing={**_unread(records, lists), **(missing or {})},
    )


def _group(name: ListName, term: Term, counted: Mapping[str | None, Sequence[int]]) -> TermGroup:
    app, keyword_id = name
    places = [*chain(*counted.values())]
    return TermGroup(
        records=len(places),
        approved=len(counted.get("approved", ())),
        disapproved=len(counted.get("disapproved", ())),
        app=app,
        keyword_id=keyword_id,
        value=term.text,
        category=term.category,
        places=places,
    )


def _unread(records: Records, lists: Iterable[ListName]) -> dict[ListName, str]:
    """The lists that the rules name and that were not read, with the reason for each."""
    names = named_lists(records)
    apps = dict.fromkeys(app for app, _ in names if app)
    options = " ".join(f"--app {app}" for app in apps)
    unread = [name for name in names if name not in lists]
    return {
        (app, keyword_id): (
            f"its app was not named; use {options}" if app else "its records do not name an app"
        )
        for app, keyword_id in unread
    }


def _counts(
    records: Records, names: Sequence[ListName], matcher: Matcher
) -> tuple[_Counts, set[_TermOfList]]:
    """The places of the records that count for each term, by decision, and the terms that occur."""
    lists_of_apps: dict[str, dict[int, str]] = {}
    for number, (app, keyword_id) in enumerate(names):
        lists_of_apps.setdefault(app, {})[number] = keyword_id
    counts: _Counts = {}
    seen: set[_TermOfList] = set()
    # Hashes need less memory than identifiers.
    key_of = "if(message_id is null, null, hash(app, message_id))"
    several = f"select {key_of} from reviewed where message_id is not null group by 1"
    repeated = {key for (key,) in records.ask(f"{several} having count(*) > 1")}
    counted: set[tuple[int, int]] = set()
    rows = records.stream(
        f"select place, coalesce(app, ''), {key_of}, coalesce(text, ''), lists,"
        " condition_operator, decision from reviewed"
    )
    for place, app, key, text, named, operator, decision in rows:
        of_app = lists_of_apps.get(app, {})
        occurring = _occurring(matcher, of_app.keys(), text)
        seen |= occurring
        numbers = _counting(of_app, named, operator)
        if key in repeated:
            # A further record of a message counts for further lists only.
            numbers = {number for number in numbers if (key, number) not in counted}
            counted.update((key, number) for number in numbers)
        for term in occurring:
            if term[0] in numbers:
                counts.setdefault(term, {}).setdefault(decision, []).append(place)
    return counts, seen


def _occurring(matcher: Matcher, numbers: Set[int], text: str) -> set[_TermOfList]:
    """The terms of the lists with these numbers that a text contains."""
    if not numbers:
        return set()
    return {
        (number, index)
        for index in matcher.matching(text)
        for number in numbers & {*matcher.terms[index].lists}
    }


def _counting(of_app: Mapping[int, str], named: Sequence[str], operator: str | None) -> set[int]:
    """The numbers of the lists for which a record counts; `operator` is that of its condition."""
    if operator is None and not named:
        return {*of_app}
    return {number for number, keyword_id in of_app.items() if keyword_id in named}


def named_lists(records: Records) -> tuple[ListName, ...]:
    """The keyword lists that the rules of the records name, in alphabetical order."""
    pairs = "select distinct coalesce(app, '') as app, unnest(lists) as name from reviewed"
    return tuple(records.ask(f"select * from ({pairs}) where name <> '' order by all"))


def read_lists(
    names: Iterable[ListName], get_list: ListReader
) -> tuple[dict[ListName, ListTerms], dict[ListName, str]]:
    """The terms of each list, and the reason for each list that has no terms to count."""
    lists: dict[ListName, ListTerms] = {}
    missing: dict[ListName, str] = {}
    for name in names:
        try:
            lists[name] = ListTerms.of(*get_list(name[1]))
        except NotFoundError:
            missing[name] = "the service has no list with this identifier; perhaps it was deleted"
        except InvalidRequestError:
            missing[name] = "the service does not show its entries"
    return lists, missing
