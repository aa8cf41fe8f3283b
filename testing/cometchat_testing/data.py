"""The records that the simulator makes: always the same, in every shape that the service may send.

content.yaml has their words.
"""

# The fields of a record that this module reads are set here.
# pyright: reportTypedDictNotRequiredAccess=false

import copy
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from attrs import frozen

from .records import (
    ConditionRecord,
    KeywordListRecord,
    MessageDataRecord,
    MessageRecord,
    ReceiverEntityRecord,
    ReviewedMessageRecord,
    RoleRecord,
    RuleRecord,
    UserRecord,
)
from .yaml_files import read_yaml

_CONTENT_FILE = Path(__file__).with_name("content.yaml")
CONTENT: Mapping[str, Any] = read_yaml(_CONTENT_FILE)
APP_ID = "253179cf5f665257"
EPOCH = 1_757_955_951
UIDS = ("alice", "bob", "carol", "dave", "erin", "frank")


def revision_id(identifier: str, number: int) -> str:
    """Make a revision id: 16 hexadecimal digits, the id of the list or rule, and a number that
    increases."""
    return f"{_hex(identifier, 16)}_{identifier}_{number}"


def keyword_lists() -> dict[str, KeywordListRecord]:
    """Make the keyword lists, by id."""
    lists: dict[str, KeywordListRecord] = {}
    for number, content in enumerate(CONTENT["keyword_lists"]):
        identifier = content["id"]
        record: KeywordListRecord = {
            "isCSV": False,
            "createdAt": EPOCH + number,
            "updatedAt": EPOCH + number * 100,
            "revisionId": revision_id(identifier, number + 1),
            "active": True,
        }
        record.update(copy.deepcopy(content))
        if record["revisionId"] is None:
            del record["revisionId"]
        lists[identifier] = record
    return lists


def user(uid: str) -> UserRecord:
    """Make one of the users."""
    index = UIDS.index(uid)
    return {
        "uid": uid,
        "name": uid.capitalize(),
        "avatar": f"https://data.example/avatars/{uid}.png",
        "status": "offline" if index % 2 else "available",
        "role": CONTENT["roles"][index % 3],
        "lastActiveAt": EPOCH - index * 61,
    }


def as_receiver(user: UserRecord) -> ReceiverEntityRecord:
    """A user as the receiver of a message: without the fields of a group."""
    return cast("ReceiverEntityRecord", user)


def group(number: int) -> ReceiverEntityRecord:
    """Make one of the groups; they repeat."""
    content = CONTENT["groups"][number % len(CONTENT["groups"])]
    record: ReceiverEntityRecord = {"icon": f"https://data.example/icons/{content['guid']}.png"}
    record.update(content)
    return record


def auth_tokens(count: int = 3) -> dict[str, list[str]]:
    """Make `count` auth tokens of each user: the uid, a time of ten digits and 30 hexadecimal
    digits."""
    return {uid: [_auth_token(uid, number) for number in range(count)] for uid in UIDS}


def _auth_token(uid: str, number: int) -> str:
    digits = _hex(f"{uid}/{number}", 30)
    return f"{uid}_{EPOCH + number}{digits}"


def roles() -> list[RoleRecord]:
    """Make the roles. Some have no metadata, some no settings, some no updatedAt, and a few no
    description."""
    records: list[RoleRecord] = []
    for index, role in enumerate(CONTENT["roles"]):
        record: RoleRecord = {
            "role": role,
            "name": role.capitalize(),
            "createdAt": EPOCH + index,
        }
        if index % 8 != 7:
            record["description"] = f"What a {role} may do."
        if index % 3 == 0:
            badge = {"colour": "green", "labels": ["a", "b"]}
            record["metadata"] = {"rank": index, "badge": badge}
        if index % 4 != 1:
            audience = "friendsOnly" if index % 2 else "all"
            record["settings"] = {"listUsers": audience, "sendMessagesTo": audience}
        if index % 2 == 0:
            record["updatedAt"] = EPOCH + index * 1000
        records.append(record)
    return records


def condition_record(
    category: str,
    operator: str,
    value: str,
    *,
    number: int = 1,
    operand: str = "text",
    weight: float = 1,
) -> ConditionRecord:
    """Make the condition that matched; with the operator `contains`, the value is the id of a
    keyword list."""
    return {
        "id": number,
        "isKeywordsReferencePresent": operator == "contains",
        "isMediaPresent": operand in ("image", "video"),
        "entity": "message",
        "operand": operand,
        "category": category,
        "operator": operator,
        "value": [value],
        "message": f"The {operand} {operator} {value}",
        "weight": weight,
    }


def message_record(
    message_id: str,
    data: MessageDataRecord,
    *,
    sender: str,
    receiver: str,
    sent_at: int,
    updated_at: int,
) -> MessageRecord:
    """Make a text message from one user to another."""
    return {
        "id": message_id,
        "conversationId": "_user_".join(sorted((sender, receiver))),
        "sender": sender,
        "receiverType": "user",
        "receiver": receiver,
        "category": "message",
        "type": "text",
        "data": data,
        "sentAt": sent_at,
        "updatedAt": updated_at,
    }


def review_record(
    message: MessageRecord,
    rule: RuleRecord,
    condition: ConditionRecord,
    *,
    revision: int = 1,
    action: list[str],
    created_at: int,
    updated_at: int,
) -> ReviewedMessageRecord:
    """Make the record of the review of a message; the times are Unix times."""
    record: ReviewedMessageRecord = {
        "ruleId": rule["id"],
        "ruleName": rule["name"],
        "revisionId": revision_id(rule["id"], revision),
        "condition": condition,
        "message": message,
        "action": action,
        "createdAt": created_at,
        "updatedAt": updated_at,
        "appId": APP_ID,
    }
    if message["data"]["moderation"]["status"] == "disapproved":
        record["blockedAt"] = f"{created_at}.{message['id']:0>15}"
    return record


def reviewed_message(number: int, created_at: int | None = None) -> ReviewedMessageRecord:
    """Make one reviewed message. A larger number is an older message; message 0 is the newest of
    the initial state.

    The shapes repeat with different periods, so that a short page contains most combinations.
    """
    kind = _KINDS[number % len(_KINDS)]
    if created_at is None:
        created_at = EPOCH - number * 37
    rule: RuleRecord = {"id": f"rule-{kind.rule}", "name": f"Block {kind.rule}"}
    record = review_record(
        _message(number, kind, rule, created_at),
        rule,
        condition_record(
            kind.rule,
            kind.operator,
            kind.value,
            number=1 + number % 9,
            operand=kind.operand,
            weight=kind.weight,
        ),
        revision=1 + number % 4,
        action=list(kind.action),
        created_at=created_at,
        updated_at=created_at + number % 5,
    )
    if number % 11 == 0:
        record.pop("blockedAt", None)
    if number % 13 == 0:
        del record["appId"]
    condition = record["condition"]
    if number % 17 == 3:
        # Its other form: a list of texts.
        condition["message"] = [f"The {kind.operand} {kind.operator} {kind.value}"]
    if number % 17 == 11:
        _strip(condition)
    return record


def _strip(condition: ConditionRecord) -> None:
    """Leave out what a condition may lack, and give the flag its other name."""
    condition["isListReferencePresent"] = condition.pop("isKeywordsReferencePresent")
    del condition["message"]
    del condition["weight"]


@frozen(kw_only=True)
class _Kind:
    """One kind of reviewed message; its attributes are the fields that differ between kinds."""

    rule: str
    type: str = "text"
    operand: str = "text"
    operator: str = "contains"
    value: str
    weight: float = 1
    action: tuple[str, ...]
    status: str
    texts: tuple[str, ...] = ()


_KINDS = tuple(_Kind(**row) for row in CONTENT["kinds"])


def _message(number: int, kind: _Kind, rule: RuleRecord, sent: int) -> MessageRecord:
    sender = UIDS[number % len(UIDS)]
    receiver = UIDS[(number * 5 + 1) % len(UIDS)]
    if sender == receiver:
        receiver = UIDS[(number + 1) % len(UIDS)]
    data = _content(number, kind)
    record = message_record(
        str(390_079 - number),
        data,
        sender=sender,
        receiver=receiver,
        sent_at=sent,
        updated_at=sent + 1,
    )
    sending = _user_entity(sender, number)
    receiving: ReceiverEntityRecord = as_receiver(_user_entity(receiver, number + 1))
    if number % 17 == 9:
        receiving = group(number)
        record["receiverType"] = "group"
        record["receiver"] = receiving["guid"]
        record["conversationId"] = f"group_{receiving['guid']}"
    receiving["conversationId"] = record["conversationId"]
    if number % 4 == 0:
        sending["conversationId"] = record["conversationId"]
    data["entities"] = {
        "sender": {"entity": sending, "entityType": "user"},
        "receiver": {"entity": receiving, "entityType": record["receiverType"]},
    }
    data["moderation"] = {"status": kind.status}
    if kind.status not in ("pending", "approved"):
        data["moderation"]["rule"] = rule
    record["category"] = "custom" if kind.operand == "custom" else "message"
    record["type"] = kind.type
    if number % 7:
        record["muid"] = _hex(f"muid/{number}", 12)
    return record


def _content(number: int, kind: _Kind) -> MessageDataRecord:
    content: MessageDataRecord = {}
    if number % 5:
        content["resource"] = f"WEB-4_0_{number % 3}-{_hex(kind.rule, 8)}"
    if kind.type == "text":
        text = kind.texts[number % len(kind.texts)]
        name = f"message {number}" if number >= 0 else f"new message {-number}"
        content["text"] = f"{text} ({name})"
        return content
    extension = "png" if kind.type == "image" else "mp4"
    url = f"https://data.example/media/{number}.{extension}"
    file: dict[str, object] = {
        "name": f"{number}.png",
        "extension": "png",
        "size": 1024 + number,
        "mimeType": "image/png",
        "url": url,
    }
    # If there is no file, the service sends an empty array instead of an object.
    content["url"] = url
    content["metadata"] = {"file": [] if number % 4 == 0 else file}
    content["attachments"] = [file]
    return content


def _user_entity(uid: str, number: int) -> UserRecord:
    entity = user(uid)
    if number % 3 == 0:
        del entity["lastActiveAt"]
    return entity


def _hex(seed: str, length: int) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()[:length]
