"""Read messages one after the other: from exported reviewed messages, or from plain lists of messages.

- `.jsonl`: one reviewed message per line, as an export writes it, or one object with a `text`.
- `.csv`: an export, another table with a column `text`, or one column without a header.
- `.txt`: one message per line. Blank lines are ignored.
- `-`: standard input. A line that holds a JSON object is read as in `.jsonl`, any other line is a message.

All files are UTF-8, and may be compressed with gzip (`.jsonl.gz`). Invalid bytes become U+FFFD. A line of a `.jsonl`
file that is not a complete object, such as a last line that was cut off, is skipped and counted.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen

from cometchat_rest import review_times
from cometchat_rest.errors import InvalidRequestError

if TYPE_CHECKING:
    from cometchat_rest import ReviewedMessage

#: The types that a path argument may have.
FilePath: TypeAlias = str | os.PathLike[str]

# A spreadsheet would read a text with one of these as a formula, so an export puts an apostrophe before it.
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'")
# These columns show that a CSV file is an export.
_EXPORT_COLUMNS = frozenset(("message_id", "rule_id", "created_at", "text"))


@frozen(kw_only=True)
class Message:
    """A message, and its review if it was reviewed. A value that is not known is `None`; a time is in UTC.

    Attributes:
        message_id: the identifier of the message.
        text: the text; an image, for example, has no text.
        message_type: the type of the message, such as `text`.
        sender: the uid of the sender.
        sender_name: the name of the sender.
        receiver_type: the kind of receiver, such as `user`.
        receiver: the uid or identifier of the receiver.
        receiver_name: the name of the receiver.
        conversation_id: the identifier of the conversation.
        sent: when the message was sent.
        created: when the record of the review was created.
        rule_id: the identifier of the rule that matched.
        rule_name: the name of the rule.
        revision_id: the revision of the rule.
        condition: the condition in words.
        condition_operator: how the condition compares.
        lists: the identifiers of the keyword lists that the condition names.
        actions: the actions that were taken.
        status: the moderation status, such as `approved`.
    """

    message_id: str | None = None
    text: str | None = None
    message_type: str | None = None
    sender: str | None = None
    sender_name: str | None = None
    receiver_type: str | None = None
    receiver: str | None = None
    receiver_name: str | None = None
    conversation_id: str | None = None
    sent: datetime | None = None
    created: datetime | None = None
    rule_id: str | None = None
    rule_name: str | None = None
    revision_id: str | None = None
    condition: str | None = None
    condition_operator: str | None = None
    lists: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    status: str | None = None


class MessageReader:
    """Messages of several files, read while you iterate, so that the memory stays flat.

    Attributes:
        skipped: how many lines were skipped so far, because they are not complete records.
        too_old: how many messages were left out so far, because they are older than `since`.
    """

    def __init__(self, paths: FilePath | Iterable[FilePath], *, since: datetime | None = None) -> None:
        """
        Args:
            paths: the files, or `-` for standard input. The suffix names the format.
            since: the earliest time of a review, with a time zone; a message without a time is left out.

        Raises:
            InvalidRequestError: a file does not exist, or its suffix is not supported.
        """
        given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        self._sources = [(path, _reader_for(path)) for path in given]
        self._since = since
        self.skipped = self.too_old = 0

    def __iter__(self) -> Iterator[Message]:
        for path, read in self._sources:
            try:
                with _open(path) as lines:
                    for message in read(lines, str(path), self._skip):
                        if self._since is None or (message.created is not None and message.created >= self._since):
                            yield message
                        else:
                            self.too_old += 1
            except OSError as error:
                raise InvalidRequestError(f"{path}: {error.strerror or error}") from error
            except (EOFError, zlib.error):
                raise InvalidRequestError(f"{path}: the gzip file is incomplete or damaged") from None
            except csv.Error as error:
                raise InvalidRequestError(f"{path}: is not a CSV file: {error}") from None

    def _skip(self) -> None:
        self.skipped += 1


def message_of(record: ReviewedMessage) -> Message:
    """A record of the service as a `Message`.

    Args:
        record: for example one of `reviewed_messages.list().data`.
    """
    return _from_json(record.to_dict())


_Reader: TypeAlias = Callable[[Iterable[str], str, Callable[[], None]], Iterator[Message]]


def _reader_for(path: FilePath) -> _Reader:
    name = os.fspath(path)
    if name == "-":
        return _read_mixed
    read = _READERS.get(Path(name.lower().removesuffix(".gz")).suffix)
    if read is None:
        raise InvalidRequestError(f"{path}: the suffix must be one of {', '.join(_READERS)}, each also with .gz")
    try:
        if Path(name).is_dir():
            raise InvalidRequestError(f"{path}: is a folder; give a file")
        Path(name).stat()
    except (OSError, ValueError) as error:
        fault = error.strerror if isinstance(error, OSError) else None
        raise InvalidRequestError(f"{path}: {fault or error}") from error
    return read


def _open(path: FilePath) -> io.TextIOWrapper:
    name = os.fspath(path)
    opened: io.BufferedIOBase
    if name == "-":
        # A duplicate, so that standard input itself stays open.
        opened = getattr(sys.stdin, "buffer", None) or io.BytesIO()
        opened = io.BufferedReader(_Kept(opened))
    else:
        opened = gzip.open(name) if name.lower().endswith(".gz") else Path(name).open("rb")  # noqa: SIM115
    # A carriage return inside a cell of a CSV file stays, and ends no line.
    return io.TextIOWrapper(opened, encoding="utf-8-sig", errors="replace", newline="\n")


class _Kept(io.RawIOBase):
    """Bytes of another stream, which stays open."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, target: bytearray | memoryview) -> int:  # type: ignore[override] # any buffer is accepted
        data = self._stream.read1(len(target))
        target[: len(data)] = data
        return len(data)


def _read_jsonl(lines: Iterable[str], name: str, skip: Callable[[], None]) -> Iterator[Message]:
    first = True
    for line in lines:
        if line.isspace():
            continue
        raw = _json_object(line)
        if raw is None:
            # Only the last line of an export can be incomplete. A file that begins with something else is no export.
            if first and line.endswith("\n"):
                raise InvalidRequestError(
                    f"{name}: contains no reviewed messages; give a file that cometchat-rest reviewed export has made"
                )
            skip()
        else:
            yield _from_json(raw)
        first = False


def _read_txt(lines: Iterable[str], name: str, skip: Callable[[], None]) -> Iterator[Message]:  # noqa: ARG001
    for line in lines:
        if text := line.rstrip("\r\n"):
            yield Message(text=text)


def _read_mixed(lines: Iterable[str], name: str, skip: Callable[[], None]) -> Iterator[Message]:  # noqa: ARG001
    for line in lines:
        raw = _json_object(line) if line.startswith("{") else None
        if raw is not None:
            yield _from_json(raw)
        elif text := line.rstrip("\r\n"):
            yield Message(text=text)


def _read_csv(lines: Iterable[str], name: str, skip: Callable[[], None]) -> Iterator[Message]:  # noqa: ARG001
    rows = csv.reader(lines)
    head = next(rows, [])
    names = [each.strip().lower() for each in head]
    if "text" in names:
        export = _EXPORT_COLUMNS.issubset(names)
        for row in rows:
            if row:
                cells = {name: _unescaped(cell) if export else cell for name, cell in zip(names, row, strict=False)}
                yield _from_cells(cells) if export else Message(text=cells.get("text"))
    elif len(head) > 1:
        raise InvalidRequestError(f"{name}: has several columns and none of them is named text; name the column text")
    else:
        for row in (head, *rows):
            if row and row[0]:
                yield Message(text=row[0])


_READERS: Mapping[str, _Reader] = {".jsonl": _read_jsonl, ".csv": _read_csv, ".txt": _read_txt}


def _json_object(line: str) -> Mapping[str, object] | None:
    """The JSON object in a line if it is a reviewed message or has a text."""
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict) or {"message", "ruleId", "text"}.isdisjoint(raw):
        return None
    return raw


# Records are read leniently, so any value may have any type.


def _from_json(raw: Mapping[str, object]) -> Message:
    message, condition = _object_at(raw, "message"), _object_at(raw, "condition")
    data = _object_at(message, "data")
    entities = _object_at(data, "entities")
    names_lists = condition.get("isKeywordsReferencePresent") is True
    return Message(
        message_id=_text(message.get("id")),
        text=_text(data.get("text")) or _text(raw.get("text")),
        message_type=_text(message.get("type")),
        sender=_text(message.get("sender")),
        sender_name=_text(_object_at(_object_at(entities, "sender"), "entity").get("name")),
        receiver_type=_text(message.get("receiverType")),
        receiver=_text(message.get("receiver")),
        receiver_name=_text(_object_at(_object_at(entities, "receiver"), "entity").get("name")),
        conversation_id=_text(message.get("conversationId")),
        sent=review_times.utc(message.get("sentAt")),
        created=review_times.utc(raw.get("createdAt")),
        rule_id=_text(raw.get("ruleId")),
        rule_name=_text(raw.get("ruleName")),
        revision_id=_text(raw.get("revisionId")),
        condition=_text(condition.get("message")) or "; ".join(_texts(condition.get("message"))) or None,
        condition_operator=_text(condition.get("operator")),
        lists=tuple(dict.fromkeys(_texts(condition.get("value")))) if names_lists else (),
        actions=_texts(raw.get("action")),
        status=_text(_object_at(data, "moderation").get("status")),
    )


def _from_cells(cells: Mapping[str, str]) -> Message:
    """A row of an exported CSV file. It does not show the lists that the condition names."""

    def cell(name: str) -> str | None:
        return cells.get(name) or None

    return Message(
        message_id=cell("message_id"),
        text=cell("text"),
        message_type=cell("message_type"),
        sender=cell("sender"),
        receiver_type=cell("receiver_type"),
        receiver=cell("receiver"),
        conversation_id=cell("conversation_id"),
        sent=_time(cell("sent_at")),
        created=_time(cell("created_at")),
        rule_id=cell("rule_id"),
        rule_name=cell("rule_name"),
        revision_id=cell("revision_id"),
        condition=cell("condition_message"),
        actions=tuple(each for each in (cell("action") or "").split(", ") if each),
        status=cell("status"),
    )


def _unescaped(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell


def _time(cell: str | None) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(cell or ""), UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _object_at(raw: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = raw.get(name)
    return found if isinstance(found, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _texts(values: object) -> tuple[str, ...]:
    return tuple(each for each in values if isinstance(each, str) and each.strip()) if isinstance(values, list) else ()
