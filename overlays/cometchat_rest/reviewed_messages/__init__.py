"""Messages that moderation reviewed, and a memory that tells new records from known ones."""

from .resource import AsyncReviewedMessages, ReviewedMessages
from .watch import SeenRecords, oldest_first, record_id

__all__ = ["AsyncReviewedMessages", "ReviewedMessages", "SeenRecords", "oldest_first", "record_id"]
