"""The errors of calls, each with the app that was called."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from cometchat_rest import ApiError, CometChatError, RevisionConflictError, TransportError, UnexpectedResponse

ErrorT = TypeVar("ErrorT", bound=Exception)


@dataclass(frozen=True, kw_only=True)
class FailedCall:
    """The app of a call that failed; its name may be empty."""

    app: str
    base_url: str


class CallError(CometChatError):
    """An error of the client, with the app of its call."""

    def __init__(self, error: CometChatError, call: FailedCall) -> None:
        super().__init__(error.reason, operation=error.operation, path_values=error.path_values)
        self.error = error
        self.call = call
        self.outcome_unknown = error.outcome_unknown
        self.attempts = error.attempts


def list_of(error: CometChatError) -> str | None:
    """The keyword list that an error is about."""
    name = error.path_values.get("keyword_id")
    return name if isinstance(name, str) else None


def with_call(error: ErrorT, call: FailedCall) -> ErrorT | CallError:
    """The error of a call with its app. Other errors stay as they are."""
    if isinstance(error, ApiError | TransportError | UnexpectedResponse | RevisionConflictError):
        return CallError(error, call)
    return error


@contextlib.contextmanager
def calls_of(call: FailedCall) -> Iterator[None]:
    """Add the app to each error of a call in this block."""
    try:
        yield
    except CometChatError as error:
        if (named := with_call(error, call)) is error:
            raise
        raise named from error
