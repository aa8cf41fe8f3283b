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
_NUMBER = r"(0|[1-9]\d*)"
#: Such as [0.10.3] - 2026-01-31, but not [0.010.3].
_RELEASE = re.compile(rf"\[{_NUMBER}\.{_NUMBER}\.{_NUMBER}\] - (\d{{4}}-\d\d-\d\d)")


class Section(NamedTuple):
    """A heading, and the text below it."""

    heading: str
    text: str


class Release(NamedTuple):
    """A version, and the day of its release."""

    number: tuple[int, ...]
    day: date

    def __str__(self) -> str:
        return ".".join(map(str, self.number))


def _sections(text: str, level: int) -> list[Section]:
    """The sections of a level; the first one is the text above, without a heading."""
    parts = re.split(rf"^#{{{level}}} (.*)\n", text, flags=re.MULTILINE)
    return list(map(Section, ["", *parts[1::2]], parts[::2]))


def _release(heading: str) -> Release | None:
    match = _RELEASE.fullmatch(heading)
    if match is None:
        return None
    *number, day = match.groups()
    try:
        return Release(tuple(map(int, number)), date.fromisoformat(day))
    except ValueError:  # such as 31 June
        return None


def faults(text: str, version: str, tag: str | None = None) -> Iterator[str]:
    """Yield every error: in the form (Keep a Changelog), and in the version and the tag."""
    above, *sections = _sections(text, 2)
    headings = [section.heading for section in sections]
    if not above.text.startswith("# Changelog\n") or headings[:1] != [UNRELEASED]:
        yield f"the file must begin with the lines: # Changelog, ## {UNRELEASED}"
        return
    for section in sections:
        for fault in _in_section(section):
            yield f"{section.heading}: {fault}"
    releases = [release for release in map(_release, headings) if release is not None]
    yield from _in_order(releases)
    newest = releases[0] if releases else Release((0, 0, 0), date.min)
    yield from _in_version(newest, version, tag, has_entries=bool(sections[0].text.strip()))


def _in_order(releases: list[Release]) -> Iterator[str]:
    for newer, older in pairwise(releases):
        if newer.number <= older.number or newer.day < older.day:
            yield f"{newer} must be newer than {older}"


def _in_section(section: Section) -> Iterator[str]:
    above, *categories = _sections(section.text, 3)
    if section.heading != UNRELEASED:
        if _release(section.heading) is None:
            yield "the heading must look like [1.2.3] - 2026-01-31"
        if not section.text.strip():
            yield "the release has no entry"
    if above.text.strip():
        yield "there is text above the first category"
    for name, entries in categories:
        if name not in CATEGORIES:
            yield f"{name} is not one of {', '.join(CATEGORIES)}"
        if not entries.lstrip().startswith("- "):
            yield f"{name} has no entry"
    if len({name for name, _ in categories}) != len(categories):
        yield "a category occurs twice"


def _in_version(
    newest: Release, version: str, tag: str | None, *, has_entries: bool
) -> Iterator[str]:
    if has_entries and tuple(map(int, version.split("."))) <= newest.number:
        yield (
            f"there are unreleased entries, so the version must be above {newest}; it is {version}"
        )
    if not has_entries and version != str(newest):
        yield f"there are no unreleased entries, so the version must be {newest}; it is {version}"
    if tag not in (None, f"v{version}"):
        yield f"{tag} is not the tag of version {version}: the tag must be v{version}"
    if tag is not None and has_entries:
        yield (
            "a tagged version has no unreleased entries: put them below a heading such as [1.2.3] -"
            " 2026-01-31"
        )


def categories(text: str, names: Collection[str]) -> set[str]:
    """Return the categories with entries in some sections, such as `[Unreleased]` or `[1.2.3]`."""
    return {
        part.heading
        for section in _sections(text, 2)
        if section.heading.partition(" ")[0] in names
        for part in _sections(section.text, 3)[1:]
    }


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
