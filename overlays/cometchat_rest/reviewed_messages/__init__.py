"""Messages that moderation reviewed (service.md, section 4.3)."""

from .resource import AsyncReviewedMessages, ReviewedMessages

__all__ = ["AsyncReviewedMessages", "ReviewedMessages"]
