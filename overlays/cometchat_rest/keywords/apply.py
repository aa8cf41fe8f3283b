"""Apply a plan: check the list, send the update once, and read the list to see the result."""

from __future__ import annotations

import time

from attrs import evolve

from cometchat_openapi.api.keywords import get_keyword_list, update_keyword_list
from cometchat_openapi.models import KeywordList
from cometchat_rest._call.exchange import CallOutcome, Flow, raise_if_error
from cometchat_rest._call.retries import TEMPORARY_ERRORS, backoff
from cometchat_rest._support.checks import check_seconds
from cometchat_rest.errors import CometChatError, InvalidRequestError, RevisionConflictError

from .entries import strip_csv_quotes
from .inputs import to_multipart_form
from .plan import KeywordPlan, KeywordUpdate, difference_between, differing_fields, readable


def apply(
    plan: KeywordPlan, max_removed: float, settle_within: float, deadline: float, base_url: str
) -> Flow[KeywordUpdate]:
    """The calls of `Keywords.apply`.

    The update is never sent again: the service may have carried it out, and somebody may have changed the list since.
    Without a valid response the service may also carry it out later, so an unchanged list does not prove anything.

    Args:
        plan: the plan.
        max_removed: the largest allowed share of removed entries.
        settle_within: seconds to go on reading after an update whose outcome is unknown.
        deadline: the client's deadline, in seconds; a limit for `settle_within`.
        base_url: the address of the client's app.
    """
    if not isinstance(plan, KeywordPlan):
        raise InvalidRequestError(f"plan must be the result of keywords.plan(), not {type(plan).__name__}")
    plan.check_app(base_url)
    plan.check_removed(max_removed)
    seconds = check_seconds("settle_within", settle_within, InvalidRequestError, zero=True)
    get = get_keyword_list.prepare(plan.list_id)
    update = update_keyword_list.prepare(plan.list_id, body=to_multipart_form(plan.new))
    check_revision(plan, raise_if_error((yield get)).parsed.data)
    sent = _list_in((yield update))
    if isinstance(sent, CometChatError) and not sent.outcome_unknown:
        raise sent
    end, readings = time.monotonic() + min(seconds, deadline), 0
    while True:
        readings += 1
        found = _list_in((yield get))
        remaining = end - time.monotonic()
        if remaining <= 0 or not _may_change(plan, sent, found):
            return resolve_update(plan, sent, found)
        yield min(backoff(readings), remaining)


def _list_in(outcome: CallOutcome | None) -> KeywordList | CometChatError:
    if isinstance(outcome, CometChatError):
        return outcome
    found: KeywordList = raise_if_error(outcome).parsed.data
    return found


def _may_change(plan: KeywordPlan, sent: KeywordList | CometChatError, found: KeywordList | CometChatError) -> bool:
    """Whether reading the list again may settle an unknown outcome."""
    if not isinstance(sent, CometChatError):
        return False
    return (
        isinstance(found, TEMPORARY_ERRORS) if isinstance(found, CometChatError) else not _result(plan, found).matches
    )


def check_revision(plan: KeywordPlan, found: KeywordList) -> None:
    """Make sure that the list has not changed since the plan was made.

    Raises:
        RevisionConflictError: the list has changed.
    """
    if _has_changed(plan, found):
        raise RevisionConflictError(
            f"{readable(plan.list_id)} has changed since the plan was made: its revision was "
            f"{readable(plan.revision_id)} and is now {readable(found.revision_id)}; make a new plan",
            planned_revision=plan.revision_id,
            current_revision=found.revision_id,
        )


def _has_changed(plan: KeywordPlan, found: KeywordList) -> bool:
    if plan.revision_id is not None or found.revision_id is not None:
        return plan.revision_id != found.revision_id
    return (plan.keyword_list.updated_at, plan.current) != (found.updated_at, difference_between(found, ()).current)


def resolve_update(
    plan: KeywordPlan, sent: KeywordList | CometChatError, found: KeywordList | CometChatError
) -> KeywordUpdate:
    """The result of an update.

    Args:
        plan: the plan that was applied.
        sent: the list from the response to the update, or an error that leaves the outcome unknown.
        found: the list that was read afterwards, or the error of that reading.

    Raises:
        CometChatError: `sent`, unless `found` shows that the update was carried out. The outcome stays unknown.
    """
    if not isinstance(sent, CometChatError):
        if isinstance(found, CometChatError):
            return KeywordUpdate(keyword_list=sent, matches=None, error=found)
        return _result(plan, found)
    if isinstance(found, CometChatError):
        reading = f"Reading the list failed as well: {found}."
    elif (update := _result(plan, found)).matches:
        return evolve(update, recovered=True)
    elif _has_changed(plan, found):
        reading = (
            f"The revision of the list was {readable(plan.revision_id)} and is now {readable(found.revision_id)}, "
            "but the list is not known to match the update."
        )
    else:
        reading = "The list is still unchanged, but the service may carry out the update later."
    sent.add_note(f"{reading} Read the list again before you send the update again.")
    raise sent


def _result(plan: KeywordPlan, found: KeywordList) -> KeywordUpdate:
    # The service does not document whether it shows the quotes of the file that was sent, or only those of the entries.
    difference = difference_between(found, strip_csv_quotes(found, plan.entries))
    fields = differing_fields(found, plan.new)
    differs = bool(difference.missing or difference.unexpected or fields)
    return KeywordUpdate(
        keyword_list=found,
        matches=None if difference.current is None and not differs else not differs,
        missing=difference.missing,
        unexpected=difference.unexpected,
        differing_fields=fields,
    )
