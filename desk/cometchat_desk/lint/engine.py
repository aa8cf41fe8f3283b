"""Runs the rules on entries and on files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import frozen

from cometchat_desk.lists import files
from cometchat_rest.errors import InvalidRequestError

from . import categories, characters, encodings, everyday, lengths, patterns, programs, rows, spreadsheets
from .catalogue import RULES
from .checks import Check, Listed
from .findings import Finding, Severity, printable, shown
from .settings import CATEGORIES, LintSettings, find_settings

# The code of each rule. The rule invalid-file is about files that have no entries.
_CHECKS: Mapping[str, Check] = {
    "header-row": rows.header_row,
    "comment": rows.comment,
    "list-item": rows.list_item,
    "quotes": programs.quotes,
    "syntax": programs.syntax,
    "missing-value": programs.missing_value,
    "separator": rows.separator,
    "line-break": rows.line_break,
    "mis-decoded": encodings.mis_decoded,
    "lost-characters": encodings.lost_characters,
    "control-character": encodings.control_character,
    "escaped-text": programs.escaped_text,
    "spreadsheet-error": spreadsheets.spreadsheet_error,
    "spreadsheet-number": spreadsheets.spreadsheet_number,
    "spreadsheet-date": spreadsheets.spreadsheet_date,
    "spreadsheet-value": spreadsheets.spreadsheet_value,
    "spreadsheet-change": spreadsheets.spreadsheet_change,
    "invisible-character": characters.invisible_character,
    "text-direction": characters.text_direction,
    "look-alike": characters.look_alike,
    "mixed-scripts": characters.mixed_scripts,
    "normalization": characters.normalization,
    "spaces": characters.spaces,
    "one-letter": lengths.one_letter,
    "too-long": lengths.too_long,
    "unbounded-pattern": patterns.unbounded_pattern,
    "invalid-pattern": patterns.invalid_pattern,
    "matches-everything": patterns.matches_everything,
    "pattern-as-word": patterns.pattern_as_word,
    "wrong-category": categories.wrong_category,
    "duplicate": lengths.duplicate,
    "case-duplicate": lengths.case_duplicate,
    "contains-entry": lengths.contains_entry,
    "everyday-word": everyday.everyday_word,
}
_INVALID_FILE, _TITLE = "invalid-file", "header-row"


def lint_entries(
    entries: Iterable[str],
    *,
    category: str = "word",
    before: Iterable[str] | None = None,
    settings: LintSettings | None = None,
) -> tuple[Finding, ...]:
    """Find damaged and unusual entries in a list.

    Args:
        entries: the entries of the list, in order.
        category: `"word"`, `"pattern"` or `"sentence-similarity"`.
        before: the entries of the live list, if they are known. They show which numbers a spreadsheet has changed.
        settings: the settings; by default each rule has its usual severity.

    Returns:
        The findings, in the order of the entries.

    Raises:
        InvalidRequestError: an entry is not a str or is blank, the category is unknown, or there are no words for a
            language.
    """
    if category not in CATEGORIES:
        raise InvalidRequestError(f"must be one of {', '.join(CATEGORIES)}, not {category!r}", argument="category")
    chosen = LintSettings() if settings is None else settings
    listed = Listed(
        entries=_checked("entries", entries),
        category=category,
        languages=chosen.languages,
        before=None if before is None else _checked("before", before),
    )
    return _run(listed, chosen, _Source())


def lint_file(
    path: str | Path,
    *,
    category: str | None = None,
    header: bool | None = None,
    settings: LintSettings | None = None,
) -> tuple[Finding, ...]:
    """Find damaged and unusual entries in a file, which is `.txt`, `.csv` or `.json` as for `lists.files.read`.

    Args:
        path: the file.
        category: the category of a text or CSV file, by default that of the settings, else `"word"`. A JSON file names
            its category itself.
        header: whether a CSV file begins with a title, by default that of the settings.
        settings: the settings; by default those of `cometchat-lint.toml` in the folder of the file or above it.

    Returns:
        The findings, in the order of the entries, with lines and columns. A file that is not a list is one finding.

    Raises:
        InvalidRequestError: the file cannot be read, or a setting is invalid.
    """
    target = Path(path)
    chosen = settings or find_settings(target) or LintSettings()
    try:
        data = files.read_bytes(target)
    except files.UnreadableFileError:
        raise
    except files.ListFileError as error:
        return (_invalid(str(path), error),)
    return lint_bytes(data, str(path), category=category, header=header, settings=chosen)


def lint_bytes(
    data: bytes,
    name: str,
    *,
    suffix: str | None = None,
    category: str | None = None,
    header: bool | None = None,
    settings: LintSettings | None = None,
) -> tuple[Finding, ...]:
    """Find damaged and unusual entries in the content of a file; see `lint_file`.

    Args:
        data: the content.
        name: the name of the file, for the findings.
        suffix: the suffix that names the format, by default that of the name.
        category: the category of a text or CSV file.
        header: whether a CSV file begins with a title.
        settings: the settings; by default each rule has its usual severity.

    Raises:
        InvalidRequestError: a setting is invalid.
    """
    chosen = (settings or LintSettings()).with_changes(category=category, header=header)
    try:
        content = files.parse(data, name, suffix=suffix, header=chosen.header)
    except files.ListFileError as error:
        return (_invalid(name, error),)
    own = content.category or chosen.category_for(Path(name)) or "word"
    listed = Listed(entries=_checked("entries", content.entries), category=own, languages=chosen.languages)
    return (*skipped_row(content, name, chosen), *_run(listed, chosen, _Source(printable(name), content)))


@frozen
class _Source:
    """The file that holds the entries; without a file, findings have no place."""

    file: str | None = None
    content: files.ListFile | None = None

    def place(self, index: int | None) -> tuple[int | None, int | None]:
        """The line and the column of an entry."""
        return (None, None) if index is None or self.content is None else self.content.places[index]


def _run(listed: Listed, settings: LintSettings, source: _Source) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for rule, check in _CHECKS.items():
        if settings.severity_for(rule) is not None:
            found += _findings(rule, check, listed, settings, source)
    # The sort is stable: findings in the same entry stay in the order of the rules.
    return tuple(sorted(found, key=lambda finding: -1 if finding.index is None else finding.index))


def _findings(rule: str, check: Check, listed: Listed, settings: LintSettings, source: _Source) -> Iterator[Finding]:
    usual, accepted = settings.severity_for(rule), settings.accepted.get(rule, frozenset())
    for problem in check(listed):
        if problem.index is None:
            # A remark about the linter itself: no setting makes it an error.
            entry: str | None = None
            severity: Severity | None = Severity.NOTE
        else:
            entry = listed.entries[problem.index]
            severity = usual if problem.severity is None else settings.severity_for(rule, problem.severity)
        if severity is not None and entry not in accepted:
            line, column = source.place(problem.index)
            yield Finding(
                rule=rule,
                severity=severity,
                message=problem.message,
                entry=entry,
                index=problem.index,
                others=problem.others,
                file=source.file,
                line=line,
                column=column,
            )


def skipped_row(content: files.ListFile, name: str, settings: LintSettings) -> tuple[Finding, ...]:
    """The finding about the first row of a CSV file that is skipped as its title, if there is one."""
    title = content.title
    if title is None or settings.severity_for(_TITLE) is None or title in settings.accepted.get(_TITLE, ()):
        return ()
    if any(rows.header_row(Listed(entries=(title, *content.entries)))):
        severity, message = Severity.NOTE, f"the title row {shown(title)} is skipped"
    else:
        advice = "does not look like a title; use --no-header if it is an entry"
        severity, message = Severity.WARNING, f"the first row {shown(title)} is skipped, but {advice}"
    return (Finding(rule=_TITLE, severity=severity, message=message, file=printable(name), line=1, column=1),)


# A reason that begins with a verb continues the sentence about the file.
_VERBS = ("is ", "holds ", "has ", "must ", "begins ", "continues ")


def _invalid(name: str, error: files.ListFileError) -> Finding:
    rule = RULES[_INVALID_FILE]
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        message=f"the file {error.reason}" if error.reason.startswith(_VERBS) else error.reason,
        file=printable(name),
        line=error.line or 1,
        column=error.column or 1,
    )


def _checked(name: str, entries: Iterable[str]) -> tuple[str, ...]:
    if isinstance(entries, str | bytes) or not isinstance(entries, Iterable):
        raise InvalidRequestError(f"{name} must be an iterable of str, not {type(entries).__name__}")
    checked = tuple(entries)
    for index, entry in enumerate(checked):
        if not isinstance(entry, str):
            raise InvalidRequestError(f"{name}[{index}] must be a str, not {type(entry).__name__}")
        if not entry.strip():
            raise InvalidRequestError(f"{name}[{index}] is blank")
    return checked
