"""An unofficial, typed client for CometChat's server-side REST API v3.

from cometchat_rest import Client, WordListInput

with Client(app_id="253179cf5f665257", region="eu", api_key=KEY) as chat:
    chat.keywords.update("profanity-list", WordListInput(search_terms=["spam", "scam"]))
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

    from . import keyword_input, review_times
    from .auth_tokens import Revocation, TokenRevocation
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
        PlanRefusedError,
        RateLimit,
        RateLimitError,
        RequestTimeoutError,
        ResponseTooLargeError,
        RevisionConflictError,
        ServerError,
        TransportError,
        UnexpectedResponse,
        UnprocessableEntityError,
    )
    from .fleet import AsyncFleet, Fleet, Outcome
    from .keyword_input import KeywordListInput, PatternListInput, SentenceSimilarityListInput, WordListInput
    from .keyword_plan import KeywordPlan, KeywordUpdate
    from .review_files import ReviewedExport, ReviewedFile
    from .version import __version__

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncFleet",
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
    "Fleet",
    "InvalidRequestError",
    "KeywordList",
    "KeywordListInput",
    "KeywordPlan",
    "KeywordUpdate",
    "Message",
    "MessageData",
    "MessageEntities",
    "MessageEntity",
    "Moderation",
    "ModerationRule",
    "NotFoundError",
    "Outcome",
    "Pagination",
    "PatternListInput",
    "PermissionDeniedError",
    "PlanRefusedError",
    "RateLimit",
    "RateLimitError",
    "Region",
    "RequestTimeoutError",
    "ResponseTooLargeError",
    "ReviewedExport",
    "ReviewedFile",
    "ReviewedMessage",
    "ReviewedMessageList",
    "ReviewedMessageListMeta",
    "RevisionConflictError",
    "Revocation",
    "Role",
    "RoleList",
    "RoleListMeta",
    "RoleMetadata",
    "RoleSettings",
    "SentenceSimilarityListInput",
    "ServerError",
    "TokenRevocation",
    "TransportError",
    "UnexpectedResponse",
    "UnprocessableEntityError",
    "WordListInput",
    "__version__",
    "keyword_input",
    "review_times",
]

# Where each name lives, as a type checker reads it above.
_HOMES = {
    "ApiError": ".errors",
    "AsyncClient": ".client",
    "AsyncFleet": ".fleet",
    "AuthTokenDeletion": "cometchat_openapi.models",
    "AuthenticationError": ".errors",
    "BadRequestError": ".errors",
    "Client": ".client",
    "CometChatError": ".errors",
    "Condition": "cometchat_openapi.models",
    "ConfigurationError": ".errors",
    "ConflictError": ".errors",
    "CurrentPage": "cometchat_openapi.models",
    "Drift": ".drift",
    "Entity": "cometchat_openapi.models",
    "Fleet": ".fleet",
    "InvalidRequestError": ".errors",
    "KeywordList": "cometchat_openapi.models",
    "KeywordListInput": ".keyword_input",
    "KeywordPlan": ".keyword_plan",
    "KeywordUpdate": ".keyword_plan",
    "Message": "cometchat_openapi.models",
    "MessageData": "cometchat_openapi.models",
    "MessageEntities": "cometchat_openapi.models",
    "MessageEntity": "cometchat_openapi.models",
    "Moderation": "cometchat_openapi.models",
    "ModerationRule": "cometchat_openapi.models",
    "NotFoundError": ".errors",
    "Outcome": ".fleet",
    "Pagination": "cometchat_openapi.models",
    "PatternListInput": ".keyword_input",
    "PermissionDeniedError": ".errors",
    "PlanRefusedError": ".errors",
    "RateLimit": ".errors",
    "RateLimitError": ".errors",
    "Region": ".endpoint",
    "RequestTimeoutError": ".errors",
    "ResponseTooLargeError": ".errors",
    "ReviewedExport": ".review_files",
    "ReviewedFile": ".review_files",
    "ReviewedMessage": "cometchat_openapi.models",
    "ReviewedMessageList": "cometchat_openapi.models",
    "ReviewedMessageListMeta": "cometchat_openapi.models",
    "RevisionConflictError": ".errors",
    "Revocation": ".auth_tokens",
    "Role": "cometchat_openapi.models",
    "RoleList": "cometchat_openapi.models",
    "RoleListMeta": "cometchat_openapi.models",
    "RoleMetadata": "cometchat_openapi.models",
    "RoleSettings": "cometchat_openapi.models",
    "SentenceSimilarityListInput": ".keyword_input",
    "ServerError": ".errors",
    "TokenRevocation": ".auth_tokens",
    "TransportError": ".errors",
    "UnexpectedResponse": ".errors",
    "UnprocessableEntityError": ".errors",
    "WordListInput": ".keyword_input",
    "__version__": ".version",
}


def __getattr__(name: str) -> object:
    if name in ("keyword_input", "review_times"):
        return import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
