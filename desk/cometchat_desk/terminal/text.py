"""Texts for a terminal: with escapes for control characters, so that it does not execute them,
and wrapped at words."""

import contextlib
import json
import os
import re
import shutil
import sys
import unicodedata

# Joiners connect letters of many scripts, and emoji. They do not change anything else on the
# terminal.
_HARMLESS = "\u200c\u200d"

#: An API key of the service.
LIKE_A_KEY = re.compile(r"\b[0-9a-fA-F]{40}\b")


def visible(text: str) -> str:
    """The text in one line: control characters, line breaks and changes of direction become
    escapes."""
    if text.isprintable():
        return text
    return "".join(json.dumps(part)[1:-1] if _controls_terminal(part) else part for part in text)


class Command(str):
    """A command for the user to copy. A terminal shows it on a separate line, and does not break
    this line."""

    __slots__ = ()


def say(text: str) -> None:
    """Write a message to stderr, which a terminal shows in lines that end at words; ignored if
    stderr is closed."""
    text = without_key(text)
    with contextlib.suppress(OSError):
        # In a file, a message is one line.
        shown = (
            fitted(text)
            if sys.stderr.isatty()
            else re.sub("(?<!:)\n+ *", "; ", text).replace("\n  ", " ")
        )
        print(shown, file=sys.stderr, flush=True)


def without_key(text: str) -> str:
    """The text without the key of the environment, or another one, which somebody may type in
    the wrong place."""
    text = LIKE_A_KEY.sub("[redacted]", text)
    key = os.environ.get("COMETCHAT_API_KEY", "").strip()
    # A shorter text is not a key, and occurs by chance.
    return text.replace(key, "[redacted]") if len(key) >= 16 else text


def fitted(text: str, *, stderr: bool = True) -> str:
    """The text in lines that fit into the terminal; unchanged if stderr (or else stdout) is a
    file or a pipe."""
    if not (sys.stderr if stderr else sys.stdout).isatty():
        return text
    from rich.console import Console
    from rich.text import Text

    target = Console(width=shutil.get_terminal_size().columns)
    # Two spaces begin the line of a command.
    lines = (
        [line]
        if line.startswith("  ")
        else [part.plain.rstrip() for part in Text(line).wrap(target, target.width)]
        for line in text.split("\n")
    )
    return "\n".join(part for parts in lines for part in parts)


def _controls_terminal(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cc", "Cs", "Zl", "Zp") or (category == "Cf" and character not in _HARMLESS)
