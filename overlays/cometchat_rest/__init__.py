"""An unofficial, typed client for CometChat's server-side REST API v3.

from cometchat_rest import Client, WordListInput

with Client(app_id="253179cf5f665257", region="eu", api_key=KEY) as chat:
    chat.keywords.update("profanity-list", WordListInput(search_terms=["spam", "scam"]))
"""

from cometchat_openapi.models import (
    AuthTokenDeletion,
    Condition,
    CurrentPage,
    Entity,
    KeywordList,
    Message,
    MessageData,
    MessageEntities,
    MessageEntity,
    Moderation,
    ModerationRule,
    Pagination,
    ReviewedMessage,
    ReviewedMessageList,
    ReviewedMessageListMeta,
    Role,
    RoleList,
    RoleListMeta,
    RoleMetadata,
    RoleSettings,
)

from . import keyword_input
from .client import AsyncClient, Client
from .drift import Drift
from .endpoint import Region
from .errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    CometChatError,
    ConfigurationError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimit,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
    TransportError,
    UnexpectedResponse,
    UnprocessableEntityError,
)
from .keyword_input import KeywordListInput, PatternListInput, SentenceSimilarityListInput, WordListInput
from .version import __version__

__all__ = [
    "ApiError",
    "AsyncClient",
    "AuthTokenDeletion",
    "AuthenticationError",
    "BadRequestError",
    "Client",
    "CometChatError",
    "Condition",
    "ConfigurationError",
    "ConflictError",
    "CurrentPage",
    "Drift",
    "Entity",
    "InvalidRequestError",
    "KeywordList",
    "KeywordListInput",
    "Message",
    "MessageData",
    "MessageEntities",
    "MessageEntity",
    "Moderation",
    "ModerationRule",
    "NotFoundError",
    "Pagination",
    "PatternListInput",
    "PermissionDeniedError",
    "RateLimit",
    "RateLimitError",
    "Region",
    "RequestTimeoutError",
    "ReviewedMessage",
    "ReviewedMessageList",
    "ReviewedMessageListMeta",
    "Role",
    "RoleList",
    "RoleListMeta",
    "RoleMetadata",
    "RoleSettings",
    "SentenceSimilarityListInput",
    "ServerError",
    "TransportError",
    "UnexpectedResponse",
    "UnprocessableEntityError",
    "WordListInput",
    "__version__",
    "keyword_input",
]
