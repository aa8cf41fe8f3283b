"""Write exported records to a new CSV file, with the same columns and cells as an export to `.csv`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from cometchat_desk.files import naming
from cometchat_rest import ReviewedMessage
from cometchat_rest.errors import InvalidRequestError

from .columns import COLUMNS, ColumnKind
from .export import ReviewedExport, ReviewedFile
from .records import Records
from .sources import FilePath, shown

# How many records are written at a time.
_BATCH = 2000


def write_csv(records: Records, path: FilePath) -> ReviewedExport:
    """Write all records, oldest first.

    The file gets its name when it is complete.

    Args:
        records: from `open_records` or `records_of`.
        path: the new file; its suffix is `.csv`.

    Raises:
        InvalidRequestError: the file exists, or has another suffix.
        OSError: the file cannot be written.
    """
    target = Path(path)
    if target.suffix.lower() != ".csv":
        raise InvalidRequestError(f"{shown(target)}: the suffix must be .csv")
    if target.exists():
        raise InvalidRequestError(f"{shown(target)}: already exists; name a new file")
    unfinished = target.with_name(f".{target.stem}.unfinished.csv")
    unfinished.unlink(missing_ok=True)
    try:
        with naming(target):
            with ReviewedFile(unfinished) as file:
                messages = _messages(records)
                file.append([])
                while batch := list(islice(messages, _BATCH)):
                    file.append(batch)
            unfinished.rename(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return ReviewedExport(path=target, written=records.count, skipped=0)


def _messages(records: Records) -> Iterator[ReviewedMessage]:
    """Yield each record in the form of the service, as far as the columns hold it."""
    kept = [column for column in COLUMNS if column.kind not in (ColumnKind.TIME, ColumnKind.BLOCK_TIME)]
    for row in records.rows([column.name for column in kept]):
        raw: dict[str, Any] = {}
        for column, value in zip(kept, row, strict=True):
            if value is None:
                continue
            *folders, name = column.path
            place = raw
            for folder in folders:
                place = place.setdefault(folder, {})
            place[name] = value
            if column.kind is ColumnKind.LISTS:
                place["isKeywordsReferencePresent"] = True
        yield ReviewedMessage.from_dict(raw)
