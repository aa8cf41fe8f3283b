"""Write matched messages to a file, completely or not at all."""

import contextlib
import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cometchat_desk.files import naming, no_formula, replaced
from cometchat_desk.insight.record import Record
from cometchat_desk.terminal.columns import text_of

_COLUMNS: Sequence[str] = ("message_id", "created_utc", "sender", "receiver", "rule_name", "status", "terms", "text")


@contextlib.contextmanager
def matched_file(path: Path) -> Iterator[Callable[[Record, Sequence[str]], None]]:
    """Open a file of messages, `.jsonl` or `.csv`, that only the user can read."""
    is_csv = path.suffix.lower() == ".csv"
    with replaced(path, mode=0o600) as opened:
        # A lone surrogate is the only text that UTF-8 cannot hold.
        encoding = "utf-8-sig" if is_csv else "utf-8"
        text = io.TextIOWrapper(opened, encoding, errors="backslashreplace", newline="", write_through=True)
        rows = csv.DictWriter(text, _COLUMNS, lineterminator="\r\n")
        if is_csv:
            rows.writeheader()

        def add(message: Record, terms: Sequence[str]) -> None:
            record = {name: getattr(message, name, None) for name in _COLUMNS}
            record |= {"created_utc": text_of(message.created_utc) or None, "terms": terms}
            with naming(path):
                if is_csv:
                    rows.writerow({name: no_formula(text_of(value)) for name, value in record.items()})
                else:
                    text.write(json.dumps(record, ensure_ascii=False) + "\n")

        yield add
        text.detach()
