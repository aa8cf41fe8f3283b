"""Find exported files and other files with messages, and read their lines within limits."""

import contextlib
import csv
import glob
import gzip
import io
import os
import re
import stat
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, cast

from cometchat_rest import InvalidRequestError

# The longest line that is read, in characters. A message is much shorter; a file of another kind may be one long line.
_LONGEST_LINE = 16 * 2**20
# A file with more lines without content is no list of messages. A compressed file can hold thousands of millions.
_MOST_BLANK = 100_000
# Bytes that are not valid in the encoding.
_INVALID = re.compile("[\udc80-\udcff]")


def find_sources(files: Iterable[str | Path]) -> list[Path]:
    """Return the files that paths, folders and globs stand for, each file once."""
    sources: dict[Path, Path] = {}
    for name in map(Path, files):
        with readable_errors(name):
            for path in _expand(name):
                check_regular(path)
                if suffix_of(path) not in (".jsonl", ".csv") and path.suffix.lower() != ".parquet":
                    suffixes = ".jsonl, .jsonl.gz, .csv, .csv.gz, .parquet"
                    raise InvalidRequestError(f"{path}: the suffix must be one of {suffixes}")
                sources.setdefault(path.resolve(), path)
    return list(sources.values())


def suffix_of(path: Path) -> str:
    """The suffix of a file in lower case; of a compressed file, the one before `.gz`."""
    return Path(os.fspath(path).lower().removesuffix(".gz")).suffix


@contextlib.contextmanager
def readable_errors(path: Path) -> Iterator[None]:
    """Turn an error of reading a file into an `InvalidRequestError` in one line."""
    try:
        yield
    except InvalidRequestError:
        raise
    except (EOFError, zlib.error, gzip.BadGzipFile):
        reason = "the gzip file is incomplete or damaged; compress it again"
        raise InvalidRequestError(f"{path}: {reason}") from None
    except OSError as error:
        raise InvalidRequestError(f"{path}: {error.strerror or error}") from error
    except (csv.Error, ValueError) as error:
        raise InvalidRequestError(f"{path}: cannot be read: {error}") from None


def check_regular(path: Path) -> None:
    """Refuse a pipe or a device, which may have no end, or may never begin. Standard input may be one."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise InvalidRequestError(f"{path}: is not a regular file; name - as the file, and read it with < {path}")


def opened(path: Path) -> IO[bytes]:
    """Open a regular file, and decompress it if its name ends with `.gz`."""
    check_regular(path)
    return cast("IO[bytes]", gzip.open(path)) if path.suffix.lower() == ".gz" else path.open("rb")


def lines_of(
    file: IO[bytes], path: Path, encoding: str = "utf-8-sig", *, advice: str = "take it as reviewed export wrote it"
) -> Iterator[str]:
    """The lines of a text file with their ends. A longer line is several lines; the last one may end too early."""
    # A carriage return inside a cell of a CSV file stays, and ends no line.
    with io.TextIOWrapper(file, encoding=encoding, errors="surrogateescape", newline="\n") as lines:
        more_blank = 0
        while line := lines.readline(_LONGEST_LINE):
            if not line.isascii() and _INVALID.search(line):
                if line.endswith("\n"):
                    raise InvalidRequestError(f"{path}: is not UTF-8; {advice}")
                line = _INVALID.sub("\ufffd", line)
            more_blank = more_blank + 1 if line.isspace() else max(0, more_blank - 1)
            if more_blank > _MOST_BLANK:
                raise InvalidRequestError(f"{path}: has more than {_MOST_BLANK:,} blank lines; remove them")
            yield line


def rows_of(lines: Iterable[str], delimiter: str = ",") -> Iterator[list[str]]:
    """The rows of a CSV file; a cell can be as long as a line."""
    csv.field_size_limit(_LONGEST_LINE)
    return csv.reader(lines, delimiter=delimiter)


def _expand(path: Path) -> Sequence[Path]:
    if path.is_dir():
        return _parts(path)
    if path.exists() or not glob.has_magic(str(path)):
        return [path]
    matches = sorted(map(Path, glob.glob(str(path), recursive=True)))  # noqa: PTH207 - the pattern may be absolute
    if not matches:
        raise InvalidRequestError(f"{path}: no file matches this pattern")
    return [part for match in matches for part in (_parts(match) if match.is_dir() else [match])]


def _parts(folder: Path) -> Sequence[Path]:
    """The files in a folder of Parquet parts, without hidden files such as unfinished parts."""
    if folder.suffix.lower() != ".parquet":
        raise InvalidRequestError(f"{folder}: is a folder; name the files in it, or a folder *.parquet")
    return sorted(part for part in folder.glob("*.parquet") if not part.name.startswith((".", "_")))
