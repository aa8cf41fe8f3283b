"""Helpers without knowledge of the service: checks of arguments, concurrency, files."""
