"""The files that paths, folders and globs stand for."""

from pathlib import Path
from typing import Any

import pytest

from cometchat_desk.insight.records import open_records
from cometchat_rest import InvalidRequestError


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ("gone.jsonl", "No such file"),
        ("gone-*.jsonl", r"^gone-\*.jsonl: no file matches this pattern$"),
        ("a.txt", "the suffix must be one of"),
        ("a.parquet.gz", "the suffix must be one of"),
        (".", "is a folder"),
        ("a\0.jsonl", "null byte"),
    ],
)
def test_invalid_file_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: Any, message: str) -> None:
    """A path that names no export is refused in one line."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").touch()
    with pytest.raises(InvalidRequestError, match=message):
        open_records(files)
