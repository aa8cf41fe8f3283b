"""The lists of an app that are known here: the service has no operation to list its keyword lists."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from cometchat_desk.failed_calls import CallError
from cometchat_desk.fleet import Outcome, attempt
from cometchat_desk.insight.latest import read_latest
from cometchat_desk.insight.reviewed import Reviewed
from cometchat_rest import Client, InvalidRequestError

from .update_options import find_journal
from .updates import Apps

T = TypeVar("T")


def read_each(lists: Sequence[str] | None, read: Callable[[str, Client], T], chat: Client) -> dict[str, Outcome[T]]:
    """Read these lists, or those that were updated here, or that the rules of the latest reviewed messages name."""
    if not lists:
        named = (name for record in read_latest(chat).records for name in Reviewed.of(record).lists if "/" not in name)
        lists = list(dict.fromkeys([*find_journal().known_lists(chat.base_url), *named]))
    if not lists:
        raise InvalidRequestError("no list of this app is known here: name the lists")
    return {keyword_id: attempt(partial(read, keyword_id, chat)) for keyword_id in lists}


def errors_in(read: Mapping[str, Outcome[dict[str, Outcome[T]]]], apps: Apps) -> list[CallError]:
    """The errors of apps and of their lists, each with its app."""
    errors: list[CallError] = []
    for app, outcome in read.items():
        of_app = [outcome.error, *(one.error for one in (outcome.result or {}).values())]
        errors += [CallError(error, app, apps.addresses.get(app, "")) for error in of_app if error is not None]
    return errors
