"""Helpers for files: paths in messages, cells of spreadsheets, and names that survive a power failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from cometchat_rest._support.files import no_formula, printable, sync_folder


@pytest.mark.parametrize(
    ("path", "shown"),
    [("terms.csv", "terms.csv"), ("Wörter 单词.csv", "Wörter 单词.csv"), ("a\nb\x1b.csv", r"'a\nb\x1b.csv'")],
)
def test_path_is_shown_in_one_line(path: str, shown: str) -> None:
    """A path with control characters is shown escaped, in one line. Any other path is shown unchanged."""
    assert printable(Path(path)) == shown


def test_text_is_never_a_formula() -> None:
    """A text that a spreadsheet could run as a formula gets an apostrophe, and different texts stay different."""
    formulas = [
        "=1+1",
        "+1",
        "-1",
        "@x",
        "\tx",
        "\rx",
        "\nx",
        "\uff1d1",
        "\uff0b1",
        "\uff0d1",
        "\uff201",
        "'=1+1",
        "'x",
    ]
    assert [no_formula(text) for text in formulas] == [f"'{text}" for text in formulas]
    for text in ("", "spam", "a=b", "1-1", " =1"):
        assert no_formula(text) == text


def test_sync_of_a_missing_folder_is_ignored(tmp_path: Path) -> None:
    """A folder is synced if the system can open it. Otherwise nothing happens."""
    sync_folder(tmp_path)
    sync_folder(tmp_path / "missing")
