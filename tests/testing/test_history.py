"""The simulator's own messages and its history with known answers."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from cometchat_rest import Client
from cometchat_rest.testing import Simulator

END = datetime(2026, 7, 1, tzinfo=UTC)


def texts(simulator: Simulator, rule: str, status: str | None = None) -> list[str]:
    """The texts of the messages that a rule reviewed."""
    return [
        record["message"]["data"]["text"]
        for record in simulator.reviewed_messages
        if record["ruleName"] == rule and status in (None, record["message"]["data"]["moderation"]["status"])
    ]


def test_own_message_is_listed_at_the_place_of_its_time(simulator: Simulator) -> None:
    """A client lists your message with its text, sender, receiver, rule, status, action and time, sorted by time."""
    newest = simulator.reviewed_messages[0]["createdAt"]
    moment = datetime.fromtimestamp(newest, UTC) - timedelta(seconds=1)
    simulator.add_reviewed_message(
        "<b>hello</b>",
        sender="erin",
        receiver="frank",
        rule="My rule",
        keyword_list="my-list",
        status="approved",
        action="flagMessage",
        created_at=moment,
    )
    simulator.add_reviewed_message("now", keyword_list=None)
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        now, _, mine, *_ = chat.reviewed_messages.list(limit=5).data
    assert now.message.to_dict()["data"]["text"] == "now"
    assert now.to_dict()["condition"]["operator"] == "equals"
    assert mine.rule_name == "My rule"
    assert (mine.action, mine.created_at) == (["flagMessage"], int(moment.timestamp()))
    assert mine.to_dict()["condition"]["value"] == ["my-list"]
    sent = mine.message.to_dict()
    assert (sent["sender"], sent["receiver"]) == ("erin", "frank")
    assert (sent["data"]["text"], sent["data"]["moderation"]["status"]) == ("<b>hello</b>", "approved")


def test_history_has_the_counts_that_it_reports(simulator: Simulator) -> None:
    """The counts for each rule, sender, action, status and day are equal to those of the records."""
    before = len(simulator.reviewed_messages)
    history = simulator.add_history(days=7, per_day=30, end=END)
    added = [each for each in simulator.reviewed_messages if each["message"]["id"].startswith("h")]
    assert len(added) == history.messages == 210 == len(simulator.reviewed_messages) - before
    assert Counter(each["ruleName"] for each in added) == history.by_rule
    assert Counter(each["message"]["sender"] for each in added) == history.by_sender
    assert Counter(action for each in added for action in each["action"]) == history.by_action
    assert Counter(each["message"]["data"]["moderation"]["status"] for each in added) == history.by_status
    days = Counter(datetime.fromtimestamp(each["createdAt"], UTC).date().isoformat() for each in added)
    assert days == history.by_day == {f"2026-06-{day}": 30 for day in range(24, 31)}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_history_has_the_terms_that_it_reports(simulator: Simulator, seed: int) -> None:
    """The counts of each term are equal to a search for whole words in the texts, and no other term occurs."""
    simulator.reviewed_messages = []
    history = simulator.add_history(end=END, seed=seed)
    terms = simulator.keyword_lists[history.keyword_list_id]["searchTerms"]
    rule = "Block community words"
    for term, count in history.by_term.items():
        found = re.compile(rf"\b{term}\b", re.IGNORECASE)
        assert sum(bool(found.search(text)) for text in texts(simulator, rule)) == count
        approved = sum(bool(found.search(text)) for text in texts(simulator, rule, "approved"))
        assert approved == history.approved_by_term.get(term, 0)
    for term, count in history.by_unlisted_term.items():
        assert sum(term in text for text in texts(simulator, "Block toxicity")) == count
    assert set(history.by_term) == set(terms)
    assert set(history.unlisted_terms).isdisjoint(terms)


def test_three_terms_are_false_positives(simulator: Simulator) -> None:
    """A moderator approved most messages with the three planted terms, and few messages with any other term."""
    history = simulator.add_history(end=END)
    share = {term: history.approved_by_term.get(term, 0) / count for term, count in history.by_term.items()}
    assert {term for term, value in share.items() if value > 0.5} == set(history.false_positive_terms)
    assert all(value < 0.2 for term, value in share.items() if term not in history.false_positive_terms)


def test_history_is_the_same_for_the_same_arguments() -> None:
    """Two simulators make the same history; another seed makes another history."""
    first, second, third = Simulator(), Simulator(), Simulator()
    assert first.add_history(end=END) == second.add_history(end=END) != third.add_history(end=END, seed=2)
    assert first.reviewed_messages == second.reviewed_messages


def test_invalid_history_is_refused(simulator: Simulator) -> None:
    """A history without days or messages is refused, and nothing is added."""
    before = list(simulator.reviewed_messages)
    for days, per_day in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="must be at least 1"):
            simulator.add_history(days=days, per_day=per_day)
    assert simulator.reviewed_messages == before


def test_reset_removes_own_messages_and_history(simulator: Simulator) -> None:
    """After a reset, the simulator contains only its initial records."""
    before = list(simulator.reviewed_messages)
    history = simulator.add_history(days=1)
    simulator.add_reviewed_message("mine")
    simulator.reset()
    assert simulator.reviewed_messages == before
    assert history.keyword_list_id not in simulator.keyword_lists


def test_generated_texts_fit_their_rule(simulator: Simulator) -> None:
    """A text that a list blocked matches that list; a text of the toxicity rule matches no list."""
    lists = simulator.keyword_lists
    patterns = [re.compile(each) for each in lists["scam-patterns"]["searchTerms"]]
    words = [re.escape(each) for each in lists["profanity-list"]["searchTerms"]]
    assert all(re.search("|".join(words), text) for text in texts(simulator, "Block word"))
    assert all(any(each.search(text) for each in patterns) for text in texts(simulator, "Block pattern"))
    assert not any(re.search("|".join(words), text) for text in texts(simulator, "Block toxicity"))
