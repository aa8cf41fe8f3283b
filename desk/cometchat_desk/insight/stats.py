"""Count reviewed messages, and find the rules that are probably wrong.

The service does not document the values of the moderation status. This module assumes that a
moderator gives the statuses `approved` and `disapproved`, and that every other status means that
nobody has decided yet.

A group is marked if it probably has many false positives: at least 10 of its messages are decided,
and the lower end of the 95% Wilson interval of the share of approved messages is above a half. So a
group with few decisions is marked only if nearly all of them are approvals.
"""

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum

from attrs import frozen

from .collected import Records

#: A group with fewer decided messages is not marked.
LEAST_DECIDED = 10
# The 97.5% quantile of the normal distribution, for an interval of 95%.
_Z = 1.959963984540054


class By(StrEnum):
    """The values by which messages can be grouped."""

    RULE = "rule"
    ENTRY = "entry"  # `term_stats` counts terms
    ACTION = "action"
    SENDER = "sender"
    CATEGORY = "category"
    DAY = "day"
    APP = "app"


@frozen(kw_only=True)
class Group:
    """The messages with one value."""

    #: The value, such as the name of a rule or a term; `None` for messages without a value
    value: str | None
    records: int  # the number of messages
    approved: int = 0  # how many of them have the status `approved`
    disapproved: int = 0  # how many of them have the status `disapproved`

    @property
    def decided(self) -> int:
        """How many messages are approved or disapproved."""
        return self.approved + self.disapproved

    @property
    def approved_share(self) -> float | None:
        """The share of decided messages that were approved, 0.0 to 1.0; `None` if no message is
        decided."""
        return self.approved / self.decided if self.decided else None

    @property
    def reason(self) -> str | None:
        """Why the messages are probably false positives; `None` if they are not."""
        lowest = wilson_lower_bound(self.approved, self.decided)
        if self.decided < LEAST_DECIDED or lowest <= 0.5:
            return None
        return (
            f"moderators approved {self.approved:,} of {self.decided:,} decided messages; "
            f"the share is at least {math.floor(lowest * 100)}% with 95% confidence"
        )


# The values by which a message is grouped, in SQL. A message counts for each of its actions.
_VALUES: Mapping[By, str] = {
    By.RULE: "coalesce(rule_id, rule_name)",  # a rule may get another name
    By.ACTION: "unnest(if(len(action) = 0, [null], action))",
    By.SENDER: "sender",
    By.CATEGORY: "condition_category",
    By.DAY: "strftime(make_timestamp(created_at * 1000000), '%Y-%m-%d')",
    By.APP: "coalesce(app, app_id)",
}
#: The columns that `stats` needs for each value.
NEEDED: Mapping[By, Sequence[str]] = {
    By.RULE: ("rule_id", "rule_name"),
    By.ENTRY: ("app", "message_id", "lists", "condition_operator", "text"),
    By.ACTION: ("action",),
    By.SENDER: ("sender",),
    By.CATEGORY: ("condition_category",),
    By.DAY: ("created_at",),
    By.APP: ("app", "app_id"),
}
# The counts of a group, in SQL.
_COUNTS = (
    "count(*), count(*) filter (decision = 'approved'), count(*) filter (decision = 'disapproved')"
)


def stats(records: Records, by: By) -> tuple[Group, ...]:
    """Group messages, and count them; the largest group comes first, or the newest day."""
    name = (
        "arg_max(coalesce(rule_name, value), coalesce(created_at, 0))" if by is By.RULE else "value"
    )
    order = "value desc nulls last" if by is By.DAY else "count(*) desc, value nulls last"
    groups = records.ask(
        f"select {_COUNTS}, {name} from (select {_VALUES[by]} as value, * from reviewed) "
        f"group by value order by {order}"
    )
    return tuple(
        Group(value=value, records=count, approved=approved, disapproved=disapproved)
        for count, approved, disapproved, value in groups
    )


def wilson_lower_bound(successes: int, trials: int) -> float:
    """Return the lower end of the 95% Wilson interval of a share; 0.0 without trials."""
    if trials == 0:
        return 0.0
    share = successes / trials
    square = _Z**2 / trials
    spread = _Z * math.sqrt((share * (1 - share) + square / 4) / trials)
    return max(0.0, (share + square / 2 - spread) / (1 + square))
