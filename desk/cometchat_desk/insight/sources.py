"""Find exported files, and check that each of them holds reviewed messages, before anything is read.

A file is `.jsonl`, `.csv` or `.parquet`; the first two may be compressed with gzip (`.jsonl.gz`). A folder whose name
ends with `.parquet` stands for the files in it. A glob such as `2025-*.jsonl` stands for the files that match it.
"""

from __future__ import annotations

import csv
import glob
import gzip
import json
import os
import zlib
from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import TypeAlias

from attrs import frozen

from cometchat_rest.errors import InvalidRequestError

from .columns import COLUMNS

#: The types that a path argument may have.
FilePath: TypeAlias = str | os.PathLike[str]

# The longest line that is read, in bytes. A message is much shorter; a file of another kind may be one long line.
LONGEST_LINE = 16 * 2**20

#: The end of the message for a file of other data.
NOT_AN_EXPORT = "contains no reviewed messages; give a file that cometchat-desk reviewed export has written"


class SourceFormat(Enum):
    """The format of an exported file."""

    JSONL = ".jsonl"
    CSV = ".csv"
    PARQUET = ".parquet"


@frozen(kw_only=True)
class Source:
    """One exported file.

    Attributes:
        path: the file.
        format: its format.
        columns: the names in the first row of a CSV file; otherwise empty.
    """

    path: Path
    format: SourceFormat
    columns: tuple[str, ...] = ()


def find_sources(files: FilePath | Iterable[FilePath]) -> list[Source]:
    """Return the files that paths, folders and globs stand for, each file once.

    Raises:
        InvalidRequestError: a file does not exist, cannot be read, or is not an export.
    """
    given = [files] if isinstance(files, str | os.PathLike) else list(files)
    if not given:
        raise InvalidRequestError("files must name at least one exported file")
    found: dict[Path, Source] = {}
    for each in given:
        for path in _expand(each):
            source = _check(path)
            found.setdefault(path.resolve(), source)
    return list(found.values())


def shown(path: Path) -> str:
    """Return a path as one line of printable text, for a message."""
    text = str(path)
    return text if text.isprintable() else ascii(text)


def _expand(given: FilePath) -> Sequence[Path]:
    try:
        path = Path(given)
    except TypeError:
        raise InvalidRequestError(f"a file must be a str or a Path, not {type(given).__name__}") from None
    try:
        if path.is_dir():
            return _parts(path)
        if path.exists() or not glob.has_magic(str(path)):
            return [path]
        matches = sorted(map(Path, glob.glob(str(path), recursive=True)))  # noqa: PTH207 - the pattern may be absolute
    except OSError as error:
        raise InvalidRequestError(f"{shown(path)}: {error.strerror or error}") from error
    except ValueError as error:
        raise InvalidRequestError(f"{shown(path)}: {error}") from None
    if not matches:
        raise InvalidRequestError(f"{shown(path)}: no file matches this pattern")
    return [part for match in matches for part in (_parts(match) if match.is_dir() else [match])]


def _parts(folder: Path) -> Sequence[Path]:
    """The files in a folder of Parquet parts, without hidden files such as unfinished parts."""
    if folder.suffix.lower() != SourceFormat.PARQUET.value:
        raise InvalidRequestError(f"{shown(folder)}: is a folder; name the files in it, or a folder *.parquet")
    return sorted(part for part in folder.glob("*.parquet") if not part.name.startswith((".", "_")))


def _check(path: Path) -> Source:
    name = path.name.lower().removesuffix(".gz")
    for known in SourceFormat:
        if name.endswith(known.value) and not (known is SourceFormat.PARQUET and path.suffix.lower() == ".gz"):
            break
    else:
        suffixes = ".jsonl, .jsonl.gz, .csv, .csv.gz, .parquet"
        raise InvalidRequestError(f"{shown(path)}: the suffix must be one of {suffixes}")
    try:
        return Source(path=path, format=known, columns=_check_start(path, known))
    except InvalidRequestError:
        raise
    except csv.Error:
        raise InvalidRequestError(f"{shown(path)}: {NOT_AN_EXPORT}") from None
    except ValueError as error:
        raise InvalidRequestError(f"{shown(path)}: {error}") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InvalidRequestError(f"{shown(path)}: the gzip file is incomplete or damaged; compress it again") from None
    except OSError as error:
        raise InvalidRequestError(f"{shown(path)}: {error.strerror or error}") from error


def _check_start(path: Path, source_format: SourceFormat) -> tuple[str, ...]:
    """Check the start of a file; return the column names of a CSV file."""
    if source_format is SourceFormat.PARQUET:
        with path.open("rb") as file:
            if file.read(4) != b"PAR1":
                raise InvalidRequestError(f"{shown(path)}: is not a complete Parquet file")
        return ()
    with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
        start = b"\n"
        while start in (b"\n", b"\r\n"):
            start = file.readline(LONGEST_LINE)
    if source_format is SourceFormat.JSONL:
        if start.endswith(b"\n") and not is_record(start):
            raise InvalidRequestError(f"{shown(path)}: {NOT_AN_EXPORT}")
        return ()
    names = next(csv.reader([start.decode("utf-8-sig", "replace")]), [])
    if start and not {column.name for column in COLUMNS[:4]} <= set(names):
        raise InvalidRequestError(f"{shown(path)}: {NOT_AN_EXPORT}")
    return tuple(names)


def is_record(line: bytes) -> bool:
    """Return whether a line holds a reviewed message: a JSON object with a message or a rule."""
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(raw, dict) and not {"message", "ruleId"}.isdisjoint(raw)
