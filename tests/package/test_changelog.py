"""What a reader of CHANGELOG.md may rely on, and that whoever breaks its form is told."""

from __future__ import annotations

from pathlib import Path

import keepachangelog  # type: ignore[import-untyped]  # it comes without types
import pytest

from tools.changelog import faults, version

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"

SOUND = """# Changelog

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
NOTHING_NEW = SOUND.replace("### Added\n\n- Something.\n\n", "", 1)


def test_the_changelog_is_sound() -> None:
    """The changelog has the form of Keep a Changelog, its own library reads it, and the version fits it."""
    assert list(faults(CHANGELOG.read_text("utf-8"), version())) == []
    assert "unreleased" in keepachangelog.to_dict(str(CHANGELOG), show_unreleased=True)


@pytest.mark.parametrize(
    ("text", "number", "tag"),
    [
        (SOUND, "1.10.1", None),
        (SOUND, "2.0.0", None),
        (NOTHING_NEW, "1.10.0", None),
        (NOTHING_NEW, "1.10.0", "v1.10.0"),
    ],
)
def test_a_sound_one(text: str, number: str, tag: str | None) -> None:
    """A changelog in that form is not complained about: before a release, in it, and with its tag."""
    assert list(faults(text, number, tag)) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (SOUND.replace("# Changelog", "# Changes", 1), "begin"),
        (SOUND.replace("## [Unreleased]", "## [2.0.0] - 2026-03-01"), "begin"),
        ("# Changelog\n", "begin"),
        (SOUND.replace("### Fixed", "### Bugs"), "Bugs is none of"),
        (SOUND.replace("### Fixed", "### Changed"), "twice"),
        (SOUND.replace("### Fixed\n\n- Something.", "### Fixed\n"), "Fixed has no entry"),
        (SOUND.replace("### Fixed\n\n", "### Fixed\n\nOnly prose.\n\n"), "Fixed has no entry"),
        (SOUND.replace("### Added\n", ""), "above the first category"),
        (SOUND.replace("[1.9.0] - 2026-02-01", "[1.9.0]"), "not of the form"),
        (SOUND.replace("[1.9.0]", "1.9.0"), "not of the form"),
        (SOUND.replace("[1.9.0]", "[1.09.0]"), "not of the form"),
        (SOUND.replace("[1.9.0] - 2026-02-01", "[1.9.0] - 2026-02-30"), "not of the form"),
        (SOUND.replace("[1.9.0]", "[1.11.0]"), "1.10.0 does not come after 1.11.0"),
        (SOUND.replace("[1.9.0] - 2026-02-01", "[1.9.0] - 2026-02-02"), "1.10.0 does not come after 1.9.0"),
        (SOUND + "\n## [1.8.0] - 2026-01-01\n", "nothing was changed"),
    ],
)
def test_what_is_wrong_is_told(text: str, complaint: str) -> None:
    """Whoever departs from the form is told where."""
    assert text != SOUND
    assert any(complaint in fault for fault in faults(text, "1.10.1"))


@pytest.mark.parametrize(
    ("text", "number", "tag", "complaint"),
    [
        (SOUND, "1.10.0", None, "above 1.10.0"),
        (SOUND, "1.9.5", None, "above 1.10.0"),
        (NOTHING_NEW, "1.10.1", None, "has to be 1.10.0"),
        (SOUND, "1.11.0", "v1.11.0", "still unreleased"),
        (NOTHING_NEW, "1.10.0", "v1.9.0", "no tag"),
        (NOTHING_NEW, "1.10.0", "1.10.0", "no tag"),
    ],
)
def test_a_version_or_a_tag_that_does_not_fit(text: str, number: str, tag: str | None, complaint: str) -> None:
    """Neither a version nor a tag gets past a changelog that says otherwise."""
    assert any(complaint in fault for fault in faults(text, number, tag))
