"""Exporting reviewed messages to files: all of them, each once."""

import csv
import json
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from cometchat_desk.files import unmarked
from cometchat_desk.insight.collected import open_records
from cometchat_desk.insight.export import ReviewedExport, ReviewedFile, write_table
from cometchat_desk.insight.latest import raw_of
from cometchat_desk.insight.reviewed import COLUMNS, Reviewed
from cometchat_desk.lists.workbooks import read_rows
from cometchat_rest import Client, InvalidRequestError
from cometchat_testing import Simulator

from .exporting import export_latest, listed, message_ids, ordered, posix, record, record_with_text


def test_export(chat: Client, simulator: Simulator, tmp_path: Path) -> None:
    """The first export writes the listed records, oldest first; each further export adds the new
    records at the end."""
    path = tmp_path / "reviewed.jsonl"
    assert export_latest(chat, path, limit=20) == ReviewedExport(path=path, written=20, skipped=0)
    assert message_ids(path) == listed(simulator, 20)
    before = path.read_bytes()
    assert export_latest(chat, path, limit=20) == ReviewedExport(path=path, written=0, skipped=20)
    assert path.read_bytes() == before
    simulator.review(7)
    assert export_latest(chat, path, limit=20) == ReviewedExport(path=path, written=7, skipped=13)
    assert path.read_bytes().startswith(before)
    assert message_ids(path) == listed(simulator, 27)


@posix
def test_only_the_owner_can_read_it(chat: Client, tmp_path: Path) -> None:
    """An export is private, whatever the default mode or the mode of an older export is."""
    before = os.umask(0)
    try:
        (tmp_path / "reviewed.jsonl").touch(0o644)
        export_latest(chat, tmp_path / "reviewed.jsonl")
        records = open_records(tmp_path / "reviewed.jsonl")
        write_table(records, tmp_path / "copy.csv")
    finally:
        os.umask(before)
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_jsonl_holds_complete_records(chat: Client, simulator: Simulator, tmp_path: Path) -> None:
    """A line of a .jsonl file is the record as the service sent it, with the name of its app,
    whatever it contains."""
    malformed: list[Any] = [
        {
            "ruleId": "\ud800 alone",
            "message": {"id": "a", "data": {"text": 'two\r\nlines, "quoted"\u2028'}},
        },
        {
            "message": {"id": "b"},
            "createdAt": "soon",
            "new": {"field": [1, 1.5, None, True, 10**30]},
        },
        {"message": [], "action": {"of": "another kind"}},
        {},
    ]
    records: list[Any] = [*simulator.reviewed_messages[:30], *malformed]
    simulator.fail("list_reviewed_messages", body={"data": records, "meta": {}}, times=2)
    path = tmp_path / "reviewed.jsonl"
    assert export_latest(chat, path).written == 34
    found = [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]
    assert sorted(map(ordered, found)) == sorted(ordered({"app": "shop", **raw}) for raw in records)
    assert export_latest(chat, path) == ReviewedExport(path=path, written=0, skipped=34)


def cells_of(path: Path, *raws: Any) -> list[dict[str, str]]:
    """Write these records to a new CSV file, and return its cells."""
    path.unlink(missing_ok=True)
    assert write_table(map(Reviewed.of, raws), path).written == len(raws)
    # The limit belongs to the process, so other tests would have it as well.
    limit = csv.field_size_limit(10**7)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))
    finally:
        csv.field_size_limit(limit)


def test_csv_holds_columns(simulator: Simulator, tmp_path: Path) -> None:
    """A row of a .csv file has the fields of a record under their names, and its creation time
    in readable form."""
    raws: list[Any] = simulator.reviewed_messages[::-1]
    rows = cells_of(tmp_path / "reviewed.csv", *raws)
    assert [*rows[0]][:6] == [
        "app",
        "message_id",
        "rule_id",
        "revision_id",
        "created_at",
        "created_utc",
    ]
    names = ("message_id", "text", "status", "action", "blocked_at", "created_at")
    assert [tuple(row[name] for name in names) for row in rows] == [
        (
            sent["message"]["id"],
            sent["message"]["data"].get("text", ""),
            sent["message"]["data"]["moderation"]["status"],
            ", ".join(sent["action"]),
            f"'{sent['blockedAt']}" if "blockedAt" in sent else "",
            str(sent["createdAt"]),
        )
        for sent in raws
    ]
    assert rows[-1]["created_utc"] == "2025-09-15 17:05:51"


def test_workbook_holds_columns(tmp_path: Path) -> None:
    """A cell of an .xlsx file is the exact text; a text that no workbook can hold is refused,
    and no file is made."""
    path, other = tmp_path / "week.xlsx", tmp_path / "other.xlsx"
    texts = ["=1+1", "007", "größer \u2028 🚗"]
    assert write_table(map(Reviewed.of, map(record_with_text, texts)), path).written == 3
    column = [row.cells[COLUMNS.index("text") + 1] for row in read_rows(path.read_bytes())]
    assert column == ["text", *texts]
    with pytest.raises(
        InvalidRequestError, match=r"row 2 has a text that a workbook cannot hold.*; use \.csv"
    ):
        write_table([Reviewed.of(record_with_text("long" * 10_000))], other)
    assert not other.exists()


@pytest.mark.parametrize(
    "text",
    [
        *(f"{mark}cmd|' /C calc'!A0" for mark in "=+-@\t\n\uff1d\uff0b\uff0d\uff20"),
        "'quoted'",
        "a; 'b', ''c",
        *(f"hello{mark}=1+1" for mark in (",", ";", "\t", "|", "\n", ", ", ';"', "\t\t")),
        "\t'=1",
        '"',
        'a "b", c\nd',
        " blanks ",
        "バカ, приве́т",
        "x" * 3_000_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_csv_cell_is_not_a_formula(tmp_path: Path, text: str) -> None:
    """No cell with a text of a user begins as a formula of a spreadsheet, also if the spreadsheet
    begins a cell at a semicolon or a tab; the reader takes the marks back."""
    ((cell,),) = (
        [row["text"]] for row in cells_of(tmp_path / "reviewed.csv", record_with_text(text))
    )
    assert unmarked(cell) == text
    assert not re.search(r"[;\t][ ]*[-=+@]", cell)
    assert not cell.startswith(tuple("=+-@\t\n\uff1d\uff0b\uff0d\uff20"))


@pytest.mark.parametrize(
    "number",
    ["1757955951.000000000390079", "1234567890123456", "007", "1e5", "12.50", ".5", "1,000"],
)
def test_csv_cell_keeps_the_digits_of_a_text(tmp_path: Path, number: str) -> None:
    """A text that a spreadsheet would read as a number with other digits gets an apostrophe, so
    that it stays text."""
    polars = pytest.importorskip("polars", reason="not installed: run make docs")
    path = tmp_path / "reviewed.csv"
    (row,) = cells_of(path, record(blockedAt=number, appId="123456789012345"))
    assert (row["blocked_at"], row["app_id"]) == (f"'{number}", "123456789012345")
    frame = polars.read_csv(path)
    assert frame["blocked_at"].to_list() == [f"'{number}"]


def test_records_without_a_message(tmp_path: Path) -> None:
    """Everything that is written identifies a record without a message."""
    path = tmp_path / "reviewed.jsonl"
    unnamed = [record(message={}, ruleName="a"), record(message={}, ruleName="b"), {}]
    with ReviewedFile(path) as file:
        assert file.append(unnamed) == ReviewedExport(path=path, written=3, skipped=0)
    with ReviewedFile(path) as file:
        assert file.append(unnamed) == ReviewedExport(path=path, written=0, skipped=3)


def test_export_after_a_watch(chat: Client, simulator: Simulator, tmp_path: Path) -> None:
    """A file can take the records of a watch; a later export adds only the records after them."""
    path = tmp_path / "reviewed.jsonl"

    with ReviewedFile(path) as file:
        for number, seen in enumerate(chat.reviewed_messages.watch(interval=0.001, limit=5), 1):
            file.append([raw_of(seen, "shop")])
            if number == 5:
                simulator.review(4)
            elif number == 9:
                break
    assert message_ids(path) == listed(simulator, 9)
    simulator.review(1)
    assert export_latest(chat, path, limit=5) == ReviewedExport(path=path, written=1, skipped=4)
