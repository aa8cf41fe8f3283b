"""Draws a session of the desk at a terminal, for its first page.

python -m tools.site.desk_picture

It runs the program against the simulator, answers its questions, and writes what a terminal shows
to docs/assets/desk-undo.svg. Run it again after a change of these outputs; a test compares both.
"""

import io
import os
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pexpect  # type: ignore[import-untyped]  # the type stubs are another package
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from cometchat_testing import Simulator

PICTURE = Path("docs/assets/desk-undo.svg")
#: The port of the simulator, as on the pages.
PORT = 8081
#: A change, and the command that the change prints to undo it.
COMMANDS = (
    "keywords add community-words phishing 'free crypto' --app shop",
    "keywords undo community-words --app shop",
)
_COLUMNS = 80
# The time of an update, and the time that the picture shows in its place.
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
_SHOWN_TIME = "2026-07-01 09:30"
# A line that the program erases: it moves the cursor up, and clears the line.
_PROGRESS = re.compile(r".*\n.*\x1b\[1A\x1b\[2K")
# rich's own format loads a font from another host, and has no description for a screen reader.
_FORMAT = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<desc>
A terminal. The command keywords add shows a plan with two green lines, asks, and prints the command
that undoes the change. That command shows the same two lines in red, asks, and takes them back.
</desc>
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px;
}}
.{unique_id}-title {{ font: bold 18px sans-serif; }}
{styles}
</style>
<defs>
{lines}
</defs>
{chrome}
<g class="{unique_id}-matrix" transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
{matrix}
</g>
</svg>
"""


def draw() -> str:
    """Run the commands, and return the picture."""
    console = Console(file=io.StringIO(), record=True, width=_COLUMNS)
    with Simulator(port=PORT) as simulator, TemporaryDirectory() as home:
        simulator.add_history(days=14)
        environment = _environment(Path(home), simulator)
        for command in COMMANDS:
            console.print(Text(f"$ cometchat-desk {command}", style="bold"))
            console.print(Text.from_ansi(_session(command, environment)))
    return console.export_svg(
        title="Terminal", theme=MONOKAI, code_format=_FORMAT, unique_id="desk"
    )


def _environment(home: Path, simulator: Simulator) -> dict[str, str]:
    """The variables of a user who has the app shop."""
    profiles = home / ".config" / "cometchat-desk" / "profiles.toml"
    profiles.parent.mkdir(parents=True)
    profiles.write_text(
        f'[apps.shop]\nbase_url = "{simulator.base_url}"\napi_key = "{simulator.api_key}"\n'
    )
    profiles.chmod(0o600)
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
    }


def _session(command: str, environment: dict[str, str]) -> str:
    """The output of a command at a terminal, after a yes to its question."""
    output, code = pexpect.run(
        f"{sys.executable} -m cometchat_desk {command}",
        events={r"\[y/N\] ": "y\n"},
        env=environment,
        dimensions=(50, _COLUMNS),
        encoding="utf-8",
        withexitstatus=True,
    )
    if code:
        raise SystemExit(f"{command} failed:\n{output}")
    output = _PROGRESS.sub("", output.replace("\r\n", "\n"))
    return _TIME.sub(_SHOWN_TIME, output)


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
