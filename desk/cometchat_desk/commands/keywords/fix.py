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
from cometchat_desk.lists.files import ListFile
from cometchat_desk.terminal.text import fitted, say, visible
from cometchat_desk.wording import many

from .entry_input import FileOptions, read_file, write_entries

# The number of entries of a line that is split, which a text shows.
_SHOWN_PARTS = 20


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
    kind = content.category or settings.category_for(file) or "word"
    repaired_rules = settings.without(accept)
    kept, changes = cleaned(content.entries, kind, repaired_rules, is_text=content.is_text)
    repaired = _kept(content, kept)
    findings = lint.accept(lint.lint_file(repaired, str(file), settings=settings), accept)
    _show_changes(file, content.lines, changes)
    for text in lint.describe(findings):
        print(fitted(f"left alone: {visible(text)}", stderr=False))
    say(_counts(changes, findings))
    # A file in another encoding is written as UTF-8.
    if not how.dry_run and any((changes, how.output, options.encoding)):
        _write(target, repaired, kind, yes=how.yes)
    return Code.NO if "error" in [finding.severity for finding in findings] else Code.DONE


def _kept(content: ListFile, kept: Sequence[tuple[int, str]]) -> ListFile:
    """The repaired entries, with the lines of their originals."""
    lines = content.lines and [content.lines[index] for index, _ in kept]
    return evolve(content, entries=tuple(entry for _, entry in kept), lines=lines)


def _counts(changes: Sequence[Change], findings: Sequence[lint.Finding]) -> str:
    removed = sum(not change.after for change in changes)
    changed = many(len(changes) - removed, "entry", "entries")
    left_alone = len({finding.entry for finding in findings})
    return f"{changed} changed, {removed:,} removed, {left_alone:,} left alone."


def _show_changes(file: Path, lines: Sequence[int], changes: Sequence[Change]) -> None:
    for change in changes:
        done = "is removed"
        if change.after:
            parts = [*map(lint.shown, change.after[:_SHOWN_PARTS])]
            if len(change.after) > _SHOWN_PARTS:
                parts.append(f"... and {len(change.after) - _SHOWN_PARTS:,} more")
            done = f"becomes {', '.join(parts)}"
        place = _place(file, lines[change.index] if lines else None)
        text = f"{place}: {lint.shown(change.before)} {done} ({', '.join(change.rules)})"
        print(fitted(text, stderr=False))


def _place(file: Path, line: int | None) -> str:
    """A line of a file; a JSON file has none."""
    return visible(str(file) if line is None else f"{file}:{line}")


def _write(target: Path, content: ListFile, category: str, *, yes: bool) -> None:
    if not content.entries:
        problem = f"{visible(str(target))} was not written: no entry is left"
        raise StopError(Code.NO, f"{problem}; name a file that holds entries")
    write_entries(target, content.to_input(category), yes=yes)


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
