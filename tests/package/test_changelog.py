"""The form of CHANGELOG.md, and the error message for each mistake in it."""

from pathlib import Path

import pytest

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
    """The changelog has the form of Keep a Changelog, and it matches the version."""
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
    assert list(faults(text, number, tag)) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (VALID.replace("# Changelog", "# Changes", 1), "begin"),
        (VALID.replace("## [Unreleased]", "## [2.0.0] - 2026-03-01"), "begin"),
        ("# Changelog\n", "begin"),
        (VALID.replace("### Fixed", "### Bugs"), "Bugs is not one of"),
        (VALID.replace("### Fixed", "### Changed"), "twice"),
        (VALID.replace("### Fixed\n\n- Something.", "### Fixed\n"), "Fixed has no entry"),
        (VALID.replace("### Fixed\n\n", "### Fixed\n\nOnly prose.\n\n"), "Fixed has no entry"),
        (VALID.replace("### Added\n", ""), "text above the first category"),
        (VALID.replace("[1.9.0] - 2026-02-01", "[1.9.0]"), "the heading must look like"),
        (VALID.replace("[1.9.0]", "1.9.0"), "the heading must look like"),
        (VALID.replace("[1.9.0]", "[1.09.0]"), "the heading must look like"),
        (
            VALID.replace("[1.9.0] - 2026-02-01", "[1.9.0] - 2026-02-30"),
            "the heading must look like",
        ),
        (VALID.replace("[1.9.0]", "[1.11.0]"), "1.10.0 must be newer than 1.11.0"),
        (
            VALID.replace("[1.9.0] - 2026-02-01", "[1.9.0] - 2026-02-02"),
            "1.10.0 must be newer than 1.9.0",
        ),
        (VALID + "\n## [1.8.0] - 2026-01-01\n", "the release has no entry"),
    ],
)
def test_an_error_in_the_form_is_reported(text: str, message: str) -> None:
    """Each mistake in the form has an error message."""
    assert text != VALID
    assert any(message in fault for fault in faults(text, "1.10.1"))


@pytest.mark.parametrize(
    ("text", "number", "tag", "message"),
    [
        (VALID, "1.10.0", None, "above 1.10.0"),
        (VALID, "1.9.5", None, "above 1.10.0"),
        (NOTHING_NEW, "1.10.1", None, "must be 1.10.0"),
        (VALID, "1.11.0", "v1.11.0", "a tagged version has no unreleased entries"),
        (NOTHING_NEW, "1.10.0", "v1.9.0", "the tag must be v1.10.0"),
        (NOTHING_NEW, "1.10.0", "1.10.0", "not the tag"),
    ],
)
def test_a_wrong_version_or_tag_is_reported(
    text: str, number: str, tag: str | None, message: str
) -> None:
    """A version or a tag that contradicts the changelog has an error message."""
    assert any(message in fault for fault in faults(text, number, tag))
