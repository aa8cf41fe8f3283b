"""The lists of an app that are known here: the service has no operation to list its keyword
lists."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from cometchat_desk.commands.shown_lists import read_list
from cometchat_desk.exit_codes import Code, code_for
from cometchat_desk.failed_calls import CallError
from cometchat_desk.fleet import Outcome, attempt
from cometchat_desk.insight.latest import read_latest
from cometchat_desk.insight.matcher import ListTerms
from cometchat_desk.insight.reviewed import Reviewed
from cometchat_desk.messages import print_error, reason_for
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_rest import Client, CometChatError, InvalidRequestError, NotFoundError

from .update_options import find_journal
from .updates import Apps

T = TypeVar("T")


def read_lists(
    target: Target, lists: Sequence[str] | None, *, all_apps: bool
) -> tuple[list[tuple[str, str, ListTerms]], list[CallError]]:
    """The content of these lists, or of those that are known here, each with its app and its
    identifier."""
    with Apps(target, all_apps=all_apps) as apps, ProgressNote("Reading lists"):
        read = read_known(apps, lists, dict.fromkeys(apps.names, _terms))
    contents: list[tuple[str, str, ListTerms]] = []
    for app, of_app in read.items():
        for name, outcome in (of_app.result or {}).items():
            if outcome.result is not None:
                contents.append((app, name, outcome.result))
    return contents, errors_in(read, apps)


def _terms(keyword_id: str, chat: Client) -> ListTerms:
    return ListTerms.of(*read_list(chat, keyword_id))


def read_known(
    apps: Apps, lists: Sequence[str] | None, reads: Mapping[str, Callable[[str, Client], T]]
) -> dict[str, Outcome[dict[str, Outcome[T]]]]:
    """Read these lists in each app, or the lists that are known here.

    A list that is known from one app may have the same identifier in another app, or be absent
    there.
    """
    known = apps.run(dict.fromkeys(apps.names, partial(_known, lists)))
    names = [name for outcome in known.values() for name in outcome.result or ()]
    jobs = {
        app: partial(_read_each, list(dict.fromkeys(names)), outcome.result, reads[app])
        for app, outcome in known.items()
        if outcome.result is not None
    }
    read = apps.run(jobs)
    return {
        app: read[app] if app in read else Outcome(error=outcome.error)
        for app, outcome in known.items()
    }


def _known(lists: Sequence[str] | None, chat: Client) -> Sequence[str]:
    """These lists, or the lists of an app that were updated here, or that the rules of the latest
    reviewed messages name."""
    if lists:
        return lists
    named = (
        name
        for record in read_latest(chat).records
        for name in Reviewed.of(record).lists
        if "/" not in name
    )
    return [*find_journal().known_lists(chat.base_url), *named]


def _read_each(
    names: Sequence[str], of_app: Sequence[str], read: Callable[[str, Client], T], chat: Client
) -> dict[str, Outcome[T]]:
    """Read lists in an app; it may lack those that only other apps are known to have."""
    if not names:
        raise InvalidRequestError(
            "no list of this app is known here: name the lists, which the dashboard shows"
        )
    outcomes = {name: attempt(partial(read, name, chat)) for name in names}
    return {
        name: outcome
        for name, outcome in outcomes.items()
        if name in of_app or not isinstance(outcome.error, NotFoundError)
    }


def errors_in(read: Mapping[str, Outcome[dict[str, Outcome[T]]]], apps: Apps) -> list[CallError]:
    """The errors of apps and of their lists, each with its app."""
    errors: list[CallError] = []
    for app, of_app in read.items():
        address = apps.addresses.get(app, "")
        if of_app.error is not None:
            errors.append(CallError(of_app.error, app, address))
        for name, outcome in (of_app.result or {}).items():
            if outcome.error is not None:
                errors.append(CallError(outcome.error, app, address, name))
    return errors


def report(errors: Sequence[CometChatError]) -> Code:
    """Print errors, and return the exit code."""
    for error in errors:
        print_error(reason_for(error, check=True))
    return max([Code.DONE, *map(code_for, errors)])
