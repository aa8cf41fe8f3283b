"""The values of a reviewed message in one flat object (pure)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from attrs import fields, frozen

from .columns import COLUMNS, ColumnKind, ReviewedColumn, value_at

if TYPE_CHECKING:
    from cometchat_openapi.models import ReviewedMessage


@frozen(kw_only=True)
class ReviewSummary:
    """One reviewed message. A value that the record does not have is `None`; a time is an aware datetime in UTC."""

    message_id: str | None = None
    rule_id: str | None = None
    revision_id: str | None = None
    rule_name: str | None = None
    created: datetime | None = None
    updated: datetime | None = None
    sent: datetime | None = None
    blocked: datetime | None = None
    actions: tuple[str, ...] = ()
    status: str | None = None
    category: str | None = None
    condition: str | None = None
    condition_operand: str | None = None
    condition_operator: str | None = None
    condition_values: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    sender: str | None = None
    sender_name: str | None = None
    receiver_type: str | None = None
    receiver: str | None = None
    receiver_name: str | None = None
    conversation_id: str | None = None
    message_type: str | None = None
    text: str | None = None
    app_id: str | None = None

    @classmethod
    def of(cls, record: ReviewedMessage | Mapping[str, Any]) -> Self:
        """Take the values from a record of the service; an unexpected value becomes JSON text."""
        raw = record if isinstance(record, Mapping) else record.to_dict()
        values: dict[str, Any] = {name: _value(column, raw) for name, column in COLUMN_OF.items()}
        return cls(**values)


# The fields whose column has another name.
_RENAMED = {
    "created": "created_utc",
    "updated": "updated_utc",
    "sent": "sent_utc",
    "blocked": "blocked_utc",
    "actions": "action",
    "category": "condition_category",
    "condition": "condition_message",
    "condition_values": "condition_value",
}
_BY_NAME = {column.name: column for column in COLUMNS}

#: The column of `review_columns.COLUMNS` for each field of `ReviewSummary`.
COLUMN_OF: Mapping[str, ReviewedColumn] = {
    each.name: _BY_NAME[_RENAMED.get(each.name) or each.name] for each in fields(ReviewSummary)
}


def _value(column: ReviewedColumn, raw: Mapping[str, Any]) -> datetime | tuple[str, ...] | str | None:
    value = column.value(raw)
    if value is None:
        return () if column.kind in (ColumnKind.TEXTS, ColumnKind.LISTS) else None
    if isinstance(value, datetime):
        return value
    if column.kind in (ColumnKind.TEXTS, ColumnKind.LISTS):
        found = value_at(raw, column.path)
        return tuple(_text(each) for each in found) if isinstance(found, list) else (_text(found),)
    return _text(value)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
