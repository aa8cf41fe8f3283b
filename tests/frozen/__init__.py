"""Frozen: what a refactoring must not change."""
