"""Messages that moderation reviewed (service.md, section 4.3)."""

from .columns import COLUMNS, ColumnKind, ReviewedColumn
from .resource import AsyncReviewedMessages, ReviewedMessages

__all__ = ["COLUMNS", "AsyncReviewedMessages", "ColumnKind", "ReviewedColumn", "ReviewedMessages"]
