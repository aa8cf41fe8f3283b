"""Count reviewed messages, and find the rules that are probably wrong.

service.md documents neither the values of the moderation status nor how it changes. So these are assumptions:

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
from collections.abc import Iterable, Mapping
from enum import StrEnum

from attrs import frozen

from cometchat_rest.errors import InvalidRequestError

from .records import Records

#: A group is marked only if at least this many of its messages are decided.
MIN_DECIDED = 10
#: A group is marked if probably more than this share of its decided messages was approved.
ABOVE = 0.5

# The 97.5% quantile of the normal distribution, for an interval of 95%.
_Z = 1.959963984540054


class By(StrEnum):
    """The values by which messages can be grouped."""

    RULE = "rule"
    ACTION = "action"
    SENDER = "sender"
    CATEGORY = "category"
    DAY = "day"


@frozen(kw_only=True)
class Tally:
    """The number of messages with one value.

    Attributes:
        value: the value, such as the name of a rule; `None` for messages without a value.
        records: the number of messages.
        approved: how many of them have the status `approved`.
        disapproved: how many of them have the status `disapproved`.
    """

    value: str | None
    records: int
    approved: int = 0
    disapproved: int = 0

    @property
    def decided(self) -> int:
        """How many messages are approved or disapproved."""
        return self.approved + self.disapproved

    @property
    def approved_share(self) -> float | None:
        """The share of decided messages that were approved, 0.0 to 1.0; `None` if no message is decided."""
        return self.approved / self.decided if self.decided else None


@frozen(kw_only=True)
class Group:
    """A tally, and whether it probably has many false positives.

    Attributes:
        tally: the numbers.
        reason: why the messages are probably false positives; `None` if they are not.
    """

    tally: Tally
    reason: str | None = None

    @property
    def likely_false_positives(self) -> bool:
        """Whether a rule or a word is probably wrong."""
        return self.reason is not None


@frozen(kw_only=True)
class Stats:
    """The result of `stats`.

    Attributes:
        groups: the groups, largest first; days are newest first.
        group_count: the number of groups, including those beyond `limit`.
        records: the number of all messages.
    """

    groups: tuple[Group, ...]
    group_count: int
    records: int


_RULE = "coalesce(rule_id, rule_name)"
# `unnest` would leave out a message without an action.
_ACTIONS = "from (select status, unnest(coalesce(string_split(action, ', '), [null])) as value from reviewed)"
# The expression of the value and the rest of the statement.
_SOURCES: Mapping[By, str] = {
    By.RULE: f"select arg_max(coalesce(rule_name, rule_id), created_at) as value, {_RULE} as identity",
    By.ACTION: "select value, value as identity",
    By.SENDER: "select sender as value, sender as identity",
    By.CATEGORY: "select condition_category as value, condition_category as identity",
    By.DAY: "select strftime(created_utc, '%Y-%m-%d') as value, strftime(created_utc, '%Y-%m-%d') as identity",
}


def stats(
    records: Records, by: By | str, *, limit: int | None = None, min_decided: int = MIN_DECIDED, above: float = ABOVE
) -> Stats:
    """Group messages, count them, and mark the groups that probably have many false positives.

    Args:
        records: the messages, from `open_records` or `records_of`.
        by: the value to group by. A message with two actions counts in both groups.
        limit: the largest number of groups; by default all.
        min_decided: mark a group only if at least this many of its messages are decided.
        above: mark a group if probably more than this share of its decided messages was approved, 0.0 to 1.0.

    Raises:
        InvalidRequestError: an argument is invalid.
    """
    try:
        by = By(by)
    except ValueError:
        raise InvalidRequestError(f"by must be one of {', '.join(By)}, not {by!r}") from None
    if limit is not None and (type(limit) is not int or limit < 1):
        raise InvalidRequestError(f"limit must be an integer of at least 1, not {limit!r}")
    source = _ACTIONS if by is By.ACTION else "from reviewed"
    order = "value desc nulls last" if by is By.DAY else "records desc, value"
    rows = records.query(
        f"{_SOURCES[by]}, count(*) as records, count(*) filter (lower(status) = 'approved') as approved, "
        f"count(*) filter (lower(status) = 'disapproved') as disapproved, count(*) over () as groups {source} "
        f"group by identity order by {order}" + ("" if limit is None else f" limit {limit}")
    ).rows
    tallies, count = [], 0
    for value, _, *numbers in rows:
        total, approved, disapproved, count = (int(str(number)) for number in numbers)
        tallies.append(
            Tally(
                value=None if value is None else str(value), records=total, approved=approved, disapproved=disapproved
            )
        )
    return Stats(
        groups=tuple(rate(tallies, min_decided=min_decided, above=above)), group_count=count, records=records.count
    )


def rate(tallies: Iterable[Tally], *, min_decided: int = MIN_DECIDED, above: float = ABOVE) -> list[Group]:
    """Mark the tallies that probably have many false positives.

    Args:
        tallies: the numbers, of any kind of value.
        min_decided: as in `stats`.
        above: as in `stats`.

    Raises:
        InvalidRequestError: an argument is invalid.
    """
    if type(min_decided) is not int or min_decided < 1:
        raise InvalidRequestError(f"min_decided must be an integer of at least 1, not {min_decided!r}")
    if isinstance(above, bool) or not isinstance(above, int | float) or not 0 <= above < 1:
        raise InvalidRequestError(f"above must be a number from 0 to less than 1, not {above!r}")
    return [Group(tally=tally, reason=_reason(tally, min_decided, above)) for tally in tallies]


def _reason(tally: Tally, min_decided: int, above: float) -> str | None:
    lowest = wilson_lower_bound(tally.approved, tally.decided)
    if tally.decided < min_decided or lowest <= above:
        return None
    return (
        f"moderators approved {tally.approved:,} of {tally.decided:,} decided messages; "
        f"the share is at least {math.floor(lowest * 100)}% with 95% confidence"
    )


def wilson_lower_bound(successes: int, trials: int) -> float:
    """Return the lower end of the 95% Wilson interval of a share; 0.0 without trials."""
    if trials == 0:
        return 0.0
    share = successes / trials
    square = _Z**2 / trials
    spread = _Z * math.sqrt((share * (1 - share) + square / 4) / trials)
    return max(0.0, (share + square / 2 - spread) / (1 + square))
