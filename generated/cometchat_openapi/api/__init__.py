"""The resources of the clients: one attribute for each tag of the description.

A resource is loaded, with its models, when it is first used.
"""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cometchat_runtime.api import Api, AsyncApi

    from .auth_tokens import AsyncAuthTokens, AuthTokens
    from .keywords import AsyncKeywords, Keywords
    from .reviewed_messages import AsyncReviewedMessages, ReviewedMessages
    from .roles import AsyncRoles, Roles


class Resources(ABC):
    """The resources of a blocking client."""

    @property
    @abstractmethod
    def api(self) -> "Api":
        """Sends the calls of the resources."""

    @cached_property
    def keywords(self) -> "Keywords":
        """Moderation keyword lists."""
        from .keywords import Keywords

        return Keywords(self.api)

    @cached_property
    def reviewed_messages(self) -> "ReviewedMessages":
        """Messages that moderation has reviewed."""
        from .reviewed_messages import ReviewedMessages

        return ReviewedMessages(self.api)

    @cached_property
    def roles(self) -> "Roles":
        """Roles that users can have."""
        from .roles import Roles

        return Roles(self.api)

    @cached_property
    def auth_tokens(self) -> "AuthTokens":
        """Tokens that users log in with."""
        from .auth_tokens import AuthTokens

        return AuthTokens(self.api)


class AsyncResources(ABC):
    """The resources of an awaited client."""

    @property
    @abstractmethod
    def api(self) -> "AsyncApi":
        """Sends the calls of the resources."""

    @cached_property
    def keywords(self) -> "AsyncKeywords":
        """Moderation keyword lists."""
        from .keywords import AsyncKeywords

        return AsyncKeywords(self.api)

    @cached_property
    def reviewed_messages(self) -> "AsyncReviewedMessages":
        """Messages that moderation has reviewed."""
        from .reviewed_messages import AsyncReviewedMessages

        return AsyncReviewedMessages(self.api)

    @cached_property
    def roles(self) -> "AsyncRoles":
        """Roles that users can have."""
        from .roles import AsyncRoles

        return AsyncRoles(self.api)

    @cached_property
    def auth_tokens(self) -> "AsyncAuthTokens":
        """Tokens that users log in with."""
        from .auth_tokens import AsyncAuthTokens

        return AsyncAuthTokens(self.api)
