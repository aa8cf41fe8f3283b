"""The records of the journal: an update, its outcome, and the content of a list before and after
it (pure)."""

import json
import zlib
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Self, TypeAlias
from unicodedata import normalize

from attrs import asdict, field, frozen

from cometchat_rest import KeywordList, KeywordListInput, KeywordPlan, keyword_input
from cometchat_rest.errors import InvalidRequestError
from cometchat_rest.keyword_input import Quotes

#: The outcome of an update:
#:
#: - `done`: the service carried out the update.
#: - `recovered`: the response was lost, but the list was read back at once and matches the update.
#: - `refused`: the service refused the update.
#: - `not_sent`: the update was not sent.
#: - `unknown`: the update may have been carried out, or it is still running.
RevisionOutcome: TypeAlias = Literal["done", "recovered", "refused", "not_sent", "unknown"]

#: The outcomes after which the list has the content of the update.
CARRIED_OUT = ("done", "recovered")


def storable(text: object) -> str:
    """A text that SQLite can store: half of a surrogate pair becomes an escape."""
    return str(text).encode("utf-8", "backslashreplace").decode()


def text_or_none(value: object) -> str | None:
    """A value of a list as a text that SQLite can store."""
    return None if value is None else storable(value)


@frozen(kw_only=True)
class ListState:
    """The content of a keyword list at one time, as far as it is needed to restore it."""

    category: str  # the category
    # the terms or sentences, in order; `None` if the service did not show them
    entries: tuple[str, ...] | None
    name: str | None = None  # the name of the list; `None` if the update did not set it
    description: str | None = None  # its description; `None` if the update did not set it
    #: Whether the entries were sent so that the list may show them in the double quotes of a file
    is_csv: bool = False
    #: To what the double quotes around these entries belong; `None` if they are not known
    quotes: Quotes | None = None

    @classmethod
    def of_list(cls, keyword_list: KeywordList, quotes: Quotes | None) -> Self:
        """The content of a list that was read, with the answer about its double quotes."""
        name, description = keyword_list.name, keyword_list.description
        return cls(
            category=str(keyword_list.category),
            entries=keyword_input.list_entries(keyword_list),
            name=name if isinstance(name, str) else None,
            description=description if isinstance(description, str) else None,
            quotes=quotes,
        )

    @classmethod
    def of_plan(cls, plan: KeywordPlan) -> Self:
        """The content that a plan would send."""
        return cls(
            category=plan.new.category,
            entries=plan.entries,
            name=plan.new.name,
            description=plan.new.description,
            is_csv=plan.new.file is not None or plan.quotes == "csv",
            quotes="literal",
        )

    def quotes_in(self, shown: Sequence[str]) -> Quotes | None:
        """To what the double quotes belong that a list shows after an update with this content;
        `None` if it shows other entries in double quotes."""
        sent = set(self.entries or ())
        quoted = {entry for entry in shown if keyword_input.unquoted(entry) != entry}
        if quoted <= sent:
            return "literal"
        meant = map(keyword_input.unquoted, quoted)
        return "csv" if self.is_csv and sent.issuperset(meant) else None

    def meant(self) -> tuple[str, ...]:
        """The entries without the double quotes of a CSV file."""
        if self.quotes == "csv":
            return tuple(map(keyword_input.unquoted, self.entries or ()))
        return self.entries or ()

    def without(self, other: Self) -> tuple[str, ...] | None:
        """The entries that `other` does not have, each once; `None` if the service did not show
        some of them."""
        if self.entries is None or other.entries is None:
            return None
        excluded = set(other.meant())
        return tuple(entry for entry in dict.fromkeys(self.meant()) if entry not in excluded)

    def to_input(self, quotes: Quotes | None = None) -> KeywordListInput:
        """The input of an update that restores this content; `quotes` corrects the answer about
        its double quotes."""
        if self.entries is None:
            raise InvalidRequestError(
                "the service did not show the entries at that time, so they cannot be restored"
            )
        if not self.entries:
            raise InvalidRequestError(
                "the list was empty at that time, and an update cannot empty a list"
            )
        texts = {"category": self.category, "name": self.name, "description": self.description}
        shown = KeywordList.from_dict({**texts, "searchTerms": list(self.entries)})
        return keyword_input.from_keyword_list(shown, quotes=quotes or self.quotes)

    def pack(self) -> bytes:
        """The content in the form in which the journal stores it."""
        return zlib.compress(json.dumps(asdict(self)).encode())

    @classmethod
    def unpack(cls, packed: bytes) -> Self:
        """Read the result of `pack`. An error says that the content is damaged."""
        values = json.loads(zlib.decompress(packed))
        entries = values.pop("entries")
        return cls(entries=None if entries is None else tuple(entries), **values)


@frozen(kw_only=True)
class Revision:
    """An update in the journal."""

    #: The number of the update in this journal. No other update has the same number, in any app.
    number: int
    app: str  # the name of the app, as it was given; it may be empty
    base_url: str  # the address of the app
    keyword_id: str  # the list's identifier
    started_at: datetime  # the time before the update was sent, in UTC
    # the time when its outcome was recorded, in UTC; `None` without an outcome
    finished_at: datetime | None
    user: str  # the user of this computer who ran the program
    command: str  # the command that made the update, such as `keywords add`; it may be empty
    #: The same text for all updates that one `Journal` object recorded, such as those of one
    #: command
    session: str
    reason: str  # why the list should change, as --reason says it; it may be empty
    outcome: RevisionOutcome  # the outcome; see `RevisionOutcome`
    note: str  # a sentence about the outcome; it may be empty
    # the revision of the list before the update; `None` if the service did not show it
    revision_before: str | None
    revision_after: str | None  # the revision after the update; `None` if it is unknown
    # the number of entries that the plan adds; `None` if the service did not show the entries
    added: int | None
    # the number of entries that the plan removes; `None` if the service did not show the entries
    removed: int | None

    @property
    def may_be_carried_out(self) -> bool:
        """Whether the update may have changed the list."""
        return self.outcome not in ("refused", "not_sent")


@frozen(kw_only=True)
class RevisionDetail(Revision):
    """An update in the journal, with the content of the list."""

    before: ListState = field(repr=False)  # the content of the list before the update
    planned: ListState = field(repr=False)  # the content that was planned
    found: ListState | None = field(
        repr=False
    )  # the content that was read after the update; `None` if it was not read
    plan: str = field(repr=False)  # the plan as text; it names at most 50 entries of each kind

    @property
    def after(self) -> ListState:
        """The content after the update: as it was read, else as planned. If it was not carried
        out, as before."""
        if not self.may_be_carried_out:
            return self.before
        return self.planned if self.found is None or self.found.entries is None else self.found

    @property
    def stored(self) -> tuple[str, ...] | None:
        """The entries that the list had after the update; `None` if they were not read, or if
        nobody knows to what their double quotes belong."""
        found = self.found
        if found is None or found.entries is None or found.quotes is None:
            return None
        return found.meant()

    def stored_forms(self, entry: str) -> set[str]:
        """The forms in which the service stored an entry that this update sent, such as lower
        case."""
        if entry not in self.planned.meant():
            return set()
        form = normalize("NFKC", entry.casefold())
        new = set(self.stored or ()).difference(self.before.meant())
        return {stored for stored in new if normalize("NFKC", stored.casefold()) == form}

    @property
    def added_entries(self) -> tuple[str, ...] | None:
        """The entries that the plan adds, each once; `None` if the service did not show the
        entries."""
        return self.planned.without(self.before)

    @property
    def removed_entries(self) -> tuple[str, ...] | None:
        """The entries that the plan removes, each once; `None` if the service did not show the
        entries."""
        return self.before.without(self.planned)
