"""Count reviewed messages, and find the rules that are probably wrong.

The service documents neither the values of the moderation status nor how it changes. So these are assumptions:

- `approved` means that a moderator approved a message although a rule had matched.
- `disapproved` means that the message stays blocked.
- Every other status means that nobody has decided yet.

The service may also decide without a moderator. If it disapproves messages, the share of approved messages is too low;
if it approves messages, the share is too high.

A group is marked if it probably has many false positives: at least `min_decided` of its messages are decided, and the
lower end of the 95% Wilson interval of the share of approved messages is above `above`. So a group with few decisions
is marked only if nearly all of them are approvals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum

from attrs import frozen

from cometchat_rest import InvalidRequestError

from .records import Records

#: The statuses that a moderator gives.
APPROVED, DISAPPROVED = "approved", "disapproved"

# The 97.5% quantile of the normal distribution, for an interval of 95%.
_Z = 1.959963984540054


class By(StrEnum):
    """The values by which messages can be grouped."""

    RULE = "rule"
    ACTION = "action"
    SENDER = "sender"
    CATEGORY = "category"
    DAY = "day"


@frozen
class Marks:
    """When a group is marked as likely false positives."""

    min_decided: int = 10  # mark a group only if at least this many of its messages are decided
    above: float = 0.5  # mark a group if probably more than this share of its decided messages was approved, 0.0 to 1.0

    def __attrs_post_init__(self) -> None:
        if not 0 <= self.above < 1:
            raise InvalidRequestError(f"above must be a number from 0 to less than 1, not {self.above!r}")

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


# `unnest` would leave out a message without an action.
_ACTIONS = "from (select status, unnest(coalesce(string_split(action, ', '), [null])) as value from reviewed)"
# The expressions of the value and of its identity: a rule may get another name.
_VALUES: Mapping[By, tuple[str, str]] = {
    By.RULE: ("arg_max(coalesce(rule_name, rule_id), created_at)", "coalesce(rule_id, rule_name)"),
    By.ACTION: ("value", "value"),
    By.SENDER: ("sender", "sender"),
    By.CATEGORY: ("condition_category", "condition_category"),
    By.DAY: ("strftime(created_utc, '%Y-%m-%d')", "strftime(created_utc, '%Y-%m-%d')"),
}


def stats(records: Records, by: By, marks: Marks | None = None) -> tuple[Group, ...]:
    """Group messages, count them, and mark likely false positives; the largest group comes first, or the newest day."""
    marks = marks or Marks()
    value, identity = _VALUES[by]
    rows = records.query(
        f"select {value} as value, {identity} as identity, count(*) as records, "
        f"count(*) filter (lower(status) = '{APPROVED}'), count(*) filter (lower(status) = '{DISAPPROVED}') "
        f"{_ACTIONS if by is By.ACTION else 'from reviewed'} group by identity "
        f"order by {'value desc nulls last' if by is By.DAY else 'records desc, value'}"
    )
    return tuple(
        Group(
            value=value,
            records=count,
            approved=approved,
            disapproved=disapproved,
            reason=marks.reason(approved, approved + disapproved),
        )
        for value, _, count, approved, disapproved in rows
    )


def wilson_lower_bound(successes: int, trials: int) -> float:
    """Return the lower end of the 95% Wilson interval of a share; 0.0 without trials."""
    if trials == 0:
        return 0.0
    share = successes / trials
    square = _Z**2 / trials
    spread = _Z * math.sqrt((share * (1 - share) + square / 4) / trials)
    return max(0.0, (share + square / 2 - spread) / (1 + square))
