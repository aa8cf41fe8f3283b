"""Runs the rules on entries and on files."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from attrs import evolve

from cometchat_desk.lists import files

from .catalogue import INVALID_FILE, RULES, SKIPPED_ROW, Rule
from .checks import Listed
from .findings import Finding, printable, shown
from .rows import header_row
from .settings import LintSettings


def lint_entries(
    entries: Iterable[str],
    *,
    category: str = "word",
    before: Iterable[str] | None = None,
    settings: LintSettings | None = None,
) -> tuple[Finding, ...]:
    """Find damaged and unusual entries in a list."""
    chosen = settings or LintSettings()
    live = None if before is None else tuple(before)
    return _run(Listed(entries=tuple(entries), category=category, before=live), chosen)


def lint_content(read: Callable[[], files.ListFile], name: str, *, settings: LintSettings) -> tuple[Finding, ...]:
    """Find damaged and unusual entries in what `read` reads. A file that is no list gives one finding that says so."""
    try:
        content = read()
    except files.UnreadableFileError:
        raise
    except files.ListFileError as error:
        line, column, severity = error.line or 1, error.column or 1, INVALID_FILE.severity
        invalid = Finding(rule=INVALID_FILE.id, severity=severity, message=error.reason, line=line, column=column)
        return (evolve(invalid, file=printable(name)),)
    category = content.category or settings.category_for(Path(name)) or "word"
    listed = Listed(entries=content.entries, category=category)
    findings = (
        evolve(finding, file=printable(name), line=line, column=column)
        for finding in _run(listed, settings)
        for line, column in (content.places[finding.index or 0],)
    )
    return (*skipped_row(content, name, settings), *findings)


def skipped_row(content: files.ListFile, name: str, settings: LintSettings) -> tuple[Finding, ...]:
    """The finding about the first row of a CSV file, if the reader skipped this row as the title."""
    title, severity = content.title, settings.severity_for(SKIPPED_ROW.id)
    if title is None or severity is None or title in settings.accepted.get(SKIPPED_ROW.id, ()):
        return ()
    doubt = "" if _is_title(title, content) else ", but does not look like a title; use --no-header if it is an entry"
    message = f"the {'first' if doubt else 'title'} row {shown(title)} is skipped{doubt}"
    return (Finding(rule=SKIPPED_ROW.id, severity=severity, message=message, file=printable(name), line=1, column=1),)


def check_title(content: files.ListFile, name: str, settings: LintSettings) -> None:
    """Refuse a word that only `header = true` in the settings makes the title. Raises ListFileError."""
    title = content.title
    if title is not None and not _is_title(title, content) and title not in settings.accepted.get(SKIPPED_ROW.id, ()):
        fault = (
            f"the first row {shown(title)} looks like an entry, but header = true in the settings makes it the title"
        )
        advice = "write a title such as Word above it, or, if it is the title, name it in skipped-row below [accepted]"
        raise files.ListFileError(name, f"{fault}; {advice}")


def _is_title(row: str, content: files.ListFile) -> bool:
    return any(header_row(Listed(entries=(row, *content.entries))))


def _run(listed: Listed, settings: LintSettings) -> tuple[Finding, ...]:
    findings = [finding for rule in RULES.values() for finding in _findings(rule, listed, settings)]
    # The sort is stable: findings in the same entry stay in the order of the rules.
    return tuple(sorted(findings, key=lambda finding: finding.index or 0))


def _findings(rule: Rule, listed: Listed, settings: LintSettings) -> Iterator[Finding]:
    severity, accepted = settings.severity_for(rule.id), settings.accepted.get(rule.id, frozenset())
    if rule.check is None or severity is None:
        return
    for problem in rule.check(listed):
        entry = listed.entries[problem.index]
        if entry not in accepted:
            message, others = f"{shown(entry)} {problem.text}", problem.others
            yield Finding(
                rule=rule.id, severity=severity, message=message, entry=entry, index=problem.index, others=others
            )
