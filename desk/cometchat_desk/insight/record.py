"""Reviewed messages as flat values: the columns of a CSV file, a Parquet file and a table (pure)."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Self

from attrs import field, fields, frozen

from cometchat_desk.files import INNER_CELL, no_formula
from cometchat_desk.times import utc
from cometchat_desk.wording import many
from cometchat_rest import ReviewedMessage

#: The statuses that a moderator gives.
APPROVED, DISAPPROVED = "approved", "disapproved"
# A block marker such as 1757955951.000000000390079: a time, and the identifier of the message.
_BLOCKED_AT = re.compile(r"([0-9]{1,20})\.[0-9]+")


def _text(value: object) -> str | None:
    """A text as it is, and any other value as JSON. UTF-8 cannot hold a lone surrogate, so an escape replaces it."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if not text.isprintable():
        text = text.encode("utf-8", "backslashreplace").decode()
    # Most values occur in many records. A long text is probably the message.
    return sys.intern(text) if len(text) < 40 else text


def _seconds(value: object) -> int | None:
    """Unix seconds; `None` if a datetime cannot hold them."""
    if isinstance(value, str) and re.fullmatch("-?[0-9]{1,19}", value):
        value = int(value)
    return value if type(value) is int and utc(value) is not None else None


def _texts(value: object) -> tuple[str, ...]:
    """The texts of an array; a text stands for several ones with a comma and a space between them."""
    items = value if isinstance(value, list) else value.split(", ") if isinstance(value, str) and value else [value]
    return tuple(text for text in map(_text, items) if text is not None)


def _column(path: str, read: Callable[[Any], object] = _text) -> Any:
    """A field with the names that lead to its value in a record of the service, and how its value is read."""
    default = () if read is _texts else None
    return field(default=default, metadata={"path": path, "read": read})


@frozen(kw_only=True)
class Record:
    """One reviewed message. A missing value is `None`; an empty tuple, if the column can hold several values."""

    message_id: str | None = _column("message.id")
    rule_id: str | None = _column("ruleId")
    revision_id: str | None = _column("revisionId")
    created_at: int | None = _column("createdAt", _seconds)
    updated_at: int | None = _column("updatedAt", _seconds)
    blocked_at: str | None = _column("blockedAt")
    sent_at: int | None = _column("message.sentAt", _seconds)
    rule_name: str | None = _column("ruleName")
    action: tuple[str, ...] = _column("action", _texts)
    status: str | None = _column("message.data.moderation.status")
    condition_category: str | None = _column("condition.category")
    condition_message: str | None = _column("condition.message")
    condition_operand: str | None = _column("condition.operand")
    condition_operator: str | None = _column("condition.operator")
    condition_value: tuple[str, ...] = _column("condition.value", _texts)
    lists: tuple[str, ...] = _column("condition.value", _texts)  # the keyword lists that the condition names
    sender: str | None = _column("message.sender")
    sender_name: str | None = _column("message.data.entities.sender.entity.name")
    receiver_type: str | None = _column("message.receiverType")
    receiver: str | None = _column("message.receiver")
    receiver_name: str | None = _column("message.data.entities.receiver.entity.name")
    conversation_id: str | None = _column("message.conversationId")
    message_type: str | None = _column("message.type")
    text: str | None = _column("message.data.text")
    app_id: str | None = _column("appId")

    @classmethod
    def of(cls, record: ReviewedMessage | Mapping[str, Any]) -> Self:
        """Take the values from a record of the service; an unexpected value becomes JSON text."""
        raw = record if isinstance(record, Mapping) else record.to_dict()
        values: dict[str, Any] = {}
        for parent, columns in _BY_PARENT.items():
            holder = within(raw, *parent)
            if isinstance(holder, Mapping):
                values |= {name: read(holder.get(key)) for name, key, read in columns}
        if within(raw, "condition", "isKeywordsReferencePresent") is not True:
            values["lists"] = ()
        return cls(**values)

    @classmethod
    def of_texts(cls, texts: Mapping[str, str | None]) -> Self:
        """Take the values from the texts of a row of a file, by column."""
        values: dict[str, Any] = {name: read(texts[name]) for name, read in _READERS.items()}
        return cls(**values)

    @property
    def created_utc(self) -> datetime | None:
        """When the record was created."""
        return utc(self.created_at)

    @property
    def updated_utc(self) -> datetime | None:
        """When the record was last changed."""
        return utc(self.updated_at)

    @property
    def blocked_utc(self) -> datetime | None:
        """The time in the block marker."""
        marker = _BLOCKED_AT.fullmatch(self.blocked_at or "")
        return utc(int(marker[1])) if marker else None

    @property
    def sent_utc(self) -> datetime | None:
        """When the message was sent."""
        return utc(self.sent_at)

    @property
    def decision(self) -> str | None:
        """The decision of a moderator, `APPROVED` or `DISAPPROVED`; `None` if nobody has decided."""
        status = (self.status or "").lower()
        return status if status in (APPROVED, DISAPPROVED) else None

    @property
    def identity(self) -> object:
        """The values that two records of the same review share; of a record without a message, all values."""
        return (self.message_id, self.rule_id, self.revision_id, self.created_at) if self.message_id else self

    def cell(self, column: str) -> str:
        """The text for a cell of a CSV file, with an apostrophe before a formula or a number such as `007`."""
        value = getattr(self, column)
        if value is None:
            return ""
        if isinstance(value, datetime):
            return f"{value:%Y-%m-%d %H:%M:%S}"
        if isinstance(value, int):
            return str(value)
        text = ", ".join(value) if isinstance(value, tuple) else str(value)
        return f"'{text}" if _NUMBER.fullmatch(text) and not _KEPT.fullmatch(text) else no_formula(text)


# The function that reads each column, and the columns of each object in a record.
_READERS: Mapping[str, Callable[[Any], object]] = {one.name: one.metadata["read"] for one in fields(Record)}
_BY_PARENT: dict[tuple[str, ...], list[tuple[str, str, Callable[[Any], object]]]] = {}
for _one in fields(Record):
    *_parent, _key = _one.metadata["path"].split(".")
    _BY_PARENT.setdefault((*_parent,), []).append((_one.name, _key, _one.metadata["read"]))
#: The names of all columns, in their order. The first four columns identify a record.
COLUMNS = tuple(
    column for name in _READERS for column in ((name, name.replace("_at", "_utc")) if name.endswith("_at") else (name,))
)
#: The columns that people read, for a table or a spreadsheet.
SHORT = ("created_utc", "sender", "receiver", "text", "rule_name", "status", "action")

# A number, and a number that every spreadsheet keeps as it is.
_NUMBER = re.compile(r"[0-9.,]*[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?")
_KEPT = re.compile(r"0|[1-9][0-9]{0,14}")
_PROTECTED = re.compile(f"(^|{INNER_CELL})'")


def of_cells(cells: Sequence[str]) -> Record:
    """The record in a row of an exported CSV file."""
    texts = (_PROTECTED.sub(r"\1", cell) if "'" in cell else cell for cell in cells)
    return Record.of_texts({name: text or None for name, text in zip(COLUMNS, texts, strict=True)})


@frozen
class Records:
    """Reviewed messages in memory, oldest first."""

    items: Sequence[Record]
    skipped: int = 0  # how many lines were left out because they are not complete records
    duplicates: int = 0  # how many records were left out because they occur more than once
    begins: datetime | None = None  # the time of the earliest record, if records since the asked time may be missing

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for people about lines that were skipped and records that may be missing; usually no sentence."""
        notes = []
        if self.skipped:
            lines = many(self.skipped, "line is not a complete record", "lines are not complete records")
            notes.append(f"{lines}; skipped")
        if self.begins is not None:
            begins = f"{self.begins:%Y-%m-%d %H:%M} UTC"
            notes.append(f"the records begin at {begins}, after the time of --since: older ones may be missing")
        return tuple(notes)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def within(raw: Any, *path: str) -> Any:
    """The value that the names of members lead to in an object of JSON; `None` if a member is missing."""
    for name in path:
        raw = raw.get(name) if isinstance(raw, dict) else None
    return raw
