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
    kind = category or content.category or settings.category_for(file) or "word"
    repaired, changes = cleaned(content.entries, kind, settings, is_text=content.is_text)
    entries = tuple(entry for _, entry in repaired)
    findings = lint.accept(lint.lint_entries(entries, category=kind, settings=settings), accept)
    _show_changes(file, content, changes)
    _show_findings(file, content, repaired, findings)
    say(_counts(changes, findings))
    # A file in another encoding is written as UTF-8.
    if changes or how.output or options.encoding:
        _write(target, evolve(content, entries=entries), kind, how)
    return _code(findings)


def _counts(changes: Sequence[Change], findings: Sequence[lint.Finding]) -> str:
    removed = sum(not change.after for change in changes)
    changed = many(len(changes) - removed, "entry", "entries")
    left_alone = {finding.entry for finding in findings}
    return f"{changed} changed, {removed:,} removed, {len(left_alone):,} left alone."


def _code(findings: Sequence[lint.Finding]) -> Code:
    is_damaged = any(finding.severity == "error" for finding in findings)
    return Code.NO if is_damaged else Code.DONE


def _write(target: Path, content: ListFile, category: str, how: FixOptions) -> None:
    if how.dry_run:
        return
    if not content.entries:
        raise StopError(Code.NO, f"{visible(str(target))} was not written: no entry is left")
    write_entries(target, content.to_input(category), yes=how.yes)


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


def _line(content: ListFile, index: int) -> int | None:
    """The line of an entry; a JSON file has none."""
    return content.lines[index] if content.lines else None


def _show_changes(file: Path, content: ListFile, changes: Sequence[Change]) -> None:
    for change in changes:
        done = "is removed"
        if change.after:
            done = f"becomes {', '.join(map(lint.shown, change.after))}"
        line = _line(content, change.index)
        place = visible(str(file)) if line is None else f"{visible(str(file))}:{line}"
        text = f"{place}: {lint.shown(change.before)} {done} ({', '.join(change.rules)})"
        print(fitted(text, stderr=False))


def _show_findings(
    file: Path,
    content: ListFile,
    kept: Sequence[tuple[int, str]],
    findings: Sequence[lint.Finding],
) -> None:
    """Show the findings in the entries that are kept, with the lines of their originals."""
    placed: list[lint.Finding] = []
    for finding in findings:
        original, _ = kept[finding.index]
        placed.append(evolve(finding, file=str(file), line=_line(content, original)))
    for text in lint.describe(placed):
        print(fitted(f"left alone: {visible(text)}", stderr=False))
