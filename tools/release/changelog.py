"""Checks the form of CHANGELOG.md, the version and a tag: python -m tools.release.changelog [TAG]

keepachangelog reads invalid files without an error, and python-kacl accepts half of the invalid
files in `tests/package/test_changelog.py`. Neither of them compares the changelog with the version
and a tag.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
UNRELEASED = "[Unreleased]"
CATEGORIES = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
_RELEASE = re.compile(
    r"""
    \[
    (?P<version>(0|[1-9]\d*) \. (0|[1-9]\d*) \. (0|[1-9]\d*))     # 0.10.3, but not 0.010.3
    \]
    [ ]-[ ]
    (?P<day>\d{4}-\d\d-\d\d)                                      # 2026-01-31
    """,
    re.VERBOSE,
)


class Section(NamedTuple):
    """A heading, and the text below it."""

    heading: str
    text: str


class Release(NamedTuple):
    """A version, and the day of its release."""

    version: str
    day: date


def _split(text: str, level: int) -> tuple[str, list[Section]]:
    """Return the text above the first heading of a level, and the sections of that level."""
    above, *parts = re.split(rf"^#{{{level}}} (.*)\n", text, flags=re.MULTILINE)
    headings = parts[::2]
    texts = parts[1::2]
    return above, list(map(Section, headings, texts))


def _release(heading: str) -> Release | None:
    match = _RELEASE.fullmatch(heading)
    if match is None:
        return None
    try:
        return Release(match["version"], date.fromisoformat(match["day"]))
    except ValueError:  # such as 31 June
        return None


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def faults(text: str, version: str, tag: str | None = None) -> Iterator[str]:
    """Yield every error: in the form (Keep a Changelog), and in the version and the tag."""
    above, sections = _split(text, 2)
    headings = [section.heading for section in sections]
    if not above.startswith("# Changelog\n") or headings[:1] != [UNRELEASED]:
        yield f"the file must begin with the lines: # Changelog, ## {UNRELEASED}"
        return
    for section in sections:
        for fault in _in_section(section):
            yield f"{section.heading}: {fault}"
    unreleased, *released = sections
    yield from _in_releases(released)
    releases = _releases(released)
    newest = releases[0].version if releases else "0.0.0"
    has_entries = bool(unreleased.text.strip())
    yield from _in_version(newest, version, has_entries=has_entries)
    if tag is not None:
        yield from _in_tag(tag, version, has_entries=has_entries)


def _in_section(section: Section) -> Iterator[str]:
    above, categories = _split(section.text, 3)
    if above.strip():
        yield "there is text above the first category"
    for name, entries in categories:
        if name not in CATEGORIES:
            yield f"{name} is not one of {', '.join(CATEGORIES)}"
        if not entries.lstrip().startswith("- "):
            yield f"{name} has no entry"
    names = {name for name, _ in categories}
    if len(names) != len(categories):
        yield "a category occurs twice"


def _releases(sections: list[Section]) -> list[Release]:
    releases = [_release(section.heading) for section in sections]
    return [release for release in releases if release is not None]


def _in_releases(sections: list[Section]) -> Iterator[str]:
    for heading, text in sections:
        if _release(heading) is None:
            yield f"{heading}: the heading must look like [1.2.3] - 2026-01-31"
        if not text.strip():
            yield f"{heading}: the release has no entry"
    for newer, older in pairwise(_releases(sections)):
        if _number(newer.version) <= _number(older.version) or newer.day < older.day:
            yield f"{newer.version} must be newer than {older.version}"


def _in_version(newest: str, version: str, *, has_entries: bool) -> Iterator[str]:
    if has_entries and _number(version) <= _number(newest):
        yield (
            f"there are unreleased entries, so the version must be above {newest}; it is {version}"
        )
    if not has_entries and version != newest:
        yield f"there are no unreleased entries, so the version must be {newest}; it is {version}"


def _in_tag(tag: str, version: str, *, has_entries: bool) -> Iterator[str]:
    if tag != f"v{version}":
        yield f"{tag} is not the tag of version {version}: the tag must be v{version}"
    if has_entries:
        yield (
            "a tagged version has no unreleased entries: put them below a heading such as [1.2.3] -"
            " 2026-01-31"
        )


def categories(text: str, names: Collection[str]) -> set[str]:
    """Return the categories with entries in some sections, such as `[Unreleased]` or `[1.2.3]`."""
    _, sections = _split(text, 2)
    present: set[str] = set()
    for section in sections:
        name, _, _ = section.heading.partition(" ")
        if name in names:
            _, parts = _split(section.text, 3)
            present |= {part.heading for part in parts}
    return present


def version(tree: Path = ROOT) -> str:
    """Read the version of a tree from version.py."""
    text = (tree / "overlays" / "cometchat_rest" / "version.py").read_text("utf-8")
    match = re.search(r'^__version__ = "(.*)"$', text, re.MULTILINE)
    assert match is not None, f"version.py of {tree} has no version"
    return match[1]


def main() -> None:
    """Print the errors; the exit code is 1 if there are any."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    errors = faults(text, version(), *sys.argv[1:])
    sys.exit("\n".join(errors) or None)


if __name__ == "__main__":
    main()
