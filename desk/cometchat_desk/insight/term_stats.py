"""Find the terms of keyword lists that are probably wrong, as `stats` finds such rules."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from attrs import field, frozen

from cometchat_rest import InvalidRequestError, NotFoundError

from .collected import Records
from .matcher import ListReader, ListTerms, Matcher, not_matched
from .stats import Group

#: A keyword list: the name of its app, which may be empty, and its identifier.
ListName: TypeAlias = tuple[str, str]


@frozen(kw_only=True)
class TermGroup(Group):
    """The messages that contain a term of a list; its value is the term, as the list writes it."""

    app: str  # the app of the list
    keyword_id: str  # the list
    category: str  # `"word"` or `"pattern"`


@frozen(kw_only=True)
class TermStats:
    """The result of `term_stats`."""

    groups: tuple[TermGroup, ...]  # the terms that occur, those with the most messages first
    unused: tuple[
        TermGroup, ...
    ] = ()  # the terms that occur in no message, by list and in the order of the list
    unsupported: tuple[
        str, ...
    ] = ()  # the patterns that were not used, because RE2 does not compile them
    sentences: int = 0  # how many sentences the lists hold; they are not matched
    # the lists whose terms are not counted, with the reason for each
    missing: Mapping[ListName, str] = field(factory=dict[ListName, str])

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for people about all that was not counted; usually no sentence."""
        apps = {
            *(app for app, _ in self.missing),
            *(group.app for group in (*self.groups, *self.unused)),
        }
        notes = [
            f"the terms of the list {name}{f' of {app}' if app and len(apps) > 1 else ''} are not"
            f" counted: {reason}"
            for (app, name), reason in self.missing.items()
        ]
        if not (self.groups or self.missing or self.sentences):
            notes.append(
                "no message contains a term"
                if self.unused
                else "no rule of the records names a list"
            )
        return (*notes, *not_matched(self.unsupported, self.sentences))


def term_stats(
    records: Records,
    lists: Mapping[ListName, ListTerms],
    *,
    missing: Mapping[ListName, str] | None = None,
) -> TermStats:
    """Count the messages of each term.

    A message counts for each of its terms, in the lists that its rule names: in other messages, a
    term is not the cause of the review. A record that does not show its condition counts for all
    lists. A term is unused only if no message of its app contains it, whatever the rules name.
    """
    matcher = Matcher(*lists.values())
    names = list(lists)
    counts, seen = _counts(records, names, matcher)
    groups = {
        (number, index): TermGroup(
            records=count.total(),
            approved=count["approved"],
            disapproved=count["disapproved"],
            app=names[number][0],
            keyword_id=names[number][1],
            value=term.text,
            category=term.category,
        )
        for number in range(len(names))
        for index, term in enumerate(matcher.terms)
        if number in term.lists
        for count in [counts.get((number, index), Counter())]
    }
    used = sorted(
        (group for group in groups.values() if group.records),
        key=lambda group: (-group.records, group.keyword_id),
    )
    named = named_lists(records)
    every = " ".join(f"--app {app}" for app in dict.fromkeys(app for app, _ in named) if app)
    absent = {
        name: f"its app was not named; use {every}" if name[0] else "its records do not name an app"
        for name in named
        if name not in lists
    }
    return TermStats(
        groups=tuple(used),
        unused=tuple(group for place, group in groups.items() if place not in seen),
        unsupported=matcher.unsupported,
        sentences=matcher.sentences,
        missing={**absent, **(missing or {})},
    )


def _counts(
    records: Records, names: list[ListName], matcher: Matcher
) -> tuple[dict[tuple[int, int], Counter[str | None]], set[tuple[int, int]]]:
    """The counts of each decision by the number of a list and the index of a term, and the terms
    that occur."""
    counts: dict[tuple[int, int], Counter[str | None]] = {}
    seen: set[tuple[int, int]] = set()
    # Hashes need less memory than identifiers.
    key_of = "if(message_id is null, null, hash(app, message_id))"
    repeated = {
        key
        for (key,) in records.ask(f"select {key_of} from reviewed group by 1 having count(*) > 1")
    }
    counted: set[tuple[int, int]] = set()
    rows = records.stream(
        f"select coalesce(app, ''), {key_of}, coalesce(text, ''), lists, condition_operator,"
        " decision from reviewed"
    )
    for app, key, text, named, operator, decision in rows:
        # A record that does not show its condition counts for all lists of its app.
        shows = operator is not None or named
        of_app = {number for number, (of, _) in enumerate(names) if of == app}
        numbers = {number for number in of_app if names[number][1] in named or not shows}
        if key is not None and key in repeated:
            numbers = {number for number in numbers if (key, number) not in counted}
            counted.update((key, number) for number in numbers)
        for index in matcher.matching(text) if of_app else ():
            holders = of_app.intersection(matcher.terms[index].lists)
            seen.update((number, index) for number in holders)
            for number in numbers & holders:
                counts.setdefault((number, index), Counter())[decision] += 1
    return counts, seen


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
