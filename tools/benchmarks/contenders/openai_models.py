"""The classes of our description in the style of the openai SDK."""

from __future__ import annotations

from openai import BaseModel
from pydantic import Field


class KeywordList(BaseModel):
    """A moderation keyword list."""

    id: str
    name: str
    description: str | None = None
    category: str
    is_csv: bool = Field(alias="isCSV")
    search_terms: list[str] | None = Field(alias="searchTerms", default=None)
    created_at: int = Field(alias="createdAt")
    updated_at: int = Field(alias="updatedAt")
    revision_id: str | None = Field(alias="revisionId", default=None)
    active: bool | None = None
    default: bool | None = None


class KeywordListResponse(BaseModel):
    """The response of get and update."""

    data: KeywordList


class Condition(BaseModel):
    """A condition of a rule."""

    id: int | None = None
    is_keywords_reference_present: bool | None = Field(alias="isKeywordsReferencePresent", default=None)
    is_media_present: bool | None = Field(alias="isMediaPresent", default=None)
    entity: str | None = None
    operand: str | None = None
    category: str | None = None
    operator: str | None = None
    value: list[str] | None = None
    message: str | list[str] | None = None
    weight: int | None = None


class Entity(BaseModel):
    """A user."""

    uid: str | None = None
    name: str | None = None
    avatar: str | None = None
    status: str | None = None
    role: str | None = None
    last_active_at: int | None = Field(alias="lastActiveAt", default=None)
    conversation_id: str | None = Field(alias="conversationId", default=None)


class MessageEntity(BaseModel):
    """A user with its type."""

    entity: Entity | None = None
    entity_type: str | None = Field(alias="entityType", default=None)


class MessageEntities(BaseModel):
    """The sender and the receiver of a message."""

    sender: MessageEntity | None = None
    receiver: MessageEntity | None = None


class ModerationRule(BaseModel):
    """The rule that fired."""

    id: str | None = None
    name: str | None = None


class Moderation(BaseModel):
    """The result of moderation."""

    status: str | None = None
    rule: ModerationRule | None = None


class MessageData(BaseModel):
    """The content of a message."""

    text: str | None = None
    resource: str | None = None
    entities: MessageEntities | None = None
    moderation: Moderation | None = None


class Message(BaseModel):
    """A message."""

    id: str
    muid: str | None = None
    conversation_id: str | None = Field(alias="conversationId", default=None)
    sender: str
    receiver_type: str = Field(alias="receiverType")
    receiver: str
    category: str
    type: str
    data: MessageData | None = None
    sent_at: int = Field(alias="sentAt")
    updated_at: int | None = Field(alias="updatedAt", default=None)


class ReviewedMessage(BaseModel):
    """One reviewed message."""

    rule_id: str = Field(alias="ruleId")
    rule_name: str | None = Field(alias="ruleName", default=None)
    revision_id: str | None = Field(alias="revisionId", default=None)
    condition: Condition | None = None
    message: Message
    action: list[str]
    created_at: int = Field(alias="createdAt")
    updated_at: int | None = Field(alias="updatedAt", default=None)
    blocked_at: str | None = Field(alias="blockedAt", default=None)
    app_id: str | None = Field(alias="appId", default=None)


class CurrentPage(BaseModel):
    """The requested and the returned number of records."""

    limit: int
    count: int


class Meta(BaseModel):
    """The metadata of a page."""

    current: CurrentPage


class ReviewedMessageList(BaseModel):
    """A page of reviewed messages."""

    data: list[ReviewedMessage]
    meta: Meta
