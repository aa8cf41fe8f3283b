"""Tests of the desk: lint, journal, folders of lists."""
