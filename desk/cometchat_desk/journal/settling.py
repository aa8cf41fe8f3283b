"""Find the outcome of an unknown update from the list as it is now (pure).

The service says neither which update made a revision nor whether it still works on an update. So:

- A list that shows the planned content, with another revision than before, means that the update was carried out.
- An unchanged list proves nothing. The update stays unknown; after a while, the note says that it probably failed.
- A list with any other content has changed since. It does not show whether the update was carried out in between.
- The service may carry out a superseded update late, after a later update. Then the list shows its content again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from attrs import field, frozen

from cometchat_rest import KeywordList

from .records import ListState, RevisionOutcome, storable

#: After this time, an update that is not visible in the list was probably not carried out. It is much longer than a
#: request takes; the service documents no limit.
PROBABLY_LOST_AFTER = timedelta(minutes=10)
#: After this time, nobody looks any more whether a superseded update was carried out late.
LATEST_ARRIVAL = timedelta(days=1)


@frozen(kw_only=True)
class Pending:
    """An update in the journal whose outcome is unknown."""

    number: int
    started_at: datetime
    revision_before: str | None
    updated_before: str | None
    before: ListState = field(repr=False)
    planned: ListState = field(repr=False)

    def is_unchanged(self, found: KeywordList) -> bool:
        """Whether the list is as it was before this update."""
        if self.revision_before is not None or found.revision_id is not None:
            return self.revision_before == text_or_none(found.revision_id)
        return self.updated_before == text_or_none(found.updated_at) and self.before == ListState.of_list(found)


@frozen(kw_only=True)
class Latest:
    """The latest update of a list that is known to be carried out."""

    number: int
    revision_after: str | None
    planned: ListState = field(repr=False)
    after: ListState = field(repr=False)


@frozen(kw_only=True)
class Unsettled:
    """The updates of a list that may need the list to be read.

    Attributes:
        pending: the updates whose outcome is unknown.
        superseded: young superseded updates before `latest`, which may be carried out late.
        latest: the latest update that is known to be carried out; `None` if no update is.
    """

    pending: tuple[Pending, ...] = ()
    superseded: tuple[Pending, ...] = ()
    latest: Latest | None = None

    def __bool__(self) -> bool:
        return bool(self.pending or self.superseded)

    def late_update(self, found: KeywordList) -> Pending | None:
        """The superseded update whose content the list shows, although a later update was carried out."""
        latest = self.latest
        if latest is None or latest.planned.is_shown_by(found):
            return None
        if latest.revision_after is not None and latest.revision_after == text_or_none(found.revision_id):
            return None
        return next((each for each in reversed(self.superseded) if each.planned.is_shown_by(found)), None)


@frozen(kw_only=True)
class Verdict:
    """The outcome of an update, as the list shows it."""

    number: int
    outcome: RevisionOutcome
    note: str


def text_or_none(value: object) -> str | None:
    """A value of a list as text that the journal can store."""
    return None if value is None else storable(value)


def settle(pending: Sequence[Pending], found: KeywordList, now: datetime) -> Iterator[Verdict]:
    """The outcome of each unknown update of one list.

    Args:
        pending: the unknown updates. No later update of the list is known to be carried out.
        found: the list as it is now.
        now: the time when it was read.
    """
    for update in pending:
        outcome, note = _verdict(update, pending, found, now)
        yield Verdict(number=update.number, outcome=outcome, note=note)


def _verdict(
    update: Pending, pending: Sequence[Pending], found: KeywordList, now: datetime
) -> tuple[RevisionOutcome, str]:
    if update.is_unchanged(found):
        if now - update.started_at < PROBABLY_LOST_AFTER:
            return "unknown", "The update is not visible in the list so far. It may still be carried out."
        minutes = int(PROBABLY_LOST_AFTER.total_seconds() // 60)
        return "unknown", f"The update was not visible after {minutes} minutes: it was probably not carried out."
    if update.planned.is_shown_by(found):
        twins = [each.number for each in pending if each is not update and each.planned.is_shown_by(found)]
        if not twins:
            return "done", "The update was interrupted. The list was read later, and it matches the update."
        numbers = ", ".join(map(str, twins))
        return "unknown", f"The list matches this update, but also update {numbers}, which planned the same."
    if ListState.of_list(found).entries is None:
        return "unknown", "The list has changed, but the service does not show its entries."
    return "superseded", "The list has changed again. It does not show whether this update was carried out."
