"""The screens in the documentation are up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("termios", reason="there are no pseudo-terminals here")

from tools.screens import SCREENS, draw


def test_the_screens_are_current(tmp_path: Path) -> None:
    """Drawing the screens again gives the same files, byte for byte. `make screens` updates them."""
    draw(tmp_path)
    drawn, kept = (
        {path.name: path.read_text("utf-8") for path in folder.glob("*.svg")} for folder in (tmp_path, SCREENS)
    )
    assert drawn == kept
