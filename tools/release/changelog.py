"""Checks that CHANGELOG.md fits the version and a tag: python -m tools.release.changelog [TAG]

keepachangelog reads invalid files without an error, and does not compare them with the version.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from datetime import date
from pathlib import Path

from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
UNRELEASED = "[Unreleased]"
EXAMPLE = "[1.2.3] - 2026-01-31"
_RELEASE = re.compile(r"\[(?P<number>\d+\.\d+\.\d+)\] - (?P<date>\d{4}-\d\d-\d\d)")


def sections(text: str) -> dict[str, str]:
    """Return the text below each heading, such as `[Unreleased]`."""
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def categories(text: str, names: Collection[str]) -> set[str]:
    """Return the categories with entries in some sections, such as `[Unreleased]` or `[1.2.3]`."""
    result: set[str] = set()
    for heading, section in sections(text).items():
        if heading.split(" ")[0] in names:
            result.update(re.findall(r"^### (.*)$", section, re.MULTILINE))
    return result


def faults(text: str, version: Version, tag: str | None = None) -> Iterator[str]:
    """Yield every contradiction between the changelog, the version and the tag of a release."""
    if tag not in (None, f"v{version}"):
        yield f"{tag} is not the tag of version {version}: the tag must be v{version}"
    headings = sections(text)
    is_unreleased = bool(headings.pop(UNRELEASED, "").strip()) and tag is None
    releases = []
    for heading in headings:
        release = _release(heading)
        if release is None:
            yield f"{heading}: a heading must be {UNRELEASED}, or look like {EXAMPLE}"
            return
        releases.append(release)
    if releases != sorted(releases, reverse=True):
        yield "the releases are not in order: put the newest one first"
    newest = max(releases, default=Version("0.0.0"))
    if is_unreleased and version <= newest:
        yield f"there are unreleased entries, so the version must be above {newest}"
    if not is_unreleased and version != newest:
        yield (
            f"the version is {version}, and the newest release is {newest}: change the version, or"
            f" put the entries below a heading like {EXAMPLE}"
        )


def _release(heading: str) -> Version | None:
    """The version in the heading of a release; `None` if it is not such a heading."""
    match = _RELEASE.fullmatch(heading)
    if match is None:
        return None
    try:
        date.fromisoformat(match["date"])
    except ValueError:
        return None
    return Version(match["number"])


def version(tree: Path = ROOT) -> Version:
    """Read the version of a tree from version.py; a ValueError says that it is not one."""
    text = (tree / "overlays" / "cometchat_rest" / "version.py").read_text("utf-8")
    match = re.search(r'^__version__ = "(\d+\.\d+\.\d+\w*)"$', text, re.MULTILINE)
    if match is None:
        raise ValueError('version.py: no line like __version__ = "1.2.3"')
    return Version(match[1])


def main() -> None:
    """Print the errors; the exit code is 1 if there are any."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    errors = faults(text, version(), *sys.argv[1:])
    sys.exit("\n".join(errors) or None)


if __name__ == "__main__":
    main()
