"""The messages of the command line: an error in one line, remarks, and the end of a command."""

from __future__ import annotations

import contextlib
import math
import os
import shlex
import sys
from collections.abc import Callable, Sequence

import cometchat_rest

from .exit_codes import Code, StopError, code_for, is_unknown_list
from .failed_calls import CallError, list_of
from .terminal.text import Command, say, visible, without_key
from .wording import OPTIONS, REQUESTS, many

# The advice after an update with an unknown outcome; `{}` stands for the command that shows the
# list.
_UPDATE_UNKNOWN = (
    "The update may or may not have been made. Wait a minute, and look at the list with"
    " cometchat-desk {} before you try again."
)
# `check` finds the cause of these errors.
_CHECKED = (Code.REFUSED, Code.NETWORK, Code.CONTRACT)


def reason_for(
    error: BaseException, if_unknown: str = _UPDATE_UNKNOWN, *, check: bool = False
) -> str:
    """The message for an error, which may end with the command that finds its cause."""
    if isinstance(error, OSError):
        return joined([_about_file(error)])
    cause = error.error if isinstance(error, CallError) else error
    if not isinstance(cause, cometchat_rest.CometChatError):
        return joined([str(error) or "interrupted.", *_notes(error)])
    app = ""
    sentences = [_about(list_of(cause), cause)]
    if isinstance(error, CallError):
        app = error.app
        sentences = [_of_call(error)]
    sentences += _notes(cause)
    if cause.outcome_unknown:
        sentences.append(if_unknown.format(_get_command(list_of(cause), app)))
    if isinstance(cause, cometchat_rest.ApiError):
        sentences += _advice(cause)
    if check and code_for(error) in _CHECKED:
        sentences += ["To find the cause, run cometchat-desk check with the same options."]
    return joined(sentences)


def _about_file(error: OSError) -> str:
    place = "the output" if error.filename is None else error.filename
    return f"{place}: {error.strerror or error}"


def _notes(error: BaseException) -> Sequence[str]:
    return getattr(error, "__notes__", ())


def _get_command(keyword_id: str | None, app: str) -> str:
    """The words of the command that shows a list of an app."""
    words = ["keywords", "get", keyword_id or "LIST"]
    return shlex.join([*words, "--app", app] if app else words)


def _of_call(error: CallError) -> str:
    cause = error.error
    keyword_id = list_of(error)
    app = app_place(error.app, error.base_url)
    if is_unknown_list(cause):
        return (
            f'There is no list "{keyword_id}" in {app}. Check its identifier and the app: keywords'
            " status shows the lists that are known here. Only the dashboard can create a list."
        )
    place = f"{keyword_id} in {app}" if keyword_id else app
    about = _about(place, cause)
    return f"{place}: {about}" if keyword_id and cause.argument else about


def _about(place: str | None, error: cometchat_rest.CometChatError) -> str:
    if error.argument is not None:
        option = OPTIONS.get(error.argument, error.argument)
        variable = "" if error.also_called is None else f" ({error.also_called})"
        return f"{option}{variable} {error.reason}"
    if error.operation is not None:
        fault = f"{REQUESTS.get(error.operation, error.operation)} failed: {error.reason}"
    else:
        # The text of an error about a file begins with its place.
        fault = str(error) if list_of(error) is None else error.reason
    return f"{place}: {fault}" if place else fault


def app_place(app: str, address: str | None) -> str:
    """An app: `shop (https://...)`; only its name if its settings are invalid, so its address is
    unknown."""
    if not address:
        return app
    return f"{app} ({address})" if app else f"the app at {address}"


def _advice(error: cometchat_rest.ApiError) -> list[str]:
    """The next step after an error of the service whose message does not say it."""
    is_bad = isinstance(error, cometchat_rest.BadRequestError)
    if is_bad and error.operation == "list_reviewed_messages":
        return ["The service may not allow so many records: try a smaller --limit, such as 1000."]
    if error.retry_after is not None:
        seconds = max(1, math.ceil(error.retry_after))
        return [f"Wait {many(seconds, 'second', 'seconds')}, then try again."]
    if isinstance(error, cometchat_rest.RateLimitError):
        return ["Wait 60 seconds, then try again."]
    return []


def joined(sentences: Sequence[str]) -> str:
    """Visible sentences, with a full stop after each one that another one follows; a command is
    a line by itself."""
    text = ""
    for number, sentence in enumerate(sentences, 1):
        if isinstance(sentence, Command):
            text += f"\n  {visible(sentence)}\n"
            continue
        text += " " if text and not text.endswith("\n") else ""
        is_ended = number == len(sentences) or sentence.endswith((".", ".)", "?", "!", ":"))
        text += visible(sentence) if is_ended else f"{visible(sentence)}."
    return without_key(text.rstrip("\n"))


def print_error(reason: str) -> None:
    """Write a line to stderr; ignored if stderr is closed."""
    say(f"cometchat-desk: {reason}")


def write_note(text: str, commands: Sequence[str] = ()) -> None:
    """Write a remark to stderr, given without its period, and commands; ignored if stderr is
    closed."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        say(joined([f"Note: {text}{':' if commands else '.'}", *commands]))


def run_command(work: Callable[[], Code | None], *, debug: bool = False) -> Code:
    """Run a command, and return its exit code. If it fails, write one line to stderr. A bug is
    raised."""
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
            print_error(reason_for(error, check=True))
    return code


def _show_traceback(error: BaseException) -> None:
    import traceback

    with contextlib.suppress(OSError):
        lines = without_key("".join(traceback.format_exception(error))).splitlines()
        print(*map(visible, lines), sep="\n", file=sys.stderr)


def _discard_more_output() -> None:
    """Discard the remaining output if it cannot be written. Otherwise Python would try again
    when the process ends."""
    try:
        sys.stdout.flush()
    except OSError:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, sys.stdout.fileno())
        os.close(sink)
