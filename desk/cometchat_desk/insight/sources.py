"""Find exported files, and check that each of them holds reviewed messages, before anything is read.

A file is `.jsonl`, `.csv` or `.parquet`; the first two may be compressed with gzip (`.jsonl.gz`). A folder whose name
ends with `.parquet` stands for the files in it. A glob such as `2025-*.jsonl` stands for the files that match it.
"""

from __future__ import annotations

import contextlib
import csv
import glob
import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import IO, cast

from attrs import frozen

from cometchat_desk.files import FilePath, printable
from cometchat_rest import InvalidRequestError

from .columns import COLUMNS

# The longest line that is read, in bytes. A message is much shorter; a file of another kind may be one long line.
LONGEST_LINE = 16 * 2**20

# The end of the message for a file of other data.
_NOT_AN_EXPORT = "contains no reviewed messages; give a file that cometchat-desk reviewed export has written"


class SourceFormat(Enum):
    """The format of an exported file."""

    JSONL = ".jsonl"
    CSV = ".csv"
    PARQUET = ".parquet"


@frozen
class Source:
    """One exported file with its format."""

    path: Path
    format: SourceFormat


def find_sources(files: FilePath | Iterable[FilePath]) -> list[Source]:
    """Return the files that paths, folders and globs stand for, each file once."""
    given = [files] if isinstance(files, str | os.PathLike) else list(files)
    sources: dict[Path, Source] = {}
    for name in map(Path, given):
        with readable_errors(name):
            paths = _expand(name)
        for path in paths:
            with readable_errors(path):
                source = _check(path)
            if source is not None:
                sources.setdefault(path.resolve(), source)
    return list(sources.values())


@contextlib.contextmanager
def readable_errors(path: FilePath) -> Iterator[None]:
    """Turn an error of reading a file into an `InvalidRequestError` in one line."""
    try:
        yield
    except InvalidRequestError:
        raise
    except (EOFError, zlib.error, gzip.BadGzipFile):
        reason = "the gzip file is incomplete or damaged; compress it again"
        raise InvalidRequestError(f"{printable(Path(path))}: {reason}") from None
    except OSError as error:
        raise InvalidRequestError(f"{printable(Path(path))}: {error.strerror or error}") from error
    except (csv.Error, ValueError) as error:
        raise InvalidRequestError(f"{printable(Path(path))}: cannot be read: {error}") from None


def opened(path: Path) -> IO[bytes]:
    """Open a file, and decompress it if its name ends with `.gz`."""
    return cast("IO[bytes]", gzip.open(path)) if is_packed(path) else path.open("rb")


def is_packed(path: Path) -> bool:
    """Return whether the name of a file says that it is compressed."""
    return path.suffix.lower() == ".gz"


def _expand(path: Path) -> Sequence[Path]:
    if path.is_dir():
        return _parts(path)
    if path.exists() or not glob.has_magic(str(path)):
        return [path]
    matches = sorted(map(Path, glob.glob(str(path), recursive=True)))  # noqa: PTH207 - the pattern may be absolute
    if not matches:
        raise InvalidRequestError(f"{printable(path)}: no file matches this pattern")
    return [part for match in matches for part in (_parts(match) if match.is_dir() else [match])]


def _parts(folder: Path) -> Sequence[Path]:
    """The files in a folder of Parquet parts, without hidden files such as unfinished parts."""
    if folder.suffix.lower() != SourceFormat.PARQUET.value:
        raise InvalidRequestError(f"{printable(folder)}: is a folder; name the files in it, or a folder *.parquet")
    return sorted(part for part in folder.glob("*.parquet") if not part.name.startswith((".", "_")))


def _check(path: Path) -> Source | None:
    """The source; `None` if the file is empty."""
    name = path.name.lower()
    for known in SourceFormat:
        if name.endswith(known.value) or (known is not SourceFormat.PARQUET and name.endswith(f"{known.value}.gz")):
            return Source(path, known) if _holds_records(path, known) else None
    suffixes = ".jsonl, .jsonl.gz, .csv, .csv.gz, .parquet"
    raise InvalidRequestError(f"{printable(path)}: the suffix must be one of {suffixes}")


def _holds_records(path: Path, known: SourceFormat) -> bool:
    """Check the start of a file, and return whether it is not empty."""
    if known is SourceFormat.PARQUET:
        # The database checks the whole file.
        return True
    with opened(path) as file:
        start = b"\n"
        while start in (b"\n", b"\r\n"):
            start = file.readline(LONGEST_LINE)
    is_other = start.endswith(b"\n") and not is_record(start) if known is SourceFormat.JSONL else not is_head(start)
    if start and is_other:
        raise InvalidRequestError(f"{printable(path)}: {_NOT_AN_EXPORT}")
    return bool(start)


def is_record(line: bytes) -> bool:
    """Return whether a line holds a reviewed message: a JSON object with a message or a rule."""
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(raw, dict) and not {"message", "ruleId"}.isdisjoint(raw)


def is_head(line: bytes) -> bool:
    """Return whether a line holds the names of the columns of an exported CSV file."""
    return next(csv.reader([line.decode("utf-8-sig", "replace")]), []) == [column.name for column in COLUMNS]
