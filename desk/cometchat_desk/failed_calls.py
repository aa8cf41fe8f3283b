"""The errors of calls, each with the app that was called."""

import contextlib
from collections.abc import Iterator

from cometchat_rest import (
    ApiError,
    CometChatError,
    RevisionConflictError,
    TransportError,
    UnexpectedResponse,
)


class CallError(CometChatError):
    """An error of the client with its app, whose name or address may be empty, and with the list
    of an argument."""

    def __init__(
        self, error: CometChatError, app: str, base_url: str, keyword_id: str = ""
    ) -> None:
        about = error.path_values
        # The error of an app, such as no connection, may name another list of a command.
        is_of_list = "keyword_id" in about or error.argument not in (None, "keyword_id")
        if keyword_id and is_of_list:
            about = {"keyword_id": keyword_id}
        super().__init__(error.reason, operation=error.operation, path_values=about)
        self.error = error
        self.app = app
        self.base_url = base_url
        self.outcome_unknown = error.outcome_unknown


def list_of(error: CometChatError) -> str | None:
    """The keyword list that an error is about."""
    name = error.path_values.get("keyword_id")
    return name if isinstance(name, str) else None


@contextlib.contextmanager
def calls_of(app: str, base_url: str) -> Iterator[None]:
    """Add the app to each error of a call in this block. Other errors stay as they are."""
    try:
        yield
    except (ApiError, TransportError, UnexpectedResponse, RevisionConflictError) as error:
        raise CallError(error, app, base_url) from error
