"""Exit codes, one for each kind of error, and the line on stderr that says what is wrong."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum

import cometchat_rest
from cometchat_desk.terminal.text import visible

from .failed_calls import advice_for, call_of, is_unknown_list, with_app
from .wording import in_user_words


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


#: The advice after an update with an unknown outcome.
UPDATE_UNKNOWN = (
    "The update may or may not have been made. Wait a minute, and look at the list with cometchat-desk keywords get "
    "before you try again."
)


# `check` finds the cause of these errors.
_CHECKED = (Code.REFUSED, Code.NETWORK, Code.CONTRACT)


class StopError(Exception):
    """A command cannot continue. The message is for the user, and the program has no bug."""

    def __init__(self, code: Code, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def code_for(error: BaseException) -> Code:
    """The exit code for an error."""
    if isinstance(error, StopError):
        return error.code
    if isinstance(error, KeyboardInterrupt):
        return Code.INTERRUPTED
    if isinstance(error, BrokenPipeError):
        return Code.PIPE
    if isinstance(error, cometchat_rest.CometChatError):
        if error.outcome_unknown:
            return Code.UNKNOWN
        return Code.NOT_FOUND if is_unknown_list(error) else _code_by_class(error)
    return Code.FILE


def _code_by_class(error: cometchat_rest.CometChatError) -> Code:
    # The first match counts: some classes are subclasses of others.
    codes: dict[type[cometchat_rest.CometChatError], Code] = {
        cometchat_rest.ConfigurationError: Code.SETTINGS,
        cometchat_rest.PlanRefusedError: Code.CONFLICT,
        cometchat_rest.InvalidRequestError: _code_by_cause(error),
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


def _code_by_cause(error: cometchat_rest.CometChatError) -> Code:
    """The exit code for an invalid request, which may come from a file or from a library that is not installed."""
    if isinstance(error.__cause__, OSError):
        return Code.FILE
    return Code.SETTINGS if isinstance(error.__cause__, ImportError) else Code.USAGE


def reason_for(error: BaseException, if_unknown: str = UPDATE_UNKNOWN) -> str:
    """The message for an error, in one line.

    Args:
        error: the error.
        if_unknown: the sentences to add if the outcome of a change is unknown.
    """
    if isinstance(error, OSError):
        place = "the output" if error.filename is None else error.filename
        return visible(f"{place}: {error.strerror or error}")
    notes = getattr(error, "__notes__", ())
    # With a note, the setting comes from a profile, where it has the name that the library uses.
    message = in_user_words(str(error), options=not (notes and isinstance(error, cometchat_rest.ConfigurationError)))
    sentences = [with_app(error, message) or "interrupted.", *(in_user_words(note, options=False) for note in notes)]
    if isinstance(error, cometchat_rest.CometChatError) and error.outcome_unknown:
        sentences.append(if_unknown)
    if (advice := advice_for(error)) is not None:
        sentences.append(advice)
    return visible(_joined(sentences))


def _joined(sentences: Sequence[str]) -> str:
    """Sentences in one line, with a full stop after each one that another sentence follows."""
    *first, last = sentences
    return " ".join([*(each if each.endswith((".", ".)", "?", "!")) else f"{each}." for each in first), last])


def print_error(reason: str) -> None:
    """Write a line to stderr; ignored if stderr is closed."""
    with contextlib.suppress(OSError):
        print(f"cometchat-desk: {reason}", file=sys.stderr, flush=True)


def write_note(text: str) -> None:
    """Write a remark to stderr, given without its period; ignored if stderr is closed."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        print(f"Note: {visible(text)}.", file=sys.stderr)


@contextlib.contextmanager
def warn_if_interrupted(warning: str = UPDATE_UNKNOWN) -> Iterator[None]:
    """Add a warning to the message for Ctrl-C: a change was in progress."""
    try:
        yield
    except KeyboardInterrupt as interruption:
        interruption.add_note(warning)
        raise


def run_command(work: Callable[[], Code | None], *, debug: bool = False) -> Code:
    """Run a command. If it fails, write one line to stderr.

    An error that is not listed here is a bug in this program, and is raised.

    Returns:
        The exit code.
    """
    try:
        code = work() or Code.DONE
        # If the disk is full, the error comes here at the latest.
        sys.stdout.flush()
    except (cometchat_rest.CometChatError, StopError, OSError, KeyboardInterrupt) as error:
        if debug and not isinstance(error, BrokenPipeError):
            _show_traceback(error)
        _discard_more_output()
        if isinstance(error, KeyboardInterrupt) and sys.stderr.isatty():
            print(file=sys.stderr)  # the terminal has shown ^C where the cursor was
        code = code_for(error)
        if code != Code.PIPE:
            print_error(_with_hint(error, reason_for(error), "with the same options"))
    return code


def print_app_error(
    app: str, error: BaseException, if_unknown: str = UPDATE_UNKNOWN, *, place: str | None = None
) -> None:
    """Write the error of one of several apps to stderr.

    Args:
        app: the name of the app; empty if it has none.
        error: the error.
        if_unknown: the sentences to add if the outcome of a change is unknown.
        place: the start of the line; `None` for the name of the app.
    """
    reason = reason_for(error, if_unknown)
    start = visible(app if place is None else place)
    if call_of(error) is None and start:
        # Some errors already begin with the name of the app, or of the list in `list in app`.
        name = start.partition(" in ")[0]
        reason = f"{start}: {reason.removeprefix(f'{name}: ')}"
    print_error(_with_hint(error, reason, f"--app {visible(app)}" if app else "with the same options"))


def _with_hint(error: BaseException, reason: str, options: str) -> str:
    """The reason, and for some errors the advice to run `check` with these options."""
    if isinstance(error, cometchat_rest.CometChatError) and code_for(error) in _CHECKED:
        return _joined([reason, f"To find the cause, run cometchat-desk check {options}."])
    return reason


def _show_traceback(error: BaseException) -> None:
    import traceback

    with contextlib.suppress(OSError):
        for part in traceback.format_exception(error):
            print(*map(visible, part.splitlines()), sep="\n", file=sys.stderr)


def _discard_more_output() -> None:
    """Discard the remaining output if it cannot be written. Otherwise Python would try again when the process ends."""
    try:
        sys.stdout.flush()
    except OSError:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, sys.stdout.fileno())
        os.close(sink)
