"""Plans as one JSON object with a version and a checksum: to store them, have them approved, and
apply them later (pure).

The checksum finds accidents and edits. It does not protect from an attacker, who can compute it as
well: protect a stored plan like the program that applies it. The list must still have the revision
of the plan when it is applied.
"""

from collections.abc import Mapping
from hashlib import sha256
from json import dumps, loads
from typing import Any, Final

from attrs import asdict, field, frozen
from attrs.validators import ge, instance_of, le, optional

from cometchat_rest import InvalidRequestError, KeywordList, KeywordPlan, keyword_input

# The version of the form. A reader refuses any other version.
_VERSION: Final = 6
# The fields of an input, besides its entries.
_TEXTS: Final = ("category", "id", "name", "description")
_ANOTHER_RELEASE: Final = "another release of cometchat-desk made this plan; make a new plan"


@frozen(kw_only=True)
class Approval:
    """Who stored a plan, when and why, and how much of a list it may remove."""

    author: str = field(validator=instance_of(str))
    time: str = field(validator=instance_of(str))
    reason: str = field(validator=instance_of(str))
    # the share of the entries that the plan may remove; `None`: the default of the client
    max_removed: float | None = field(validator=optional([ge(0), le(1)]))


def plans_to_dict(plans: Mapping[str, KeywordPlan], approval: Approval) -> dict[str, Any]:
    """The plans of apps by their names as JSON values."""
    content = {
        "version": _VERSION,
        "approval": asdict(approval),
        "plans": {app: _plan_to_dict(plan) for app, plan in plans.items()},
    }
    copy: dict[str, Any] = loads(dumps(content))
    return {**copy, "checksum": _checksum(copy)}


def _plan_to_dict(plan: KeywordPlan) -> dict[str, Any]:
    return {
        "keyword_id": plan.keyword_id,
        "base_url": plan.base_url,
        "quotes": plan.quotes,
        "revision_id": plan.revision_id,
        "category": plan.category,
        "added": plan.added,
        "removed": plan.removed,
        "new": {**{name: getattr(plan.new, name) for name in _TEXTS}, "terms": plan.entries},
        "keyword_list": plan.keyword_list.to_dict(),
    }


def plans_from_dict(stored: object) -> tuple[Mapping[str, KeywordPlan], Approval]:
    """Make plans from the result of `plans_to_dict`."""
    if not isinstance(stored, Mapping) or not stored.get("plans"):
        raise InvalidRequestError("is not a plan; cometchat-desk keywords plan --output writes one")
    if stored.get("version") != _VERSION:
        raise InvalidRequestError(_ANOTHER_RELEASE)
    content = dict(stored)
    if content.pop("checksum", None) != _checksum(content):
        raise InvalidRequestError("the plan was changed after it was stored; make a new plan")
    try:
        approval = Approval(**stored["approval"])
        plans = {app: _plan_from_dict(plan) for app, plan in stored["plans"].items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        reason = "is not a plan: a part is missing or has the wrong type"
        raise InvalidRequestError(reason) from None
    # The comparison was made again: the entries that the stored plan shows must be those that will
    # change.
    if plans_to_dict(plans, approval) != stored:
        raise InvalidRequestError(_ANOTHER_RELEASE)
    return plans, approval


def _plan_from_dict(stored: Mapping[str, Any]) -> KeywordPlan:
    return KeywordPlan.compare(
        stored["keyword_id"],
        KeywordList.from_dict(stored["keyword_list"]),
        keyword_input.from_terms(**stored["new"]),
        quotes=stored["quotes"],
        change_category=True,
        base_url=stored["base_url"],
    )


def _checksum(content: Mapping[str, object]) -> str:
    text = dumps(content, sort_keys=True, separators=(",", ":"))
    return f"sha256:{sha256(text.encode()).hexdigest()}"
