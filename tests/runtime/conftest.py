"""Fixtures for tests of one call."""

import logging
from collections.abc import Iterator

import pytest

from .call_support import RetryRecorder


@pytest.fixture
def retries() -> Iterator[RetryRecorder]:
    """Record the retries of all clients during the test."""
    handler, logger = RetryRecorder(), logging.getLogger("cometchat_rest")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.setLevel(level)
    logger.removeHandler(handler)
