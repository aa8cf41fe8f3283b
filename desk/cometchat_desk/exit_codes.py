"""Exit codes, one for each kind of error."""

from __future__ import annotations

from enum import IntEnum

import cometchat_rest

from .failed_calls import CallError


class Code(IntEnum):
    """The exit codes. They are part of the public interface: scripts rely on them."""

    DONE = 0
    NO = 1
    USAGE = 2
    SETTINGS = 3
    REFUSED = 4
    NOT_FOUND = 5
    CONFLICT = 6
    RATE_LIMIT = 7
    SERVICE = 8
    NETWORK = 9
    CONTRACT = 10
    FILE = 11
    UNKNOWN = 12
    INTERRUPTED = 130
    PIPE = 141


#: The meaning of each code, for people.
MEANINGS = {
    Code.DONE: "done",
    Code.NO: "the answer was not yes, or a check found something: lint, --exit-code, try --fail-above",
    Code.USAGE: "invalid argument or file content",
    Code.SETTINGS: "a setting, the API key, a profile or an extra is missing or invalid",
    Code.REFUSED: "the service refused the API key, or the key lacks permission (401, 403)",
    Code.NOT_FOUND: "the service has no such list, user or path (404)",
    Code.CONFLICT: "conflict: too many removals, a changed list or an unexpected result",
    Code.RATE_LIMIT: "too many requests (429)",
    Code.SERVICE: "the service failed, or refused the request for another reason",
    Code.NETWORK: "no complete response: host name, connection, TLS, proxy or timeout",
    Code.CONTRACT: "the response does not match the documentation of the service",
    Code.FILE: "a file or the output cannot be read or written",
    Code.UNKNOWN: "a change may or may not have been made: check before you try again",
    Code.INTERRUPTED: "interrupted by Ctrl-C; a change in progress may have been made",
    Code.PIPE: "the program that read the output has closed it",
}
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
# The codes of the service for an unknown list and an unknown path; their statuses are not documented. With an unknown
# path, the address is wrong, not the identifier of the list.
_NO_SUCH_LIST, _NO_SUCH_PATH = "ERR_KEYWORD_NOT_FOUND", "ERR_API_NOT_FOUND"


class StopError(Exception):
    """A command cannot continue. The message is for the user, and the program has no bug."""

    def __init__(self, code: Code, reason: str) -> None:
        super().__init__(reason)
        self.code = code


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
    return Code.SETTINGS if code is Code.USAGE and isinstance(error.__cause__, ImportError) else code


def is_unknown_list(error: BaseException) -> bool:
    """Whether the service says that a list does not exist: with its code, or with 404 and another error body."""
    if not isinstance(error, cometchat_rest.ApiError) or error.list_id is None:
        return False
    is_missing = isinstance(error, cometchat_rest.NotFoundError) and error.code != _NO_SUCH_PATH
    return error.code == _NO_SUCH_LIST or (is_missing and bool(error.code or error.message))
