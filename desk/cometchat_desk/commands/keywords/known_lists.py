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
from cometchat_desk.insight.reviewed import Reviewed
from cometchat_desk.lists.files import ListFile
from cometchat_desk.messages import print_error, reason_for
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.times import text_of
from cometchat_rest import Client, CometChatError, InvalidRequestError, keyword_input

from .rows import HIDDEN
from .update_options import find_journal
from .updates import Apps

T = TypeVar("T")


def read_lists(
    target: Target, lists: Sequence[str] | None, *, all_apps: bool
) -> tuple[list[tuple[str, str, ListFile]], list[CallError]]:
    """The content of these lists, or of those that are known here, each with its app and its
    identifier."""
    with Apps(target, all_apps=all_apps) as apps, ProgressNote("Reading lists"):
        read = apps.run(dict.fromkeys(apps.names, partial(read_each, lists, list_content)))
    contents: list[tuple[str, str, ListFile]] = []
    for app, of_app in read.items():
        for name, outcome in (of_app.result or {}).items():
            if outcome.result is not None:
                contents.append((app, name, outcome.result))
    return contents, errors_in(read, apps)


def list_content(keyword_id: str, chat: Client) -> ListFile:
    """A list of the service as the content of a file."""
    keyword_list, quotes = read_list(chat, keyword_id)
    entries = keyword_input.list_entries(keyword_list, quotes=quotes)
    if entries is None:
        raise InvalidRequestError(HIDDEN, path_values={"keyword_id": keyword_id})
    return ListFile(entries=entries, category=text_of(keyword_list.category))


def read_each(
    lists: Sequence[str] | None, read: Callable[[str, Client], T], chat: Client
) -> dict[str, Outcome[T]]:
    """Read these lists, or those that were updated here, or that the rules of the latest
    reviewed messages name."""
    if not lists:
        named = (
            name
            for record in read_latest(chat).records
            for name in Reviewed.of(record).lists
            if "/" not in name
        )
        lists = list(dict.fromkeys([*find_journal().known_lists(chat.base_url), *named]))
    if not lists:
        raise InvalidRequestError(
            "no list of this app is known here: name the lists, which the dashboard shows"
        )
    return {keyword_id: attempt(partial(read, keyword_id, chat)) for keyword_id in lists}


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
