"""Checks that CHANGELOG.md fits the version and a tag: python -m tools.release.changelog [TAG]

keepachangelog reads invalid files without an error, and does not compare them with the version.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
UNRELEASED = "[Unreleased]"
#: Such as [0.10.3] - 2026-01-31.
_RELEASE = re.compile(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d")


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


def faults(text: str, version: str, tag: str | None = None) -> Iterator[str]:
    """Yield every contradiction between the changelog, the version and the tag of a release."""
    entries = sections(text)
    has_unreleased = bool(entries.pop(UNRELEASED, "").strip())
    wrong = [heading for heading in entries if _RELEASE.fullmatch(heading) is None]
    for heading in wrong:
        yield f"{heading}: a heading must be {UNRELEASED}, or look like [1.2.3] - 2026-01-31"
    if not wrong:
        yield from _in_version(version, entries, has_unreleased=has_unreleased)
    if tag is not None and has_unreleased:
        yield f"{tag} has unreleased entries: put them below a heading like [1.2.3] - 2026-01-31"
    if tag is not None and tag != f"v{version}":
        yield f"{tag} is not the tag of version {version}: the tag must be v{version}"


def _in_version(version: str, releases: Iterable[str], *, has_unreleased: bool) -> Iterator[str]:
    numbers = [Version(heading[1:].partition("]")[0]) for heading in releases]
    newest = max(numbers, default=Version("0.0.0"))
    if has_unreleased and Version(version) <= newest:
        yield f"the version is {version}; with unreleased entries, it must be above {newest}"
    if not has_unreleased and Version(version) != newest:
        yield f"the version is {version}; without unreleased entries, it must be {newest}"


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
