"""The file of an update: read when the input is made, so that a repeated request carries the
same bytes."""

import codecs
import os
from io import BytesIO
from pathlib import Path
from typing import IO, Self, TypeAlias

from attrs import field, frozen

from cometchat_runtime.errors import InvalidRequestError

#: The largest file that an input reads by default, in bytes. The vendor's pages allow 1 MB; the
#: contract has no limit.
MAX_FILE_SIZE = 2**20
# The filename of content that did not come from a path.
_FILE_NAME = "keywords.csv"


def _refusal(reason: str) -> InvalidRequestError:
    return InvalidRequestError(reason, argument="file")


def _file_name(name: str) -> str:
    # A header cannot carry unprintable characters.
    return name if name.isprintable() and name.strip() else _FILE_NAME


def _content(content: bytes) -> bytes:
    # The service does not document how it reads a byte order mark, which could become part of the
    # first entry.
    content = content.removeprefix(codecs.BOM_UTF8)
    if not content.strip():
        raise _refusal("is empty")
    try:
        content.decode()
    except UnicodeDecodeError as error:
        raise _refusal(
            f"is not UTF-8: byte 0x{content[error.start]:02x}; save it as UTF-8 (in Excel: CSV"
            " UTF-8)"
        ) from None
    return content


@frozen
class CsvFile:
    """A file as it is sent, always as `text/csv`.

    Attributes:
        name: the filename.
        content: UTF-8 with at least one byte that is not white space, of any size. A byte order
            mark at its beginning is removed.
    """

    name: str = field(converter=_file_name)
    content: bytes = field(converter=_content, repr=lambda content: f"<{len(content)} bytes>")

    @classmethod
    def read(cls, source: "FileSource", *, max_bytes: int = MAX_FILE_SIZE) -> "CsvFile":
        """Read a file as an input does, with your own limit.

        Args:
            source: bytes, a path, or a file opened in binary mode, which is read from its current
                position.
            max_bytes: the largest size in bytes.

        Raises:
            InvalidRequestError: the source cannot be read, is empty, too large or not UTF-8, or is
                not a source of bytes.
        """
        if isinstance(source, CsvFile):
            return source
        if isinstance(source, str | os.PathLike):
            return cls._from_path(source, max_bytes)
        if isinstance(source, bytes):
            source = BytesIO(source)
        if callable(getattr(source, "read", None)):
            return cls(_FILE_NAME, _read(source, max_bytes))
        raise _refusal(f"must be bytes, a path or a binary file, not {type(source).__name__}")

    @classmethod
    def _from_path(cls, source: str | os.PathLike[str], max_bytes: int) -> Self:
        try:
            path = Path(source)
            # A named pipe blocks until another process writes to it, perhaps for ever.
            opened = None if path.is_fifo() else path.open("rb")
        except (OSError, TypeError, ValueError) as error:
            # The text does not show the path: a caller may have passed secret content as a str by
            # mistake.
            fault = error.strerror if isinstance(error, OSError) else "it is invalid"
            raise _refusal(f"cannot be read: {fault}; a str is taken as a path") from error
        if opened is None:
            raise _refusal("is the path of a named pipe; open it and pass the open file")
        with opened:
            return cls(path.name, _read(opened, max_bytes))


#: The types that `file` accepts, besides `None`. A `str` is a path, never the content.
FileSource: TypeAlias = bytes | str | os.PathLike[str] | IO[bytes] | CsvFile


def _read(source: IO[bytes], max_bytes: int) -> bytes:
    """Read from the current position to the end, but not further than one byte over the limit."""
    content = BytesIO()
    left = max_bytes + 1
    try:
        while left > 0:
            piece = source.read(left)
            if not piece:
                break
            left -= content.write(piece)
    except TypeError:
        # Text, or the coroutine of an asynchronous file.
        raise _refusal(
            'must be a blocking file, opened with mode "rb", so that its bytes are sent unchanged'
        ) from None
    except (OSError, ValueError) as error:
        raise _refusal(f"cannot be read: {error}") from error
    if left <= 0:
        raise _refusal(
            f"is larger than {max_bytes} bytes; the vendor's pages allow 1 MB. Split the list, or"
            " set another limit with keyword_input.CsvFile.read(file, max_bytes=...)"
        )
    return content.getvalue()
