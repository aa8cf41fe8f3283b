"""CHANGELOG.md fits the version and the tag, and a mistake has an error message."""

from pathlib import Path

import pytest
from packaging.version import Version

from tools.release.changelog import faults, version

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"

VALID = """# Changelog

## [Unreleased]

### Added

- Something.

## [1.10.0] - 2026-02-01

### Changed

- Something.

### Fixed

- Something.

## [1.9.0] - 2026-02-01

### Added

- Something.
"""
NOTHING_NEW = VALID.replace("### Added\n\n- Something.\n\n", "", 1)


def test_the_changelog_is_valid() -> None:
    """The changelog fits the version."""
    assert list(faults(CHANGELOG.read_text("utf-8"), version())) == []


@pytest.mark.parametrize(
    ("text", "number", "tag"),
    [
        (VALID, "1.10.1", None),
        (VALID, "2.0.0", None),
        (NOTHING_NEW, "1.10.0", None),
        (NOTHING_NEW, "1.10.0", "v1.10.0"),
    ],
)
def test_a_valid_changelog_has_no_error(text: str, number: str, tag: str | None) -> None:
    """A valid changelog has no error: before a release, at a release, and with its tag."""
    assert list(faults(text, Version(number), tag)) == []


@pytest.mark.parametrize(
    "heading",
    ["[1.9.0]", "1.9.0 - 2026-02-01", "[1.9] - 2026-02-01", "[1.9.0] - 2026-13-45"],
)
def test_a_wrong_heading_is_reported(heading: str) -> None:
    """The heading of a release that is not in the usual form has an error message."""
    text = VALID.replace("[1.9.0] - 2026-02-01", heading)
    assert [fault.partition(":")[0] for fault in faults(text, Version("1.10.1"))] == [heading]


@pytest.mark.parametrize(
    ("text", "number", "tag", "message"),
    [
        (VALID, "1.10.0", None, "above 1.10.0"),
        (VALID, "1.9.5", None, "above 1.10.0"),
        (NOTHING_NEW, "1.10.1", None, "the newest release is 1.10.0"),
        (VALID, "1.11.0", "v1.11.0", "put the entries below a heading"),
        (VALID.replace("[1.9.0]", "[1.11.0]"), "1.12.0", None, "put the newest one first"),
        (NOTHING_NEW, "1.10.0", "v1.9.0", "the tag must be v1.10.0"),
        (NOTHING_NEW, "1.10.0", "1.10.0", "not the tag"),
    ],
)
def test_a_wrong_version_or_tag_is_reported(
    text: str, number: str, tag: str | None, message: str
) -> None:
    """A version or a tag that contradicts the changelog has an error message."""
    assert any(message in fault for fault in faults(text, Version(number), tag))
