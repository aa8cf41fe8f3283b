"""Reviewed messages as flat values: the columns of a CSV file and a table (pure)."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Self

from attrs import field, fields, frozen

from cometchat_desk.times import utc

# A block marker such as 1757955951.000000000390079: a time, and the identifier of the message.
_BLOCKED_AT = re.compile(r"([0-9]{1,20})\.[0-9]+")


def _text(value: object) -> str | None:
    """A text as it is, and any other value as JSON. UTF-8 cannot hold a lone surrogate, so an
    escape replaces it."""
    if value is None:
        return None
    if isinstance(value, str):
        text = value
    else:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if not text.isprintable():
        text = text.encode("utf-8", "backslashreplace").decode()
    return text


def _seconds(value: object) -> int | None:
    """Unix seconds; `None` if a datetime cannot hold them."""
    if isinstance(value, str) and re.fullmatch("-?[0-9]{1,19}", value):
        value = int(value)
    return value if type(value) is int and utc(value) is not None else None


def _texts(value: object) -> tuple[str, ...]:
    """The texts of an array, or the parts of a text between commas with a space."""
    items: Iterable[object] = [value]
    if isinstance(value, list):
        items = value
    elif isinstance(value, str) and value:
        items = value.split(", ")
    return tuple(text for text in map(_text, items) if text is not None)


def _joined(value: object) -> str | None:
    """A text, or the texts of an array as one text."""
    return ", ".join(_texts(value)) or None


def _column(path: str, read: Callable[[Any], object] = _text) -> Any:
    """A field with the names that lead to its value in a record of the service, and how its
    value is read."""
    default = () if read is _texts else None
    return field(default=default, metadata={"path": path, "read": read})


@frozen(kw_only=True)
class Reviewed:
    """One reviewed message. A missing value is `None`; an empty tuple, if the column can hold
    several values."""

    app: str | None = _column("app")  # the profile with which the record was collected
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
    condition_message: str | None = _column("condition.message", _joined)
    condition_operand: str | None = _column("condition.operand")
    condition_operator: str | None = _column("condition.operator")
    condition_value: tuple[str, ...] = _column("condition.value", _texts)
    lists: tuple[str, ...] = _column(
        "condition.value", _texts
    )  # the keyword lists that the condition names
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
    def of(cls, raw: Mapping[str, Any]) -> Self:
        """Take the values from a raw record of the service; an unexpected value becomes JSON
        text."""
        return cls(**json_values(raw, NAMES))

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
    def is_approved(self) -> bool:
        """Whether a moderator approved the message."""
        return (self.status or "").lower() == "approved"


# The function that reads each column, and the columns of each object in a record.
_READERS: Mapping[str, Callable[[Any], object]] = {
    column.name: column.metadata["read"] for column in fields(Reviewed)
}
_PATHS: Mapping[str, Sequence[str]] = {
    column.name: column.metadata["path"].split(".") for column in fields(Reviewed)
}
#: The names of the values, in their order.
NAMES = tuple(_READERS)
#: The names of all columns, in their order: a time such as created_at is also in created_utc, a
#: property. The first five columns identify a record.
COLUMNS = tuple(
    column
    for name in NAMES
    for column in ((name, name.replace("_at", "_utc")) if name.endswith("_at") else (name,))
)
#: The values that two records of the same review share.
IDENTITY = COLUMNS[:5]


def json_values(raw: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The values with these names in a record of the service."""
    values = {name: _READERS[name](within(raw, *_PATHS[name])) for name in names}
    if "lists" in values and not _names_lists(raw):
        values["lists"] = ()
    return values


def _names_lists(raw: Mapping[str, Any]) -> bool:
    """Whether the condition names keyword lists. The service has two names for this flag."""
    flags = ("isKeywordsReferencePresent", "isListReferencePresent")
    return any(within(raw, "condition", flag) is True for flag in flags)


def text_values(texts: Mapping[str, str | None], names: Iterable[str]) -> dict[str, Any]:
    """The values with these names in a row of a CSV file."""
    return {name: _READERS[name](texts[name]) for name in names}


def within(raw: Any, *path: str) -> Any:
    """The value that the names of members lead to in an object of JSON; `None` if a member is
    missing."""
    for name in path:
        raw = raw.get(name) if isinstance(raw, dict) else None
    return raw
