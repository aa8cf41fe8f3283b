"""Plans as JSON values with a version and a checksum: to store them, have them approved, and apply
them later (pure).

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
_VERSION: Final = 5
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


def plan_to_dict(plan: KeywordPlan, approval: Approval) -> dict[str, Any]:
    """A plan as JSON values."""
    content = {
        "version": _VERSION,
        "approval": asdict(approval),
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
    copy: dict[str, Any] = loads(dumps(content))
    return {**copy, "checksum": _checksum(copy)}


def plan_from_dict(stored: object) -> tuple[KeywordPlan, Approval]:
    """Make a plan from the result of `plan_to_dict`."""
    content = _unsealed(stored)
    kinds = {
        "approval": dict,
        "keyword_id": str,
        "base_url": str | None,
        "new": dict,
        "keyword_list": dict,
    }
    if wrong := [name for name, kind in kinds.items() if not isinstance(content.get(name), kind)]:
        raise InvalidRequestError(
            f"this is not a stored plan: {wrong[0]} is missing or has the wrong type"
        )
    try:
        approval = Approval(**content["approval"])
        new = keyword_input.from_terms(**content["new"])
    except (TypeError, ValueError):
        raise InvalidRequestError(
            "this is not a stored plan: its approval or its new content is not complete"
        ) from None
    plan = KeywordPlan.compare(
        content["keyword_id"],
        KeywordList.from_dict(content["keyword_list"]),
        new,
        quotes=content.get("quotes"),
        change_category=True,
        base_url=content.get("base_url"),
    )
    # The comparison was made again: the entries that the stored plan shows must be those that will
    # change.
    if plan_to_dict(plan, approval)["checksum"] != content["checksum"]:
        raise InvalidRequestError(_ANOTHER_RELEASE)
    return plan, approval


def _unsealed(stored: object) -> Mapping[str, Any]:
    if not isinstance(stored, Mapping) or not {"version", "checksum"} <= stored.keys():
        raise InvalidRequestError("this is not a stored plan: it needs a version and a checksum")
    if stored["version"] != _VERSION:
        raise InvalidRequestError(_ANOTHER_RELEASE)
    try:
        checksum = _checksum({name: value for name, value in stored.items() if name != "checksum"})
    except (TypeError, ValueError, RecursionError):
        raise InvalidRequestError(
            "this is not a stored plan: it holds a value that JSON cannot hold"
        ) from None
    if stored["checksum"] != checksum:
        raise InvalidRequestError("the plan was changed after it was stored; make a new plan")
    return stored


def _checksum(content: Mapping[str, object]) -> str:
    text = dumps(content, sort_keys=True, separators=(",", ":"))
    return f"sha256:{sha256(text.encode()).hexdigest()}"
