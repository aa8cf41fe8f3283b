"""Tries the descriptions with tools that other people use, for the table in docs/tools.md."""
