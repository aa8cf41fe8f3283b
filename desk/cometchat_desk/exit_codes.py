"""Exit codes, one for each kind of error."""

from enum import IntEnum
from typing import Self

import cometchat_rest

from .failed_calls import CallError, list_of


class Code(IntEnum):
    """The exit codes, each with its meaning. They are part of the public interface: scripts rely
    on them."""

    meaning: str

    def __new__(cls, value: int, meaning: str) -> Self:
        """Make a code that is a number, and has its meaning for people."""
        code = int.__new__(cls, value)
        code._value_ = value
        code.meaning = meaning
        return code

    DONE = 0, "done"
    NO = 1, "you answered no, or lint, status --exit-code or try --fail-above found something"
    USAGE = 2, "invalid argument or file content"
    SETTINGS = 3, "a setting, the API key, a profile or an extra is missing or invalid"
    REFUSED = 4, "the service refused the API key, or the key lacks permission (401, 403)"
    NOT_FOUND = 5, "the service has no such list, user or path (404)"
    CONFLICT = 6, "conflict: too many removals, a changed list or an unexpected result"
    RATE_LIMIT = 7, "too many requests (429)"
    SERVICE = 8, "the service failed, or refused the request for another reason"
    NETWORK = 9, "no complete response: host name, connection, TLS, proxy or timeout"
    CONTRACT = 10, "the response does not match the documentation of the service"
    FILE = 11, "a file or the output cannot be read or written"
    UNKNOWN = 12, "a change may or may not have been made: check before you try again"
    INTERRUPTED = 130, "interrupted by Ctrl-C; a change in progress may have been made"
    PIPE = 141, "the program that read the output has closed it"


# The first match counts: some classes are subclasses of others.
_BY_CLASS: dict[type[cometchat_rest.CometChatError], Code] = {
    cometchat_rest.ConfigurationError: Code.SETTINGS,
    cometchat_rest.PlanRefusedError: Code.CONFLICT,
    cometchat_rest.InvalidRequestError: Code.USAGE,
    cometchat_rest.RevisionConflictError: Code.CONFLICT,
    cometchat_rest.ConflictError: Code.CONFLICT,
    cometchat_rest.AuthenticationError: Code.REFUSED,
    cometchat_rest.PermissionDeniedError: Code.REFUSED,
    cometchat_rest.NotFoundError: Code.NOT_FOUND,
    cometchat_rest.RateLimitError: Code.RATE_LIMIT,
    cometchat_rest.TransportError: Code.NETWORK,
    cometchat_rest.UnexpectedResponse: Code.CONTRACT,
}
# The codes of the service for an unknown list and an unknown path; their statuses are not
# documented. With an unknown path, the address is wrong, not the identifier of the list.
_NO_SUCH_LIST = "ERR_KEYWORD_NOT_FOUND"
_NO_SUCH_PATH = "ERR_API_NOT_FOUND"


class StopError(Exception):
    """A command cannot continue. The message is for the user, and the program has no bug."""

    def __init__(self, code: Code, reason: str, *notes: str) -> None:
        super().__init__(reason)
        self.code = code
        self.__notes__ = [*notes]


def code_for(error: BaseException) -> Code:
    """The exit code for an error."""
    if isinstance(error, CallError):
        error = error.error
    if isinstance(error, cometchat_rest.CometChatError):
        return _code_of_call(error)
    if isinstance(error, StopError):
        return error.code
    if isinstance(error, KeyboardInterrupt):
        return Code.INTERRUPTED
    return Code.PIPE if isinstance(error, BrokenPipeError) else Code.FILE


def _code_of_call(error: cometchat_rest.CometChatError) -> Code:
    if error.outcome_unknown:
        return Code.UNKNOWN
    if is_unknown_list(error):
        return Code.NOT_FOUND
    code = next((code for kind, code in _BY_CLASS.items() if isinstance(error, kind)), Code.SERVICE)
    if code is Code.USAGE and isinstance(error.__cause__, OSError):
        return Code.FILE
    # A library is not installed.
    return (
        Code.SETTINGS if code is Code.USAGE and isinstance(error.__cause__, ImportError) else code
    )


def is_unknown_list(error: BaseException) -> bool:
    """Whether the service says that a list does not exist: with its code, or with 404 and
    another error body."""
    if not isinstance(error, cometchat_rest.ApiError) or list_of(error) is None:
        return False
    is_missing = isinstance(error, cometchat_rest.NotFoundError) and error.code != _NO_SUCH_PATH
    return error.code == _NO_SUCH_LIST or (is_missing and bool(error.code or error.message))
