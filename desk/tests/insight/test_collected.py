"""Reading exported records: all formats, each record once, bad input, nothing on the disk,
Ctrl-C."""

import csv
import gzip
import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cometchat_desk.insight.collected import open_records, records_of
from cometchat_desk.insight.export import ReviewedFile, write_table
from cometchat_desk.insight.reviewed import Reviewed
from cometchat_rest import InvalidRequestError
from cometchat_testing import Simulator

SENT = 1_757_955_951


def raw(number: int = 1, **fields: Any) -> dict[str, Any]:
    message = {"id": str(number), "sender": "alice", "data": {"text": f"text {number}"}}
    return {
        "ruleId": "r",
        "revisionId": "1",
        "createdAt": SENT + number,
        "message": message,
        **fields,
    }


def write_lines(path: Path, records: Iterable[Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")
    return path


@pytest.fixture
def exports(exported: Path, tmp_path: Path) -> Path:
    """A folder with the same records in each format."""
    return shutil.copytree(exported, tmp_path, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The original of `exports`, made once."""
    listed, tmp_path = Simulator().reviewed_messages, tmp_path_factory.mktemp("exported")
    with ReviewedFile(tmp_path / "reviewed.jsonl") as file:
        file.append(listed)
    lines = (tmp_path / "reviewed.jsonl").read_bytes()
    (tmp_path / "reviewed.jsonl.gz").write_bytes(gzip.compress(lines))
    write_table(open_records(tmp_path / "reviewed.jsonl"), tmp_path / "reviewed.csv")
    text = (tmp_path / "reviewed.csv").read_text("utf-8-sig")
    with (tmp_path / "saved.csv").open("w", encoding="utf-8-sig", newline="") as saved:
        csv.writer(saved, delimiter=";").writerows(csv.reader(io.StringIO(text)))
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        "reviewed.csv",
        "saved.csv",
        "reviewed.jsonl.gz",
        "reviewed.*",
    ],
)
def test_every_format_gives_the_same_records(exports: Path, name: str) -> None:
    """A spreadsheet, also with semicolons, a packed file, and all
    of them together give exactly the records of the `.jsonl` file."""
    expected, records = open_records(exports / "reviewed.jsonl"), open_records(exports / name)
    assert list(records) == list(expected)
    repeated = 2 * len(records) if "*" in name else 0
    assert (len(records), records.duplicates, records.skipped) == (300, repeated, 0)
    assert records.notes == ()


def test_texts_of_a_spreadsheet_are_exact(tmp_path: Path) -> None:
    """A text that begins as a formula, a number or an apostrophe comes back from a spreadsheet as
    it was."""
    texts = ["=1+1", "'=1", "''-", "007", "'007", "a,-b;'c", "one\ntwo", "+49 170", "'", "'a'"]
    messages = [
        raw(number, message={"id": str(number), "data": {"text": text}})
        for number, text in enumerate(texts)
    ]
    write_table(records_of(messages), tmp_path / "texts.csv")
    assert [record.text for record in open_records(tmp_path / "texts.csv")] == texts


def test_names_that_match_nothing(tmp_path: Path) -> None:
    """A name with * that no file has is refused in one line."""
    with pytest.raises(
        InvalidRequestError, match=r"day-\*\.jsonl: no file has a name of this form"
    ):
        open_records(tmp_path / "day-*.jsonl")


def test_a_record_in_several_files_counts_once(exports: Path) -> None:
    """A record that several files hold, in any format, is there once."""
    records = open_records(
        exports / "reviewed.jsonl", exports / "reviewed.csv", exports / "reviewed.jsonl"
    )
    assert (len(records), records.duplicates) == (300, 600)


def test_the_latest_change_is_kept(tmp_path: Path) -> None:
    """If a record changed between two exports, the one that was changed last is kept, whatever
    the order of files."""
    old = write_lines(tmp_path / "old.jsonl", [raw(updatedAt=SENT, ruleName="old")])
    new = write_lines(tmp_path / "new.jsonl", [raw(updatedAt=SENT + 1, ruleName="new")])
    found = [
        [each.rule_name for each in open_records(*files)] for files in ([old, new], [new, old])
    ]
    assert found == [["new"], ["new"]]


def test_a_truncated_last_line_is_skipped_and_counted(exports: Path) -> None:
    """The incomplete last line of a file that is still being written is skipped, and a note says
    so."""
    path = exports / "reviewed.jsonl"
    path.write_bytes(path.read_bytes() + b'{"ruleId": "r", "mess')
    records = open_records(path)
    assert (len(records), records.skipped) == (300, 1)
    assert records.notes == ("1 line is not a complete record; skipped",)


def test_lines_of_other_kinds_are_skipped_and_counted(tmp_path: Path) -> None:
    """Lines that are not records are skipped and counted; the records around them are read."""
    path = tmp_path / "mixed.jsonl"
    lines = [json.dumps(raw(1)), "", "5", "[]", '{"a": 1}', "not JSON", json.dumps(raw(2))]
    path.write_text("\r\n".join(lines) + "\n", "utf-8")
    records = open_records(path)
    assert ([each.message_id for each in records], records.skipped) == (["1", "2"], 4)
    assert records.notes == ("4 lines are not complete records; skipped",)


@pytest.mark.parametrize("content", ["notes\n", '{"name": "profanity-list"}\n', "[1, 2]\n"])
def test_foreign_file_is_refused(tmp_path: Path, content: str) -> None:
    """A file of other data gives one line that names it."""
    (tmp_path / "a.jsonl").write_text(content)
    with pytest.raises(
        InvalidRequestError, match=r"^.*a\.jsonl: contains no reviewed messages; give a file .*$"
    ):
        open_records(tmp_path / "a.jsonl")


@pytest.mark.parametrize("name", ["a.xlsx", "a.gz"])
def test_other_formats_are_refused(tmp_path: Path, name: str) -> None:
    """Another format, such as the one for spreadsheets, is refused, and the message names the
    right ones."""
    (tmp_path / name).touch()
    with pytest.raises(
        InvalidRequestError, match=rf"{name}: exported messages must be in a \.jsonl"
    ):
        open_records(tmp_path / name)


@pytest.mark.parametrize(
    "name",
    ["cut.jsonl.gz", "text.jsonl.gz", "other.csv"],
)
def test_damaged_files_are_refused(exports: Path, name: str) -> None:
    """An incomplete file, and a file of other data, give one line each."""
    (exports / "cut.jsonl.gz").write_bytes((exports / "reviewed.jsonl.gz").read_bytes()[:-10])
    (exports / "text.jsonl.gz").write_text("text")
    (exports / "other.csv").write_text("text,name\na,b\n")
    with pytest.raises(InvalidRequestError) as caught:
        open_records(exports / name)
    assert str(exports / name) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_empty_export(tmp_path: Path) -> None:
    """An export without records is valid, and has no records."""
    with ReviewedFile(tmp_path / "reviewed.jsonl"):
        pass
    records = open_records(tmp_path / "reviewed.jsonl")
    assert (list(records), records.skipped) == ([], 0)


def test_values_of_other_kinds(tmp_path: Path) -> None:
    """Missing texts, values of other kinds and hostile texts are read without an error."""
    hostile = "\x00\x1b[2J\u202e\u2028'\"; drop table records; --\r\n=1"
    records = [
        {"message": {"id": "1"}},
        {
            "message": {"id": "2", "data": {"text": hostile}},
            "createdAt": "soon",
            "action": "one",
            "blockedAt": "x.1",
        },
        {"message": {"id": "3", "data": []}, "createdAt": 10**30, "action": [], "condition": 5},
        {
            "message": {"id": "4", "data": {"text": ""}},
            "createdAt": True,
            "blockedAt": 5,
            "action": [1, {"a": 2}],
        },
        {"message": [], "ruleId": "5", "updatedAt": -(10**17)},
        {"message": {"id": "6", "data": {"text": "half \ud800 of a character"}}},
    ]
    found = open_records(write_lines(tmp_path / "odd.jsonl", records))
    by_id = {each.message_id: each for each in found}
    assert (len(found), found.skipped) == (6, 0)
    assert by_id["1"] == Reviewed(message_id="1")
    assert (by_id["2"].text, by_id["2"].action, by_id["2"].blocked_utc) == (hostile, ("one",), None)
    assert by_id["3"] == Reviewed(message_id="3")
    assert by_id["4"].text == ""
    assert by_id[None] == Reviewed(rule_id="5")
    assert by_id["6"].text == "half \\ud800 of a character"


def test_records_without_a_message_stay_apart(tmp_path: Path) -> None:
    """Records that name no message are the same only if everything is the same."""
    lines = [{"ruleId": "r", "ruleName": name} for name in ("a", "b", "a")]
    records = open_records(write_lines(tmp_path / "a.jsonl", lines))
    assert (len(records), records.duplicates) == (2, 1)


@pytest.mark.parametrize("name", ["reviewed.jsonl", "reviewed.csv"])
def test_since(exports: Path, name: str) -> None:
    """Only records that were created at or after a time are read, in each format."""
    records = open_records(exports / name, since=datetime(2025, 9, 15, 17, 5, 14, tzinfo=UTC))
    assert [each.message_id for each in records] == ["390078", "390079"]


OPENED = """
import os, signal, sys
from cometchat_desk.insight.collected import open_records, records_of
records = open_records(sys.argv[1])
assert sum(1 for record in records) == 300
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_no_message_stays_on_the_disk(
    exports: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A process that is killed while it has records open leaves no file in its folder and in the
    temporary folder."""
    folder = tmp_path_factory.mktemp("killed")
    command = [sys.executable, "-c", OPENED, str(exports / "reviewed.jsonl")]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "TMPDIR": str(folder)}, check=False
    )
    assert (done.returncode, list(folder.iterdir())) == (-signal.SIGKILL, [])
