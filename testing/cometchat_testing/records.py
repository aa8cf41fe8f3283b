"""The types of the simulator's records, with the field names of the service.

A record may lack fields, as the service may leave them out. So a type checker knows each field, and
requires no field.
"""

from typing import TypedDict


class KeywordListRecord(TypedDict, total=False):
    """A keyword list (`KeywordList` in `openapi.yaml`)."""

    id: str
    name: str
    description: str
    category: str
    isCSV: bool
    searchTerms: list[str]
    disallowedSentences: list[str]
    prompts: list[str]
    createdAt: int
    updatedAt: int
    revisionId: str | None
    active: bool
    default: bool


class UserRecord(TypedDict, total=False):
    """A user (`SenderEntity` in `openapi.yaml`)."""

    uid: str
    name: str
    avatar: str
    status: str
    role: str
    lastActiveAt: int
    conversationId: str


class ReceiverEntityRecord(UserRecord, total=False):
    """A user or a group (`ReceiverEntity` in `openapi.yaml`)."""

    guid: str
    icon: str
    type: str
    owner: str
    membersCount: int


class SenderRecord(TypedDict, total=False):
    """The sender of a message."""

    entity: UserRecord
    entityType: str


class ReceiverRecord(TypedDict, total=False):
    """The receiver of a message."""

    entity: ReceiverEntityRecord
    entityType: str


class EntitiesRecord(TypedDict, total=False):
    """The sender and the receiver of a message."""

    sender: SenderRecord
    receiver: ReceiverRecord


class RuleRecord(TypedDict, total=False):
    """The rule that moderated a message."""

    id: str
    name: str


class ModerationRecord(TypedDict, total=False):
    """The state of the moderation of a message."""

    status: str
    rule: RuleRecord


class MessageDataRecord(TypedDict, total=False):
    """The content of a message."""

    text: str
    resource: str
    url: str
    metadata: dict[str, object]
    attachments: list[dict[str, object]]
    entities: EntitiesRecord
    moderation: ModerationRecord


class MessageRecord(TypedDict, total=False):
    """A message (`Message` in `openapi.yaml`)."""

    id: str
    muid: str
    conversationId: str
    sender: str
    receiverType: str
    receiver: str
    category: str
    type: str
    data: MessageDataRecord
    sentAt: int
    updatedAt: int


class ConditionRecord(TypedDict, total=False):
    """The condition of a rule that a message met (`Condition` in `openapi.yaml`)."""

    id: int
    isKeywordsReferencePresent: bool
    isListReferencePresent: bool
    isMediaPresent: bool
    entity: str
    operand: str
    category: str
    operator: str
    value: list[str]
    message: str | list[str]
    weight: float


class ReviewedMessageRecord(TypedDict, total=False):
    """A reviewed message (`ReviewedMessage` in `openapi.yaml`)."""

    ruleId: str
    ruleName: str
    revisionId: str
    condition: ConditionRecord
    message: MessageRecord
    action: list[str]
    createdAt: int
    updatedAt: int
    blockedAt: str
    appId: str


class RoleRecord(TypedDict, total=False):
    """A role (`Role` in `openapi.yaml`)."""

    role: str
    name: str
    description: str
    metadata: dict[str, object]
    settings: dict[str, str]
    createdAt: int
    updatedAt: int
