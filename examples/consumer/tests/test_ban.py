"""Tests with the blocking client."""

import pytest

from cometchat_rest import TransportError
from word_watch import ban


def test_new_words_are_added(cometchat_client, cometchat_simulator):
    """New words are added at the end of the list."""
    assert ban(cometchat_client, "profanity-list", ["spam", "phishing"]) == {"phishing"}
    assert cometchat_simulator.keyword_lists["profanity-list"]["searchTerms"][-1] == "phishing"


def test_known_words_change_nothing(cometchat_client, cometchat_simulator):
    """Without new words, the list is read and not updated."""
    assert ban(cometchat_client, "profanity-list", ["spam"]) == frozenset()
    assert [request.method for request in cometchat_simulator.requests] == ["GET"]


def test_connection_error(cometchat_client, cometchat_simulator):
    """The caller gets an error if the connection fails."""
    cometchat_simulator.fail(cut="before_headers", times=None)
    with pytest.raises(TransportError):
        ban(cometchat_client.with_options(max_retries=0), "profanity-list", ["phishing"])
