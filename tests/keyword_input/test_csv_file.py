"""The file of an input: its sources, its limit, and every source that is refused."""

import io
import os
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

from cometchat_rest.errors import InvalidRequestError
from cometchat_rest.keyword_input import MAX_FILE_SIZE, CsvFile, WordListInput

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


@pytest.mark.parametrize("content", [CSV, bytearray(CSV), memoryview(CSV), memoryview(CSV)[::1]])
def test_content(content: Any) -> None:
    """Bytes of any type become the content."""
    assert with_file(content) == CsvFile("keywords.csv", CSV)


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

    def write() -> None:
        os.write(write_end, CSV)
        os.close(write_end)

    writer = threading.Thread(target=write)
    writer.start()
    with open(read_end, "rb", buffering=0) as pipe:  # noqa: PTH123 - a descriptor has no path
        assert with_file(pipe).content == CSV
    writer.join()
    assert with_file(Trickle(CSV, 3)).content == CSV


@pytest.mark.parametrize("empty", [b"", bytearray(), io.BytesIO(), io.BytesIO(b"x")])
def test_empty_file_is_refused(tmp_path: Path, empty: Any) -> None:
    """An empty file is refused: it could empty the list."""
    if isinstance(empty, io.BytesIO):
        empty.seek(0, io.SEEK_END)
    path = tmp_path / "empty.csv"
    path.touch()
    for file in (empty, path):
        with pytest.raises(InvalidRequestError, match=r"^file is empty"):
            WordListInput(file=file)


def test_size_is_limited(tmp_path: Path) -> None:
    """1 MiB is accepted; one byte more is refused, and the rest is not read."""
    path = tmp_path / "big.csv"
    for size, fits in ((MAX_FILE_SIZE, True), (MAX_FILE_SIZE + 1, False)):
        content = b"x" * size
        path.write_bytes(content)
        for file in (content, memoryview(content), path, io.BytesIO(content), Trickle(content, 2**16)):
            if fits:
                assert len(with_file(file).content) == size
                continue
            with pytest.raises(InvalidRequestError, match=r"^file is larger than 1048576 bytes"):
                WordListInput(file=file)
    endless = Trickle(b"x" * 3 * MAX_FILE_SIZE, 2**16)
    with pytest.raises(InvalidRequestError, match=r"^file is larger"):
        WordListInput(file=endless)
    assert endless.given == MAX_FILE_SIZE + 1


def test_size_is_measured_in_bytes() -> None:
    """The limit counts bytes, not the items of a wider view."""
    wide = memoryview(bytearray(MAX_FILE_SIZE + 8)).cast("Q")
    with pytest.raises(InvalidRequestError, match=r"^file is larger"):
        WordListInput(file=wide)


def test_text_mode_is_refused(tmp_path: Path) -> None:
    """A file in text mode is refused; the error says how to open it, and does not show the content."""
    path = tmp_path / "x.csv"
    path.write_bytes(b"secret")
    with path.open(encoding="utf-8") as opened, tempfile.NamedTemporaryFile("w+", encoding="utf-8") as wrapped:
        wrapped.write("secret")
        wrapped.seek(0)
        for file in (opened, wrapped, io.StringIO("secret")):
            with pytest.raises(
                InvalidRequestError, match=r'^file must be a blocking file, opened with mode "rb"'
            ) as caught:
                WordListInput(file=file)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
            assert "secret" not in str(caught.value)


def test_unreadable_path_is_refused(tmp_path: Path) -> None:
    """A missing file is an invalid request; the cause is kept."""
    with pytest.raises(InvalidRequestError, match=r"^file is a path .*No such file") as caught:
        WordListInput(file=tmp_path / "missing.csv")
    assert isinstance(caught.value.__cause__, FileNotFoundError)


def test_path_to_something_else_is_refused(tmp_path: Path) -> None:
    """A directory and a named pipe without a writer are refused at once."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (tmp_path, fifo, "", "/dev/zero"):
        with pytest.raises(InvalidRequestError, match=r"^file is a path, but not of a regular file"):
            WordListInput(file=path)


class BytesPath:
    """A path-like object that returns bytes."""

    def __fspath__(self) -> bytes:
        return b"x"


@pytest.mark.parametrize("content", ["spam\nscam", "spam\r\nscam", "spam\x00", "x" * 5000, BytesPath()])
def test_str_is_never_content(content: Any) -> None:
    """Content passed as a `str` is refused as an invalid path, and the error does not show it."""
    with pytest.raises(InvalidRequestError, match=r"^file is a (str|path)") as caught:
        WordListInput(file=content)
    assert "spam" not in str(caught.value)
    assert ("has a line break" in str(caught.value)) == ("\n" in str(content))


@pytest.mark.parametrize("file", [1, 1.5, ["spam"], {"a": 1}, object(), True])
def test_invalid_file_is_refused(file: Any) -> None:
    """A value that is not bytes, a path or a file is refused; the error names its type."""
    with pytest.raises(InvalidRequestError, match=r"^file must be bytes, a path or a binary file"):
        WordListInput(file=file)


def test_unreadable_file_is_refused() -> None:
    """A file that fails, is closed, returns None or promises its bytes for later is an invalid request."""

    class Broken(io.RawIOBase):
        def read(self, _size: int = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    class Polled(io.RawIOBase):
        def read(self, _size: int = -1, /) -> None:
            return None

    class Promised:
        def read(self, _size: int = -1, /) -> object:
            return object()

    closed = io.BytesIO(CSV)
    closed.close()
    for file, text in (
        (Broken(), "cannot be read: Input/output error"),
        (closed, "cannot be read: I/O operation on closed file"),
        (Polled(), "is empty"),
        (Promised(), "must be a blocking file"),
    ):
        with pytest.raises(InvalidRequestError, match=f"^file {text}") as caught:
            WordListInput(file=file)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        assert isinstance(caught.value.__cause__, OSError) == isinstance(file, Broken)


@pytest.mark.parametrize("name", ["a\nb.csv", "a\udce9.csv", "a\x7f", " "])
def test_invalid_filename_is_replaced(tmp_path: Path, name: str) -> None:
    """A file whose name cannot be sent gets the default name."""
    (tmp_path / name).write_bytes(CSV)
    assert with_file(tmp_path / name).name == "keywords.csv"


def test_file_with_another_limit(tmp_path: Path) -> None:
    """`CsvFile.read` has an option for the limit, and a `CsvFile` is used unchanged, whatever its size."""
    content = b"x" * (MAX_FILE_SIZE + 1)
    (tmp_path / "big.csv").write_bytes(content)
    for source in (content, tmp_path / "big.csv", io.BytesIO(content)):
        mine = CsvFile.read(source, max_bytes=MAX_FILE_SIZE + 1)
        assert with_file(mine) is mine
        assert mine.content == content
    with pytest.raises(InvalidRequestError, match=r"^file is larger than 3 bytes; the vendor's pages .*max_bytes="):
        CsvFile.read(b"spam", max_bytes=3)
    with pytest.raises(InvalidRequestError, match=r"^file is empty"):
        CsvFile("mine.csv", b"")
