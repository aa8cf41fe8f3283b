"""How a command ends: an exit code for each kind of error, and one line that says what is wrong."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from enum import IntEnum

import cometchat_rest

from .escaping import visible


class Code(IntEnum):
    """The exit codes, which scripts may rely on."""

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


#: What each code means, for people.
MEANINGS = {
    Code.DONE: "done",
    Code.NO: "a question was answered with no, or plan --exit-code found changes",
    Code.USAGE: "an argument, or what a file holds, is not as it should be",
    Code.SETTINGS: "a setting, a key or a profile is missing or not as it should be",
    Code.REFUSED: "the service does not accept the key, or not for this (401, 403)",
    Code.NOT_FOUND: "the service has no such list, user or path (404)",
    Code.CONFLICT: "too much would be removed, the list has changed or is not as sent",
    Code.RATE_LIMIT: "too many calls (429)",
    Code.SERVICE: "the service failed, or refused for another reason",
    Code.NETWORK: "no whole answer arrived: name, connection, TLS, proxy, time",
    Code.CONTRACT: "the answer is not what the service documents",
    Code.FILE: "a file or the output cannot be read or written",
    Code.UNKNOWN: "a change may or may not have been carried out: look first",
    Code.INTERRUPTED: "interrupted by Ctrl-C; a change under way may have been made",
    Code.PIPE: "whoever read the output has gone",
}


#: What to do about a change that may or may not have been carried out.
LOOK = ": look before you do it again."


class StopError(Exception):
    """A command cannot go on, for a reason that is no fault of its own."""

    def __init__(self, code: Code, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def code_for(error: BaseException) -> Code:
    """The exit code for an error that a command may end with."""
    if isinstance(error, StopError):
        return error.code
    if isinstance(error, KeyboardInterrupt):
        return Code.INTERRUPTED
    if isinstance(error, BrokenPipeError):
        return Code.PIPE
    if isinstance(error, cometchat_rest.CometChatError):
        return Code.UNKNOWN if error.outcome_unknown else _code_by_class(error)
    return Code.FILE


def _code_by_class(error: cometchat_rest.CometChatError) -> Code:
    # The first that fits: some are kinds of others.
    codes: dict[type[cometchat_rest.CometChatError], Code] = {
        cometchat_rest.ConfigurationError: Code.SETTINGS,
        cometchat_rest.PlanRefusedError: Code.CONFLICT,
        cometchat_rest.InvalidRequestError: Code.FILE if isinstance(error.__cause__, OSError) else Code.USAGE,
        cometchat_rest.RevisionConflictError: Code.CONFLICT,
        cometchat_rest.ConflictError: Code.CONFLICT,
        cometchat_rest.AuthenticationError: Code.REFUSED,
        cometchat_rest.PermissionDeniedError: Code.REFUSED,
        cometchat_rest.NotFoundError: Code.NOT_FOUND,
        cometchat_rest.RateLimitError: Code.RATE_LIMIT,
        cometchat_rest.TransportError: Code.NETWORK,
        cometchat_rest.UnexpectedResponse: Code.CONTRACT,
    }
    return next((code for kind, code in codes.items() if isinstance(error, kind)), Code.SERVICE)


def reason_for(error: BaseException, then: str = LOOK) -> str:
    """What is wrong, in one line, and what to do `then` if a change may or may not have been carried out."""
    if isinstance(error, OSError):
        place = "the output" if error.filename is None else error.filename
        return visible(f"{place}: {error.strerror or error}")
    notes = getattr(error, "__notes__", ())
    text = visible(" ".join([str(error) or "interrupted.", *notes]))
    if isinstance(error, cometchat_rest.CometChatError) and error.outcome_unknown:
        text += f" {_unsettled('It', then)}"
    return text


def _unsettled(what: str, then: str) -> str:
    return f"{what} may or may not have been carried out{then}"


def print_error(reason: str) -> None:
    """Say what is wrong on stderr, if anybody can still read it."""
    with contextlib.suppress(OSError):
        print(f"cometchat-rest: {reason}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def warn_if_interrupted(what: str, then: str = LOOK) -> Iterator[None]:
    """Have Ctrl-C say that a change was under way, and what to do `then`."""
    try:
        yield
    except KeyboardInterrupt as interruption:
        interruption.add_note(_unsettled(what, then))
        raise


def run_command(work: Callable[[], Code | None], *, debug: bool = False) -> Code:
    """Do the work and tell how it ended, with a line on stderr unless it ended well.

    An error that is not listed here is a fault of this program, and is raised.
    """
    try:
        code = work() or Code.DONE
        # Output that does not fit on a disk shows only now.
        sys.stdout.flush()
    except (cometchat_rest.CometChatError, StopError, OSError, KeyboardInterrupt) as error:
        if debug and not isinstance(error, BrokenPipeError):
            _show_traceback(error)
        _let_go_of_stdout()
        if isinstance(error, KeyboardInterrupt) and sys.stderr.isatty():
            print(file=sys.stderr)  # the terminal has shown ^C where the cursor was
        code = code_for(error)
        if code != Code.PIPE:
            print_error(reason_for(error))
    return code


def _show_traceback(error: BaseException) -> None:
    import traceback

    with contextlib.suppress(OSError):
        for part in traceback.format_exception(error):
            print(*map(visible, part.splitlines()), sep="\n", file=sys.stderr)


def _let_go_of_stdout() -> None:
    """If no more output can be written, have the rest of it go nowhere: the end of the process would try again."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
