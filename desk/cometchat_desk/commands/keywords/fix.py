"""`cometchat-desk keywords lint --fix`: repair the file of a list, offline and without a key."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from attrs import evolve

from cometchat_desk import lint
from cometchat_desk.commands.command import DryRun, Yes, output_option
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.lint.cleaning import Change
from cometchat_desk.lint.cleaning import clean as cleaned
from cometchat_desk.lists import files
from cometchat_desk.terminal.text import fitted, say, visible
from cometchat_desk.wording import many

from .entry_input import FileOptions, read_file, write_entries


@dataclass(frozen=True, kw_only=True)
class FixOptions:
    """The options of `keywords lint` that repair files."""

    fix: Annotated[
        bool,
        typer.Option(
            "--fix", help="Repair certain damage: show each change, ask, and replace the file."
        ),
    ] = False
    output: Annotated[
        Path | None,
        output_option(
            "With --fix, the file to write in place of FILE: .txt, .csv, .json or .xlsx."
        ),
    ] = None
    dry_run: DryRun = False
    yes: Yes = False


def fix(
    file: Path, how: FixOptions, category: str | None, accept: Sequence[str], options: FileOptions
) -> Code:
    """Repair the file of a list, and name doubtful entries, which stay. The code is 1 if one of
    them is damaged."""
    target = how.output or file
    content = read_file(file, options)
    if not how.dry_run:
        _check_target(file, target, options)
    settings = lint.find_settings(file).with_category(category)
    kind = next(filter(None, (category, content.category, settings.category_for(file), "word")))
    repaired, changes = cleaned(content.entries, kind, settings, is_text=content.is_text)
    entries = tuple(entry for _, entry in repaired)
    doubtful = lint.accept(lint.lint_entries(entries, category=kind, settings=settings), accept)
    lines: Sequence[int | None] = content.lines or [None] * len(content.entries)
    _show(file, lines, [lines[index] for index, _ in repaired], changes, doubtful)
    if not how.dry_run and (changes or how.output is not None or options.encoding is not None):
        write_entries(target, evolve(content, entries=entries).to_input(kind), yes=how.yes)
    return Code.NO if any(one.severity == "error" for one in doubtful) else Code.DONE


def _check_target(file: Path, target: Path, options: FileOptions) -> None:
    # A workbook has formats and perhaps other sheets.
    is_column = target == file and (
        options.column is not None or file.suffix.lower() == files.WORKBOOK
    )
    if is_column or target.suffix.lower() not in files.WRITTEN:
        lost = f"{visible(str(target))} would lose all but this column; " if is_column else ""
        raise StopError(
            Code.USAGE, f"{lost}name the file to write with --output: {', '.join(files.WRITTEN)}"
        )


def _show(
    file: Path,
    lines: Sequence[int | None],
    kept: Sequence[int | None],
    changes: Sequence[Change],
    findings: Sequence[lint.Finding],
) -> None:
    """Show the changes, with the lines of all entries, and the findings in those that stay, with
    the kept lines."""
    for change in changes:
        done = (
            f"becomes {', '.join(map(lint.shown, change.after))}" if change.after else "is removed"
        )
        line = "" if lines[change.index] is None else f":{lines[change.index]}"
        text = f"{visible(str(file))}{line}: {lint.shown(change.before)} {done}"
        print(fitted(f"{text} ({', '.join(change.rules)})", stderr=False))
    for text in lint.describe(
        [evolve(one, file=str(file), line=kept[one.index]) for one in findings]
    ):
        print(fitted(f"left alone: {visible(text)}", stderr=False))
    removed, stay = sum(not change.after for change in changes), {one.entry for one in findings}
    changed = many(len(changes) - removed, "entry", "entries")
    say(f"{changed} changed, {removed:,} removed, {len(stay):,} left alone.")
