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

ROOT = Path(__file__).resolve().parents[2]
VERSION = ROOT / "overlays" / "cometchat_rest" / "version.py"
UNRELEASED = "[Unreleased]"
CATEGORIES = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
RELEASE = re.compile(r"\[((?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2})\] - (\d{4}-\d\d-\d\d)")


def _split(text: str, level: int) -> tuple[str, list[tuple[str, str]]]:
    """Return the text above the first heading of a level, and each heading with the text below
    it."""
    above, *parts = re.split(rf"^#{{{level}}} (.*)\n", text, flags=re.MULTILINE)
    return above, list(zip(parts[::2], parts[1::2], strict=True))


def _released(heading: str) -> tuple[str, date] | None:
    match = RELEASE.fullmatch(heading)
    try:
        return (match[1], date.fromisoformat(match[2])) if match else None
    except ValueError:  # such as 31 June
        return None


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _in_section(text: str) -> Iterator[str]:
    above, categories = _split(text, 3)
    names = [name for name, _ in categories]
    if above.strip():
        yield "there is text above the first category"
    for name, entries in categories:
        if name not in CATEGORIES:
            yield f"{name} is not one of {', '.join(CATEGORIES)}"
        if not entries.lstrip().startswith("- "):
            yield f"{name} has no entry"
    if len(names) != len(set(names)):
        yield "a category occurs twice"


def _in_releases(sections: list[tuple[str, str]]) -> Iterator[str]:
    releases = []
    for heading, content in sections:
        if release := _released(heading):
            releases.append(release)
        else:
            yield f"{heading}: the heading must look like [1.2.3] - 2026-01-31"
        if not content.strip():
            yield f"{heading}: the release has no entry"
    for (newer, later), (older, earlier) in pairwise(releases):
        if _number(newer) <= _number(older) or later < earlier:
            yield f"{newer} must be newer than {older}"


def faults(text: str, version: str, tag: str | None = None) -> Iterator[str]:
    """Yield every error: in the form (Keep a Changelog), and in the version and the tag."""
    above, found = _split(text, 2)
    if not above.startswith("# Changelog\n") or not found or found[0][0] != UNRELEASED:
        yield f"the file must begin with the lines: # Changelog, ## {UNRELEASED}"
        return
    (_, unreleased), *sections = found
    for heading, content in found:
        yield from (f"{heading}: {fault}" for fault in _in_section(content))
    yield from _in_releases(sections)
    newest = next(
        (release[0] for heading, _ in sections if (release := _released(heading))), "0.0.0"
    )
    yield from _in_version(newest, version, tag, has_entries=bool(unreleased.strip()))


def _in_version(newest: str, version: str, tag: str | None, *, has_entries: bool) -> Iterator[str]:
    if has_entries and _number(version) <= _number(newest):
        yield (
            f"there are unreleased entries, so the version must be above {newest}; it is {version}"
        )
    if not has_entries and version != newest:
        yield f"there are no unreleased entries, so the version must be {newest}; it is {version}"
    if tag is not None and tag != f"v{version}":
        yield f"{tag} is not the tag of version {version}: the tag must be v{version}"
    if tag is not None and has_entries:
        yield (
            "a tagged version has no unreleased entries: put them below a heading such as [1.2.3] -"
            " 2026-01-31"
        )


def categories(text: str, sections: Collection[str]) -> set[str]:
    """Return the categories with entries in some sections, such as `[Unreleased]` or `[1.2.3]`."""
    contents = (
        content for heading, content in _split(text, 2)[1] if heading.partition(" ")[0] in sections
    )
    return {name for content in contents for name, _ in _split(content, 3)[1]}


def version() -> str:
    """Read the version from version.py."""
    (found,) = re.findall(r'^__version__ = "(.*)"$', VERSION.read_text("utf-8"), re.MULTILINE)
    return str(found)


if __name__ == "__main__":
    errors = faults((ROOT / "CHANGELOG.md").read_text("utf-8"), version(), *sys.argv[1:])
    sys.exit("\n".join(errors) or None)
