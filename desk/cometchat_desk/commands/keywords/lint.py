"""`cometchat-desk keywords lint`: find damaged entries in files, offline and without a key."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer
from attrs import asdict

import cometchat_rest
from cometchat_desk import lint as linter
from cometchat_desk.commands.command import command
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.lists.files import SUFFIXES, check_found
from cometchat_desk.messages import print_error, reason_for
from cometchat_desk.terminal.output import as_json
from cometchat_desk.terminal.text import Command, fitted, say, visible
from cometchat_desk.wording import many

from .entry_input import STDIN, Category, FileOptions, check_exists, read_file
from .fix import FixOptions, fix

#: The format of the findings.
LintFormat: TypeAlias = Literal["text", "json"]


@command()
def lint(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE...",
            callback=check_exists,
            help="Files (.txt, .csv, .json, .xlsx), folders, or - for standard input.",
        ),
    ] = None,
    output_format: Annotated[
        LintFormat, typer.Option("--format", "-f", help="The format of the findings.")
    ] = "text",
    accept: Annotated[
        list[str] | None, typer.Option(metavar="RULE", help="Show findings of this rule as notes.")
    ] = None,
    category: Category = None,
    list_rules: Annotated[bool, typer.Option("--list-rules", help="List the rules.")] = False,
    *,
    how: FixOptions,
    options: FileOptions,
) -> Code:
    """Find damaged and unusual entries in files, and repair them, without a connection and without
    a key.

    The exit code is 1 if there is an error. Warnings and notes do not change it. --fix repairs
    spaces, quotes, normal form, invisible characters, duplicates, comments and the title; doubtful
    entries are named and stay. It splits no line at one comma, no cell of a table, and lines with
    several commas only if most lines have several.

    Examples:
      cometchat-desk keywords lint words.txt
      cometchat-desk keywords lint lists/
      cometchat-desk keywords lint words.csv --header --format json
      cometchat-desk keywords lint words.txt --fix
      cometchat-desk keywords lint list.xlsx --column Word --fix --output words.txt
    """
    if list_rules:
        _list_rules()
        return Code.DONE
    accepted = accept or ()
    # An invalid option is refused before any list is read.
    linter.accept((), accepted)
    linter.find_settings(Path()).with_category(category)
    if how != FixOptions() and not how.fix:
        raise StopError(Code.USAGE, "--output, --dry-run and --yes work only with --fix; add --fix")
    named = files or ()
    paths = _paths(named)
    if how.fix:
        if how.output is not None and len(paths) > 1:
            raise StopError(Code.USAGE, "--output: name one file to repair, not several")
        fix_file = partial(fix, how=how, category=category, accept=accepted, options=options)
        return max(_for_each(paths, named, fix_file))
    reader = partial(_findings_in, accept=accepted, category=category, options=options)
    return _lint(paths, named, reader, output_format)


def _for_each(
    paths: Sequence[Path], named: Sequence[Path], work: Callable[[Path], Code | None]
) -> list[Code]:
    """Do the same with each file, and return the exit codes. A file that fails stops no other
    file. Those that nobody has named were found in a folder."""
    codes: list[Code] = []
    for path in paths:
        try:
            if path not in named:
                check_found(path)
            codes.append(work(path) or Code.DONE)
        except (cometchat_rest.CometChatError, StopError) as error:
            print_error(reason_for(error))
            codes.append(code_for(error))
    return codes


def _list_rules() -> None:
    width = max(map(len, linter.RULES))
    for rule in linter.RULES.values():
        print(fitted(f"{rule.id:<{width}}  {rule.severity:<7}  {rule.summary}", stderr=False))


def _findings_in(
    file: Path, *, accept: Sequence[str], category: str | None, options: FileOptions
) -> Sequence[linter.Finding]:
    settings = linter.find_settings(file).with_category(category)
    name = "stdin.txt" if file == STDIN else str(file)
    findings = linter.lint_file(read_file(file, options), name, settings=settings)
    return linter.accept(findings, accept)


def _paths(files: Sequence[Path]) -> Sequence[Path]:
    """The files that are named, and those in the folders that are named, each once."""
    if not files:
        raise StopError(
            Code.USAGE,
            "name the files to lint; see:",
            Command("cometchat-desk keywords lint --help"),
        )
    return list(dict.fromkeys(path for file in files for path in _files(file)))


def _files(file: Path) -> Sequence[Path]:
    """The file itself; for a folder, its lists. A hidden file, or a file in a hidden folder, is
    not a list."""
    if not file.is_dir():
        return [file]
    paths = [
        path
        for path in sorted(file.rglob("*"))
        if "/." not in f"/{path.relative_to(file).as_posix()}"
    ]
    suffixed = [path for path in paths if path.suffix.lower() in SUFFIXES]
    if lists := [path for path in suffixed if path.is_file()]:
        return lists
    raise StopError(
        Code.USAGE, f"{visible(str(file))}: the folder holds no {', '.join(SUFFIXES)} files"
    )


def _lint(
    paths: Sequence[Path],
    named: Sequence[Path],
    findings_in: Callable[[Path], Sequence[linter.Finding]],
    output_format: LintFormat,
) -> Code:
    findings: list[linter.Finding] = []
    codes = _for_each(paths, named, lambda path: findings.extend(findings_in(path)))
    _show(findings, output_format)
    # A program may read stdout and stderr together: the summary must come last.
    sys.stdout.flush()
    count = Counter(str(finding.severity) for finding in findings)
    if output_format == "text" and Code.DONE in codes:
        errors = many(count["error"], "error", "errors")
        rest = many(count["warning"], "warning", "warnings")
        if count["note"]:
            rest += f" and {many(count['note'], 'note', 'notes')}"
        say(f"{errors} and {rest} in {many(codes.count(Code.DONE), 'file', 'files')}.")
    return max(*codes, Code.NO if count["error"] else Code.DONE)


def _show(findings: Sequence[linter.Finding], output_format: LintFormat) -> None:
    if output_format == "text":
        lines = linter.describe(findings)
        print(
            *(fitted(visible(line), stderr=False) for line in lines),
            sep="\n",
            end="\n" if lines else "",
        )
    else:
        print(as_json([asdict(finding) for finding in findings], indent=2))
