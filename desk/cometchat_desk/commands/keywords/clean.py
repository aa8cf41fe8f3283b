"""`cometchat-desk keywords clean`: repair the file of a list, offline and without a key."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cometchat_desk.commands.command import Command, DryRun, Yes, format_examples
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.messages import run_command
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.wording import many

from .content import Category, group
from .entry_input import STDIN, Column, Delimiter, FileOptions, Header, Sheet, read_file

if TYPE_CHECKING:
    from cometchat_desk.lint import Finding
    from cometchat_desk.lint.cleaning import Change
    from cometchat_desk.lists.files import ListFile


@group.command(
    cls=Command,
    epilog=format_examples(
        [
            "cometchat-desk keywords clean words.txt --dry-run",
            "cometchat-desk keywords clean list.xlsx --column Word -o words.txt",
        ]
    ),
)
def clean(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file: .txt, .csv, .json or .xlsx.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The file to write: .txt, .csv or .json. Default: FILE."),
    ] = None,
    category: Category = None,
    header: Header = None,
    column: Column = None,
    delimiter: Delimiter = None,
    sheet: Sheet = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Repair a list: spaces, quotes, normal form, invisible characters, duplicates and the title.

    The command shows each change, and names doubtful entries, which it leaves alone. An existing file is replaced after
    a question, or with --yes.
    """
    options = FileOptions(header=header, column=column, delimiter=delimiter, sheet=sheet)
    raise typer.Exit(run_command(lambda: _clean(file, output, category, options, dry_run=dry_run, yes=yes)))


def _clean(
    file: Path, output: Path | None, category: str | None, options: FileOptions, *, dry_run: bool, yes: bool
) -> Code:
    from attrs import evolve

    from cometchat_desk import lint
    from cometchat_desk.lint import cleaning
    from cometchat_desk.lists import files

    target = output or file
    if file == STDIN or target.suffix.lower() not in files.SUFFIXES:
        raise StopError(Code.USAGE, f"name the file to write with --output: {', '.join(files.SUFFIXES)}")
    settings = lint.find_settings(file) or lint.LintSettings()
    content = read_file(file, options)
    kind = category or content.category or settings.category_for(file) or "word"
    entries, changes = cleaning.clean(content.entries, kind, settings)
    doubtful = [one for one in lint.lint_entries(entries, category=kind, settings=settings) if one.entry is not None]
    _show(file, content, changes, doubtful)
    if dry_run or (not changes and output is None):
        return Code.DONE
    if target.exists():
        prompts.confirm(f"Replace {visible(str(target))}?", yes=yes)
    files.write(target, evolve(content, entries=tuple(entries)).to_input(None if content.category else kind))
    say(f"Wrote {many(len(entries), 'entry', 'entries')} to {visible(str(target))}.")
    return Code.DONE


def _show(file: Path, content: "ListFile", changes: "Sequence[Change]", doubtful: "Sequence[Finding]") -> None:
    """Show each change with its line, and the findings in entries that stay as they are."""
    from cometchat_desk import lint

    for change in changes:
        line, _ = content.places[change.index]
        done = f"becomes {lint.shown(change.after)}" if change.after else "is removed"
        print(f"{visible(str(file))}:{line}: {lint.shown(change.before)} {done} ({', '.join(change.rules)})")
    for text in lint.describe(doubtful):
        print(f"left alone: {visible(text)}")
    removed, stay = sum(not change.after for change in changes), len({one.entry for one in doubtful})
    changed = many(len(changes) - removed, "entry", "entries")
    say(f"{changed} changed, {removed:,} removed, {stay:,} left alone.")
