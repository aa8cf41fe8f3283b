"""Apply additions and removals. If the list changes in between, plan them again."""

from collections.abc import Callable

from attrs import frozen

from cometchat_rest import Client, KeywordPlan, KeywordUpdate, RevisionConflictError

from .plan_changes import Changes

#: How often the changes are tried, if the list changes each time.
MAX_ATTEMPTS = 5


@frozen(kw_only=True)
class AppliedChanges:
    """The result of `apply_changes`."""

    plan: KeywordPlan  # the plan that was applied, or the last plan if it had no changes
    # the result of the update; `None` if the list already was as requested, so that no update was sent
    update: KeywordUpdate | None
    planned_again: int = 0  # how many times the changes were planned again, because the list had changed


def apply_changes(
    chat: Client, changes: Changes, plan: KeywordPlan, send: Callable[[KeywordPlan], KeywordUpdate]
) -> AppliedChanges:
    """Apply a plan of additions and removals. If the list has changed since the plan, plan the same changes again."""
    planned_again = 0
    while plan.has_changes:
        try:
            return AppliedChanges(plan=plan, update=send(plan), planned_again=planned_again)
        except RevisionConflictError as error:
            planned_again += 1
            if planned_again == MAX_ATTEMPTS:
                error.add_note(f"The list changed {MAX_ATTEMPTS} times in a row. No update was sent. Try again later.")
                raise
        plan = changes.plan(chat, plan.list_id)
    return AppliedChanges(plan=plan, update=None, planned_again=planned_again)
