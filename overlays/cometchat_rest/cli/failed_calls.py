"""Errors of calls: the app of each call, and the lists that a mistyped identifier may mean."""

from __future__ import annotations

import contextlib
import math
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cometchat_rest

#: The address of an app that CometChat hosts.
HOSTED = re.compile(r"https://(?P<app>[^./]+)\.api-(?P<region>[a-z]+)\.cometchat\.io/v3")

# The attribute of an error that holds its `FailedCall`.
_ATTRIBUTE = "_cometchat_rest_failed_call"
_LIST_OPERATIONS = ("get_keyword_list", "update_keyword_list")
# The service uses this code for an unknown path: the address is wrong, not the identifier of the list.
_NO_SUCH_PATH = "ERR_API_NOT_FOUND"
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

    def known_lists(self) -> Sequence[str]:
        """The lists in the journal with a similar name; without such a list, the latest ones."""
        # The message about the missing list is more important than a problem of the journal.
        with contextlib.suppress(cometchat_rest.CometChatError, ImportError, OSError):
            from difflib import get_close_matches

            from cometchat_rest.desk.journal import Journal

            known = Journal(self.journal_file, lock_timeout=_LOCK_TIMEOUT).known_lists(self.base_url)
            others = [each for each in known if each != self.list_id]
            return get_close_matches(self.list_id or "", others) or others[:_MOST_LISTS]
        return ()


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
    if call.list_id is None or not _is_unknown_list(error):
        return f"{call.place}: {message}"
    known = call.known_lists()
    next_step = (
        f"Used here before: {', '.join(known)}." if known else "Check its identifier, and that the app is right."
    )
    return f'No list "{call.list_id}" in {call.place}. {next_step}'


def _is_unknown_list(error: BaseException) -> bool:
    return (
        isinstance(error, cometchat_rest.NotFoundError)
        and error.operation in _LIST_OPERATIONS
        and error.code not in (None, _NO_SUCH_PATH)
    )


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
