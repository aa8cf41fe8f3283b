"""Errors of calls: the app of each call, and the lists that a mistyped identifier may mean."""

from __future__ import annotations

import contextlib
import math
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cometchat_rest

#: The address of an app that CometChat hosts.
HOSTED = re.compile(r"https://(?P<app>[^./]+)\.api-(?P<region>[a-z]+)\.cometchat\.io/v3")

# The attribute of an error that holds its `FailedCall`.
_ATTRIBUTE = "_cometchat_rest_failed_call"
_LIST_OPERATIONS = ("get_keyword_list", "update_keyword_list")
# The codes of the service for an unknown list and an unknown path; their statuses are not documented. With an unknown
# path, the address is wrong, not the identifier of the list.
_NO_SUCH_LIST, _NO_SUCH_PATH = "ERR_KEYWORD_NOT_FOUND", "ERR_API_NOT_FOUND"
_LIST_RECORDS = "list_reviewed_messages"
# Seconds to wait for a journal that another program has locked. The journal only improves the message.
_LOCK_TIMEOUT = 0.5
_MOST_LISTS = 5


# Not an attrs class: loading attrs takes longer than showing the help.
@dataclass(frozen=True, kw_only=True)
class FailedCall:
    """The app of a call that failed.

    Attributes:
        app: the name of the app; empty if it has none.
        base_url: the address of the app.
        list_id: the keyword list of the call; `None` if it was about something else.
        journal_file: the journal with the lists that were used before; `None` for the default journal.
    """

    app: str
    base_url: str
    list_id: str | None = None
    journal_file: Path | None = None

    @property
    def place(self) -> str:
        """The app, for a message."""
        return short_place(self.app, self.base_url)

    def next_step(self) -> str:
        """A sentence about lists and apps in the journal that the user may mean."""
        # The message about the missing list is more important than a problem of the journal.
        with contextlib.suppress(cometchat_rest.CometChatError, ImportError, OSError):
            from difflib import get_close_matches

            from .journal import Journal

            journal = Journal(self.journal_file, lock_timeout=_LOCK_TIMEOUT)
            wanted = self.list_id or ""
            if places := {each.app or each.base_url: None for each in journal.history(wanted)}:
                others = ", ".join(each for each in places if each not in (self.app, self.base_url))
                if others:
                    return f"The list was used in: {others}. Check that the app is right."
            names = {each.casefold(): each for each in journal.known_lists(self.base_url) if each != wanted}
            near = [names[each] for each in get_close_matches(wanted.casefold(), names)]
            if known := near or [*names.values()][:_MOST_LISTS]:
                return f"Lists that were used here: {', '.join(known)}."
        return "Check its identifier, and that the app is right."


def short_place(app: str, base_url: str) -> str:
    """An app for a message: `shop (eu)`."""
    hosted = HOSTED.fullmatch(base_url)
    if app:
        return f"{app} ({hosted['region'] if hosted else base_url})"
    return f"app {hosted['app']} ({hosted['region']})" if hosted else f"the app at {base_url}"


def add_call(error: BaseException | None, call: FailedCall) -> None:
    """Add its app to the error of a call. Other errors stay as they are."""
    kinds = (
        cometchat_rest.ApiError,
        cometchat_rest.TransportError,
        cometchat_rest.UnexpectedResponse,
        cometchat_rest.RevisionConflictError,
    )
    if isinstance(error, kinds):
        vars(error).setdefault(_ATTRIBUTE, call)


def call_of(error: BaseException) -> FailedCall | None:
    """The call that `add_call` added to an error."""
    call = vars(error).get(_ATTRIBUTE)
    return call if isinstance(call, FailedCall) else None


@contextlib.contextmanager
def calls_of(call: FailedCall) -> Iterator[None]:
    """Add the app to each error of a call in this block."""
    try:
        yield
    except cometchat_rest.CometChatError as error:
        add_call(error, call)
        raise


def with_app(error: BaseException, message: str) -> str:
    """The message of an error, with the app of its call; for an unknown list, with similar lists."""
    call = call_of(error)
    if call is None:
        return message
    if call.list_id is None or not is_unknown_list(error):
        return f"{call.place}: {message}"
    return f'There is no list "{call.list_id}" in {call.place}. {call.next_step()}'


def is_unknown_list(error: BaseException) -> bool:
    """Whether the service says that a list does not exist: with its code, or with 404 and another error body."""
    if not isinstance(error, cometchat_rest.ApiError) or error.operation not in _LIST_OPERATIONS:
        return False
    is_missing = isinstance(error, cometchat_rest.NotFoundError) and error.code != _NO_SUCH_PATH
    return error.code == _NO_SUCH_LIST or (is_missing and bool(error.code or error.message))


def advice_for(error: BaseException) -> str | None:
    """The next step after an error of the service whose message does not say it."""
    if isinstance(error, cometchat_rest.BadRequestError) and error.operation == _LIST_RECORDS:
        return "The service may not allow so many records: try a smaller --limit, such as 1000."
    return time_to_wait(error)


def time_to_wait(error: BaseException) -> str | None:
    """A sentence with the seconds to wait before the next call; `None` if there is no need to wait."""
    if not isinstance(error, cometchat_rest.ApiError):
        return None
    seconds = error.retry_after
    is_limit = isinstance(error, cometchat_rest.RateLimitError)
    if seconds is None and is_limit and error.rate_limit.reset is not None:
        seconds = max(0.0, error.rate_limit.reset - time.time())
    if seconds is None:
        return "Wait 60 seconds, then try again." if is_limit else None
    whole = max(1, math.ceil(seconds))
    return f"Wait {whole:,} {'second' if whole == 1 else 'seconds'}, then try again."
