"""The models. Each is imported at its first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .auth_token_deletion import AuthTokenDeletion
    from .auth_token_deletion_response import AuthTokenDeletionResponse
    from .condition import Condition
    from .current_page import CurrentPage
    from .error import Error
    from .error_body import ErrorBody
    from .error_details import ErrorDetails
    from .keyword_category import KeywordCategory
    from .keyword_list import KeywordList
    from .keyword_list_form import KeywordListForm
    from .keyword_list_response import KeywordListResponse
    from .message import Message
    from .message_data import MessageData
    from .message_entities import MessageEntities
    from .message_receiver import MessageReceiver
    from .message_sender import MessageSender
    from .moderation import Moderation
    from .moderation_rule import ModerationRule
    from .pagination import Pagination
    from .receiver_entity import ReceiverEntity
    from .reviewed_message import ReviewedMessage
    from .reviewed_message_list import ReviewedMessageList
    from .reviewed_message_list_meta import ReviewedMessageListMeta
    from .role import Role
    from .role_list import RoleList
    from .role_list_meta import RoleListMeta
    from .role_metadata import RoleMetadata
    from .role_settings import RoleSettings
    from .sender_entity import SenderEntity

_MODULES: dict[str, str] = {
    "AuthTokenDeletion": ".auth_token_deletion",
    "AuthTokenDeletionResponse": ".auth_token_deletion_response",
    "Condition": ".condition",
    "CurrentPage": ".current_page",
    "Error": ".error",
    "ErrorBody": ".error_body",
    "ErrorDetails": ".error_details",
    "KeywordCategory": ".keyword_category",
    "KeywordList": ".keyword_list",
    "KeywordListForm": ".keyword_list_form",
    "KeywordListResponse": ".keyword_list_response",
    "Message": ".message",
    "MessageData": ".message_data",
    "MessageEntities": ".message_entities",
    "MessageReceiver": ".message_receiver",
    "MessageSender": ".message_sender",
    "Moderation": ".moderation",
    "ModerationRule": ".moderation_rule",
    "Pagination": ".pagination",
    "ReceiverEntity": ".receiver_entity",
    "ReviewedMessage": ".reviewed_message",
    "ReviewedMessageList": ".reviewed_message_list",
    "ReviewedMessageListMeta": ".reviewed_message_list_meta",
    "Role": ".role",
    "RoleList": ".role_list",
    "RoleListMeta": ".role_list_meta",
    "RoleMetadata": ".role_metadata",
    "RoleSettings": ".role_settings",
    "SenderEntity": ".sender_entity",
}
__all__ = (
    "AuthTokenDeletion",
    "AuthTokenDeletionResponse",
    "Condition",
    "CurrentPage",
    "Error",
    "ErrorBody",
    "ErrorDetails",
    "KeywordCategory",
    "KeywordList",
    "KeywordListForm",
    "KeywordListResponse",
    "Message",
    "MessageData",
    "MessageEntities",
    "MessageReceiver",
    "MessageSender",
    "Moderation",
    "ModerationRule",
    "Pagination",
    "ReceiverEntity",
    "ReviewedMessage",
    "ReviewedMessageList",
    "ReviewedMessageListMeta",
    "Role",
    "RoleList",
    "RoleListMeta",
    "RoleMetadata",
    "RoleSettings",
    "SenderEntity",
)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    model = getattr(import_module(_MODULES[name], __name__), name)
    globals()[name] = model
    return model
