"""Words that users type as entries, although they name a file, an app or an option: nobody would
see that the file was not read, or that the app was not updated."""

import contextlib
import shlex
from collections.abc import Collection, Sequence
from pathlib import Path

import typer

from cometchat_desk.commands.command import AFTER_DASHES
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.settings.profiles import app_names
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.text import visible

_AFTER_DASHES = "for an entry with this text, write -- before it"
_IN_A_FILE = "for an entry with this text, write it to a file, and use --from FILE"


def check_words(words: Sequence[str], target: Target, context: typer.Context) -> None:
    """Refuse a word before `--` that is a file or the name of an app, and an option behind it."""
    options = {name for option in context.command.params for name in option.opts}
    _check_options(words, options)
    apps = app_names(target.config)
    for word in words[: max(0, len(words) - context.meta[AFTER_DASHES])]:
        if is_file(word):
            problem = f"{word} is a file: for its entries, write --from {shlex.quote(word)}"
            raise StopError(Code.USAGE, visible(f"{problem}; {_AFTER_DASHES}"))
        if word in apps:
            problem = _about_app(word, target.app or (), all_apps=context.params["all_apps"])
            raise StopError(Code.USAGE, visible(f"{problem}; {_AFTER_DASHES}"))


def _check_options(words: Sequence[str], options: Collection[str]) -> None:
    for word in words:
        if word.partition("=")[0] in options:
            problem = f"{word} is an option: write it before --; {_IN_A_FILE}"
            raise StopError(Code.USAGE, visible(problem))


def _about_app(word: str, apps: Sequence[str], *, all_apps: bool) -> str:
    """The problem with the name of an app among the entries."""
    if all_apps or word in apps:
        return f"{word} is an app that this command updates already"
    options = " ".join(f"--app {shlex.quote(app)}" for app in [*apps, word])
    return f"{word} is an app: to update it, write {options}"


def is_file(word: str) -> bool:
    """Whether a word is the path of an existing file."""
    with contextlib.suppress(OSError, ValueError):  # the word cannot be a path
        return Path(word).is_file()
    return False
