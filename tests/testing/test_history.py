"""The history with known answers."""

import re
from datetime import UTC, datetime

import pytest

from cometchat_rest.testing import Simulator

END = datetime(2026, 7, 1, tzinfo=UTC)


def texts(simulator: Simulator, rule: str, status: str | None = None) -> list[str]:
    """The texts of the messages that a rule reviewed."""
    return [
        record["message"]["data"]["text"]
        for record in simulator.reviewed_messages
        if record["ruleName"] == rule and status in (None, record["message"]["data"]["moderation"]["status"])
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_history_has_the_terms_that_it_reports(simulator: Simulator, seed: int) -> None:
    """The counts of each term are equal to a search for whole words in the texts, and no other term occurs."""
    simulator.reviewed_messages = []
    history = simulator.add_history(end=END, seed=seed)
    terms = simulator.keyword_lists[history.keyword_list_id]["searchTerms"]
    rule = "Block community words"
    for term, count in history.by_term.items():
        word = re.compile(rf"\b{term}\b", re.IGNORECASE)
        assert sum(bool(word.search(text)) for text in texts(simulator, rule)) == count
        approved = sum(bool(word.search(text)) for text in texts(simulator, rule, "approved"))
        assert approved == history.approved_by_term.get(term, 0)
        # A moderator approved most messages with a planted term, and few messages with any other term.
        assert approved / count > 0.5 if term in history.false_positive_terms else approved / count < 0.2
    for term, count in history.by_unlisted_term.items():
        assert sum(term in text for text in texts(simulator, "Block toxicity")) == count
    assert set(history.by_term) == set(terms)
    assert set(history.unlisted_terms).isdisjoint(terms)
    assert len(history.false_positive_terms) == 3


def test_history_ends_at_its_end(simulator: Simulator) -> None:
    """Nothing in a history happens after its end: no message, and no decision of a moderator."""
    simulator.reviewed_messages = []
    simulator.add_history(end=END)
    assert max(record["updatedAt"] for record in simulator.reviewed_messages) <= END.timestamp()
    assert max(record["createdAt"] for record in simulator.reviewed_messages) < END.timestamp()


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
