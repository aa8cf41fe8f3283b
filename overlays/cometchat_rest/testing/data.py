"""The initial state of the simulator: always the same records, in every shape that the service may send."""

import hashlib

from .records import (
    ConditionRecord,
    EntityRecord,
    FileRecord,
    KeywordListRecord,
    MessageDataRecord,
    MessageRecord,
    ModerationRecord,
    ReviewedMessageRecord,
    RoleRecord,
    UserRecord,
)

APP_ID = "253179cf5f665257"
EPOCH = 1_757_955_951
UIDS = ("alice", "bob", "carol", "dave", "erin", "frank")
TOKENS_EACH = 3
MESSAGES = 300
ROLES = (
    *("default", "admin", "moderator", "support", "sales", "teacher", "student", "guest", "coach"),
    *("player", "host", "speaker", "listener", "editor", "reviewer", "seller", "buyer", "driver"),
    *("rider", "doctor", "nurse", "patient", "bot", "auditor", "vip"),
)


def revision_id(identifier: str, number: int) -> str:
    """Make a revision id: 16 hexadecimal digits, the id of the list or rule, and a number that increases."""
    return f"{_hex(identifier, 16)}_{identifier}_{number}"


def keyword_lists() -> dict[str, KeywordListRecord]:
    """Make the keyword lists: one of each category, a default one, and one made from a CSV file."""
    words = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ"]
    patterns = [r"\bfr[e3]{2}\s{1,3}coins\b", r"\d{4}[- ]\d{4}[- ]\d{4}[- ]\d{4}", r"(?i)telegram\.me/\w{3,32}"]
    sentences = ["I know where you live.", "Send me your password, please.", "Nobody would miss you."]
    quoted = ['"buy now, pay later"', '"guaranteed profit"', "no quotes here"]
    lists = (
        _list(
            0,
            "profanity-list",
            "Profanity",
            "word",
            {"searchTerms": words, "description": "Words nobody wants to read."},
        ),
        _list(1, "scam-patterns", "Scam patterns", "pattern", {"searchTerms": patterns}),
        _list(2, "threat-sentences", "Threats", "sentence-similarity", {"disallowedSentences": sentences}),
        _list(3, "default-profanity", "Default profanity", "word", {"searchTerms": words[:2], "default": True}),
        _list(4, "imported-phrases", "Imported phrases", "word", {"searchTerms": quoted, "isCSV": True}),
    )
    return dict(lists)


def _list(
    number: int, list_id: str, name: str, category: str, more: KeywordListRecord
) -> tuple[str, KeywordListRecord]:
    record: KeywordListRecord = {
        "id": list_id,
        "name": name,
        "category": category,
        "isCSV": False,
        "createdAt": EPOCH + number,
        "updatedAt": EPOCH + number * 100,
        "revisionId": revision_id(list_id, number + 1),
        "active": number != 1,
    }
    record.update(more)
    return list_id, record


def users() -> dict[str, UserRecord]:
    """Make the users, by uid."""
    return {uid: _user(uid) for uid in UIDS}


def _user(uid: str) -> UserRecord:
    index = UIDS.index(uid)
    return {
        "uid": uid,
        "name": uid.capitalize(),
        "avatar": f"https://data.example/avatars/{uid}.png",
        "status": "offline" if index % 2 else "available",
        "role": ROLES[index % 3],
        "lastActiveAt": EPOCH - index * 61,
    }


def auth_tokens() -> dict[str, list[str]]:
    """Make the auth tokens of each user: the uid, a time of ten digits and 30 hexadecimal digits."""
    return {
        uid: [f"{uid}_{EPOCH + number}{_hex(f'{uid}/{number}', 30)}" for number in range(TOKENS_EACH)] for uid in UIDS
    }


def roles() -> list[RoleRecord]:
    """Make the roles. Some have no metadata, some no settings, some no updatedAt."""
    records: list[RoleRecord] = []
    for index, role in enumerate(ROLES):
        record: RoleRecord = {
            "role": role,
            "name": role.capitalize(),
            "description": f"What a {role} may do.",
            "createdAt": EPOCH + index,
        }
        if index % 3 == 0:
            record["metadata"] = {"rank": index, "badge": {"colour": "green", "labels": ["a", "b"]}}
        if index % 4 != 1:
            audience = "friendsOnly" if index % 2 else "all"
            record["settings"] = {"listUsers": audience, "sendMessagesTo": audience}
        if index % 2 == 0:
            record["updatedAt"] = EPOCH + index * 1000
        records.append(record)
    return records


def reviewed_messages() -> list[ReviewedMessageRecord]:
    """Make the reviewed messages, newest first.

    The shapes repeat with different periods, so that a short page contains most combinations.
    """
    return [reviewed_message(number) for number in range(MESSAGES)]


def reviewed_message(number: int) -> ReviewedMessageRecord:
    """Make one reviewed message. A larger number is an older message; message 0 is the newest of the initial state."""
    kind = _KINDS[number % len(_KINDS)]
    created = EPOCH - number * 37
    message_id = str(390_079 - number)
    rule_id = f"rule-{kind.rule}"
    record: ReviewedMessageRecord = {
        "ruleId": rule_id,
        "ruleName": f"Block {kind.rule}",
        "revisionId": revision_id(rule_id, 1 + number % 4),
        "condition": kind.condition(number),
        "message": _message(number, kind, message_id, created),
        "action": list(kind.action),
        "createdAt": created,
        "updatedAt": created + number % 5,
    }
    if kind.status == "disapproved" and number % 11:
        record["blockedAt"] = f"{created}.{message_id:0>15}"
    if number % 13:
        record["appId"] = APP_ID
    return record


class _Kind:
    """One kind of reviewed message; its attributes are the fields that differ between kinds."""

    def __init__(
        self,
        rule: str,
        *,
        type: str = "text",  # noqa: A002  # the name of the field in the service
        operand: str = "text",
        operator: str = "contains",
        value: str,
        weight: float = 1,
        action: tuple[str, ...],
        status: str,
        texts: tuple[str, ...] = (),
    ) -> None:
        self.rule, self.type, self.operand, self.operator = rule, type, operand, operator
        self.value, self.weight, self.action, self.status, self.texts = value, weight, action, status, texts

    def condition(self, number: int) -> ConditionRecord:
        """Make the condition that matched."""
        return {
            "id": 1 + number % 9,
            "isKeywordsReferencePresent": self.operator == "contains",
            "isMediaPresent": self.operand in ("image", "video"),
            "entity": "message",
            "operand": self.operand,
            "category": self.rule,
            "operator": self.operator,
            "value": [self.value],
            "message": f"The {self.operand} {self.operator} {self.value}",
            "weight": self.weight,
        }


_KINDS = (
    _Kind(
        "word",
        value="profanity-list",
        action=("blockMessage",),
        status="disapproved",
        texts=(
            "Get your free coins, приве́т 👋🏽",
            "This site is a scam, do not pay.",
            "More spam: buy followers today!",
            "Du Schimpfwort, geh weg.",
            "バカ と 言われた",
        ),
    ),
    _Kind(
        "toxicity",
        operator="equals",
        value="toxicity_greaterThan_70",
        weight=0.75,
        action=("flagMessage",),
        status="approved",
        # A moderator approved these.
        texts=(
            "This boss fight is brutal, I love it.",
            "We crushed them in the final, good game!",
            "My printer hates me again 😅",
            "That joke killed me, send more.",
        ),
    ),
    _Kind(
        "nudity",
        type="image",
        operand="image",
        operator="equals",
        value="nudity_greaterThan_50",
        weight=0.5,
        action=("blockMessage", "flagMessage"),
        status="disapproved",
    ),
    _Kind(
        "pattern",
        value="scam-patterns",
        action=("flagMessage",),
        status="pending",
        texts=(
            "Want fr33 coins? Ask me.",
            "My card is 4111 1111 1111 1111, is that fine?",
            "Join us: telegram.me/quickwins",
        ),
    ),
    _Kind(
        "violence",
        type="video",
        operand="video",
        operator="equals",
        value="violence_greaterThan_90",
        weight=0.9,
        action=("dropMessage",),
        status="disapproved",
    ),
    _Kind(
        "similarity",
        operand="custom",
        value="threat-sentences",
        action=(),
        status="unmoderated",
        texts=("I know the street where you live.", "Please send me the password.", "Nobody will miss you."),
    ),
)


def _message(number: int, kind: _Kind, message_id: str, sent: int) -> MessageRecord:
    sender, receiver = UIDS[number % len(UIDS)], UIDS[(number * 5 + 1) % len(UIDS)]
    if sender == receiver:
        receiver = UIDS[(number + 1) % len(UIDS)]
    conversation = "_user_".join(sorted((sender, receiver)))
    data = _content(number, kind)
    data["entities"] = {
        "sender": _entity(sender, conversation if number % 4 == 0 else None, number),
        "receiver": _entity(receiver, conversation, number + 1),
    }
    data["moderation"] = _moderation(kind)
    record: MessageRecord = {
        "id": message_id,
        "conversationId": conversation,
        "sender": sender,
        "receiverType": "user",
        "receiver": receiver,
        "category": "custom" if kind.operand == "custom" else "message",
        "type": kind.type,
        "data": data,
        "sentAt": sent,
        "updatedAt": sent + 1,
    }
    if number % 7:
        record["muid"] = _hex(f"muid/{number}", 12)
    return record


def _content(number: int, kind: _Kind) -> MessageDataRecord:
    content: MessageDataRecord = {} if number % 5 == 0 else {"resource": f"WEB-4_0_{number % 3}-{_hex(kind.rule, 8)}"}
    if kind.type == "text":
        content["text"] = f"{kind.texts[number % len(kind.texts)]} (message {number})"
        return content
    url = f"https://data.example/media/{number}.{'png' if kind.type == 'image' else 'mp4'}"
    file: FileRecord = {
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


def _moderation(kind: _Kind) -> ModerationRecord:
    if kind.status in ("pending", "approved"):
        return {"status": kind.status}
    return {"status": kind.status, "rule": {"id": f"rule-{kind.rule}", "name": f"Block {kind.rule}"}}


def _entity(uid: str, conversation: str | None, number: int) -> EntityRecord:
    entity = _user(uid)
    if number % 3 == 0:
        del entity["lastActiveAt"]
    if conversation is not None:
        entity["conversationId"] = conversation
    return {"entity": entity, "entityType": "user"}


def _hex(seed: str, length: int) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()[:length]
