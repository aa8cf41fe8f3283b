"""The checks before a planned update, and the result after it (pure); `resource` makes the calls."""

from __future__ import annotations

from attrs import evolve

from cometchat_openapi import Call
from cometchat_openapi.api.keywords import update_keyword_list
from cometchat_openapi.models import KeywordList, KeywordListResponse
from cometchat_rest.errors import CometChatError, InvalidRequestError, RevisionConflictError
from cometchat_rest.keyword_input.inputs import to_multipart_form

from .plan import KeywordPlan, KeywordUpdate, readable


def prepare_update(plan: KeywordPlan, max_removed: float, base_url: str) -> Call[KeywordListResponse]:
    """The call that carries out a plan."""
    if not isinstance(plan, KeywordPlan):
        raise InvalidRequestError(f"must be the result of keywords.plan(), not {type(plan).__name__}", argument="plan")
    plan.check_app(base_url)
    plan.check_removed(max_removed)
    return update_keyword_list.prepare(plan.keyword_id, body=to_multipart_form(plan.new))


def check_revision(plan: KeywordPlan, now: KeywordList) -> None:
    """Make sure that the list has not changed since the plan was made."""
    if _has_changed(plan, now):
        raise RevisionConflictError(
            f"the list has changed since the plan was made: its revision was {readable(plan.revision_id)} and is now "
            f"{readable(now.revision_id)}; make a new plan",
            path_values={"keyword_id": plan.keyword_id},
            planned_revision=plan.revision_id,
            current_revision=now.revision_id,
        )


def _has_changed(plan: KeywordPlan, now: KeywordList) -> bool:
    if plan.revision_id is not None or now.revision_id is not None:
        return plan.revision_id != now.revision_id
    return (plan.keyword_list.updated_at, plan.current) != (now.updated_at, plan.remaining(now).current)


def resolve_update(
    plan: KeywordPlan, sent: KeywordList | CometChatError, now: KeywordList | CometChatError
) -> KeywordUpdate:
    """The result of an update.

    Without a valid response, the service may also carry out the update later: an unchanged list proves nothing.
    """
    if not isinstance(sent, CometChatError):
        if isinstance(now, CometChatError):
            return KeywordUpdate(keyword_list=sent, matches=None, error=now)
        return _result(plan, now)
    if isinstance(now, CometChatError):
        reading = f"Reading the list failed as well: {now}."
    else:
        update, has_changed = _result(plan, now), _has_changed(plan, now)
        # A list that already matched before the update shows nothing.
        if update.matches and (has_changed or plan.has_changes):
            return evolve(update, recovered=True)
        reading = "The list is still unchanged, but the service may carry out the update later."
        if has_changed:
            reading = (
                f"The revision of the list was {readable(plan.revision_id)} and is now {readable(now.revision_id)}, "
                "but the list is not known to match the update."
            )
    sent.add_note(f"{reading} Read the list again before you send the update again.")
    raise sent


def _result(plan: KeywordPlan, now: KeywordList) -> KeywordUpdate:
    rest = plan.remaining(now)
    return KeywordUpdate(
        keyword_list=now,
        matches=None if rest.current is None and not rest.has_changes else not rest.has_changes,
        missing=rest.added,
        unexpected=rest.removed,
        differing_fields=rest.changed_fields,
    )
