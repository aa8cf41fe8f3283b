"""Read the records of exported files one after the other; `collected` puts them into columns."""

import contextlib
import csv
import glob
import gzip
import io
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, TypeAlias

from cometchat_desk.files import unmarked
from cometchat_desk.lists.tables import delimiter_of
from cometchat_rest import InvalidRequestError

from .export import json_record
from .reviewed import NAMES, json_values, text_values

#: Gives the values with some names of a record that was read.
Values: TypeAlias = Callable[[Iterable[str]], Mapping[str, Any]]
#: The longest line that is read, in characters. A message is much shorter; a file of another kind
#: may be one long line.
LONGEST_LINE = 16 * 2**20
# Bytes that are not valid in the encoding.
_INVALID = re.compile("[\udc80-\udcff]")
# The columns that a spreadsheet must still have to be an export.
_NEEDED = {"message_id", "rule_id", "status", "text"}
_KINDS = (".jsonl", ".jsonl.gz", ".csv")


def expanded(files: Iterable[str | Path]) -> Sequence[Path]:
    """The files that names stand for. A name such as `day-*.jsonl` stands for all that match."""
    paths: list[Path] = []
    for name in map(str, files):
        if name == "-" or not glob.has_magic(name) or Path(name).exists():
            paths.append(Path(name))
            continue
        matching = sorted(glob.glob(name))  # noqa: PTH207 - `Path.glob` takes no absolute one
        if not matching:
            raise InvalidRequestError(f"{name}: no file has a name of this form")
        paths += map(Path, matching)
    return paths


def read_exports(
    files: Sequence[str | Path], standard_input: IO[bytes] | None = None
) -> Iterator[Values | None]:
    """Read `.jsonl`, `.jsonl.gz` and `.csv` files, and standard input (`-`). An incomplete record
    is `None`."""
    paths = expanded(files)
    named = [path for path in paths if str(path) != "-"]
    for path in named:
        _check(path)
    if len(named) < len(paths):
        yield from _records(
            lines_of(standard_input or sys.stdin.buffer, Path("-")), "standard input"
        )
    for path in named:
        yield from _read(path)


@contextlib.contextmanager
def readable_errors(path: Path) -> Iterator[None]:
    """Turn an error of reading a file into an `InvalidRequestError` in one line."""
    try:
        yield
    except InvalidRequestError:
        raise
    except OSError as error:
        raise InvalidRequestError(f"{path}: {error.strerror or error}") from error
    except (csv.Error, ValueError, EOFError, zlib.error) as error:
        raise InvalidRequestError(f"{path}: cannot be read: {error}") from None


def check_regular(path: Path) -> None:
    """Refuse a pipe or a device, which may have no end, or may never begin. Standard input may
    be one."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise InvalidRequestError(
            f"{path}: is not a regular file; name - as the file, and read it with < {path}"
        )


def lines_of(
    file: IO[bytes] | gzip.GzipFile,
    path: Path,
    encoding: str = "utf-8-sig",
    *,
    advice: str = "use the file as reviewed export wrote it",
) -> Iterator[str]:
    """The lines of a text file with their ends. The last one may end too early."""
    # A carriage return inside a cell of a CSV file stays, and ends no line.
    with io.TextIOWrapper(file, encoding=encoding, errors="surrogateescape", newline="\n") as lines:
        while line := lines.readline(LONGEST_LINE):
            if len(line) == LONGEST_LINE:
                limit = f"{LONGEST_LINE >> 20} Mi characters"
                raise InvalidRequestError(
                    f"{path}: has a line of more than {limit}; give a file with shorter lines"
                )
            if not line.isascii() and _INVALID.search(line):
                if line.endswith("\n"):
                    raise InvalidRequestError(f"{path}: is not UTF-8; {advice}")
                line = _INVALID.sub("\ufffd", line)
            yield line


def csv_rows(lines: Iterator[str], *, named: bool = False) -> Iterator[list[str]]:
    """The rows of a CSV file, with the delimiter that its first rows have. `named`: a column is
    named, so the first row holds titles."""
    csv.field_size_limit(LONGEST_LINE)
    first = list(islice(lines, 20))
    head = "".join(first[:1])
    if named or "text" in names_of(re.split('[,;\t"]', head)):
        delimiter = delimiter_of(head, named=True)
    else:
        delimiter = delimiter_of("".join(first), named=False)
    return csv.reader(chain(first, lines), delimiter=delimiter)


def names_of(head: Iterable[str]) -> list[str]:
    """The names of columns, as they are compared."""
    return [name.strip().lower() for name in head]


def is_export(head: Sequence[str]) -> bool:
    """Whether a CSV file with this first row was written by `reviewed export`."""
    return {*names_of(head)} >= _NEEDED


def _check(path: Path) -> None:
    with readable_errors(path):
        check_regular(path)
    if not path.name.lower().endswith(_KINDS):
        raise InvalidRequestError(
            f"{path}: exported messages must be in a .jsonl, .jsonl.gz or .csv file"
        )


def _read(path: Path) -> Iterator[Values | None]:
    name = path.name.lower()
    with readable_errors(path), path.open("rb") as file:
        if name.endswith(".csv"):
            yield from _rows(lines_of(file, path), path)
        elif name.endswith(".gz"):
            with gzip.open(file) as unpacked:
                yield from _records(lines_of(unpacked, path), path)
        else:
            yield from _records(lines_of(file, path), path)


def _rows(lines: Iterator[str], path: Path) -> Iterator[Values]:
    """The records in the rows of a spreadsheet."""
    rows = csv_rows(lines)
    head = next(rows, [])
    if not is_export(head):
        raise _no_export(path)
    names = names_of(head)
    for row in rows:
        cells = dict(zip(names, row, strict=False))
        texts = {name: unmarked(cells.get(name, "")) or None for name in NAMES}
        yield partial(text_values, texts)


def _records(lines: Iterator[str], name: Path | str) -> Iterator[Values | None]:
    lines = filter(str.strip, lines)
    for first in lines:
        record = values_of(first)
        # The only line may be incomplete. Lines of another kind may have no end.
        if record is None and first.endswith("\n"):
            raise _no_export(name)
        yield record
        yield from map(values_of, lines)


def _no_export(name: Path | str) -> InvalidRequestError:
    return InvalidRequestError(
        f"{name}: contains no reviewed messages; give a file that cometchat-desk reviewed export"
        " has written"
    )


def values_of(line: str) -> Values | None:
    """The values of the reviewed message in a line; `None` if the line holds something else."""
    raw = json_record(line)
    if raw is None or {"message", "ruleId"}.isdisjoint(raw):
        return None
    values = partial(json_values, raw)
    has_message = isinstance(raw.get("message"), dict) and raw["message"].get("id")
    return values if has_message or any(values(NAMES).values()) else None
