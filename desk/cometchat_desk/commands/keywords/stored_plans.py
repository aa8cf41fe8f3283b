"""Plans in files: an object with the plan of each app by name. An app without a profile has an
empty name."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.files import FileRefusedError, read_own, write_file
from cometchat_desk.lists.stored import Approval, plans_from_dict, plans_to_dict
from cometchat_desk.messages import app_place, print_error
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.output import as_json
from cometchat_desk.terminal.shares import percent
from cometchat_desk.terminal.text import say, visible
from cometchat_rest import Client, InvalidRequestError, KeywordPlan
from cometchat_rest.keywords.apply import check_revision

from .entry_input import STDIN, name_of
from .rows import Row

# In bytes: several times the largest lists of all apps of a company.
_LARGEST = 64 << 20


def write(
    path: Path, rows: Sequence[Row], *, reason: str, max_removed: float | None, yes: bool
) -> None:
    """Write the plans of rows to a file, completely or not at all, if each app has a plan; say
    what was done."""
    from cometchat_desk.journal import user_name

    if any(row.plan is None for row in rows):
        print_error(f"{visible(str(path))} was not written, because an app has no plan")
        return
    approval = Approval(
        author=user_name(),
        time=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        reason=reason,
        max_removed=max_removed,
    )
    plans = {row.app: row.plan for row in rows if row.plan is not None}
    prompts.confirm_replacement(path, yes=yes)
    write_file(path, f"{as_json(plans_to_dict(plans, approval), indent=2)}\n".encode())
    say(f"Wrote the plan to {visible(str(path))}.")


def read(path: Path, keyword_id: str | None) -> tuple[str, Mapping[str, KeywordPlan], Approval]:
    """Read the list of a file, its plans by the name of their app, and their approval."""
    try:
        plans, approval = plans_from_dict(_content_of(path))
    except InvalidRequestError as error:
        raise _refused(path, str(error)) from None
    of_list = next(iter(plans.values())).keyword_id
    if keyword_id not in (None, of_list):
        raise _refused(path, f"the plan is for the list {of_list!r}, not for {keyword_id!r}")
    share = "the usual share" if approval.max_removed is None else percent(approval.max_removed)
    planned = f"Planned by {approval.author or 'an unknown user'} on {approval.time}"
    reason = f": {approval.reason}" if approval.reason else ""
    say(visible(f"{planned}, allowed to remove at most {share}{reason}."))
    return of_list, plans, approval


def jobs(
    path: Path, plans: Mapping[str, KeywordPlan], apps: Mapping[str, str | None]
) -> Mapping[str, Callable[[Client], KeywordPlan]]:
    """The plan of each app, found by its address, as a job that raises an error if the plan does
    not fit any more. An app with invalid settings has no address, and its job does not run."""
    # The user who made the plan may have another name for the app.
    by_address = {plan.base_url: plan for plan in plans.values()}
    of_apps: dict[str, Callable[[Client], KeywordPlan]] = {}
    for name, address in apps.items():
        plan = by_address.get(address, next(iter(plans.values())))
        if address not in (None, *by_address):
            places = ", ".join(map(str, by_address))
            raise _refused(
                path, f"no plan for {app_place(name, address)}; the plans are for: {places}"
            )
        of_apps[name] = partial(_checked, plan)
    return of_apps


def _checked(plan: KeywordPlan, chat: Client) -> KeywordPlan:
    """Refuse a plan for another revision: nobody should be asked about a change that
    is not made."""
    keyword_list = chat.keywords.get(plan.keyword_id)
    again = KeywordPlan.compare(
        plan.keyword_id,
        keyword_list,
        plan.new,
        quotes=plan.quotes,
        change_category=True,
        base_url=plan.base_url,
    )
    if again.current is not None and not again.has_changes:
        return again
    check_revision(plan, keyword_list)
    return plan


def _content_of(path: Path) -> object:
    try:
        data = prompts.stdin_bytes(_LARGEST) if path == STDIN else read_own(path, _LARGEST)
        return json.loads(data.decode("utf-8-sig"))
    except FileRefusedError as error:
        raise _refused(path, str(error)) from None
    except (ValueError, RecursionError):
        raise _refused(path, "is not a plan: it is not valid JSON") from None


def _refused(path: Path, reason: str) -> StopError:
    return StopError(Code.USAGE, f"{visible(name_of(path))}: {reason}")
