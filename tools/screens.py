"""Draws docs/screens/: runs of the command line with the simulator, as a terminal shows them."""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from html import unescape
from pathlib import Path

import pyte
from attrs import frozen
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.cells import cell_len
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from cometchat_rest import ReviewSummary
from cometchat_rest.testing import Simulator
from tools.terminal import Terminal, screen_of

SCREENS = Path(__file__).parents[1] / "docs" / "screens"

# A page loads nothing from another host, fonts included. The window is not clipped: rich's rectangle for it is so low
# that it cuts underscores in the last line.
_FORMAT = (
    re.sub(r"@font-face \{\{.*?\}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    .replace("Fira Code, ", "")
    .replace(' clip-path="url(#{unique_id}-clip-terminal)"', "")
)

# A piece of text in the drawing, and the width rich gives it.
_PIECE = re.compile(r'(<text [^>]*textLength=")[\d.]+("[^>]*>)([^<]*)(?=</text>)')
_COLUMN_WIDTH = 12.2

# These texts differ between machines and between runs.
_STABLE = (
    (r"(?<=127\.0\.0\.1:)\d+|(?<=port )\d{4,5}", "8080"),
    (r"cometchat-rest \d[^,]*, Python \d[^,]*, OpenSSL \S+", "cometchat-rest 1.0.0, Python 3.13.1, OpenSSL 3.5.0"),
    (r"[\d,]+ of 20,000", "19,998 of 20,000"),
    (r"\d\d:\d\d:\d\d(?= UTC)", "17:06:00"),
)


@frozen
class Step:
    """A command as a user types it, the replies to its questions, and the text before Ctrl-C is pressed."""

    typed: str
    replies: Sequence[tuple[str, str]] = ()
    interrupt_after: str = ""


@frozen
class Scene:
    """One or more commands on one screen."""

    name: str
    title: str
    steps: Sequence[Step]
    columns: int = 80
    env: Mapping[str, str] = {}


def scenes(simulator: Simulator) -> Iterable[Scene]:
    """Yield the scenes; each scene uses the simulator in the state that the previous scene left."""
    token = simulator.auth_tokens["alice"][0]
    yes = ("[y/N] ", "y")
    apply = Step("cometchat-rest keywords apply profanity-list words.txt", [yes])
    yield Scene(
        "apply",
        "From a list to a file, and back",
        [
            Step("cometchat-rest keywords dump profanity-list words.txt"),
            Step("printf 'phishing\\nget rich quick\\n' >> words.txt"),
            apply,
        ],
        columns=84,
    )
    yield Scene("plan-narrow", "A plan", [Step("cometchat-rest keywords plan scam-patterns patterns.txt")], columns=40)
    yield Scene("reviewed", "Reviewed messages", [Step("cometchat-rest reviewed list --limit 6")])
    yield Scene("reviewed-narrow", "Reviewed messages", [Step("cometchat-rest reviewed list --limit 2")], columns=40)
    newest = ReviewSummary.of(simulator.reviewed_messages[0]).message_id or ""
    watch = Step("cometchat-rest reviewed watch --limit 6", interrupt_after=newest)
    yield Scene("watch", "A watch, after Ctrl-C", [watch])
    yield Scene(
        "revoke", "A leaked token", [Step("cometchat-rest auth-tokens revoke alice", [("shown): ", token), yes])]
    )
    yield Scene("check", "All is well", [Step("cometchat-rest check")])
    yield Scene(
        "check-wrong", "Something is wrong", [Step("cometchat-rest check")], env={"COMETCHAT_API_KEY": "0" * 40}
    )
    yield Scene("help", "Help", [Step("cometchat-rest keywords apply --help")])


def drawn(scene: Scene, simulator: Simulator, folder: Path) -> str:
    """Draw a scene as SVG."""
    env = {"COMETCHAT_BASE_URL": simulator.base_url, "COMETCHAT_API_KEY": simulator.api_key, "HOME": str(folder)}
    output = "".join(_run(step, scene, {**env, **scene.env}, folder) for step in scene.steps)
    for pattern, text in _STABLE:
        output = re.sub(pattern, text, output)
    # Without trailing spaces: a replacement could make a padded line too long.
    screen = screen_of(re.sub(r" +(?=\r?\n)", "", output), scene.columns, lines=80)
    console = Console(
        record=True, file=io.StringIO(), width=scene.columns, force_terminal=True, color_system="truecolor", emoji=False
    )
    console.print(_text(screen), end="")
    svg = console.export_svg(title=scene.title, theme=MONOKAI, code_format=_FORMAT, unique_id=f"screen-{scene.name}")
    return re.sub(r"[ \t]+$", "", _PIECE.sub(_with_true_width, svg), flags=re.MULTILINE)


def _with_true_width(piece: re.Match[str]) -> str:
    """Set the width to the number of columns: rich counts a combining character as a column, and the end is cut off."""
    start, end, text = piece.groups()
    return f"{start}{_COLUMN_WIDTH * cell_len(unescape(text)):g}{end}{text}"


def _run(step: Step, scene: Scene, env: Mapping[str, str], folder: Path) -> str:
    prompt = f"\x1b[1m$ {step.typed}\x1b[0m\r\n"
    if step.typed.startswith("printf"):
        with (folder / "words.txt").open("a", encoding="utf-8") as words:
            words.write("phishing\nget rich quick\n")
        return prompt
    with Terminal(step.typed.split()[1:], env, columns=scene.columns, folder=folder) as terminal:
        for question, reply in step.replies:
            terminal.see(question)
            terminal.answer(reply)
        if step.interrupt_after:
            terminal.see(step.interrupt_after)
            terminal.interrupt()
        terminal.end()
        # After a live table, the terminal shows the first screen again.
        return prompt + terminal.output.rpartition("\x1b[?1049l")[2]


def _text(screen: pyte.Screen) -> Text:
    """The content of a screen with its colours, without empty lines at the end."""
    last = max(row for row, line in enumerate(screen.display) if line.strip())
    return Text("\n").join(_line(screen, row) for row in range(last + 1))


def _line(screen: pyte.Screen, row: int) -> Text:
    line = Text()
    for column in range(screen.columns):
        cell = screen.buffer[row][column]
        colour = {"default": "", "brown": "yellow"}.get(cell.fg, cell.fg)
        line.append(cell.data, style=f"{'bold ' if cell.bold else ''}{colour}".strip() or None)
    line.rstrip()
    return line


def draw(into: Path) -> None:
    """Draw all screens into a folder."""
    into.mkdir(parents=True, exist_ok=True)
    with Simulator() as simulator, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "patterns.txt").write_text("\\bfr[e3]{2}\\s+coins\\b\nclick here.*\nfree (coins\n", "utf-8")
        for scene in scenes(simulator):
            (into / f"{scene.name}.svg").write_text(drawn(scene, simulator, folder), "utf-8")


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else SCREENS)
