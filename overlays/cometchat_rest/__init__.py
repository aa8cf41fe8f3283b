"""An unofficial, typed client for CometChat's server-side REST API v3.

from cometchat_rest import Client

with Client(app_id="253179cf5f665257", region="eu", api_key=KEY) as chat:
    print(chat.keywords.plan("profanity-list", ["spam", "scam"]))
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cometchat_openapi.models import AuthTokenDeletion as AuthTokenDeletion
    from cometchat_openapi.models import Condition as Condition
    from cometchat_openapi.models import CurrentPage as CurrentPage
    from cometchat_openapi.models import Entity as Entity
    from cometchat_openapi.models import KeywordList as KeywordList
    from cometchat_openapi.models import Message as Message
    from cometchat_openapi.models import MessageData as MessageData
    from cometchat_openapi.models import MessageEntities as MessageEntities
    from cometchat_openapi.models import MessageEntity as MessageEntity
    from cometchat_openapi.models import Moderation as Moderation
    from cometchat_openapi.models import ModerationRule as ModerationRule
    from cometchat_openapi.models import Pagination as Pagination
    from cometchat_openapi.models import ReviewedMessage as ReviewedMessage
    from cometchat_openapi.models import ReviewedMessageList as ReviewedMessageList
    from cometchat_openapi.models import ReviewedMessageListMeta as ReviewedMessageListMeta
    from cometchat_openapi.models import Role as Role
    from cometchat_openapi.models import RoleList as RoleList
    from cometchat_openapi.models import RoleListMeta as RoleListMeta
    from cometchat_openapi.models import RoleMetadata as RoleMetadata
    from cometchat_openapi.models import RoleSettings as RoleSettings

    from . import keyword_input as keyword_input
    from . import review_times as review_times
    from ._call.attempts import AttemptRecord as AttemptRecord
    from ._call.drift import Drift as Drift
    from ._call.telemetry import Telemetry as Telemetry
    from .auth_tokens import Revocation as Revocation
    from .auth_tokens import TokenRevocation as TokenRevocation
    from .client import AsyncClient as AsyncClient
    from .client import Client as Client
    from .description import openapi as openapi
    from .endpoint import Region as Region
    from .errors import ApiError as ApiError
    from .errors import AuthenticationError as AuthenticationError
    from .errors import BadRequestError as BadRequestError
    from .errors import CometChatError as CometChatError
    from .errors import ConfigurationError as ConfigurationError
    from .errors import ConflictError as ConflictError
    from .errors import InvalidRequestError as InvalidRequestError
    from .errors import NotFoundError as NotFoundError
    from .errors import PermissionDeniedError as PermissionDeniedError
    from .errors import PlanRefusedError as PlanRefusedError
    from .errors import RateLimit as RateLimit
    from .errors import RateLimitError as RateLimitError
    from .errors import RequestTimeoutError as RequestTimeoutError
    from .errors import ResponseTooLargeError as ResponseTooLargeError
    from .errors import RevisionConflictError as RevisionConflictError
    from .errors import ServerError as ServerError
    from .errors import TransportError as TransportError
    from .errors import UnexpectedResponse as UnexpectedResponse
    from .errors import UnprocessableEntityError as UnprocessableEntityError
    from .keywords.inputs import KeywordListInput as KeywordListInput
    from .keywords.inputs import PatternListInput as PatternListInput
    from .keywords.inputs import SentenceSimilarityListInput as SentenceSimilarityListInput
    from .keywords.inputs import WordListInput as WordListInput
    from .keywords.plan import KeywordPlan as KeywordPlan
    from .keywords.plan import KeywordUpdate as KeywordUpdate
    from .version import __version__ as __version__

# A name is loaded when it is first used, so that a program pays only for the names it uses.
_MODULE_OF = {
    **dict.fromkeys(
        """
        AuthTokenDeletion Condition CurrentPage Entity KeywordList Message MessageData MessageEntities MessageEntity
        Moderation ModerationRule Pagination ReviewedMessage ReviewedMessageList ReviewedMessageListMeta Role
        RoleList RoleListMeta RoleMetadata RoleSettings
        """.split(),
        "cometchat_openapi.models",
    ),
    "AttemptRecord": "._call.attempts",
    "Drift": "._call.drift",
    "Telemetry": "._call.telemetry",
    **dict.fromkeys("Revocation TokenRevocation".split(), ".auth_tokens"),
    **dict.fromkeys("AsyncClient Client".split(), ".client"),
    "openapi": ".description",
    "Region": ".endpoint",
    **dict.fromkeys(
        """
        ApiError AuthenticationError BadRequestError CometChatError ConfigurationError ConflictError
        InvalidRequestError NotFoundError PermissionDeniedError PlanRefusedError RateLimit RateLimitError
        RequestTimeoutError ResponseTooLargeError RevisionConflictError ServerError TransportError
        UnexpectedResponse UnprocessableEntityError
        """.split(),
        ".errors",
    ),
    **dict.fromkeys(
        """
        KeywordListInput PatternListInput SentenceSimilarityListInput WordListInput
        """.split(),
        ".keywords.inputs",
    ),
    **dict.fromkeys("KeywordPlan KeywordUpdate".split(), ".keywords.plan"),
    "__version__": ".version",
}
_MODULES = ("keyword_input", "review_times")

# Type checkers read the imports above.
__all__ = sorted([*_MODULE_OF, *_MODULES])  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_MODULE_OF[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
