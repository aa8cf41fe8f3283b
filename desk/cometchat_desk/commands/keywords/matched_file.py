"""Write matched messages to a file, completely or not at all."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from cometchat_desk.files import no_formula, write_file
from cometchat_desk.insight.record import Record
from cometchat_desk.terminal.columns import text_of

_COLUMNS: Sequence[str] = ("message_id", "created_utc", "sender", "receiver", "rule_name", "status", "terms", "text")


def write_matched(path: Path, matched: Iterable[tuple[Record, Sequence[str]]]) -> None:
    """Write messages, each with its terms, to a `.jsonl` or `.csv` file that only the user can read."""
    text = io.StringIO(newline="")
    rows = csv.DictWriter(text, _COLUMNS, lineterminator="\r\n")
    is_csv = path.suffix.lower() == ".csv"
    if is_csv:
        text.write("\ufeff")
        rows.writeheader()
    for message, terms in matched:
        record = {name: getattr(message, name, None) for name in _COLUMNS}
        record |= {"created_utc": text_of(message.created_utc) or None, "terms": terms}
        if is_csv:
            rows.writerow({name: no_formula(text_of(value)) for name, value in record.items()})
        else:
            text.write(json.dumps(record, ensure_ascii=False) + "\n")
    # A lone surrogate is the only text that UTF-8 cannot hold.
    write_file(path, text.getvalue().encode("utf-8", "backslashreplace"), mode=0o600)
