"""The columns of reviewed messages: of a CSV file, of a Parquet file, and of the table `reviewed` (pure)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Any

from attrs import frozen

from cometchat_desk.files import no_formula
from cometchat_rest.review_times import split_blocked_at, utc


class ColumnKind(Enum):
    """How a column gets its value from a record."""

    TEXT = "text"  # as the service sent it
    TEXTS = "texts"  # an array of texts, joined with a comma and a space
    SECONDS = "seconds"  # Unix seconds, as the service sent them
    TIME = "time"  # the same time as a date and time in UTC
    BLOCK_TIME = "block_time"  # the time in a block marker, as a date and time in UTC
    LISTS = "lists"  # the keyword lists that a condition names, if it names any


@frozen(kw_only=True)
class ReviewedColumn:
    """One column: its name, how it gets its value, the names that lead to the value, and what the column holds."""

    name: str
    kind: ColumnKind
    path: tuple[str, ...]
    description: str

    def value(self, raw: Mapping[str, Any]) -> object:
        """Return the value for a raw record, of any kind that the service may send; `None` if there is no value."""
        value = value_at(raw, self.path)
        if self.kind is ColumnKind.TIME:
            return utc(value)
        if self.kind is ColumnKind.BLOCK_TIME:
            marker = split_blocked_at(value)
            return marker and marker.time
        if self.kind is ColumnKind.LISTS and value_at(raw, (self.path[0], "isKeywordsReferencePresent")) is not True:
            return None
        if self.kind in (ColumnKind.TEXTS, ColumnKind.LISTS):
            return _joined(value)
        return value

    def cell(self, raw: Mapping[str, Any]) -> str:
        """Return the text for a cell of a CSV file, without quotation marks; see `cell_of`."""
        return cell_of(self.value(raw))


def cell_of(value: object) -> str:
    """Return the text for a cell of a CSV file, without quotation marks, from the value of a column.

    A text gets an apostrophe where a spreadsheet would evaluate it as a formula (see `files.no_formula`), or in front
    if it would read it as a number and change its digits, such as `1757955951.000000000390079` or `007`. A time is in
    UTC, without a time zone.
    """
    if value is None:
        return ""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return _protected(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# A number, and a number that every spreadsheet keeps as it is.
_NUMBER = re.compile(r"[0-9.,]*[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?")
_KEPT = re.compile(r"0|[1-9][0-9]{0,14}")


def _protected(text: str) -> str:
    return f"'{text}" if _NUMBER.fullmatch(text) and not _KEPT.fullmatch(text) else no_formula(text)


def value_at(raw: Any, path: Sequence[str]) -> Any:
    """The value at a path in a raw record; `None` if the path does not exist."""
    for name in path:
        raw = raw.get(name) if isinstance(raw, Mapping) else None
    return raw


def _joined(value: Any) -> Any:
    return ", ".join(value) if isinstance(value, list) and {str}.issuperset(map(type, value)) else value


def _columns(lines: str) -> tuple[ReviewedColumn, ...]:
    cells = (line.split(maxsplit=3) for line in lines.strip().splitlines())
    return tuple(
        ReviewedColumn(name=name, kind=ColumnKind(kind), path=tuple(path.split(".")), description=description)
        for name, kind, path, description in cells
    )


#: The columns that people read, for a table or a spreadsheet.
SHORT = ("created_utc", "sender", "receiver", "text", "rule_name", "status", "action")

#: All columns, in their order. The first four columns identify a record.
COLUMNS = _columns("""
message_id          text        message.id                                the identifier of the message
rule_id             text        ruleId                                    the identifier of the rule
revision_id         text        revisionId                                the revision of the rule
created_at          seconds     createdAt                                 when the record was created, in Unix seconds
created_utc         time        createdAt                                 the same time, in UTC
updated_at          seconds     updatedAt                                 when the record was last changed
updated_utc         time        updatedAt                                 the same time, in UTC
blocked_at          text        blockedAt                                 the block marker: a time and a message id
blocked_utc         block_time  blockedAt                                 the time in the block marker, in UTC
sent_at             seconds     message.sentAt                            when the message was sent, in Unix seconds
sent_utc            time        message.sentAt                            the same time, in UTC
rule_name           text        ruleName                                  the name of the rule
action              texts       action                                    the actions that were taken
status              text        message.data.moderation.status            the moderation status of the message
condition_category  text        condition.category                        the category of the condition
condition_message   text        condition.message                         the condition in words
condition_operand   text        condition.operand                         the part of the message that is compared
condition_operator  text        condition.operator                        how it is compared
condition_value     texts       condition.value                           the values that it is compared with
lists               lists       condition.value                           the ids of the keyword lists of the condition
sender              text        message.sender                            the uid of the sender
sender_name         text        message.data.entities.sender.entity.name  the name of the sender
receiver_type       text        message.receiverType                      the kind of receiver, such as user
receiver            text        message.receiver                          the uid or identifier of the receiver
receiver_name       text        message.data.entities.receiver.entity.name  the name of the receiver
conversation_id     text        message.conversationId                    the identifier of the conversation
message_type        text        message.type                              the type of the message, such as text
text                text        message.data.text                         the text of the message
app_id              text        appId                                     the identifier of the app
""")
