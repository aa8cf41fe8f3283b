"""Count reviewed messages, and find the rules that are probably wrong.

The service does not document the values of the moderation status. This module assumes that a moderator gives the
statuses `approved` and `disapproved`, and that every other status means that nobody has decided yet.

A group is marked if it probably has many false positives: at least `min_decided` of its messages are decided, and the
lower end of the 95% Wilson interval of the share of approved messages is above `above`. So a group with few decisions
is marked only if nearly all of them are approvals.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from attrs import frozen

from .record import APPROVED, DISAPPROVED, Record, Records

# The 97.5% quantile of the normal distribution, for an interval of 95%.
_Z = 1.959963984540054


class By(StrEnum):
    """The values by which messages can be grouped."""

    RULE = "rule"
    TERM = "term"  # `term_stats` counts terms
    ACTION = "action"
    SENDER = "sender"
    CATEGORY = "category"
    DAY = "day"


@frozen
class Marks:
    """When a group is marked as likely false positives."""

    min_decided: int = 10  # mark a group only if at least this many of its messages are decided
    above: float = 0.5  # mark a group if probably more than this share of its decided messages was approved, 0.0 to 1.0

    def counted(self, decisions: Counter[str | None]) -> dict[str, Any]:
        """The values of a group with these decisions."""
        approved, disapproved = decisions[APPROVED], decisions[DISAPPROVED]
        reason = self.reason(approved, approved + disapproved)
        return {"records": decisions.total(), "approved": approved, "disapproved": disapproved, "reason": reason}

    def reason(self, approved: int, decided: int) -> str | None:
        """Why messages are probably false positives; `None` if they are not."""
        lowest = wilson_lower_bound(approved, decided)
        if decided < self.min_decided or lowest <= self.above:
            return None
        return (
            f"moderators approved {approved:,} of {decided:,} decided messages; "
            f"the share is at least {math.floor(lowest * 100)}% with 95% confidence"
        )


@frozen(kw_only=True)
class Group:
    """The messages with one value."""

    value: str | None  # the value, such as the name of a rule or a term; `None` for messages without a value
    records: int  # the number of messages
    approved: int = 0  # how many of them have the status `approved`
    disapproved: int = 0  # how many of them have the status `disapproved`
    reason: str | None = None  # why the messages are probably false positives; `None` if they are not

    @property
    def decided(self) -> int:
        """How many messages are approved or disapproved."""
        return self.approved + self.disapproved

    @property
    def approved_share(self) -> float | None:
        """The share of decided messages that were approved, 0.0 to 1.0; `None` if no message is decided."""
        return self.approved / self.decided if self.decided else None


# The values by which a message is grouped. A rule may get another name.
_VALUES: Mapping[By, Callable[[Record], Sequence[str | None]]] = {
    By.RULE: lambda record: [record.rule_id or record.rule_name],
    By.ACTION: lambda record: record.action or [None],
    By.SENDER: lambda record: [record.sender],
    By.CATEGORY: lambda record: [record.condition_category],
    By.DAY: lambda record: [f"{record.created_utc:%Y-%m-%d}" if record.created_utc else None],
}


def stats(records: Records, by: By, marks: Marks | None = None) -> tuple[Group, ...]:
    """Group messages, count them, and mark likely false positives; the largest group comes first, or the newest day."""
    marks = marks or Marks()
    counts: dict[str | None, Counter[str | None]] = {}
    names: dict[str | None, str | None] = {}
    for record in records:
        for value in _VALUES[by](record):
            counts.setdefault(value, Counter())[record.decision] += 1
            # The records are in the order of time.
            names[value] = record.rule_name or value if by is By.RULE else value
    groups = [Group(value=names[value], **marks.counted(count)) for value, count in counts.items()]
    if by is By.DAY:
        return tuple(sorted(groups, key=lambda group: group.value or "", reverse=True))
    return tuple(sorted(groups, key=lambda group: (-group.records, group.value is None, group.value)))


def wilson_lower_bound(successes: int, trials: int) -> float:
    """Return the lower end of the 95% Wilson interval of a share; 0.0 without trials."""
    if trials == 0:
        return 0.0
    share = successes / trials
    square = _Z**2 / trials
    spread = _Z * math.sqrt((share * (1 - share) + square / 4) / trials)
    return max(0.0, (share + square / 2 - spread) / (1 + square))
