"""Moderation keyword lists (`getKeywordList` and `updateKeywordList` in `openapi.yaml`)."""

from .resource import AsyncKeywords, Keywords

__all__ = ["AsyncKeywords", "Keywords"]
