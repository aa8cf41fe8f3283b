"""Tests of the questions to reviewed messages."""
