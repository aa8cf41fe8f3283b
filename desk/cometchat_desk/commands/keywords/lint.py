"""`cometchat-desk keywords lint`: find damaged entries in files, offline and without a key."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import cometchat_rest
from cometchat_desk.commands.command import Command, format_examples
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.messages import print_error, reason_for, run_command
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.wording import many

from .content import group
from .entry_input import STDIN, Header, InputFormat, StdinFormat, stdin_bytes

if TYPE_CHECKING:
    from cometchat_desk.lint import Finding, LintSettings

# Nobody reads more lines, and each rule in each file can have some.
_MOST_LINES = 500
_EXAMPLES = [
    "cometchat-desk keywords lint words.txt",
    "cometchat-desk keywords lint lists/ --language en --language de",
    "cometchat-desk keywords lint words.csv --header --format github",
    "cometchat-desk keywords lint --explain mis-decoded",
]


class LintFormat(StrEnum):
    """The format of the findings."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


@group.command(cls=Command, epilog=format_examples(_EXAMPLES))
def lint(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE...", help="Files (.txt, .csv, .json), folders, or - for standard input."),
    ] = None,
    output_format: Annotated[LintFormat, typer.Option("--format", "-f", help="The format of the findings.")] = (
        LintFormat.TEXT
    ),
    accept: Annotated[
        list[str] | None, typer.Option(metavar="RULE", help="Show errors of this rule as warnings.")
    ] = None,
    category: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="word, pattern or sentence-similarity, for text and CSV files. Default: from the settings, else word.",
        ),
    ] = None,
    header: Header = None,
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="CODE", help="A language of your users, for everyday words. Default: en."),
    ] = None,
    rules: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The settings. Default: cometchat-lint.toml beside the file or above it."),
    ] = None,
    input_format: StdinFormat = InputFormat.TXT,
    all_findings: Annotated[
        bool, typer.Option("--all", help="Show all findings, not only 20 of each rule in a file.")
    ] = False,
    list_rules: Annotated[bool, typer.Option("--list-rules", help="List the rules.")] = False,
    explain: Annotated[str | None, typer.Option(metavar="RULE", help="Explain a rule.")] = None,
) -> None:
    """Find damaged and unusual entries in files, without a connection and without a key.

    The exit code is 1 if there is an error. Warnings and notes do not change it.
    """

    def work() -> Code:
        if list_rules:
            return _list_rules()
        if explain is not None:
            return _explain(explain)
        from cometchat_desk.lint import LintSettings, find_settings, lint_bytes, lint_file, read_settings
        from cometchat_desk.lint import accept as accept_rules

        given = None if rules is None else read_settings(rules)

        def settings_for(path: Path) -> LintSettings:
            settings = given or find_settings(path) or LintSettings()
            return settings.with_changes(languages=language or (), category=category, header=header)

        def findings_in(name: str) -> "Sequence[Finding]":
            if name == str(STDIN):
                return lint_bytes(stdin_bytes(), f"stdin.{input_format}", settings=settings_for(Path()))
            return lint_file(Path(name), settings=settings_for(Path(name)))

        # An invalid option is refused before any list is read.
        accept_rules((), accept or ())
        settings_for(Path())
        if not files:
            raise StopError(Code.USAGE, "name the files to lint; see cometchat-desk keywords lint --help")
        names = list(dict.fromkeys(name for given_name in files for name in _files(given_name, settings_for)))
        return _lint(names, lambda name: accept_rules(findings_in(name), accept or ()), output_format, all_findings)

    raise typer.Exit(run_command(work))


def _files(name: str, settings_for: "Callable[[Path], LintSettings]") -> Sequence[str]:
    """The name of a file; for a folder, the names of its files."""
    from cometchat_desk.lists.files import SUFFIXES

    folder = Path(name)
    if name == str(STDIN) or not folder.is_dir():
        return [name]
    settings = settings_for(folder)
    # A hidden file, or a file in a hidden folder, is not a list.
    paths = (path for path in sorted(folder.rglob("*")) if "/." not in f"/{path.relative_to(folder).as_posix()}")
    lists = [str(path) for path in paths if path.suffix.lower() in SUFFIXES and path.is_file()]
    lists = [path for path in lists if not settings.excludes(Path(path))]
    if not lists:
        raise StopError(Code.USAGE, f"{name}: the folder holds no {', '.join(SUFFIXES)} files")
    return lists


def _lint(
    names: Sequence[str],
    findings_in: "Callable[[str], Sequence[Finding]]",
    output_format: LintFormat,
    all_findings: bool,
) -> Code:
    findings: list[Finding] = []
    codes = [Code.DONE]
    with ProgressNote("Linting", total=len(names)) as note:
        for name in names:
            try:
                findings += findings_in(name)
            except cometchat_rest.CometChatError as error:
                print_error(reason_for(error))
                codes.append(code_for(error))
            note.advance()
    _show(findings, output_format, all_findings=all_findings)
    # A program may read stdout and stderr together: the summary must come last.
    sys.stdout.flush()
    count = Counter(str(finding.severity) for finding in findings)
    if output_format is LintFormat.TEXT and len(codes) <= len(names):
        numbers = f"{many(count['error'], 'error', 'errors')}, {many(count['warning'], 'warning', 'warnings')} and "
        notes = many(count["note"], "note", "notes")
        say(f"{numbers}{notes} in {many(len(names), 'file', 'files')}.")
    return max(*codes, Code.NO if count["error"] else Code.DONE)


def _show(findings: "Sequence[Finding]", output_format: LintFormat, *, all_findings: bool) -> None:
    from cometchat_desk.lint import Severity, as_github, as_json, as_sarif, describe, first_of_each

    if output_format is LintFormat.TEXT:
        lines = describe(findings, None) if all_findings else describe(findings)
        most = len(lines) if all_findings else _MOST_LINES
        print(*map(visible, lines[:most]), sep="\n", end="\n" if lines else "")
        if len(lines) > most:
            print(f"... and {len(lines) - most:,} more lines: show them with --all, or lint fewer files")
        return
    if output_format is LintFormat.GITHUB and not all_findings:
        # GitHub shows only the first annotations of a step.
        findings = sorted(first_of_each(findings), key=lambda finding: tuple(Severity).index(finding.severity))
    formats = {LintFormat.JSON: as_json, LintFormat.GITHUB: as_github, LintFormat.SARIF: as_sarif}
    if text := formats[output_format](findings):
        print(text)


def _list_rules() -> Code:
    from cometchat_desk.lint import RULES

    width = max(map(len, RULES))
    for rule in RULES.values():
        print(f"{rule.id:<{width}}  {rule.severity:<7}  {rule.summary}")
    return Code.DONE


def _explain(name: str) -> Code:
    from cometchat_desk.lint import RULES, check_rule

    rule = RULES[check_rule(name)]
    print(f"{rule.id} ({rule.severity})\n{rule.summary}\n{rule.advice}")
    return Code.DONE
