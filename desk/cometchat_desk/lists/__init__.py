"""Keyword lists outside the service: files, folders, and changes of lists."""
