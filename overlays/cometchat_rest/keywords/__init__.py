"""Moderation keyword lists (service.md, sections 4.1 and 4.2)."""

from .resource import AsyncKeywords, Keywords

__all__ = ["AsyncKeywords", "Keywords"]
