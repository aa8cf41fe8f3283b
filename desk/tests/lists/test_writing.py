"""Writing lists: files for version control, and no file is half-written."""

import errno
import os
import stat
from pathlib import Path
from typing import Any, Literal

import pytest

from cometchat_desk.lists.writing import write
from cometchat_rest import InvalidRequestError
from cometchat_rest.keyword_input import SentenceSimilarityListInput, WordListInput, from_terms

from .test_reading import holding


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".txt", 'a{1,3}\né"\nc\n'),
        (".csv", '\ufeff"a{1,3}"\n"é"""\nc\n'),
        (
            ".json",
            '{\n  "category": "pattern",\n  "terms": [\n    "a{1,3}",\n    "é\\"",\n    "c"\n  ]\n}\n',
        ),
    ],
    ids=["txt", "csv", "json"],
)
def test_written_text(folder: Path, suffix: str, content: str) -> None:
    """Files suit version control: one line per term, and only the necessary quotes."""
    write(folder / f"list{suffix}", from_terms("pattern", ["a{1,3}", 'é"', "c"]))
    assert (folder / f"list{suffix}").read_bytes() == content.encode()


@pytest.mark.parametrize("mark", "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", ids=repr)
def test_no_line_break_in_a_text_file(folder: Path, mark: str) -> None:
    """A text file cannot hold a term with a line break; the existing file stays."""
    path = holding(folder, "list.txt", "before")
    with pytest.raises(
        InvalidRequestError, match=r"list\.txt: a text file cannot hold .* use \.csv or \.json"
    ):
        write(path, SentenceSimilarityListInput(disallowed_sentences=[f"a{mark}b"]))
    assert path.read_text() == "before"


@pytest.mark.parametrize("failing", ["write", "fsync", "replace"])
def test_nothing_is_half_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """If writing fails at any step, the file is unchanged and no temporary file is left."""
    path = holding(folder, "list.txt", "before")

    def fail(*_: object, **__: object) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    if failing == "write":
        monkeypatch.setattr("os.open", fail)
    elif failing == "fsync":
        monkeypatch.setattr("os.fsync", fail)
    else:
        monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(
        InvalidRequestError, match=r"list\.txt: cannot be written: No space left on device"
    ) as caught:
        write(path, WordListInput(search_terms=["a"]))
    assert isinstance(caught.value.__cause__, OSError)
    monkeypatch.undo()
    assert path.read_text() == "before"
    assert list(folder.iterdir()) == [path]


def test_interruption(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while writing leaves the file unchanged and no temporary file."""
    path = holding(folder, "list.txt", "before")

    def interrupt(_: object) -> None:
        assert len(list(folder.iterdir())) == 2, "there is a temporary file"
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(path, WordListInput(search_terms=["a"]))
    assert path.read_text() == "before"
    assert list(folder.iterdir()) == [path]


def test_content_is_on_disk_before_the_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The content is on disk before the file gets its name, and the name afterwards."""
    synced: list[tuple[bool, bool]] = []
    path = folder / "list.txt"
    real = os.fsync

    def note(descriptor: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), path.exists()))
        real(descriptor)

    monkeypatch.setattr("os.fsync", note)
    write(path, WordListInput(search_terms=["a"]))
    assert synced == [(False, False), (True, True)]


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_folder_and_pipe_are_not_replaced(folder: Path, kind: Literal["folder", "pipe"]) -> None:
    """A folder or a pipe with this name is not replaced."""
    path = folder / "list.txt"
    if kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    with pytest.raises(InvalidRequestError, match="cannot be written: it is not a regular file"):
        write(path, WordListInput(search_terms=["a"]))
    assert list(folder.iterdir()) == [path]
