"""Write matched messages to a file, completely or not at all."""

from __future__ import annotations

import contextlib
import csv
import json
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from cometchat_desk.files import SYSTEM, naming
from cometchat_desk.terminal.columns import text_of
from cometchat_desk.terminal.text import no_formula

if TYPE_CHECKING:
    from cometchat_desk.insight.records import Record

_COLUMNS = ("message_id", "created_utc", "sender", "receiver", "rule_name", "status", "terms", "text")


class MatchedFile:
    """A file of messages and their terms, `.jsonl` or `.csv`; a context manager.

    The messages go to a temporary file beside the target. It takes the name of the target when the block ends without
    an error. Otherwise it is removed, and an existing target is unchanged.
    """

    def __init__(self, path: Path) -> None:
        """
        Args:
            path: the target. A symbolic link stays: the file it leads to is replaced.
        """
        self._target = path.resolve()
        self._shown = path
        self._is_csv = path.suffix.lower() == ".csv"

    def add(self, message: Record, terms: tuple[str, ...]) -> None:
        """Write one message.

        Args:
            message: the message.
            terms: the terms that it contains.
        """
        record = {
            "message_id": message.message_id,
            "created_utc": None if message.created is None else f"{message.created:%Y-%m-%d %H:%M:%S}",
            "sender": message.sender,
            "receiver": message.receiver,
            "rule_name": message.rule_name,
            "status": message.status,
            "terms": terms,
            "text": message.text,
        }
        with naming(self._shown):
            if self._is_csv:
                self._write_row(no_formula(text_of(each)) for each in record.values())
            else:
                self._file.write(json.dumps(record, ensure_ascii=False) + "\n")

    def _write_row(self, cells: Iterable[str]) -> None:
        csv.writer(self._file, lineterminator="\r\n").writerow(cells)

    def __enter__(self) -> Self:
        self._temporary = self._target.with_name(f".{os.urandom(8).hex()}.tmp")
        encoding = "utf-8-sig" if self._is_csv else "utf-8"
        with naming(self._shown):
            # A lone surrogate is the only text that UTF-8 cannot hold.
            self._file = self._temporary.open("x", encoding=encoding, errors="backslashreplace", newline="")
        if self._is_csv:
            self._write_row(_COLUMNS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            with naming(self._shown):
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()
                if kind is None:
                    SYSTEM.replace(self._temporary, self._target)
        finally:
            with contextlib.suppress(OSError):
                self._file.close()
            with contextlib.suppress(OSError):
                self._temporary.unlink(missing_ok=True)
