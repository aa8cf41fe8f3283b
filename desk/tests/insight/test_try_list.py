"""`try_list`: the comparison of two lists on messages, also on a history with known answers."""

import tracemalloc
from collections.abc import Iterator

from attrs import evolve

from cometchat_desk.insight.matcher import ListTerms
from cometchat_desk.insight.reviewed import Reviewed
from cometchat_desk.insight.try_list import try_list


def words(*terms: str) -> ListTerms:
    return ListTerms(category="word", terms=terms)


def message(number: int, text: str | None, status: str | None = "disapproved") -> Reviewed:
    return Reviewed(message_id=str(number), text=text, status=status)


def test_compare_lists() -> None:
    """Each message counts once in the totals, and once for each term that it contains."""
    messages = [
        message(1, "spam", "approved"),
        message(2, "scam and fraud", "approved"),
        message(3, "Fraud! fraud!"),
        message(4, "fraud, a fake", "approved"),
        message(5, "coins"),
        message(6, "hello"),
        message(7, None),
    ]
    found = try_list(
        words("spam", "scam", "coins"), words("SPAM", "scam", "fraud", "fake"), messages
    )
    assert (found.messages, found.without_text, found.with_status) == (6, 1, 6)
    assert (found.live_terms, found.new_terms) == (3, 4)
    assert (found.matched_by_both, found.newly_matched, found.no_longer_matched) == (2, 2, 1)
    assert (found.newly_matched_approved, found.no_longer_matched_approved) == (1, 0)
    changes = [
        (each.term, each.change, each.messages, each.affected, each.approved)
        for each in found.terms
    ]
    assert changes == [
        ("fraud", "added", 3, 2, 1),
        ("coins", "removed", 1, 1, 0),
        ("fake", "added", 1, 1, 1),
    ]
    assert (found.terms[0].example_id, found.terms[0].example) == ("3", "Fraud! fraud!")
    assert "does not document how it matches" in found.rules


def test_message_with_several_records() -> None:
    """A message that two rules found counts once."""
    found = try_list(words("a"), words("b"), [message(1, "b"), message(2, "b"), message(1, "b")])
    assert (found.messages, found.newly_matched, found.repeated) == (2, 2, 1)


def test_messages_of_two_apps() -> None:
    """Messages of two apps are different messages, also with the same identifier."""
    messages = [evolve(message(1, "b"), app=app) for app in ("shop", "forum", "shop")]
    found = try_list(words("a"), words("b"), messages)
    assert (found.messages, found.newly_matched, found.repeated) == (2, 2, 1)


def test_messages_without_identifier() -> None:
    """Equal texts without an identifier are different messages."""
    found = try_list(words("a"), words("b"), [Reviewed(text="b"), Reviewed(text="b")])
    assert (found.messages, found.newly_matched, found.with_status) == (2, 2, 0)


def test_flat_memory() -> None:
    """The memory does not depend on the number of messages."""
    live, new = words("alpha", "beta"), words("beta", "gamma")

    def peak(count: int) -> int:
        def messages() -> Iterator[Reviewed]:
            for number in range(count):
                yield Reviewed(text=f"gamma {number} alpha", status="approved")

        tracemalloc.start()
        found = try_list(live, new, messages())
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert found.messages == count
        return highest

    peak(10)
    assert peak(4000) < peak(200) + 50_000
