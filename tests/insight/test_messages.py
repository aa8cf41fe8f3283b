"""Reading messages from exports, text files and standard input."""

from __future__ import annotations

import gzip
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cometchat_rest import Client, InvalidRequestError
from cometchat_rest.insight.messages import Message, MessageReader, message_of
from cometchat_rest.testing import Simulator


def texts(path: Path | str) -> list[str | None]:
    return [each.text for each in MessageReader(path)]


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_export_in_each_format(tmp_path: Path, simulator: Simulator) -> None:
    """An export as .jsonl has all values of the service; as .csv it has the values of its columns."""
    simulator.add_reviewed_message("=1+1, she said", sender="erin", status="approved")
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        records = [message_of(each) for each in reversed(chat.reviewed_messages.list(limit=20).data)]
        for name in ("all.jsonl", "all.csv"):
            chat.reviewed_messages.export(tmp_path / name, limit=20)
    assert list(MessageReader(tmp_path / "all.jsonl")) == records
    packed = written(tmp_path / "all.jsonl.gz", gzip.compress((tmp_path / "all.jsonl").read_bytes()))
    assert list(MessageReader(packed)) == records
    names = (
        "message_id",
        "text",
        "sender",
        "receiver",
        "rule_name",
        "status",
        "created",
        "sent",
        "actions",
        "condition",
    )
    for row, record in zip(MessageReader(tmp_path / "all.csv"), records, strict=True):
        for name in names:
            assert getattr(row, name) == getattr(record, name), name


def test_plain_messages(tmp_path: Path) -> None:
    """A text file has one message per line; a CSV file has a column text, or one column."""
    assert texts(written(tmp_path / "a.txt", "\ufeffone\r\n\n two \nthree")) == ["one", " two ", "three"]
    assert texts(written(tmp_path / "a.csv", 'id,Text\n1,"a, b"\n2,=c\n')) == ["a, b", "=c"]
    assert texts(written(tmp_path / "b.csv", '"a, b"\nc\n\n')) == ["a, b", "c"]
    assert texts(written(tmp_path / "a.jsonl", '{"text": "one"}\n\n{"text": "two"}\n')) == ["one", "two"]
    assert texts(written(tmp_path / "empty.txt", "")) == []
    assert texts(written(tmp_path / "bytes.txt", b"a\xffb\n")) == ["a\ufffdb"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """On standard input, each line is a record or a message."""
    given = b'{"message": {"id": "1", "data": {"text": "one"}}}\n{not json\ntwo\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert [(each.message_id, each.text) for each in MessageReader("-")] == [
        ("1", "one"),
        (None, "{not json"),
        (None, "two"),
    ]


def test_incomplete_lines_are_counted(tmp_path: Path) -> None:
    """A line that was cut off is skipped and counted."""
    reader = MessageReader(written(tmp_path / "a.jsonl", '{"text": "one"}\n{"text": "tw'))
    assert [each.text for each in reader] == ["one"]
    assert reader.skipped == 1


def test_since(tmp_path: Path) -> None:
    """Only messages since a time are read; messages without a time are left out."""
    lines = [json.dumps({"createdAt": time, "message": {"id": str(time)}}) for time in (10, 20, None)]
    path = written(tmp_path / "a.jsonl", "\n".join(lines))
    reader = MessageReader([path], since=datetime.fromtimestamp(20, UTC))
    assert [each.message_id for each in reader] == ["20"]
    assert reader.too_old == 2


@pytest.mark.parametrize(
    "raw",
    [
        {"message": None, "condition": 1, "action": "x", "createdAt": "now"},
        {"message": {"data": [], "id": 5, "sender": {}}, "condition": {"value": "x", "message": 3}},
        {"ruleId": 7, "message": {"data": {"text": 1, "entities": {"sender": []}, "moderation": 0}}},
        {"message": {"sentAt": 1e99}, "condition": {"isKeywordsReferencePresent": True, "value": [None, 3, " "]}},
    ],
)
def test_records_with_unexpected_types(tmp_path: Path, raw: Any) -> None:
    """A value of an unexpected type is left out."""
    assert list(MessageReader(written(tmp_path / "a.jsonl", json.dumps(raw)))) == [Message()]


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("a.docx", "x", "the suffix must be one of .jsonl, .csv, .txt"),
        ("a.jsonl", "hello\n", "contains no reviewed messages"),
        ("a.jsonl", "[1]\n", "contains no reviewed messages"),
        ("a.csv", "id,name\n1,x\n", "none of them is named text"),
        ("a.txt.gz", "not gzip", "a.txt.gz"),
        ("a.csv", '"' + "x" * 200_000 + '"\n', "is not a CSV file"),
    ],
)
def test_unusable_files(tmp_path: Path, name: str, content: str, fault: str) -> None:
    """A file that holds no messages is refused in one line that names it."""
    path = written(tmp_path / name, content)
    with pytest.raises(InvalidRequestError, match=fault) as caught:
        list(MessageReader(path))
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_incomplete_gzip(tmp_path: Path) -> None:
    """A gzip file that was cut off is refused."""
    path = written(tmp_path / "a.txt.gz", gzip.compress(b"hello\n" * 1000)[:-12])
    with pytest.raises(InvalidRequestError, match="the gzip file is incomplete"):
        list(MessageReader(path))


def test_missing_file_is_found_first(tmp_path: Path) -> None:
    """A missing file is reported before any file is read."""
    with pytest.raises(InvalidRequestError, match=r"gone\.txt"):
        MessageReader([written(tmp_path / "a.txt", "x"), tmp_path / "gone.txt"])
    with pytest.raises(InvalidRequestError, match="is a folder"):
        MessageReader((tmp_path / "b.txt").mkdir() or tmp_path / "b.txt")
