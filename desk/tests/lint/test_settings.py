"""The settings of the linter."""

import os
from pathlib import Path

import pytest

from cometchat_desk.lint import Severity, find_settings
from cometchat_desk.lint.settings import read_settings
from cometchat_rest import InvalidRequestError

from .judged import lint_file

ERROR, WARNING = Severity.ERROR, Severity.WARNING


def write(folder: Path, text: str) -> Path:
    path = folder / "cometchat-lint.toml"
    path.write_text(text, "utf-8")
    return path


def test_settings_beside_the_file(tmp_path: Path) -> None:
    """Settings in the folder of a file, or above it in the same repository, apply to the file."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "lists").mkdir()
    file = tmp_path / "lists" / "a.txt"
    file.write_text("zzz\nx\ny\nGrÃ¼ÃŸe\n", "utf-8")
    write(
        tmp_path,
        '[rules]\nmis-decoded = "warning"\none-letter = "error"\n[accepted]\none-letter = ["x"]\n',
    )
    assert [(one.entry, one.severity) for one in lint_file(file)] == [
        ("y", ERROR),
        ("GrÃ¼ÃŸe", WARNING),
    ]
    write(tmp_path, '[rules]\nmis-decoded = "off"\none-letter = "off"\n')
    assert lint_file(file) == ()
    (tmp_path / ".git").rmdir()
    assert len(lint_file(file)) == 3


def test_categories(tmp_path: Path) -> None:
    """The settings name the category of files."""
    write(tmp_path, '[categories]\n"patterns/*" = "pattern"\n')
    (tmp_path / ".git").mkdir()
    (tmp_path / "patterns").mkdir()
    (tmp_path / "patterns" / "a.csv").write_text("x+\n", "utf-8")
    assert "unbounded-pattern" in {one.rule for one in lint_file(tmp_path / "patterns" / "a.csv")}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[rules", "is not valid TOML"),
        (f"accept = {'[' * 100_000}", "maximum recursion depth"),
        ("colour = 1", "'colour' is not a setting"),
        ("[rules]\nspacs = 'off'", "'spacs' is not a rule"),
        ("[rules]\nspaces = 'bad'", 'must be "error"'),
        ("rules = 1", "must be a table"),
        ("[accepted]\nspaces = 'x'", "array of strings"),
        ("[categories]\n'*' = 'words'", "must be one of"),
    ],
)
def test_invalid_settings(tmp_path: Path, text: str, problem: str) -> None:
    """An invalid setting is one line that names the file and the setting."""
    with pytest.raises(InvalidRequestError) as caught:
        read_settings(write(tmp_path, text))
    assert problem in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path}{os.sep}cometchat-lint.toml: ")
    assert "\n" not in str(caught.value)


def test_settings_outside_the_folder(tmp_path: Path) -> None:
    """Settings that are a link to a file outside the folder are refused, and their content is
    not shown."""
    (tmp_path / "lists").mkdir()
    (tmp_path / "key.toml").write_text("secret-key\n")
    (tmp_path / "lists" / "cometchat-lint.toml").symlink_to(tmp_path / "key.toml")
    with pytest.raises(
        InvalidRequestError, match="symbolic link to a file outside its folder"
    ) as caught:
        read_settings(tmp_path / "lists" / "cometchat-lint.toml")
    assert "secret-key" not in str(caught.value)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no named pipes")
def test_settings_in_a_pipe(tmp_path: Path) -> None:
    """Settings that are a named pipe are refused at once, in place of the usual settings."""
    os.mkfifo(tmp_path / "cometchat-lint.toml")
    with pytest.raises(InvalidRequestError, match=r"cometchat-lint\.toml: is not a regular file"):
        find_settings(tmp_path / "words.txt")
