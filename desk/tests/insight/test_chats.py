"""Reading messages from exports, text files and standard input."""

import io
import json
from pathlib import Path

import pytest

from cometchat_desk.insight.chats import open_messages
from cometchat_desk.insight.collected import open_records
from cometchat_desk.insight.export import ReviewedFile
from cometchat_rest import InvalidRequestError
from cometchat_testing import Simulator


def texts(*paths: Path | str) -> list[str | None]:
    messages = open_messages(paths)
    return [each.text for each in messages]


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_exports(tmp_path: Path, simulator: Simulator) -> None:
    """An export gives its records, each once, also together with a text file."""
    path = tmp_path / "all.jsonl"
    with ReviewedFile(path) as file:
        file.append(simulator.reviewed_messages[:20])
    expected = list(open_records(path))
    messages = open_messages([path, written(tmp_path / "a.txt", "one\n"), path])
    found = list(messages)
    assert found[:-1] == expected
    assert (found[-1].text, found[-1].message_id) == ("one", None)


def test_plain_messages(tmp_path: Path) -> None:
    """A text file has one message per line; a CSV file has a column text, with any separator, or
    one column."""
    assert texts(written(tmp_path / "a.txt", "\ufeffone\r\n\n two \nthree")) == [
        "one",
        " two ",
        "three",
    ]
    assert texts(written(tmp_path / "a.csv", 'id,Text\n1,"a, b"\n2,=c\n3\n')) == ["a, b", "=c"]
    assert texts(written(tmp_path / "a.csv", 'Name;Text\nAnn;"a; b"\nBob;c, d\n')) == [
        "a; b",
        "c, d",
    ]
    assert texts(written(tmp_path / "a.csv", "text\nhi; you\n")) == ["hi; you"]
    assert texts(written(tmp_path / "a.csv", "\nhi\nyou\n")) == ["hi", "you"]
    assert texts(written(tmp_path / "a.csv", "hello ;)\nbye\nsee you\n")) == [
        "hello ;)",
        "bye",
        "see you",
    ]
    assert texts(written(tmp_path / "b.csv", '"a, b"\nc\n\n"d\r\ne"\n')) == ["a, b", "c", "d\r\ne"]
    assert texts(written(tmp_path / "empty.txt", ""), written(tmp_path / "empty.csv", "")) == []


RECORD = json.dumps(
    {"ruleId": "r", "createdAt": 1, "message": {"id": "1", "data": {"text": "one"}}}
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [(f"{RECORD}\n", [("1", "one")]), ("{one\ntwo\n", [(None, "{one"), (None, "two")])],
    ids=["export", "lines"],
)
def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, given: str, expected: list[tuple[str | None, str]]
) -> None:
    """Standard input holds an export as JSON Lines, or one message per line."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    assert [(each.message_id, each.text) for each in open_messages(["-"])] == expected


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("a.docx", "x", "must be in a .jsonl, .jsonl.gz or .csv file"),
        ("a.jsonl", "hello\n", "contains no reviewed messages"),
        ("a.csv", "id,name\n1,x\n", "name the column of the messages"),
        (
            "a.csv",
            "Datum;Absender;Nachricht\n1.2.;Ann;hallo, du\n",
            "name the column of the messages",
        ),
        ("a.csv", "Datum\tNachricht\n1.2.\thallo, du\n", "name the column of the messages"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is not text in UTF-8"),
        ("a.csv", "x\na\rb\n", "cannot be read"),
    ],
)
def test_unusable_files(tmp_path: Path, name: str, content: str | bytes, fault: str) -> None:
    """A file that holds no messages is refused in one line that names it."""
    path = written(tmp_path / name, content)
    with pytest.raises(InvalidRequestError, match=fault) as caught:
        texts(path)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["gone.txt", "gone.csv", "gone.jsonl", "folder.txt"])
def test_missing_file_is_found_first(tmp_path: Path, name: str) -> None:
    """A missing file is reported before any message is read."""
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(InvalidRequestError, match=name.replace(".", r"\.")):
        open_messages([written(tmp_path / "a.txt", "x"), tmp_path / name])


@pytest.mark.parametrize(
    ("encoding", "option"), [("utf-16", None), ("cp1252", "cp1252"), ("utf-8", "cp1252")]
)
@pytest.mark.parametrize("name", ["chat.csv", "chat.txt"])
def test_messages_of_excel(tmp_path: Path, name: str, encoding: str, option: str | None) -> None:
    """Messages in UTF-16 with its mark are read at once, and in another encoding by its name."""
    (tmp_path / name).write_bytes("text\nGrüße\nhallo\n".encode(encoding))
    found = [message.text for message in open_messages([tmp_path / name], encoding=option)]
    assert found[-2:] == ["Grüße", "hallo"]


@pytest.mark.parametrize("encoding", ["ansi", "", "hex", "rot13", "idna", "cp1252,utf8"])
def test_unknown_encoding(tmp_path: Path, encoding: str) -> None:
    """The name of an encoding that does not exist, or is not one of texts, is refused with
    examples of names."""
    path = written(tmp_path / "chat.txt", "Grüße\n".encode("cp1252"))
    with pytest.raises(InvalidRequestError, match="is not a known encoding; try cp1252 or utf-16"):
        list(open_messages([path], encoding=encoding))


@pytest.mark.parametrize(
    ("name", "advice"), [("a.csv", "--encoding cp1252"), ("a.jsonl", "as reviewed export wrote it")]
)
def test_messages_that_are_not_utf_8(tmp_path: Path, name: str, advice: str) -> None:
    """Messages that are not UTF-8 are refused, and the message says what to do."""
    (tmp_path / name).write_bytes('{"message": {"text": "Grüße"}}\n'.encode("cp1252") * 2)
    with pytest.raises(InvalidRequestError, match=advice):
        list(open_messages([tmp_path / name]))


@pytest.mark.parametrize("column", ["Nachricht", "nachricht", "3", "C"])
def test_named_column(tmp_path: Path, column: str) -> None:
    """A chat log says its messages in a column, or in a member of JSON, of any name."""
    path = written(tmp_path / "a.csv", "Datum;Absender;Nachricht\n1.2.;Ann;hallo, du\n")
    texts_of_rows = [message.text for message in open_messages([path], column=column)]
    assert texts_of_rows[-1] == "hallo, du"
    path = written(tmp_path / "a.jsonl", '{"from": "Ann", "body": "hallo"}\n{"body": 3}\n\n')
    assert [message.text for message in open_messages([path], column="body")] == ["hallo"]


@pytest.mark.parametrize(
    ("name", "content", "column", "names"),
    [
        ("a.csv", "text,body\nhi,bye\n", "bdoy", "text, body"),
        ("a.csv", "text,body\nhi,bye\n", "3", "text, body"),
        ("a.jsonl", '{"text": "hi", "body": "bye"}\n', "bdoy", "text, body"),
    ],
)
def test_missing_column(tmp_path: Path, name: str, content: str, column: str, names: str) -> None:
    """A column that is named and missing is refused, also beside a column text, and the message
    names the columns."""
    path = written(tmp_path / name, content)
    fault = rf"{name}: has no column '{column}'; name the column of .* --messages-column: {names}$"
    with pytest.raises(InvalidRequestError, match=fault):
        list(open_messages([path], column=column))


@pytest.mark.parametrize("column", ["body", "2"])
def test_named_column_beside_text(tmp_path: Path, column: str) -> None:
    """The column that is named counts, not the one called text."""
    path = written(tmp_path / "a.csv", "text,body\nhi,bye\n")
    assert [message.text for message in open_messages([path], column=column)] == ["bye"]


@pytest.mark.parametrize("name", ["a.txt", "all.jsonl", "-"])
def test_messages_without_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A column is refused if no file of messages has columns."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"text,body\nhi,bye\n")))
    written(tmp_path / "a.txt", "hi\n")
    written(tmp_path / "all.jsonl", f"{RECORD}\n")
    path = name if name == "-" else tmp_path / name
    with pytest.raises(InvalidRequestError, match=r"column 'body'.* leave the option out"):
        list(open_messages([path], column="body"))


def test_lines_of_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects of JSON with a text are messages, in a file and in standard input; an export beside
    them keeps its records."""
    lines = '{"id": 1, "text": "one"}\n{"id": 2, "text": "two"}\n'
    path = written(tmp_path / "chat.jsonl", lines)
    export = written(tmp_path / "all.jsonl", f"{RECORD}\n")
    assert texts(path) == ["one", "two"]
    messages = open_messages([path, export])
    assert [(message.message_id, message.text) for message in messages] == [
        ("1", "one"),
        (None, "one"),
        (None, "two"),
    ]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert texts("-") == ["one", "two"]
