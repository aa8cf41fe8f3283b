"""The file of an input: its sources, its limit, and every source that is refused."""

import codecs
import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cometchat_rest.keyword_input import MAX_FILE_SIZE, CsvFile, WordListInput
from cometchat_runtime.errors import InvalidRequestError

CSV = b"spam\nscam\n"


def with_file(file: Any) -> CsvFile:
    held = WordListInput(file=file).file
    assert held is not None
    return held


class Trickle(io.RawIOBase):
    """Like a pipe: not seekable, and a read may return fewer bytes than requested."""

    def __init__(self, content: bytes, step: int) -> None:
        self.content, self.step, self.given = content, step, 0

    def read(self, size: int = -1, /) -> bytes:
        assert size >= 0, "reading without a size cannot stop at the limit"
        piece = self.content[self.given : self.given + min(size, self.step)]
        self.given += len(piece)
        return piece


def test_content() -> None:
    """Bytes become the content."""
    assert with_file(CSV) == CsvFile("keywords.csv", CSV)


def test_byte_order_mark(tmp_path: Path) -> None:
    """A byte order mark, such as Excel writes, does not become part of the first entry."""
    path = tmp_path / "excel.csv"
    path.write_bytes(codecs.BOM_UTF8 + CSV)
    with path.open("rb") as opened:
        for source in (path, opened, path.read_bytes()):
            assert with_file(source).content == CSV


@pytest.mark.parametrize(
    "content",
    [
        "Wörter".encode("cp1252"),
        "spam\nscam\n".encode("utf-16"),
        b"PK\x03\x04\x14\x08\x9a",
    ],
    ids=["cp1252", "UTF-16", "workbook"],
)
def test_other_encodings_are_refused(content: bytes) -> None:
    """A file that is not UTF-8 is refused, because the service would store other entries."""
    with pytest.raises(
        InvalidRequestError, match=r"^file is not UTF-8: byte 0x.*; save it as UTF-8"
    ):
        with_file(content)


@pytest.mark.parametrize("kind", [str, Path])
def test_path(tmp_path: Path, kind: type) -> None:
    """A path is read when the input is made; its last part is the filename."""
    path = tmp_path / "sub" / "Schimpfwörter 1.csv"
    path.parent.mkdir()
    path.write_bytes(CSV)
    held = with_file(kind(path))
    path.unlink()
    assert held == CsvFile("Schimpfwörter 1.csv", CSV)


def test_open_file(tmp_path: Path) -> None:
    """An open file is read from its current position, and stays open."""
    path = tmp_path / "x.csv"
    path.write_bytes(b"header\n" + CSV)
    with path.open("rb") as opened:
        opened.readline()
        assert with_file(opened) == CsvFile("keywords.csv", CSV)
        assert not opened.closed
    with tempfile.NamedTemporaryFile() as wrapped:
        wrapped.write(CSV)
        wrapped.seek(0)
        assert with_file(wrapped).content == CSV
    assert with_file(io.BytesIO(CSV)).content == CSV


def test_pipe() -> None:
    """A pipe is read to its end, even if each read returns only a few bytes."""
    read_end, write_end = os.pipe()
    os.write(write_end, CSV)
    os.close(write_end)
    with open(read_end, "rb", buffering=0) as pipe:  # noqa: PTH123 - a descriptor has no path
        assert with_file(pipe).content == CSV
    assert with_file(Trickle(CSV, 3)).content == CSV


@pytest.mark.parametrize("content", [b"", b"\r\n \t\n"])
@pytest.mark.parametrize("kind", [bytes, io.BytesIO, Path])
def test_empty_file_is_refused(tmp_path: Path, kind: Any, content: bytes) -> None:
    """An empty file, and one of blank lines, is refused: it could empty the list."""
    (tmp_path / "empty.csv").write_bytes(content)
    with pytest.raises(InvalidRequestError, match=r"^file is empty"):
        WordListInput(file=tmp_path / "empty.csv" if kind is Path else kind(content))


#: Sources of a content; a path is made by the test.
SOURCES: dict[str, Callable[[bytes], Any]] = {
    "bytes": bytes,
    "file": io.BytesIO,
    "trickle": lambda content: Trickle(content, 2**16),
}


def source_of(folder: Path, kind: str, content: bytes) -> Any:
    (folder / "big.csv").write_bytes(content)
    return folder / "big.csv" if kind == "path" else SOURCES[kind](content)


@pytest.mark.parametrize("kind", [*SOURCES, "path"])
def test_size_is_limited(tmp_path: Path, kind: str) -> None:
    """1 MiB is accepted; one byte more is refused, unless `CsvFile.read` gets another limit."""
    assert len(with_file(source_of(tmp_path, kind, b"x" * MAX_FILE_SIZE)).content) == MAX_FILE_SIZE
    large = b"x" * (MAX_FILE_SIZE + 1)
    with pytest.raises(InvalidRequestError, match=r"^file is larger than 1048576 bytes"):
        WordListInput(file=source_of(tmp_path, kind, large))
    mine = CsvFile.read(source_of(tmp_path, kind, large), max_bytes=MAX_FILE_SIZE + 1)
    assert with_file(mine) is mine
    assert mine.content == large


def test_rest_of_a_large_file_is_not_read() -> None:
    """A file is read only as far as its limit."""
    endless: Any = Trickle(b"x" * 3 * MAX_FILE_SIZE, 2**16)
    with pytest.raises(InvalidRequestError, match=r"^file is larger"):
        WordListInput(file=endless)
    assert endless.given == MAX_FILE_SIZE + 1
    with pytest.raises(
        InvalidRequestError, match=r"^file is larger than 3 bytes; the vendor's pages .*max_bytes="
    ):
        CsvFile.read(b"spam", max_bytes=3)
    with pytest.raises(InvalidRequestError, match=r"^file is empty"):
        CsvFile("mine.csv", b"")


@pytest.mark.parametrize("kind", ["text", "wrapped", "open"])
def test_text_mode_is_refused(tmp_path: Path, kind: str) -> None:
    """A file in text mode is refused; the error says how to open it, and does not show the
    content."""
    path = tmp_path / "x.csv"
    path.write_bytes(b"secret")
    with (
        path.open(encoding="utf-8") as opened,
        tempfile.NamedTemporaryFile("w+", encoding="utf-8") as wrapped,
    ):
        wrapped.write("secret")
        wrapped.seek(0)
        file: Any = {"text": io.StringIO("secret"), "wrapped": wrapped, "open": opened}[kind]
        with pytest.raises(
            InvalidRequestError, match=r'^file must be a blocking file, opened with mode "rb"'
        ) as caught:
            WordListInput(file=file)
    assert "secret" not in str(caught.value)


def test_named_pipe_is_refused(tmp_path: Path) -> None:
    """The path of a named pipe without a writer is refused at once, and does not block."""
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(InvalidRequestError, match=r"^file is the path of a named pipe; open it"):
        WordListInput(file=tmp_path / "fifo")


class BytesPath:
    """A path-like object that returns bytes."""

    def __fspath__(self) -> bytes:
        return b"x"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        # An empty path is the current directory.
        *((path, "Is a directory") for path in (Path(), "", "/")),
        *(
            (content, ".*")
            for content in ("spam\nscam", "spam\r\nscam", "spam\x00", "x" * 5000, BytesPath())
        ),
        ("missing.csv", "No such file or directory"),
    ],
)
def test_invalid_path_is_refused(path: Any, reason: str) -> None:
    """A directory, a missing file, and content passed as a `str` are refused as paths. The error
    keeps the cause, and does not show the content."""
    with pytest.raises(
        InvalidRequestError, match=rf"^file cannot be read: {reason}; a str is taken as a path"
    ) as caught:
        WordListInput(file=path)
    assert "spam" not in str(caught.value)
    assert isinstance(caught.value.__cause__, OSError | ValueError | TypeError)


@pytest.mark.parametrize("file", [1, 1.5, ["spam"], {"a": 1}, object(), True])
def test_invalid_file_is_refused(file: Any) -> None:
    """A value that is not bytes, a path or a file is refused; the error names its type."""
    with pytest.raises(InvalidRequestError, match=r"^file must be bytes, a path or a binary file"):
        WordListInput(file=file)


@pytest.mark.parametrize("name", ["a\nb.csv", "a\udce9.csv", "a\x7f", " "])
def test_invalid_filename_is_replaced(tmp_path: Path, name: str) -> None:
    """A file whose name cannot be sent gets the default name."""
    (tmp_path / name).write_bytes(CSV)
    assert with_file(tmp_path / name).name == "keywords.csv"


class Broken(io.RawIOBase):
    def read(self, _size: int = -1, /) -> bytes:
        raise OSError(5, "Input/output error")


class Polled(io.RawIOBase):
    def read(self, _size: int = -1, /) -> None:
        return None


class Promised:
    def read(self, _size: int = -1, /) -> object:
        return object()


def closed_file() -> io.BytesIO:
    closed = io.BytesIO(CSV)
    closed.close()
    return closed


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (Broken, r"cannot be read: .*Input/output error"),
        (closed_file, "cannot be read: I/O operation on closed file"),
        (Polled, "is empty"),
        (Promised, "must be a blocking file"),
    ],
)
def test_unreadable_file_is_refused(make: Callable[[], Any], text: str) -> None:
    """A file that fails, is closed, returns None or promises its bytes for later is an invalid
    request."""
    with pytest.raises(InvalidRequestError, match=f"^file {text}") as caught:
        WordListInput(file=make())
    assert isinstance(caught.value.__cause__, OSError) == (make is Broken)
