"""Tests that wait for each call."""

import pytest

from cometchat_rest import TransportError
from word_watch import ban


def test_new_words_are_put_on_the_list(cometchat_client, cometchat_simulator):
    """Words that are not on the list are put behind those that are."""
    assert ban(cometchat_client, "profanity-list", ["spam", "phishing"]) == {"phishing"}
    assert cometchat_simulator.keyword_lists["profanity-list"]["searchTerms"][-1] == "phishing"


def test_known_words_change_nothing(cometchat_client, cometchat_simulator):
    """Where nothing is new, nothing is sent but a question."""
    assert ban(cometchat_client, "profanity-list", ["spam"]) == frozenset()
    assert [request.method for request in cometchat_simulator.requests] == ["GET"]


def test_the_service_cannot_be_reached(cometchat_client, cometchat_simulator):
    """Where the service cannot be reached, the caller learns of it."""
    cometchat_simulator.fail(cut="before_headers", times=None)
    with pytest.raises(TransportError):
        ban(cometchat_client.with_options(max_retries=0), "profanity-list", ["phishing"])
