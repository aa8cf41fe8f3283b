"""The settings of the linter: a TOML file beside the lists, or in a folder above them."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Self

from attrs import evolve, field, frozen

from cometchat_desk.files import FileRefusedError, check_link, read_regular
from cometchat_desk.lists.files import CATEGORIES
from cometchat_desk.terminal.text import visible
from cometchat_rest import InvalidRequestError

from .catalogue import RULES
from .findings import Finding, Severity, shown

_FILE_NAME = "cometchat-lint.toml"

# A larger file is a wrong file.
_LARGEST = 1 << 20


@frozen(kw_only=True)
class LintSettings:
    """Settings of the linter."""

    # the severity of each rule that differs from the usual one; `None` if the rule is off
    severities: Mapping[str, Severity | None] = field(factory=dict)
    # for rules, entries that they do not report
    accepted: Mapping[str, frozenset[str]] = field(factory=dict, repr=False)
    # the category for names of files, also with wildcards, relative to the folder of the settings
    categories: Mapping[str, str] = field(factory=dict)
    file: Path | None = None  # the file with the settings; `None` for the usual ones

    def category_for(self, path: Path) -> str | None:
        """The category of the list in a file; `None` if the settings do not name it."""
        name = self._name_of(path)
        matching = (
            category for pattern, category in self.categories.items() if fnmatchcase(name, pattern)
        )
        return self.categories.get(name) or next(matching, None)

    def with_category(self, category: str | None) -> Self:
        """The same settings, with one category for all text and CSV files if it is given."""
        if category is None:
            return self
        if category not in CATEGORIES:
            raise InvalidRequestError(f"category must be one of {', '.join(CATEGORIES)}")
        return evolve(self, categories={"*": category})

    def without(self, rules: Iterable[str]) -> Self:
        """The same settings, with these rules off."""
        return evolve(self, severities={**self.severities, **dict.fromkeys(rules)})

    def _name_of(self, path: Path) -> str:
        """The path relative to the folder of the settings, with slashes; an empty text if it is
        not in there."""
        folder = Path() if self.file is None else self.file.parent
        try:
            return path.resolve().relative_to(folder.resolve()).as_posix()
        except ValueError:
            return ""


def find_settings(path: Path) -> LintSettings:
    """Read the settings for a file, from its folder or a folder above it in its repository; else
    the usual ones."""
    start = path.resolve() if path.is_dir() else path.resolve().parent
    folders = [start, *start.parents]
    root = next((number for number, folder in enumerate(folders) if (folder / ".git").exists()), 0)
    files = (folder / _FILE_NAME for folder in folders[: root + 1])
    return next((read_settings(file) for file in files if file.exists()), LintSettings())


def read_settings(path: Path) -> LintSettings:
    """Read settings from a TOML file."""
    try:
        check_link(path)
        content = tomllib.loads(read_regular(path, _LARGEST).decode("utf-8-sig"))
        for name, table in content.items():
            _check_table(name, table)
    except OSError as error:
        reason = f"the settings cannot be read: {error.strerror or error}"
        raise InvalidRequestError(f"{visible(str(path))}: {reason}") from error
    except (FileRefusedError, RecursionError, ValueError) as error:
        reason = str(error)
        if isinstance(error, tomllib.TOMLDecodeError):
            reason = f"is not valid TOML: {error}"
        raise InvalidRequestError(f"{visible(str(path))}: {visible(reason)}") from None
    return LintSettings(
        severities={
            rule: None if severity == "off" else Severity(severity)
            for rule, severity in content.get("rules", {}).items()
        },
        accepted={
            rule: frozenset(entries) for rule, entries in content.get("accepted", {}).items()
        },
        categories=content.get("categories", {}),
        file=path,
    )


def _check_table(name: str, table: object) -> None:
    """Refuse a setting that does not exist, or a value that does not fit."""
    if name not in _TABLES:
        raise InvalidRequestError(
            f"{shown(name)} is not a setting; the settings are: {', '.join(_TABLES)}"
        )
    if not isinstance(table, dict):
        raise InvalidRequestError(f"{name} must be a table")
    fits, values = _TABLES[name]
    for key, value in table.items():
        if name != "categories":
            check_rule(key)
        if not fits(value):
            raise InvalidRequestError(f"{name}: {shown(key)} must be {values}")


def check_rule(name: str) -> str:
    """Return the id of a rule. Raises InvalidRequestError: the linter does not know it."""
    if name not in RULES:
        raise InvalidRequestError(
            f"{shown(name)} is not a rule; keywords lint --list-rules shows all rules"
        )
    return name


def accept(findings: Iterable[Finding], rules: Iterable[str]) -> tuple[Finding, ...]:
    """Findings whose rules the user accepts become notes; other findings are unchanged."""
    accepted = {check_rule(rule) for rule in rules}
    return tuple(
        evolve(finding, severity=Severity.NOTE) if finding.rule in accepted else finding
        for finding in findings
    )


# The settings, each a table; whether a value fits, and a text about the values that do.
_TABLES: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "rules": (
        lambda value: value in (*Severity, "off"),
        '"error", "warning", "note" or "off"',
    ),
    "accepted": (
        lambda value: isinstance(value, list) and all(isinstance(entry, str) for entry in value),
        "an array of strings",
    ),
    "categories": (lambda value: value in CATEGORIES, f"one of {', '.join(CATEGORIES)}"),
}
