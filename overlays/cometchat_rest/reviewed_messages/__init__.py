"""Messages that moderation reviewed."""

from .resource import AsyncReviewedMessages, ReviewedMessages
from .watch import oldest_first, record_id

__all__ = ["AsyncReviewedMessages", "ReviewedMessages", "oldest_first", "record_id"]
