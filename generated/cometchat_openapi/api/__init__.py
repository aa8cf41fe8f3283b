"""The resources of the clients: one attribute for each tag of the description.

A resource is loaded, with its models, when it is first used.
"""

from abc import abstractmethod
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from ..client import AsyncClient, Client

if TYPE_CHECKING:
    from ..models.auth_token_deletion import AuthTokenDeletion as AuthTokenDeletion
    from ..models.condition import Condition as Condition
    from ..models.current_page import CurrentPage as CurrentPage
    from ..models.entity import Entity as Entity
    from ..models.keyword_category import KeywordCategory as KeywordCategory
    from ..models.keyword_list import KeywordList as KeywordList
    from ..models.message import Message as Message
    from ..models.message_data import MessageData as MessageData
    from ..models.message_entities import MessageEntities as MessageEntities
    from ..models.message_entity import MessageEntity as MessageEntity
    from ..models.moderation import Moderation as Moderation
    from ..models.moderation_rule import ModerationRule as ModerationRule
    from ..models.pagination import Pagination as Pagination
    from ..models.reviewed_message import ReviewedMessage as ReviewedMessage
    from ..models.reviewed_message_list import ReviewedMessageList as ReviewedMessageList
    from ..models.reviewed_message_list_meta import ReviewedMessageListMeta as ReviewedMessageListMeta
    from ..models.role import Role as Role
    from ..models.role_list import RoleList as RoleList
    from ..models.role_list_meta import RoleListMeta as RoleListMeta
    from ..models.role_metadata import RoleMetadata as RoleMetadata
    from ..models.role_settings import RoleSettings as RoleSettings
    from .roles import AsyncRoles as AsyncRoles
    from .roles import Roles as Roles

#: The module of each public name.
MODULE_OF = {
    "AsyncRoles": ".roles",
    "Roles": ".roles",
    "AuthTokenDeletion": "..models.auth_token_deletion",
    "Condition": "..models.condition",
    "CurrentPage": "..models.current_page",
    "Entity": "..models.entity",
    "KeywordCategory": "..models.keyword_category",
    "KeywordList": "..models.keyword_list",
    "Message": "..models.message",
    "MessageData": "..models.message_data",
    "MessageEntities": "..models.message_entities",
    "MessageEntity": "..models.message_entity",
    "Moderation": "..models.moderation",
    "ModerationRule": "..models.moderation_rule",
    "Pagination": "..models.pagination",
    "ReviewedMessage": "..models.reviewed_message",
    "ReviewedMessageList": "..models.reviewed_message_list",
    "ReviewedMessageListMeta": "..models.reviewed_message_list_meta",
    "Role": "..models.role",
    "RoleList": "..models.role_list",
    "RoleListMeta": "..models.role_list_meta",
    "RoleMetadata": "..models.role_metadata",
    "RoleSettings": "..models.role_settings",
}

__all__ = (
    "AsyncResources",
    "Resources",
    "AsyncRoles",
    "Roles",
    "AuthTokenDeletion",
    "Condition",
    "CurrentPage",
    "Entity",
    "KeywordCategory",
    "KeywordList",
    "Message",
    "MessageData",
    "MessageEntities",
    "MessageEntity",
    "Moderation",
    "ModerationRule",
    "Pagination",
    "ReviewedMessage",
    "ReviewedMessageList",
    "ReviewedMessageListMeta",
    "Role",
    "RoleList",
    "RoleListMeta",
    "RoleMetadata",
    "RoleSettings",
)


def __getattr__(name: str) -> object:
    if name not in MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(MODULE_OF[name], __name__), name)
    globals()[name] = value
    return value


class Resources:
    """The resources of a blocking client."""

    @property
    @abstractmethod
    def api(self) -> Client:
        """The object that sends the calls of the resources."""

    @cached_property
    def roles(self) -> "Roles":
        """Roles that users can have."""
        from .roles import Roles

        return Roles(self.api)


class AsyncResources:
    """The resources of an awaited client."""

    @property
    @abstractmethod
    def api(self) -> AsyncClient:
        """The object that sends the calls of the resources."""

    @cached_property
    def roles(self) -> "AsyncRoles":
        """Roles that users can have."""
        from .roles import AsyncRoles

        return AsyncRoles(self.api)
