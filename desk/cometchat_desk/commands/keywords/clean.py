"""`cometchat-desk keywords clean`: repair the file of a list, offline and without a key."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from attrs import evolve

from cometchat_desk import lint
from cometchat_desk.commands.command import DryRun, Yes, command, output_option
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.lint.cleaning import Change
from cometchat_desk.lint.cleaning import clean as cleaned
from cometchat_desk.lists import files
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.wording import many

from .content import Category
from .entry_input import FileOptions, read_file


@command()
def clean(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file: .txt, .csv, .json, .xlsx, or -.")],
    output: Annotated[Path | None, output_option("The file to write: .txt, .csv or .json. Default: FILE.")] = None,
    category: Category = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    *,
    options: FileOptions,
) -> None:
    """Repair a list: spaces, quotes, normal form, invisible characters, duplicates and the title.

    The command shows each change, and names doubtful entries, which it leaves alone. An existing file is replaced after
    a question, or with --yes.

    Examples:
      cometchat-desk keywords clean words.txt --dry-run
      cometchat-desk keywords clean list.xlsx --column Word -o words.txt
    """
    target = output or file
    if target.suffix.lower() not in files.SUFFIXES:
        raise StopError(Code.USAGE, f"name the file to write with --output: {', '.join(files.SUFFIXES)}")
    settings = lint.find_settings(file) or lint.LintSettings()
    content = read_file(file, options)
    kind = category or content.category or settings.category_for(file) or "word"
    entries, changes = cleaned(content.entries, kind, settings)
    gone = {change.index for change in changes if not change.after}
    places = [place for index, place in enumerate(content.places) if index not in gone]
    doubtful = [
        evolve(finding, file=str(file), line=places[finding.index][0])
        for finding in lint.lint_entries(entries, category=kind, settings=settings)
        if finding.index is not None
    ]
    _show(str(file), changes, content.places, doubtful)
    stay = len({finding.entry for finding in doubtful})
    changed = many(len(changes) - len(gone), "entry", "entries")
    say(f"{changed} changed, {len(gone):,} removed, {stay:,} left alone.")
    if dry_run or (not changes and output is None):
        return
    prompts.confirm_replacement(target, yes=yes)
    files.write(target, evolve(content, entries=tuple(entries)).to_input(None if content.category else kind))
    say(f"Wrote {many(len(entries), 'entry', 'entries')} to {visible(str(target))}.")


def _show(
    file: str, changes: Iterable[Change], places: Sequence[tuple[int, int]], doubtful: Sequence[lint.Finding]
) -> None:
    """Show each change with its line, and the findings in entries that stay as they are."""
    for change in changes:
        done = f"becomes {lint.shown(change.after)}" if change.after else "is removed"
        line, rules = places[change.index][0], ", ".join(change.rules)
        print(f"{visible(file)}:{line}: {lint.shown(change.before)} {done} ({rules})")
    for text in lint.describe(doubtful):
        print(f"left alone: {visible(text)}")
