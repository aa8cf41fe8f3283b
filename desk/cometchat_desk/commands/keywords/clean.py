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
from cometchat_desk.terminal.text import fitted, say, visible
from cometchat_desk.wording import many

from .entry_input import Category, FileOptions, read_file


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
      cometchat-desk keywords clean list.xlsx --column Word --output words.txt
    """
    target = output or file
    content = read_file(file, options)
    is_column = target == file and options.column is not None
    if not dry_run and (is_column or target.suffix.lower() not in files.SUFFIXES):
        lost = f"{visible(str(file))} would lose its other columns; " if is_column else ""
        raise StopError(Code.USAGE, f"{lost}name the file to write with --output: {', '.join(files.SUFFIXES)}")
    settings = lint.find_settings(file).with_changes(category=category)
    kind = category or content.category or settings.category_for(file) or "word"
    entries, changes = cleaned(content.entries, kind, settings)
    _show_changes(file, content.places, changes)
    doubtful = lint.lint_entries(entries, category=kind, settings=settings)
    gone = {change.index for change in changes if not change.after}
    _show_doubtful(file, [line for index, (line, _) in enumerate(content.places) if index not in gone], doubtful)
    removed, stay = len(gone), len({finding.entry for finding in doubtful} - {None})
    say(f"{many(len(changes) - removed, 'entry', 'entries')} changed, {removed:,} removed, {stay:,} left alone.")
    if not dry_run and (changes or output is not None):
        prompts.confirm_replacement(target, yes=yes)
        title = lint.find_settings(target).title(content.title)
        files.write(target, evolve(content, entries=tuple(entries)).to_input(kind), title=title)
        say(f"Wrote {many(len(entries), 'entry', 'entries')} to {visible(str(target))}.")


def _show_changes(file: Path, places: Sequence[tuple[int, int]], changes: Iterable[Change]) -> None:
    for change in changes:
        done = f"becomes {lint.shown(change.after)}" if change.after else "is removed"
        line, rules = places[change.index][0], ", ".join(change.rules)
        text = f"{visible(str(file))}:{line}: {lint.shown(change.before)} {done} ({rules})"
        print(fitted(text, stderr=False))


def _show_doubtful(file: Path, lines: Sequence[int], findings: Iterable[lint.Finding]) -> None:
    indexed = [(finding, finding.index) for finding in findings if finding.index is not None]
    for text in lint.describe([evolve(finding, file=str(file), line=lines[index]) for finding, index in indexed]):
        print(fitted(f"left alone: {visible(text)}", stderr=False))
