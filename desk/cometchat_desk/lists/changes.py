"""Apply additions and removals. If the list changes in between, plan them again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import frozen

from cometchat_rest import AsyncClient, Client, InvalidRequestError, KeywordPlan, KeywordUpdate, RevisionConflictError

#: How often the changes are tried, if the list changes each time.
MAX_ATTEMPTS = 5


@frozen(kw_only=True)
class AppliedChanges:
    """The result of `apply_changes`.

    Attributes:
        plan: the plan that was applied, or the last plan if it had no changes.
        update: the result of the update; `None` if the list already was as requested, so that no update was sent.
        planned_again: how many times the changes were planned again, because the list had changed.
    """

    plan: KeywordPlan
    update: KeywordUpdate | None
    planned_again: int = 0


def apply_changes(
    chat: Client,
    plan: KeywordPlan,
    *,
    settle_within: float = 5.0,
    send: Callable[[KeywordPlan], KeywordUpdate] | None = None,
) -> AppliedChanges:
    """Apply a plan from `plan_changes()`. If the list has changed since the plan, plan the same changes again.

    A new plan keeps what others have changed. It contains only the requested additions and removals, so nobody has to
    approve it again.

    Args:
        chat: the client of the app.
        plan: the result of `chat.keywords.plan_changes()`.
        settle_within: seconds to go on reading the list after an unknown outcome; see `Keywords.apply`.
        send: applies one plan, in place of `chat.keywords.apply`; for example to write a journal.

    Returns:
        The applied plan and the result.

    Raises:
        RevisionConflictError: the list changed `MAX_ATTEMPTS` times; no update was sent.
        InvalidRequestError: `plan` is not such a plan, or a new plan is not possible; no update was sent.
        CometChatError: any other error of `Keywords.apply` or `Keywords.plan_changes`.
    """
    _check(plan)
    for planned_again in range(MAX_ATTEMPTS):
        if not plan.has_changes:
            return AppliedChanges(plan=plan, update=None, planned_again=planned_again)
        try:
            update = chat.keywords.apply(plan, settle_within=settle_within) if send is None else send(plan)
        except RevisionConflictError as error:
            if planned_again + 1 == MAX_ATTEMPTS:
                _add_advice(error)
                raise
            add, remove = _requested(plan)
            plan = chat.keywords.plan_changes(plan.list_id, add=add, remove=remove)
        else:
            return AppliedChanges(plan=plan, update=update, planned_again=planned_again)
    raise AssertionError("the last attempt returns or raises")


async def apply_changes_async(
    chat: AsyncClient,
    plan: KeywordPlan,
    *,
    settle_within: float = 5.0,
    send: Callable[[KeywordPlan], Awaitable[KeywordUpdate]] | None = None,
) -> AppliedChanges:
    """As `apply_changes`, awaited."""
    _check(plan)
    for planned_again in range(MAX_ATTEMPTS):
        if not plan.has_changes:
            return AppliedChanges(plan=plan, update=None, planned_again=planned_again)
        try:
            update = await (chat.keywords.apply(plan, settle_within=settle_within) if send is None else send(plan))
        except RevisionConflictError as error:
            if planned_again + 1 == MAX_ATTEMPTS:
                _add_advice(error)
                raise
            add, remove = _requested(plan)
            plan = await chat.keywords.plan_changes(plan.list_id, add=add, remove=remove)
        else:
            return AppliedChanges(plan=plan, update=update, planned_again=planned_again)
    raise AssertionError("the last attempt returns or raises")


def _check(plan: KeywordPlan) -> None:
    if not isinstance(plan, KeywordPlan) or not plan.from_changes:
        raise InvalidRequestError("plan must be the result of plan_changes(): only additions and removals are repeated")


def _requested(plan: KeywordPlan) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (*plan.added, *plan.already_present), (*plan.removed, *plan.not_present)


def _add_advice(error: RevisionConflictError) -> None:
    error.add_note(f"The list changed {MAX_ATTEMPTS} times in a row. No update was sent. Try again later.")
