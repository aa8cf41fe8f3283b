"""The code blocks of the README and of the site."""

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]

# A block, with the optional reason before it for not running it.
BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^\n]+) -->\n\n)?"
    r'^```(?P<language>\w+)(?: title="(?P<file>[^"\n]+)")?\n(?P<code>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
FENCE = re.compile(r"^ *(?:```|~~~)", re.MULTILINE)


@frozen
class Block:
    """A block of code on a page: a program, a file, or the output of the program before it."""

    page: Path
    line: int
    language: str
    file: str | None
    code: str
    reason: str | None

    def __str__(self) -> str:
        return f"{named(self.page)}:{self.line}"

    @property
    def is_quoted(self) -> bool:
        """Whether the title names a file of the repository, which the block quotes."""
        return self.file is not None and (ROOT / self.file).is_file()

    @property
    def is_program(self) -> bool:
        """Whether the block is a program in Python that only the page has."""
        return self.language == "python" and not self.is_quoted


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for found in BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("language")) + 1
        yield Block(page, line, found["language"], found["file"], found["code"], found["reason"])
