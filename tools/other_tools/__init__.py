"""Tries tools of other people with openapi.yaml, for the table in docs/tools.md."""
